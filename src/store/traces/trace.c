/* SPDX-License-Identifier: MIT */
/* Finding out a trace's format, and reading the trace. See trace.h. */
#include "store/traces/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/traces/stream.h"

#define NAME(id, name, ...) [TRACE_##id] = #name,
const char *const trace_formats[TRACE_FORMATS + 1] = { TRACES(NAME, , ) };

#define READER(id, name, words, flag, ...) \
	{ trace_##name##_begins, trace_##name##_read, flag, { __VA_ARGS__ } },
static const struct reader {
	bool (*begins)(const unsigned char *data, size_t bytes);
	int (*read)(struct trace_stream *s);
	unsigned flags;		/* enum trace_flag */
	const char *ending[3];	/* ".din"; NULL-terminated */
} readers[TRACE_FORMATS] = { TRACES(READER, , ) };

int trace_format_find(enum trace_format *out, const char *name,
		      struct assay_error *err)
{
	if (!name) {
		*out = TRACE_ANY;
		return 0;
	}
	for (int i = 0; i < TRACE_FORMATS; i++) {
		if (text_equal(trace_formats[i], name)) {
			*out = (enum trace_format)i;
			return 0;
		}
	}
	error_set(err, -ASSAY_EINVAL, "unknown trace format '%.60s'", name);
	error_meant(err, name, trace_formats);
	error_add(err, "known: " TRACES(TRACE_NAME, ", ", ", "));
	return -ASSAY_EINVAL;
}

/* Does the name end with `ending`, or with that and ".zst"? */
static bool has_ending(const char *name, const char *ending)
{
	size_t n = strlen(name), m = strlen(ending);

	if (n > 4 && strcmp(name + n - 4, ".zst") == 0)
		n -= 4;
	return n > m && strncmp(name + n - m, ending, m) == 0;
}

static const struct reader *by_content(const struct trace_input *in)
{
	for (int i = 0; i < TRACE_FORMATS; i++)
		if (readers[i].begins(trace_input_data(in),
				      trace_input_left(in)))
			return &readers[i];
	return NULL;
}

static const struct reader *by_name(const char *name)
{
	for (int i = 0; i < TRACE_FORMATS; i++)
		for (int k = 0; readers[i].ending[k]; k++)
			if (has_ending(name, readers[i].ending[k]))
				return &readers[i];
	return NULL;
}

/*
 * A binary mark decides. Without one the name decides, because a text format is
 * only guessed from its first line; without a known name the guess does.
 */
static const struct reader *find_reader(struct trace_stream *s)
{
	const struct reader *guess = by_content(&s->in);
	const struct reader *named = by_name(s->in.name);

	return !named || (guess && guess->flags & TRACE_MARKED) ? guess
								: named;
}

static int read_all(struct trace_stream *s, enum trace_format format)
{
	const struct reader *reader;
	int rc = trace_input_need(&s->in, TRACE_WINDOW / 64);

	if (rc < 0)
		return rc;
	if (!trace_input_left(&s->in))
		return error_set(s->in.err, -ASSAY_EINVAL, "'%.300s' is empty",
				 s->in.name);
	reader = format == TRACE_ANY ? find_reader(s) : &readers[format];
	if (!reader)
		return error_set(s->in.err, -ASSAY_EINVAL, "cannot tell the "
				 "trace format of '%.300s': say it "
				 "(--format " TRACES(TRACE_NAME, ", ", " or ")
				 ")", s->in.name);
	s->summary->format = (enum trace_format)(reader - readers);
	s->summary->flags = reader->flags;
	rc = reader->read(s);
	access_flush(&s->out);
	return rc;
}

int trace_read(const char *path, enum trace_format format,
	       const struct access_sink *sink, const struct trace_stop *stop,
	       struct trace_summary *out, struct assay_error *err)
{
	struct trace_summary summary = { .format = format };
	struct trace_stream *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	rc = trace_input_open(&s->in, path, err);
	if (rc < 0)
		goto out_stream;
	if (stop)
		s->in.stop = *stop;
	s->out.sink = sink;
	s->summary = &summary;
	rc = read_all(s, format);
	if (rc == 0)
		*out = summary;
	trace_input_close(&s->in);
out_stream:
	free(s);
	return rc;
}
