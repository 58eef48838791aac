/* SPDX-License-Identifier: MIT */
/* Hands out a verdict with its class, its sentences and the numbers that the
 * sentences quote. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/judge/parts.h"

/* Rounds to six significant digits. */
static double six(double value)
{
	char text[40];

	if (!isfinite(value))
		return value;
	snprintf(text, sizeof(text), "%.6g", value);
	return strtod(text, NULL);
}

static double ratio(const struct judge_facts *f)
{
	const struct judge_shape *s = f->worst;
	const double t = !s ? NAN : isnan(s->expected) && f->below ? s->low :
			 s->expected;

	return t > 0 && s->mean > 0 ? s->mean / t : NAN;
}

/* Rounds the numbers of the sentence: the factor to six digits, the constant to
 * steps of the shape's resolution. */
static void set_numbers(struct judge_facts *f, enum assay_class class_)
{
	const bool more = class_ == ASSAY_CLASS_CONSTANT && f->worst;

	if (class_ != ASSAY_CLASS_PROPORTIONAL)
		f->factor = judge_is_failure(class_) &&
			    class_ != ASSAY_CLASS_UNSTABLE ? ratio(f) : NAN;
	if (isnan(f->constant) && more)
		f->constant = f->worst->mean - f->worst->expected;
	else if (!more && class_ != ASSAY_CLASS_PROPORTIONAL)
		f->constant = NAN;
	f->factor = six(f->factor);
	if (f->worst)
		f->constant = judge_step(f->worst, f->constant);
}

/* A scope of several parts quotes one part: takes over the shape, the factor
 * and the constant of the quoted part. */
static void quote(struct judge_verdict *v)
{
	const struct judge_verdict *lead = v, *next;

	while ((next = judge_leading(lead)))
		lead = next;
	v->facts.worst = lead->facts.worst;
	v->facts.factor = lead->facts.factor;
	v->facts.constant = lead->facts.constant;
	set_numbers(&v->facts, v->class_);
}

int judge_give(struct judge_verdict *v, const struct judge_sink *sink)
{
	struct judge_words text = { .used = 0 }, next = { .used = 0 };

	v->class_ = judge_decide(&v->facts);
	if (!v->text) {
		judge_sentence(&text, v);
		judge_next(&next, v);
		v->text = text.text;
		v->next = next.text;
	}
	quote(v);
	v->sure = judge_surety(&v->facts, v->class_);
	return sink->verdict(sink->ctx, v) ? -ASSAY_ESTOP : 0;
}
