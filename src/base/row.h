/* SPDX-License-Identifier: MIT */
/* Makes the fields of a row, and rows. Texts are borrowed. */
#ifndef BASE_ROW_H
#define BASE_ROW_H

#include <stddef.h>

#include "assay/quantity.h"
#include "assay/row.h"

/* A value that is known: no reason, no error. */
struct assay_value plain_value(double number);

struct assay_field field_text(const char *name, const char *text);
/* As field_text(), shown to people with -v only. */
struct assay_field field_detail(const char *name, const char *text);
struct assay_field field_count(const char *name, uint64_t count);
/* COUNT if the value is an integer >= 0, else REAL; ABSENT with its reason. */
struct assay_field field_value(const char *name, struct assay_value value);
/* A share 0..1, shown to people as a percentage. */
struct assay_field field_share(const char *name, struct assay_value value);

/* Hands a row to fn. Returns 0 or -ASSAY_ESTOP. */
int row_emit(assay_row_fn *fn, void *ctx, const char *type,
	     const struct assay_field *field, size_t fields);
/* A row of all fields of an array. */
#define ROW_EMIT(fn, ctx, type, field) \
	row_emit(fn, ctx, type, field, sizeof(field) / sizeof((field)[0]))

#endif
