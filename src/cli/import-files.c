/* SPDX-License-Identifier: MIT */
/* Folders, and equal records, of assay import. */
#define _GNU_SOURCE	/* open_memstream, scandir */
#include "cli/import-files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- folders ------------------------------------------------------------- */

bool is_folder(const char *path)
{
	struct stat s;

	return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static int not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int visit(const char *folder, const char *name,
		 int (*fn)(void *ctx, const char *path), void *ctx)
{
	char path[4096];
	struct stat s;

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >=
	    (int)sizeof(path) || lstat(path, &s) != 0)
		return 0;
	if (S_ISDIR(s.st_mode))
		return folder_each(path, fn, ctx);
	return is_folder(path) || (!S_ISREG(s.st_mode) &&
				   !S_ISLNK(s.st_mode)) ? 0 : fn(ctx, path);
}

int folder_each(const char *path, int (*fn)(void *ctx, const char *path),
		void *ctx)
{
	struct dirent **entry;
	const int n = scandir(path, &entry, not_hidden, alphasort);
	int rc = 0;

	for (int i = 0; i < n; i++) {
		rc = rc ? rc : visit(path, entry[i]->d_name, fn, ctx);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	return rc;
}

/* ---- equal records ------------------------------------------------------- */

/* Behind the file and the line that another tool's counts came from: "p.csv:3";
 * else the text itself. */
static const char *behind_origin(const char *options)
{
	for (const char *p = strchr(options, ':'); p; p = strchr(p + 1, ':')) {
		const size_t n = strspn(p + 1, "0123456789");

		if (n && (!p[1 + n] || p[1 + n] == ' '))
			return p + 1 + n;
	}
	return options;
}

/* The record as a line, without its origin. NULL: out of memory. */
static char *line_of(const struct assay_record *record)
{
	struct assay_record copy = *record;
	char *line = NULL;
	size_t bytes;
	FILE *out;

	snprintf(copy.settings.options, sizeof(copy.settings.options), "%s",
		 behind_origin(record->settings.options));
	out = open_memstream(&line, &bytes);
	if (!out)
		return NULL;
	if (assay_record_write(out, &copy, NULL) | fclose(out)) {
		free(line);
		return NULL;
	}
	return line;
}

static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325;	/* FNV-1a */

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return hash ^ hash >> 32;
}

/* The slot of the line, or a free one. */
static char **find(const struct records_seen *seen, const char *line)
{
	size_t i = hash_of(line) & (seen->slots - 1);

	while (seen->slot[i] && strcmp(seen->slot[i], line))
		i = (i + 1) & (seen->slots - 1);
	return &seen->slot[i];
}

static int grow(struct records_seen *seen)
{
	struct records_seen more = { .slots = seen->slots ? 2 * seen->slots :
						    1024 };

	if (2 * seen->used < seen->slots)
		return 0;
	more.slot = calloc(more.slots, sizeof(*more.slot));
	if (!more.slot)
		return -1;
	for (size_t i = 0; i < seen->slots; i++)
		if (seen->slot[i])
			*find(&more, seen->slot[i]) = seen->slot[i];
	more.used = seen->used;
	free(seen->slot);
	*seen = more;
	return 0;
}

int records_seen_add(struct records_seen *seen,
		     const struct assay_record *record)
{
	char *line = line_of(record);
	char **slot;

	if (!line || grow(seen) < 0) {
		free(line);
		return -1;
	}
	slot = find(seen, line);
	if (*slot) {
		free(line);
		return 1;
	}
	*slot = line;
	seen->used++;
	return 0;
}

void records_seen_free(struct records_seen *seen)
{
	for (size_t i = 0; i < seen->slots; i++)
		free(seen->slot[i]);
	free(seen->slot);
}
