/* SPDX-License-Identifier: MIT */
/* Which format a trace has, and reading it. */
#include "store/traces/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/traces/stream.h"

const char *const trace_formats[TRACE_FORMATS + 1] = {
	[TRACE_DIN] = "din",
	[TRACE_LACKEY] = "lackey",
	[TRACE_CHAMPSIM] = "champsim",
	[TRACE_ASSAY] = "assay",
};

static const struct trace_reader *const readers[TRACE_FORMATS] = {
	[TRACE_DIN] = &trace_din,
	[TRACE_LACKEY] = &trace_lackey,
	[TRACE_CHAMPSIM] = &trace_champsim,
	[TRACE_ASSAY] = &trace_assay,
};

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
	error_add(err, "known: din, lackey, champsim, assay");
	return -ASSAY_EINVAL;
}

/* "x.din.zst" ends with ".din", too. */
static bool has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), m = strlen(suffix);

	if (n > 4 && strcmp(name + n - 4, ".zst") == 0)
		n -= 4;
	return n > m && strncmp(name + n - m, suffix, m) == 0;
}

static const struct trace_reader *by_content(const struct trace_input *in)
{
	for (int i = 0; i < TRACE_FORMATS; i++)
		if (readers[i]->begins(trace_input_data(in),
				       trace_input_left(in)))
			return readers[i];
	return NULL;
}

static const struct trace_reader *by_name(const char *name)
{
	for (int i = 0; i < TRACE_FORMATS; i++)
		for (int k = 0; readers[i]->suffix[k]; k++)
			if (has_suffix(name, readers[i]->suffix[k]))
				return readers[i];
	return NULL;
}

/*
 * A binary mark decides; then the name, because text formats are guesses from
 * one line; then the guess.
 */
static const struct trace_reader *find_reader(struct trace_stream *s)
{
	const struct trace_reader *guess = by_content(&s->in);
	const struct trace_reader *named = by_name(s->in.name);

	return guess == &trace_assay || !named ? guess : named;
}

static int read_all(struct trace_stream *s, enum trace_format format)
{
	const struct trace_reader *reader;
	int rc = trace_input_need(&s->in, TRACE_WINDOW / 64);

	if (rc < 0)
		return rc;
	if (!trace_input_left(&s->in))
		return error_set(s->in.err, -ASSAY_EINVAL, "'%.300s' is empty",
				 s->in.name);
	reader = format == TRACE_ANY ? find_reader(s) : readers[format];
	if (!reader)
		return error_set(s->in.err, -ASSAY_EINVAL, "cannot tell the "
				 "trace format of '%.300s': say it (--format "
				 "din, lackey, champsim or assay)",
				 s->in.name);
	for (int i = 0; i < TRACE_FORMATS; i++)
		if (readers[i] == reader)
			s->summary->format = (enum trace_format)i;
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
