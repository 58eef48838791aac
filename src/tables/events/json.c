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

static read_piece_fn *reader_of(const char *file, const struct piece *p)
{
	static const struct {
		const char *key;
		read_piece_fn *read;
	} readers[] = {
		{ "", read_linux_entry }, { "Events", read_perfmon_event },
		{ "Metrics", read_perfmon_metric },
		{ "events", read_arm_event },
	};

	if (!p->element || *p->text != '{')
		return NULL;
	if (piece_in(p, "") && of_perfmon(file))
		return read_perfmon_event;
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		if (piece_in(p, readers[i].key))
			return readers[i].read;
	return NULL;
}

static int read_piece(void *ctx, struct piece *p)
{
	const struct reading *r = ctx;
	read_piece_fn *read = reader_of(r->file, p);
	int rc;

	if (!read)
		return 0;
	rc = piece_parse(p);
	return rc ? rc : read(r, p);
}

int read_json_table(const struct reading *r, const char *text, size_t bytes)
{
	return pieces_each(r->file, text, bytes, read_piece, (void *)r,
			   r->err);
}
