/* SPDX-License-Identifier: MIT */
/*
 * assay-ci.baseline.json: counts of benchmarks, and digests of all that the
 * counts depend on and assay cannot fix. Keys are sorted and each number has a
 * line of its own, so that a review shows what changed. There are no dates,
 * host names or absolute paths. docs/ci.md describes the schema.
 */
#ifndef STORE_BASELINE_H
#define STORE_BASELINE_H

#include <stdio.h>

#include "assay/error.h"
#include "assay/quantity.h"
#include "store/programs/tally.h"

#define BASELINE_LAYOUTS 64

struct baseline_file { char *name, *sha256; };

/* The counts of a source line; without a source, of a function. */
struct baseline_line {
	char *file, *function, *object, *text;	/* "" or NULL: not known */
	unsigned line;
	uint64_t count[TALLY_COLUMNS];
};

/* Counts of a quantity by layout; 0 layouts: absent. */
struct baseline_counts {
	unsigned layouts;
	uint64_t count[BASELINE_LAYOUTS];
	char *moves;		/* why the counts are not judged; or NULL */
};

struct baseline_benchmark {
	char *name, *command, *cpu, *guest;
	char *part;		/* of the program, that counts; "": all */
	struct baseline_file *file;
	size_t files;
	struct baseline_counts of[ASSAY_QUANTITIES];
	struct baseline_line *line;
	size_t lines;
};

/* Owns all strings and arrays. */
struct baseline {
	struct baseline_benchmark *benchmark;
	size_t benchmarks;
};

/* Returns 0, -ASSAY_EIO or -ASSAY_ENOMEM. */
int baseline_write(FILE *out, const struct baseline *baseline,
		   struct assay_error *err);
/* Reads a file of at most 64 MiB. Returns 0, -ASSAY_EPARSE with file:line:col,
 * -ASSAY_ENOMEM, or as error_read(). Ends with baseline_fini(). */
int baseline_read(struct baseline *out, const char *path,
		  struct assay_error *err);
/* The same from memory. */
int baseline_parse(struct baseline *out, const char *name, const char *text,
		   size_t bytes, struct assay_error *err);
void baseline_fini(struct baseline *baseline);

/* Room for one more, all 0; NULL: no memory. */
struct baseline_benchmark *baseline_add(struct baseline *baseline);
struct baseline_file *baseline_add_file(struct baseline_benchmark *benchmark);
struct baseline_line *baseline_add_line(struct baseline_benchmark *benchmark);

/* The benchmark of that name, or NULL. */
const struct baseline_benchmark *baseline_find(const struct baseline *baseline,
					       const char *name);

#endif
