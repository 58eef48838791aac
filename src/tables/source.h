/* SPDX-License-Identifier: MIT */
/* A CSV text and its cells, with their places. */
#ifndef TABLES_SOURCE_H
#define TABLES_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/error.h"

struct cell {
	const char *text;	/* without its quotes, NUL-terminated */
	unsigned line, col;	/* from 1 */
};

struct csv {
	const char *file;	/* as messages name it */
	char *text;		/* all of it, NUL-terminated */
	size_t bytes, at;
	char separator;		/* , ; or a tab: the header's first */
	unsigned line, col;	/* of text[at] */
	struct cell *cell;	/* of the row that was read last */
	size_t cells;
	char *words;		/* what they point into */
	size_t used, room;
};

/* Returns 0, or as error_read; -ASSAY_ENOMEM; -ASSAY_EINVAL: too large. */
int csv_open(struct csv *csv, const char *path, struct assay_error *err);
void csv_close(struct csv *csv);
/* Reads a row. Returns 1; 0 at the end; or -ASSAY_EPARSE, -ASSAY_ENOMEM. Empty
 * lines are passed over. */
int csv_row(struct csv *csv, struct assay_error *err);
/* A mistake at a cell, or at a place. */
int csv_mistake(const struct csv *csv, const struct cell *cell,
		struct assay_error *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* A decimal number as a whole text; *decimals: digits behind the point, less
 * the exponent. No NaN, no infinity, no hexadecimal. */
bool number_parse(double *out, int *decimals, const char *text);

/* ---- texts that are kept once -------------------------------------------- */

struct texts {
	char **slot;		/* open addressing */
	size_t slots, used;
	struct texts_block *block;
};
/* NULL: no memory. The same text gives the same pointer. */
const char *texts_keep(struct texts *pool, const char *text);
void texts_close(struct texts *pool);	/* no more of them: less memory */
void texts_free(struct texts *pool);

#endif
