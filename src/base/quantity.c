/* SPDX-License-Identifier: MIT */
/* The rows of quantities.def by number and by name; formulas as text. */
#include "assay/quantity.h"

#include <stddef.h>
#include <stdio.h>

#include "assay/expectation.h"
#include "base/text.h"

static const struct {
	const char *name, *unit, *sentence;
} rows[ASSAY_QUANTITIES] = {
#define X(name, unit, sentence) { #name, unit, sentence },
#include "assay/quantities.def"
#undef X
};

const char *assay_quantity_name(enum assay_quantity q)
{
	return rows[q].name;
}

const char *assay_quantity_unit(enum assay_quantity q)
{
	return rows[q].unit;
}

const char *assay_quantity_sentence(enum assay_quantity q)
{
	return rows[q].sentence;
}

int assay_quantity_find(const char *name)
{
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		if (text_equal(rows[q].name, name))
			return q;
	return -1;
}

int quantity_unknown(const char *name, struct assay_error *err)
{
	const char *words[ASSAY_QUANTITIES + 1] = { NULL };

	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		words[q] = rows[q].name;
	return error_unknown(err, "quantity", name, words,
			     "try: assay list quantities");
}

const char *assay_term_formula(const struct assay_term *term, char *out,
			       size_t room)
{
	bool one = term->formula[0] == '1' && !term->formula[1];

	if (one && term->each != 1)
		snprintf(out, room, "%.15g", term->each);
	else if (term->each == 1)
		snprintf(out, room, "%s", term->formula);
	else
		snprintf(out, room, "%.15g * %s", term->each, term->formula);
	return out;
}
