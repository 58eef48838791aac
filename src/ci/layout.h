/* SPDX-License-Identifier: MIT */
/*
 * Layouts: where the stack, the heap and the pages of a run lie. Layout 0 is
 * the canonical one. Every other number gives a random layout, the same one for
 * each program and on each host, so that two builds can be compared pair by
 * pair. The files of a run (a copy of a static program, the library that moves
 * the heap) have paths of fixed length below a folder of their own.
 */
#ifndef CI_LAYOUT_H
#define CI_LAYOUT_H

#include "base/process/scratch.h"
#include "ci/ci.h"

#define LAYOUT_PATH 2048

struct layout {
	unsigned stack;		/* bytes that the stack lies lower */
	unsigned heap;		/* bytes that the heap lies higher: of a dynamic
				 * program */
	unsigned path;		/* and of a static one, further characters in
				 * the program's path */
	char page_map[32];
};

void layout_draw(struct layout *out, unsigned number);

/* A new empty folder for the files of runs, for scratch_remove(). Returns 0 or
 * -ASSAY_EUNAVAIL. */
int layout_folder_make(struct scratch *out, struct assay_error *err);

/*
 * Writes the files that the program needs in a layout. path gets the program's
 * path, preload "LD_PRELOAD=..." or "". tag: a word, different for each program
 * in one folder. Returns 0 or -ASSAY_EUNAVAIL.
 */
int layout_place(const struct ci_program *program, const struct layout *layout,
		 unsigned number, const char *folder, const char *tag,
		 char path[LAYOUT_PATH + 1], char preload[128],
		 struct assay_error *err);

#endif
