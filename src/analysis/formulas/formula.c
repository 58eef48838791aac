/* SPDX-License-Identifier: MIT */
/*
 * The value of a formula on a record, or the chain of reasons why there is
 * none.
 */
#include "analysis/formulas/formula.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/formulas/formula-file.h"
#include "base/text.h"

void formula_free(struct formula_file *file)
{
	struct formula_owned *owned = file ? file->owned : NULL;

	if (!owned)
		return;
	yaml_free(owned->yaml);
	pool_free(owned->pool);
}

/* A text owned by the file; equal texts share one copy. */
static const char *keep(const struct formula_file *file, const char *format,
			...) __attribute__((format(printf, 2, 3)));

static const char *keep(const struct formula_file *file, const char *format,
			...)
{
	struct formula_owned *owned = file->owned;
	struct formula_reason *r;
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (r = owned->reasons; r; r = r->next)
		if (strcmp(r->text, text) == 0)
			return r->text;
	r = pool_get(owned->pool, sizeof(*r) + strlen(text) + 1);
	if (!r)
		return "out of memory";
	strcpy(r->text, text);
	r->next = owned->reasons;
	owned->reasons = r;
	return r->text;
}

struct valuing {
	const struct formula_file *file;
	const struct assay_record *record;
};

static struct assay_value event_value(const void *ctx, int name)
{
	const struct valuing *v = ctx;
	const char *event = v->file->event[name], *why;
	int found = assay_record_find(v->record, event);
	struct assay_value out = { .why = "not in the record" };

	if (found >= 0)
		out = assay_record_value(v->record, (unsigned)found);
	if (!out.why)
		return out;
	why = out.why;
	if (found >= 0 && v->record->event[found].why[0])
		why = v->record->event[found].why;
	out.why = keep(v->file, "needs %s: %s", event, why);
	return out;
}

/* The formula that this one uses and that is absent itself comes first. */
static const char *chain(const struct valuing *v,
			 const struct formula *formula, const char *why)
{
	for (int i = 0; i < FORMULA_USES && formula->uses[i]; i++) {
		const struct formula *used = formula->uses[i];
		struct assay_value value = formula_value(v->file, used,
							 v->record);

		if (!value.why)
			continue;
		if (strncmp(value.why, "needs ", 6) == 0)
			return keep(v->file, "needs %s, which %s", used->name,
				    value.why);
		return keep(v->file, "needs %s: %s", used->name, value.why);
	}
	return why;
}

struct assay_value formula_value(const struct formula_file *file,
				 const struct formula *formula,
				 const struct assay_record *record)
{
	const struct valuing v = { file, record };
	struct assay_value out = expr_value(&formula->expr, event_value, &v);

	if (out.why)
		out.why = chain(&v, formula, out.why);
	return out;
}
