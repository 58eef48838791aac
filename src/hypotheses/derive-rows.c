/* SPDX-License-Identifier: MIT */
/* Results of deriving a quantity, as rows. */
#include <math.h>
#include <stdio.h>

#include "hypotheses/derive.h"
#include "base/row.h"

static size_t add_term(char *out, size_t room, size_t used, double weight,
		       const char *event)
{
	const char *sign = weight < 0 ? (used ? " - " : "-") :
			   used ? " + " : "";
	double w = fabs(weight);
	int n = 0;

	if (used < room)
		n = w == 1 ? snprintf(out + used, room - used, "%s%s", sign,
				      event) :
			     snprintf(out + used, room - used, "%s%g * %s",
				      sign, w, event);
	return used + (n > 0 ? (size_t)n : 0);
}

/* Terms with positive weights first, then those with negative weights. */
static void formula_text(char *out, size_t room, const struct facts *t,
			 const struct derive_formula *f)
{
	size_t used = 0;

	*out = '\0';
	for (int sign = 1; sign >= -1; sign -= 2)
		for (unsigned i = 0; i < f->terms; i++)
			if (f->weight[i] * sign > 0)
				used = add_term(out, room, used, f->weight[i],
						t->event[f->column[i]]);
}

/* "A = B, C": events that count the same in every run. */
static void twins_text(char *out, size_t room, const struct facts *t,
		       const struct derive_formula *f)
{
	size_t used = 0;

	*out = '\0';
	for (unsigned i = 0; i < f->terms; i++) {
		bool first = true;

		for (unsigned c = 0; c < t->events && used < room; c++) {
			if (c == f->column[i] ||
			    t->result.twin_of[c] != f->column[i])
				continue;
			used += (size_t)snprintf(out + used, room - used,
				"%s%s%s%s", used && first ? "; " : "",
				first ? t->event[f->column[i]] : ", ",
				first ? " = " : "", t->event[c]);
			first = false;
		}
	}
}

/*
 * Exact in all runs, but not on a kernel left out: the formula depends on this
 * kernel. A close formula may fail on one kernel of four, as in one run of
 * four.
 */
static const char *verdict_word(const struct derive_formula *f,
				unsigned kernels)
{
	if (f->exact)
		return f->held == kernels ? "exact" : "unproven";
	return 4 * f->held >= 3 * kernels ? "close" : "unproven";
}

int derive_emit_formula(const struct facts *t,
			const struct derive_formula *f)
{
	char text[400], twins[600], bound[200], right[40], held[40];
	size_t used = 0;

	formula_text(text, sizeof(text), t, f);
	twins_text(twins, sizeof(twins), t, f);
	*bound = '\0';
	for (unsigned i = 0; i < f->terms && used < sizeof(bound); i++)
		used += (size_t)snprintf(bound + used, sizeof(bound) - used,
					 "%s%g +- %.2g", i ? ", " : "",
					 f->weight[i], f->bound[i]);
	snprintf(right, sizeof(right), "%u of %u", f->right, t->rows);
	snprintf(held, sizeof(held), "%u of %u", f->held, t->kernels);
	const struct assay_field field[] = {
		field_text("quantity", t->name),
		field_text("is", text),
		field_text("verdict", verdict_word(f, t->kernels)),
		field_text("right in", right),
		field_text("held out", held),
		field_share("worst", plain_value(f->worst)),
		field_text("at", t->shape[f->worst_row]),
		field_detail("weights", bound), field_text("twins", twins),
		field_text("machine", t->machine),
	};

	return row_emit(t->how->row, t->how->ctx, "derived", field,
			sizeof(field) / sizeof(*field) - !t->machine);
}

int derive_emit_search(const struct facts *t)
{
	const struct derive_result *r = &t->result;
	const struct assay_field field[] = {
		field_text("quantity", t->name),
		field_count("runs", t->rows),
		field_count("kernels", t->kernels),
		field_count("events", t->events),
		field_count("silent", r->silent),
		field_count("noisy", r->noisy),
		field_count("twins", r->twins), field_count("rank", r->rank),
		field_share("best mean error", plain_value(r->floor_mean)),
		field_share("best worst error", plain_value(r->floor)),
		field_text("at", r->rank ? t->shape[r->floor_row] : ""),
		t->machine ? field_text("machine", t->machine) :
			     field_text("guessed", t->guessed),
	};
	const bool last = t->machine || *t->guessed;

	return row_emit(t->how->row, t->how->ctx, "search", field,
			sizeof(field) / sizeof(*field) - !last);
}
