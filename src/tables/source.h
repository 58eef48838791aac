/* SPDX-License-Identifier: MIT */
/* A CSV text and its cells, with their lines and columns. */
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
	const char *file;	/* the file's name in messages */
	char *text;		/* the full text, NUL-terminated */
	size_t bytes, at;
	char separator;		/* comma, semicolon or tab: the header's
				 * first */
	unsigned line, col;	/* of text[at] */
	struct cell *cell;	/* cells of the row that was read last */
	size_t cells;
	char *words;		/* texts that the cells point into */
	size_t used, room;
};

/* Copies the text. Returns 0 or -ASSAY_ENOMEM. */
int csv_open(struct csv *csv, const char *name, const char *text, size_t bytes,
	     struct assay_error *err);
void csv_close(struct csv *csv);
/* Reads a row. Returns 1; 0 at the end; or -ASSAY_EPARSE, -ASSAY_ENOMEM. Empty
 * lines are passed over. */
int csv_row(struct csv *csv, struct assay_error *err);
/* Reports a mistake at the line and column of a cell. */
int csv_mistake(const struct csv *csv, const struct cell *cell,
		struct assay_error *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Parses a text that is a single decimal number; *decimals: digits behind the
 * point, less the exponent. No NaN, no infinity, no hexadecimal. */
bool number_parse(double *out, int *decimals, const char *text);

/* ---- interned texts ------------------------------------------------------ */

struct texts {
	char **slot;		/* open addressing */
	size_t slots, used;
	struct texts_block *block;
};
/* Interns a text: equal texts give the same pointer. NULL: no memory. */
const char *texts_keep(struct texts *pool, const char *text);
void texts_close(struct texts *pool);	/* no further texts: frees the slots */
void texts_free(struct texts *pool);

#endif
