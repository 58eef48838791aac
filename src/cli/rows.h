/* SPDX-License-Identifier: MIT */
/* Fields and rows that commands build, search or keep. */
#ifndef CLI_ROWS_H
#define CLI_ROWS_H

#include "assay.h"
#include "base/row.h"

/* The field named `name`, or NULL. */
const struct assay_field *row_find(const struct assay_row *row,
				   const char *name);
/* The number of the field named `name`, or 0 if the row has none. */
double row_number(const struct assay_row *row, const char *name);
/* The text of the field named `name`, or "" if the row has none. */
const char *row_text(const struct assay_row *row, const char *name);

struct assay_field with_unit(struct assay_field field, const char *unit);
struct assay_field real_field(const char *name, double real, int decimals);
/*
 * A whole number as COUNT, another one as REAL, or ABSENT with the reason. As
 * field_value(), but with two decimals for people, or none from 10 000 on.
 */
struct assay_field value_field(const char *name, struct assay_value value);

/* The options of a shape as fields. Returns how many. */
size_t shape_fields(const struct assay_shape *shape, struct assay_field *out,
		    size_t room);

/* "elements 4096, order shuffled" */
void shape_text(char *out, size_t room, const struct assay_shape *shape);

extern const char *const verdict_words[];

/* The meaning of the letters D, R, M, F and G next to a fact. */
extern const char confidence_letters[];

/*
 * For people the answer stands above its rows: rows are kept, as deep copies,
 * until the last one is there. Zeroed: no row.
 */
struct kept_rows {
	struct assay_row *row;
	size_t rows, room;
	assay_row_fn *fn;	/* not NULL: gets the rows; none is kept */
	void *ctx;		/* of fn */
	bool no_memory;		/* a row is missing */
};

/* An assay_row_fn: ctx is a struct kept_rows *. Non-zero: stop. */
int keep_row(void *ctx, const struct assay_row *row);
void kept_rows_free(struct kept_rows *kept);

#endif
