/* SPDX-License-Identifier: MIT */
/* The next measurement: decides an open case, or shows the cause of a
 * failure. */
#include "analysis/judge/parts.h"

/* Advises the number of readings that narrows the interval to the margin; the
 * half-width shrinks with the square root of the number. */
static void repeat(struct judge_words *w, const struct judge_shape *s)
{
	const double ratio = s->half / s->margin;
	double n = ceil(s->readings * ratio * ratio);

	if (s->scaled < 1) {
		judge_add(w, "Count it alone.");
		return;
	}
	n = fmin(fmax(n, 10), 10000);
	judge_add(w, "Repeat it: %.0f readings.", n);
}

static void open_case(struct judge_words *w, const struct judge_facts *f)
{
	const struct judge_shape *s = f->worst;

	if (f->marks & JUDGE_APART)
		judge_add(w, "Settle what the program does.");
	else if (judge_fails(s) && f->doubted)
		judge_add(w, "Check the program's own numbers.");
	else if (f->start)
		judge_add(w, "Do twice the work: a constant difference "
			  "stays, a proportional one doubles.");
	else if (judge_known(s) && f->only_zero)
		judge_add(w, "Run a shape in which it must count.");
	else if (s->label == JUDGE_BOUNDS)
		judge_add(w, "Take a shape where the bounds meet.");
	else if (judge_known(s))
		repeat(w, s);
	else
		judge_add(w, "Run a kernel with a closed form, or hold it "
			  "against a law.");
}

void judge_next(struct judge_words *w, const struct judge_verdict *v)
{
	const struct judge_verdict *lead = judge_leading(v);
	const struct judge_facts *f = &v->facts;

	if (lead && v->class_ == ASSAY_CLASS_BIASED && f->programs > 1 &&
	    !v->program && *lead->program) {
		/* more of the same program has the same excess per unit */
		judge_add(w, "Halve `%.100s`, to find the part that counts "
			  "otherwise than the other programs.", lead->program);
		return;
	}
	if (lead) {
		judge_next(w, lead);
		return;
	}
	if (!f->worst)
		return;
	switch (v->class_) {
	case ASSAY_CLASS_INCONCLUSIVE:
		open_case(w, f);
		break;
	case ASSAY_CLASS_ONE_SIDED:
		judge_add(w, "Prefetchers off, or random order.");
		break;
	case ASSAY_CLASS_UNSTABLE:
		judge_add(w, "Count it alone, pinned, with more "
			  "repetitions.");
		break;
	case ASSAY_CLASS_BIASED:
		if (f->lone && f->worst->expected > 0)
			judge_add(w, "Do twice the work: a constant difference "
				  "stays, a proportional one doubles.");
		else
			judge_add(w, "Halve the part of the program where it "
				  "is off.");
		break;
	case ASSAY_CLASS_DEAD:
		judge_add(w, "Check the code of the event on this machine.");
		break;
	default:
		break;
	}
}
