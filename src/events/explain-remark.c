/* SPDX-License-Identifier: MIT */
/* What is to be known of an event beside its counts. */
#include <stdarg.h>
#include <stdio.h>

#include "base/row.h"
#include "events/explain.h"

int explain_remark(const struct subject *s, const char *format, ...)
{
	char text[EXPLAIN_TEXT] = "";
	const struct assay_field field[] = { field_text("remark", text) };
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return row_emit(s->fn, s->ctx, "remark", field, 1);
}
