/* SPDX-License-Identifier: MIT */
/*
 * Records <-> JSON Lines files. One record is one object on one line. Whole
 * numbers are exact: above 2^53 they are written as strings. The schema is
 * documented in docs/record.md and versioned by the member "schema".
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdio.h>

#include "assay/error.h"
#include "assay/record.h"

/* Writes the record's line to out. Returns 0 or -ASSAY_EIO. */
int store_write(FILE *out, const struct assay_record *record,
		struct assay_error *err);

/* Records, in the order of their file; the store owns them. */
struct store {
	struct assay_record **record;
	size_t records;
};

/*
 * Reads all records of a JSON Lines file: at most 65536, of at most 16 MiB
 * each. Lines of other types ("t" is not "record") are skipped. "-" is stdin; a
 * name without '/' and '.' that no file has is records/NAME.jsonl in data_dir
 * or built in. Returns 0, -ASSAY_ENOENT if there is no such file, -ASSAY_EIO,
 * -ASSAY_ENOMEM, or -ASSAY_EPARSE with file:line:col.
 */
int store_read(struct store *out, const char *path, const char *data_dir,
	       struct assay_error *err);
/* The same from an open stream; `name` is its name in messages. */
int store_read_stream(struct store *out, FILE *in, const char *name,
		      struct assay_error *err);
void store_fini(struct store *store);

/* Adds a record, which the store then owns. Returns 0 or -ASSAY_ENOMEM. */
int store_add(struct store *store, struct assay_record *record);

/*
 * The first record of that shape, or NULL. The kernels are equal, and so is
 * every option that the record has; a published record may lack options.
 */
const struct assay_record *store_find(const struct store *store,
				      const struct assay_shape *shape);

#endif
