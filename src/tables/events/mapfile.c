/* SPDX-License-Identifier: MIT */
/*
 * mapfile.csv, Linux's and perfmon's: a pattern of CPUs, a version, a folder
 * (Linux) or a file (perfmon, with a leading '/'), and perfmon's kind of core.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "tables/events/place.h"

enum { PATH = 2, KIND = 3, CORE = 6, COLUMNS = 7 };

size_t table_mark(const char *text)
{
	return strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3;
}

const char *table_text(struct event_tables *t, const char *text, size_t bytes)
{
	const char *copy = pool_text(t->pool, text, bytes);

	return copy ? copy : "";
}

/* Rows of a CPU with one kind of core have no role. */
static const char *core_of(const char *role)
{
	return !*role ? "" :
	       !strcmp(role, "Core") ? "cpu_core" :
	       !strcmp(role, "Atom") ? "cpu_atom" : "cpu_lowpower";
}

static unsigned split(char *column[COLUMNS], char *line)
{
	unsigned n = 0;

	for (char *at = line; at && n < COLUMNS; n++) {
		column[n] = at;
		at = strchr(at, ',');
		if (at)
			*at++ = '\0';
	}
	return n;
}

static bool add_row(struct event_tables *t, char *line)
{
	char *column[COLUMNS];
	const unsigned n = split(column, line);
	struct table_root *root = &t->root[t->roots - 1];
	const char *path;

	if (n < 4 || *line == '#' || !strcmp(line, "Family-model"))
		return true;
	if (!array_more(&t->row, t->rows, sizeof(*t->row)))
		return false;
	path = column[PATH];
	root->first_wins |= *path != '/';
	path += *path == '/';
	t->row[t->rows++] = (struct table_row){
		.root = t->roots - 1,
		.pattern = table_text(t, line, strlen(line)),
		.prefix = table_text(t, path, strlen(path)),
		.core = n == COLUMNS ? core_of(column[CORE]) : "",
	};
	return true;
}

int table_rows_read(struct event_tables *t, const char *path,
		    struct assay_error *err)
{
	char *text, *line, *rest;
	size_t bytes;
	int rc = text_load(&text, &bytes, path, TABLE_BYTES, err);

	if (rc)
		return rc;
	line = strtok_r(text + table_mark(text), "\r\n", &rest);
	for (; line && !rc;
	     line = strtok_r(NULL, "\r\n", &rest))
		if (!add_row(t, line))
			rc = error_memory(err);
	free(text);
	return rc;
}
