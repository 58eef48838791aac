/* SPDX-License-Identifier: MIT */
/*
 * A file that takes the place of another one when it is complete. Until then
 * the new file has no name where the file system allows that, so that a killed
 * process leaves nothing; elsewhere it has a temporary name beside the old one.
 */
#ifndef BASE_NEW_FILE_H
#define BASE_NEW_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "assay/error.h"

struct new_file {
	FILE *file;
	char *path;
	char *temporary;	/* a name of its own, in the same folder; NULL:
				 * a device or a pipe, which stays */
	bool named;		/* does the file have this name already? */
};

/* Can the file at path be replaced? A device or a pipe cannot. */
bool new_file_possible(const char *path);
/* Returns 0, -ASSAY_EIO or
 * -ASSAY_ENOMEM; then nothing is to be closed. */
int new_file_open(struct new_file *out, const char *path,
		 struct assay_error *err);
/* keep: the file takes its name; else the old file stays. Returns 0, or
 * -ASSAY_EIO: the old file stays. */
int new_file_close(struct new_file *r, bool keep, struct assay_error *err);

#endif
