/* SPDX-License-Identifier: MIT */
/*
 * A table while rows are added: rows of one type, columns by name in the order
 * in which they were first seen. Cells are text already.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "assay/row.h"
#include "report/remarks.h"
#include "report/report.h"

enum table_kind { TABLE_BLANK, TABLE_TEXT, TABLE_NUMBER, TABLE_ABSENT };

struct table_cell {
	char *text;		/* NULL: blank */
	enum table_kind kind;
	const char *colour;	/* SGR parameters, or NULL; static */
};

struct table_column {
	char *name;		/* without its group */
	char *group;		/* or NULL */
	char *field;		/* as the row has it */
	char *unit;		/* of the first number; or NULL */
	bool mixed;		/* units differ: they stand in the cells */
	bool number;		/* right-aligned */
	bool absent;		/* holds a '-' */
	bool cut;		/* too long a text loses its middle, and is not
				 * broken into lines */
	unsigned width;		/* columns; set by table_layout */
	unsigned wanted, least;	/* the same, unbroken, and at most broken */
	size_t drawn;		/* bytes of the row's cell on lines before */
};

struct table_row {
	struct table_cell *cell;
	size_t cells;
};

struct table {
	char *type;
	struct table_column *column;
	size_t columns;
	struct table_row *row;
	size_t rows;
};

void table_fini(struct table *table);

/* The column of the field, appended if new; NULL: out of memory. */
struct table_column *table_column(struct table *table, const char *field);

/* Adds a row (DETAIL fields only if verbose). 0 or -ASSAY_ENOMEM. */
int table_add(struct table *table, const struct assay_row *row,
	      const struct report_style *style, struct remarks *remarks);

/* The cell if it is not empty, or NULL. */
const struct table_cell *table_cell_of(const struct table *table, size_t row,
				       size_t column);

/*
 * The cell as it is shown: a number brings its unit if `unit` is set.
 * out: TABLE_TEXT_MOST.
 */
#define TABLE_TEXT_MOST 4096
const char *table_show(const struct table_cell *cell, bool unit, char *out);

/* A column's unit; NULL: no unit, or the column's name contains it. */
const char *table_head_unit(const struct table_column *column);

/*
 * A part of a table that is too wide: the first `keys` columns, which name a
 * row, then the columns from .. end.
 */
struct table_part { size_t from, end, keys; };

#define TABLE_GAP 2		/* between columns */
#define TABLE_HEAD_BREAKS " _.-:"

/* Sets the widths of a table that may take `limit` columns; 0: any number. */
void table_layout(struct table *table, unsigned limit);
unsigned table_width(const struct table *table);

/* Sets *part to the next part; *part is zeroed at first. False: no more. */
bool table_next_part(struct table *table, struct table_part *part,
		     unsigned limit);
size_t table_part_columns(const struct table_part *part);
size_t table_part_column(const struct table_part *part, size_t i);

/* Columns from .. last, and the gaps between them. */
unsigned table_span_width(const struct table *table, size_t from, size_t last);

/* The last column of the group that begins at `from`. */
size_t table_group_end(const struct table *table, size_t from, size_t end);

/* Removes the columns whose cells are all empty. */
void table_drop_blank(struct table *table);

/* Draws the rows and the reasons for what is absent. */
void table_draw(struct table *table, const struct remarks *remarks,
		const struct report_style *style, FILE *out);
/* The reasons alone, one to a line, between two escape sequences. */
void table_remarks(const struct remarks *remarks, const char *dim,
		   const char *plain, unsigned columns, FILE *out);

#endif
