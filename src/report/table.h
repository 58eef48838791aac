/* SPDX-License-Identifier: MIT */
/*
 * A table that is being collected: rows of one type, columns by name in the
 * order in which they were first seen. Cells are text already.
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
	unsigned width;		/* columns; set by table_draw */
	unsigned wanted, least;	/* the same, unbroken, and at most broken */
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

/* The column of that field, appended if it is new; NULL: out of memory. */
struct table_column *table_column(struct table *table, const char *field);

/* Adds a row (DETAIL fields only if verbose). 0 or -ASSAY_ENOMEM. */
int table_add(struct table *table, const struct assay_row *row,
	      const struct report_style *style, struct remarks *remarks);

/* Draws the rows and the reasons for what is absent. */
void table_draw(struct table *table, const struct remarks *remarks,
		const struct report_style *style, FILE *out);
void table_markdown(const struct table *table, const struct remarks *remarks,
		    FILE *out);

#endif
