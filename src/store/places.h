/* SPDX-License-Identifier: MIT */
/*
 * The rows of `assay sim --by` that stand below a record in its file: what each
 * function and line of a program did.
 */
#ifndef STORE_PLACES_H
#define STORE_PLACES_H

#include "assay/error.h"
#include "store/programs/tally.h"

#define PLACES_MOST (1u << 20)	/* rows of one file */

/* Names of the columns. */
extern const char *const place_columns[TALLY_COLUMNS];

struct place_row {
	size_t record;		/* the record above, from 0 */
	char *function, *line, *object;	/* line: "FILE:LINE"; "": not known */
	double count[TALLY_COLUMNS];	/* NAN: not known */
};

struct places {
	struct place_row *row;
	size_t rows;
};

/*
 * Reads the text of a file of records, and passes over all other lines.
 * Returns 0; -ASSAY_EPARSE with file:line:col; -ASSAY_ENOMEM.
 */
int places_read(struct places *out, const char *text, const char *name,
		struct assay_error *err);
void places_fini(struct places *places);

#endif
