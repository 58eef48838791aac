/* SPDX-License-Identifier: MIT */
/* Event tables in JSON: intel/perfmon's, Linux's and Arm's files. */
#include <string.h>

#include "tables/events/reading.h"

typedef int read_piece_fn(const struct reading *r, const struct piece *p);

/* perfmon's files were arrays like Linux's until 2023, in "CPU/events/". */
static bool of_perfmon(const char *file)
{
	static const char folder[] = "/events";
	const char *slash = strrchr(file, '/');
	const size_t n = strlen(folder);

	return slash && (size_t)(slash - file) >= n &&
	       !strncmp(slash - n, folder, n);
}

/* The readers of a file's arrays. */
static const struct array {
	const char *key;
	read_piece_fn *read;
	enum entry_source source;
} arrays[] = {
	{ "", read_perfmon_event, ENTRY_PERFMON },	/* if of_perfmon() */
	{ "", read_linux_entry, ENTRY_LINUX },
	{ "Events", read_perfmon_event, ENTRY_PERFMON },
	{ "Metrics", read_perfmon_metric, ENTRY_PERFMON },
	{ "events", read_arm_event, ENTRY_ARM },
};

struct json {
	const struct reading *r;
	enum entry_source source;	/* of the last array */
	struct piece_fault fault;
};

static const struct array *array_of(const struct reading *r,
				    const struct piece *p)
{
	for (size_t i = of_perfmon(r->file) ? 0 : 1;
	     i < sizeof(arrays) / sizeof(arrays[0]); i++)
		if (p->element && piece_in(p, arrays[i].key))
			return &arrays[i];
	return NULL;
}

static int bad_entry(const struct json *j, const char *name, bool limit)
{
	struct entry e = reading_entry(j->r, j->source, j->fault.line);

	e.col = j->fault.col;
	e.name = name;
	return reading_bad(j->r, &e, limit, j->fault.why);
}

static const char *name_of(const struct piece *p, char room[24])
{
	static const char *const keys[] = {
		"EventName", "MetricName", "ArchStdEvent", "name",
	};
	const char *name = "";

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && !*name; i++)
		name = member_text(p, keys[i], room);
	return name;
}

static int read_piece(void *ctx, struct piece *p)
{
	struct json *j = ctx;
	const struct array *array = array_of(j->r, p);
	char room[24];
	int rc;

	if (!array)
		return 0;
	j->source = array->source;
	j->fault.why[0] = '\0';
	rc = *p->text == '{' ? piece_parse(p, j->r->err) :
	     piece_error(p, "an entry begins with '{'");
	if (!rc)
		rc = array->read(j->r, p);
	return rc && j->fault.why[0] ?
	       bad_entry(j, name_of(p, room), rc == -ASSAY_ERANGE) : rc;
}

/* A file that breaks off keeps the entries before. */
int read_json_table(const struct reading *r, const char *text, size_t bytes)
{
	struct json j = { .r = r, .source = ENTRY_PERFMON };
	int rc;

	if (*text == '[' && !of_perfmon(r->file))
		j.source = ENTRY_LINUX;
	rc = pieces_each(text, bytes, read_piece, &j, &j.fault);
	return rc == -ASSAY_EPARSE ? bad_entry(&j, "", false) : rc;
}
