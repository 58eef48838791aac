/* SPDX-License-Identifier: MIT */
/* Where each field of a row comes from: a column, a literal, an expression. */
#ifndef TABLES_BINDING_H
#define TABLES_BINDING_H

#include "base/expr.h"
#include "tables/source.h"
#include "tables/table.h"

enum field {
	FIELD_MACHINE, FIELD_MICROCODE, FIELD_PROGRAM, FIELD_SHAPE,
	FIELD_EVENT, FIELD_QUANTITY, FIELD_TRUTH, FIELD_MEASURED,
	FIELD_NUMBERS,		/* fields from here on are numbers */
	FIELD_RUN = FIELD_NUMBERS, FIELD_COUNT, FIELD_EXPECTED, FIELD_LOW,
	FIELD_HIGH, FIELD_RESOLUTION, FIELD_SCALED,
	FIELDS
};
extern const char *const field_names[];	/* NULL-terminated */

enum source_kind { FROM_NOTHING, FROM_COLUMN, FROM_TEXT, FROM_EXPRESSION };

struct binding {
	enum source_kind kind;
	int column;
	char *text;		/* owned */
	struct expr *expr;	/* owned */
};

#define KEYS 32			/* most keys of shapes, and most settings */

struct bindings {
	struct binding of[FIELDS];
	char *name[TABLE_COLUMNS];	/* names of the header; owned */
	int columns;
	char *key[KEYS];	/* keys of shapes; owned */
	int keys;
	struct { char *name; double value; } set[KEYS];
	int sets;
	bool parameter[TABLE_COLUMNS];	/* the truth depends on the column */
	bool covariate[TABLE_COLUMNS];
	const char *first_shape;	/* of the first row: has the keys */
};

/* Reads the header, and binds every field to the column of the same name. */
int bindings_open(struct bindings *b, const struct csv *csv,
		  struct assay_error *err);
void bindings_close(struct bindings *b);
int bindings_column(const struct bindings *b, const char *name);
/* Applies --map over the bindings of the header. bindings_set() adds the names
 * of --set, which expressions of --map may use. */
int bindings_map(struct bindings *b, const char *map, struct assay_error *err);
int bindings_set(struct bindings *b, const struct table_setting *set,
		 size_t sets, struct assay_error *err);

/* Parses an expression that the truth depends on; *column is the place of a
 * mistake in the text. Returns 0, -ASSAY_EPARSE, -ASSAY_ENOMEM. */
int bindings_expression(struct bindings *b, struct expr *out, const char *text,
			size_t n, size_t *column, struct assay_error *err);

/* A row in which fields and names are looked up. */
struct look {
	const struct bindings *b;
	const struct csv *csv;
	const char *shape;	/* shape of the row */
	const struct cell **bad;	/* out: operand that is no number */
};
const char *look_text(const struct look *look, enum field field);
/* *out is NAN if the number is not known. *decimals: digits behind the point of
 * a cell's text; for an expression 0 if its value is whole, else 6. Returns 0
 * or -ASSAY_EPARSE. */
int look_number(const struct look *look, enum field field, double *out,
		int *decimals, struct assay_error *err);
int look_value(const struct look *look, const struct expr *expr, double *out,
	       struct assay_error *err);
const struct cell *look_cell(const struct look *look, enum field field);

/* The value of "key=" in "key=value;..."; NULL if the shape lacks the key. */
const char *shape_key(const char *shape, const char *key, size_t *length);

#endif
