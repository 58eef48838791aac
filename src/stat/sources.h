/* SPDX-License-Identifier: MIT */
/* Names of source files: without "." and "..", relative to a folder. */
#ifndef STAT_SOURCES_H
#define STAT_SOURCES_H

struct sources {
	const char *root;	/* borrowed; NULL: names stay absolute */
	void *names;		/* those that changed: a tree */
};

/* The name of a path, owned by *sources; the path itself if nothing changes or
 * there is no memory. */
const char *sources_name(struct sources *sources, const char *path);
void sources_fini(struct sources *sources);

#endif
