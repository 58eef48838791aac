/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE	/* tdestroy */
#include "stat/sources.h"

#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A path as the compiler wrote it; its name follows it in the same memory. */
struct source { const char *path, *name; };

static int by_path(const void *pa, const void *pb)
{
	const struct source *a = pa, *b = pb;

	return strcmp(a->path, b->path);
}

/* Is the part of a path "." or ".."? */
static bool is_dots(const char *part, size_t n)
{
	return n && n <= 2 && !strncmp(part, "..", n);
}

/* Removes the last part of out[0..n). */
static size_t parent(const char *out, size_t n)
{
	while (n && out[n - 1] != '/')
		n--;
	return n ? n - 1 : 0;
}

/* out: as long as the absolute path. The folder before ".." goes: it is
 * assumed to be no symbolic link. */
static void simplify(char *out, const char *path)
{
	size_t n = 0;

	while (*path) {
		const size_t part = strcspn(path, "/");

		if (part == 2 && is_dots(path, part)) {
			n = parent(out, n);
		} else if (part && !is_dots(path, part)) {
			out[n++] = '/';
			memcpy(out + n, path, part);
			n += part;
		}
		path += part + (path[part] == '/');
	}
	out[n] = '\0';
}

/* What follows the folder in the path; NULL: the path is not below it. */
static const char *below(const char *path, const char *folder)
{
	size_t n = strlen(folder);

	while (n && folder[n - 1] == '/')
		n--;
	return !strncmp(path, folder, n) && path[n] == '/' && path[n + 1] ?
	       path + n + 1 : NULL;
}

/* NULL: no memory. */
static struct source *add(struct sources *sources, const char *path)
{
	const size_t n = strlen(path) + 1;
	struct source *new = malloc(sizeof(*new) + 2 * n);
	const char *inside;
	char *name;

	if (!new)
		return NULL;
	name = (char *)(new + 1) + n;
	new->path = memcpy(new + 1, path, n);
	simplify(name, path);
	inside = sources->root ? below(name, sources->root) : NULL;
	new->name = inside ? inside : name;
	if (tsearch(new, &sources->names, by_path))
		return new;
	free(new);
	return NULL;
}

const char *sources_name(struct sources *sources, const char *folder,
			 const char *path)
{
	struct source key = { .path = path }, **found, *new;
	char joined[8192];

	if (*path == '/' && !sources->root && !strstr(path, "/."))
		return path;
	if (*path != '/') {
		if (!folder || *folder != '/' ||
		    snprintf(joined, sizeof(joined), "%s/%s", folder, path) >=
		    (int)sizeof(joined))
			return path;
		key.path = joined;
	}
	found = tfind(&key, &sources->names, by_path);
	new = found ? *found : add(sources, key.path);
	return new ? new->name : path;
}

void sources_fini(struct sources *sources)
{
	tdestroy(sources->names, free);
	sources->names = NULL;
}
