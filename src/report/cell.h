/* SPDX-License-Identifier: MIT */
/* One field as characters, for people and for machines. */
#ifndef REPORT_CELL_H
#define REPORT_CELL_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/row.h"

#define CELL_NUMBER 64

/* The width of UTF-8 text on a terminal in columns, without escape
 * sequences. */
unsigned text_width(const char *text);

/* Copies text that is wider than `width` without its middle. */
void text_shorten(char *out, size_t room, const char *text, unsigned width,
		  bool utf8);

/* A field that has no value: ABSENT, or a REAL that is not finite. */
bool field_absent(const struct assay_field *field);
const char *field_why(const struct assay_field *field);

/* The number of a COUNT or REAL field for people; out: CELL_NUMBER. */
void number_people(char *out, const struct assay_field *field);
/* The same in full precision; REAL in as few digits as read back exactly. */
void number_machine(char *out, const struct assay_field *field);
/* The unit shown beside the number ("%", "ns" ...), or NULL. */
const char *number_unit(const struct assay_field *field);

/* A verdict or a state ("agrees", "bad") has a sign and a colour. */
struct cell_sign { const char *word, *sign, *ascii, *colour; };
const struct cell_sign *cell_sign(const struct assay_field *field);

/* "group|name" as one word for machines: '|' and spaces become '_'. */
void name_machine(char *out, size_t room, const char *name);

#endif
