/* SPDX-License-Identifier: MIT */
/*
 * Temporary folders. The process that made one, and the keepers of its children
 * (process.h), hold a lock on the folder: a folder whose lock is free is the
 * left-over of a killed run, and the next folder's maker removes the left-over.
 */
#ifndef BASE_SCRATCH_H
#define BASE_SCRATCH_H

#include "assay/error.h"

#define SCRATCH_PATH 4096

struct scratch {
	char folder[SCRATCH_PATH];
	int lock;
};

/*
 * Makes the folder PARENT/assay-KIND_XXXXXX, and removes left-overs of all
 * kinds there. parent: NULL: TMPDIR, else /tmp. kind: "bare", "ci" or "run".
 * Returns 0 or -ASSAY_EIO.
 */
int scratch_make(struct scratch *out, const char *parent, const char *kind,
		 struct assay_error *err);
/* Removes the folder with all that is in it. */
void scratch_remove(struct scratch *scratch);

#endif
