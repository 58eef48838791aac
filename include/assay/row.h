/* SPDX-License-Identifier: MIT */
/*
 * Rows: what the library hands out where a person or a program wants to read
 * a list. A row has a type and named, typed fields; report renders rows of one
 * type as a table, as CSV or as JSON Lines.
 */
#ifndef ASSAY_ROW_H
#define ASSAY_ROW_H

#include <stddef.h>
#include <stdint.h>

enum assay_field_kind {
	ASSAY_FIELD_TEXT,
	ASSAY_FIELD_COUNT,
	ASSAY_FIELD_REAL,
	ASSAY_FIELD_ABSENT,	/* .text: the reason; NULL, "": nobody knows */
};

enum assay_field_flag {
	ASSAY_FIELD_DETAIL = 1,	/* for machines and for -v only */
	ASSAY_FIELD_BYTES = 2,	/* shown to people as KiB, MiB ...; a REAL
				 * is not exact: with three digits */
	ASSAY_FIELD_PERCENT = 4,	/* REAL 0..1 shown to people as % */
	ASSAY_FIELD_ESTIMATE = 8,	/* number is scaled: shown with ~ */
	ASSAY_FIELD_PLAIN = 16,	/* COUNT that is a name: no groups of digits */
	ASSAY_FIELD_PATH = 32,	/* TEXT: shown to people without its folders */
	ASSAY_FIELD_CUT = 64,	/* TEXT: where there is no room for it, people
				 * see its beginning and its end */
};

struct assay_field {
	const char *name;	/* lower case; the column's title */
	enum assay_field_kind kind;
	const char *text;	/* TEXT, ABSENT */
	uint64_t count;		/* COUNT */
	double real;		/* REAL */
	int decimals;		/* REAL: for people */
	const char *unit;	/* or NULL */
	unsigned flags;		/* enum assay_field_flag */
	double error;		/* ESTIMATE: its standard error; 0: not known */
};

struct assay_row {
	const char *type;	/* "kernel", "event", "finding", ... */
	const struct assay_field *field;
	size_t fields;
};

/* Rows and their strings are borrowed for the call. Non-zero return stops. */
typedef int assay_row_fn(void *ctx, const struct assay_row *row);

#endif
