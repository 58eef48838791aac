/* SPDX-License-Identifier: MIT */
/* Names of source files: absolute, or relative to a chosen folder; without "."
 * and "..". */
#ifndef STAT_SOURCES_H
#define STAT_SOURCES_H

struct sources {
	const char *root;	/* borrowed; NULL: names stay absolute */
	void *names;		/* those that changed: a tree */
};

/* The name of a path, which may be relative to `folder` (NULL: not known). The
 * name is owned by *sources; the path itself if nothing changes, or there is no
 * memory. */
const char *sources_name(struct sources *sources, const char *folder,
			 const char *path);
void sources_fini(struct sources *sources);

#endif
