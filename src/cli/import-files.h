/* SPDX-License-Identifier: MIT */
/* The files below a folder, and the set of records that were there before. */
#ifndef CLI_IMPORT_FILES_H
#define CLI_IMPORT_FILES_H

#include "assay.h"

bool is_folder(const char *path);

/* Calls fn for each file below the folder, in the order of names; links to
 * folders are not followed. Returns the first result that is not 0. */
int folder_each(const char *path, int (*fn)(void *ctx, const char *path),
		void *ctx);

struct records_seen {
	char **slot;		/* open addressing; lines of records */
	size_t slots, used;
};
/*
 * Adds the record. Returns 1 if an equal one was added before, wherever either
 * was read; -1: out of memory.
 */
int records_seen_add(struct records_seen *seen,
		     const struct assay_record *record);
void records_seen_free(struct records_seen *seen);

#endif
