/* SPDX-License-Identifier: MIT */
/* Makes the fields of a row. */
#include "base/row.h"

#include <math.h>

#include "assay/error.h"

struct assay_value plain_value(double number)
{
	return (struct assay_value){ .number = number };
}

struct assay_field field_text(const char *name, const char *text)
{
	return (struct assay_field){ .name = name, .kind = ASSAY_FIELD_TEXT,
				     .text = text ? text : "" };
}

struct assay_field field_detail(const char *name, const char *text)
{
	struct assay_field field = field_text(name, text);

	field.flags = ASSAY_FIELD_DETAIL;
	return field;
}

struct assay_field field_count(const char *name, uint64_t count)
{
	return (struct assay_field){ .name = name, .kind = ASSAY_FIELD_COUNT,
				     .count = count };
}

static struct assay_field real(const char *name, struct assay_value value,
			       int decimals, unsigned flags)
{
	return (struct assay_field){
		.name = name, .text = value.why,
		.kind = value.why ? ASSAY_FIELD_ABSENT : ASSAY_FIELD_REAL,
		.real = value.number, .decimals = decimals,
		.flags = flags | (value.estimate || value.error > 0 ?
				  ASSAY_FIELD_ESTIMATE : 0),
		.error = value.why ? 0 : value.error,
	};
}

struct assay_field field_value(const char *name, struct assay_value value)
{
	const bool complete = !value.why && value.number == floor(value.number);
	struct assay_field field = real(name, value, complete ? 0 : 3, 0);

	if (!value.why && value.number >= 0 && value.number < 0x1p53 &&
	    value.number == floor(value.number)) {
		field.kind = ASSAY_FIELD_COUNT;
		field.count = (uint64_t)value.number;
	}
	return field;
}

struct assay_field field_share(const char *name, struct assay_value value)
{
	return real(name, value, 4, ASSAY_FIELD_PERCENT);
}

int row_emit(assay_row_fn *fn, void *ctx, const char *type,
	     const struct assay_field *field, size_t fields)
{
	struct assay_row row = { type, field, fields };

	return fn(ctx, &row) ? -ASSAY_ESTOP : 0;
}
