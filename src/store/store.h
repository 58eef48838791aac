/* SPDX-License-Identifier: MIT */
/*
 * Records <-> JSON Lines. One record is one object on one line; numbers are
 * exact (above 2^53 they are written as strings); the schema is documented in
 * docs/record.md and versioned by "schema".
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdio.h>

#include "assay/error.h"
#include "assay/record.h"

/* Writes the record's line. Returns 0 or -ASSAY_EIO. */
int store_write(FILE *out, const struct assay_record *record,
		struct assay_error *err);

/* Records of one file, in its order. */
struct store {
	struct assay_record **record;
	size_t records;
};

/*
 * Reads all records of a JSON Lines file ("-": stdin; a name without a slash
 * or suffix that no file has: the built-in records/NAME.jsonl, data_dir
 * first). Lines of other types ("t" is not "record") are skipped. At most
 * 65536 records, of at most 16 MiB each. Returns 0,
 * -ASSAY_ENOENT if there is no such file, -ASSAY_EIO, -ASSAY_ENOMEM,
 * or -ASSAY_EPARSE with file:line:col.
 */
int store_read(struct store *out, const char *path, const char *data_dir,
	       struct assay_error *err);
/* The same from an open stream; `name` is its name in messages. */
int store_read_stream(struct store *out, FILE *in, const char *name,
		      struct assay_error *err);
void store_fini(struct store *store);

/*
 * The first record of that shape, or NULL: the same kernel, and every option
 * that the record has is the same; a published record may have fewer.
 */
const struct assay_record *store_find(const struct store *store,
				      const struct assay_shape *shape);

#endif
