/* SPDX-License-Identifier: MIT */
/* Our own CPU and formula files as entries of an event table, for an audit. */
#ifndef RUN_OWN_ENTRIES_H
#define RUN_OWN_ENTRIES_H

#include "tables/events/entry.h"

/* Is it a CPU or formula file of ours (*.yaml), or a folder with one? */
bool own_is(const char *place);

/*
 * Calls fn for each event of the CPU files, and for each formula once for each
 * CPU (of data_dir, else built in) that its file is for. A bad file of a folder
 * is an ENTRY_BAD. Returns 0; fn's first non-zero result; or the error of a bad
 * file that is the place itself.
 */
int own_entries(const char *place, const char *data_dir, entry_fn *fn,
		void *ctx, struct assay_error *err);

#endif
