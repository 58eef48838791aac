/* SPDX-License-Identifier: MIT */
/* Files of JSON that stand where tables stand, and do not look like tables. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tables/events/place.h"

static bool is_json(const char *path)
{
	const char *end = strrchr(path, '.');

	return end && !strcmp(end, ".json");
}

/* perfmon's "SKL/metrics/x.json" and its row "SKL/events/x_core.json". */
static bool same_cpu(const char *below, const char *prefix)
{
	return !strncmp(below, prefix, strcspn(prefix, "/") + 1);
}

static int check_piece(void *ctx, struct piece *piece)
{
	(void)ctx;
	return piece->element && !piece->key_bytes && *piece->text != '{' ?
	       piece_error(piece, "an entry begins with '{'") : 0;
}

bool table_is_broken(const char *path, struct piece_fault *fault)
{
	struct assay_error err;
	char *text;
	size_t bytes, mark;
	int rc;

	if (text_load(&text, &bytes, path, TABLE_BYTES, &err))
		return false;
	mark = table_mark(text);
	rc = pieces_each(text + mark, bytes - mark, check_piece, NULL, fault);
	free(text);
	return rc == -ASSAY_EPARSE;
}

static enum table_form form_of_place(const struct event_tables *t,
				     const struct table_file *f)
{
	if (!t->root[f->root].mapped || !is_json(f->path))
		return FORM_NONE;
	if (f->named || t->root[f->root].first_wins)
		return FORM_JSON;
	for (size_t i = 0; i < t->rows; i++)
		if (t->row[i].root == f->root &&
		    same_cpu(f->below, t->row[i].prefix))
			return FORM_METRICS;
	return FORM_NONE;
}

enum table_form table_form_of_place(const struct event_tables *t,
				    const struct table_file *f, bool regular)
{
	const enum table_form form = form_of_place(t, f);
	struct piece_fault fault;

	if (form == FORM_NONE || !regular)
		return form == FORM_NONE ? FORM_NONE : FORM_NO_FILE;
	return table_is_broken(f->path, &fault) ? form : FORM_NONE;
}

bool table_is_found(const struct event_tables *t, size_t *from,
		    const char *folder, const char *path)
{
	const size_t n = strlen(folder);

	for (; *from < t->files; ++*from) {
		const char *file = t->file[*from].path;

		if (!is_json(file) || strncmp(file, folder, n) ||
		    strrchr(file, '/') != file + n)
			continue;
		if (path && strcmp(file, path))
			return false;
		*from += path != NULL;
		return true;
	}
	return false;
}
