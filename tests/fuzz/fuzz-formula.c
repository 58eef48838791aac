/* SPDX-License-Identifier: MIT */
/*
 * A formula file of any bytes is refused with a place, or every formula and pie
 * in it has a value or a reason.
 */
#include "fuzz.h"

#include "analysis/formulas/formula.h"
#include "base/record.h"
#include "base/text.h"

static void check_value(struct assay_value value)
{
	need(value.why ? *value.why : __builtin_isfinite(value.number));
}

/* Every third event is absent, the others have small numbers, 0 among them. */
static struct assay_record *record_of(const struct formula_file *file)
{
	struct assay_record *r = record_new((unsigned)file->events, 1);

	need(r);
	for (unsigned e = 0; e < r->events; e++) {
		text_copy(r->event[e].name, sizeof(r->event[e].name),
			  file->event[e]);
		if (e % 3 == 2)
			continue;
		r->counts[e].state = ASSAY_COUNT_PRESENT;
		r->counts[e].value = e % 5;
	}
	return r;
}

static int look(void *ctx, const struct assay_row *row)
{
	(void)ctx;
	for (size_t i = 0; i < row->fields; i++)
		need(row->field[i].kind != ASSAY_FIELD_TEXT ||
		     row->field[i].text);
	return 0;
}

static void check_names(const struct formula_file *file,
			const struct formula *f)
{
	for (unsigned i = 0; i < f->events; i++)
		need(f->event[i] >= 0 && (size_t)f->event[i] < file->events);
}

static void check(const struct formula_file *file)
{
	struct assay_record *r = record_of(file);
	struct pie pie;

	for (size_t i = 0; i < file->formulas; i++) {
		check_names(file, &file->formula[i]);
		check_value(formula_value(file, &file->formula[i], r));
	}
	for (size_t i = 0; i < file->hypotheses; i++) {
		hypothesis_pie(file, &file->hypothesis[i], r, &pie);
		check_value(pie.residual);
		need(!pie.consistent || pie.residual.number == 0);
		for (int k = 0; k < PIE_PARTS; k++) {
			check_names(file, &file->hypothesis[i].part[k]);
			check_value(pie.part[k]);
		}
	}
	need(formula_describe(file, look, NULL) == 0);
	record_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct formula_file *file = NULL;
	struct assay_error err = { 0 };
	int rc = formula_parse(&file, "f", (const char *)data, bytes, NULL,
			       &err);

	need(rc <= 0);
	if (rc < 0) {
		need(!file && err.code == rc && *err.text);
		need(rc != -ASSAY_EPARSE || strncmp(err.text, "f:", 2) == 0);
		return 0;
	}
	check(file);
	formula_free(file);
	return 0;
}
