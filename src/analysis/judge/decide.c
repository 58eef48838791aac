/* SPDX-License-Identifier: MIT */
/*
 * From facts to a class: of counts of real machines and published tables, and
 * of counts of the software PMU, whose truth is exact (analysis/fit).
 */
#include "analysis/judge/parts.h"

/* Classes from the worst on; a scope of several parts takes the worst class of
 * its parts. An inconclusive part does not outvote a part that is judged; a
 * failing part outvotes all others. */
static const enum assay_class order[] = {
	ASSAY_CLASS_LAW, ASSAY_CLASS_DEAD, ASSAY_CLASS_UNSTABLE,
	ASSAY_CLASS_PROPORTIONAL, ASSAY_CLASS_BIASED, ASSAY_CLASS_ONE_SIDED,
	ASSAY_CLASS_CONSTANT, ASSAY_CLASS_FAULTS, ASSAY_CLASS_BOUNDED,
	ASSAY_CLASS_EXACT, ASSAY_CLASS_INCONCLUSIVE,
};

bool judge_is_right(enum assay_class class_)
{
	return assay_class_trust(class_) == 1;
}

bool judge_is_failure(enum assay_class class_)
{
	return assay_class_trust(class_) == 0 &&
	       class_ != ASSAY_CLASS_MICROCODE && class_ != ASSAY_CLASS_KNOWN;
}

static enum assay_class worst(const struct judge_facts *f)
{
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		if (f->part & 1u << order[i])
			return f->only_zero && judge_is_right(order[i]) ?
			       ASSAY_CLASS_INCONCLUSIVE : order[i];
	return ASSAY_CLASS_INCONCLUSIVE;
}

/* All shapes agree with their truths. */
static enum assay_class agreeing(const struct judge_facts *f)
{
	if (f->only_zero)
		return ASSAY_CLASS_INCONCLUSIVE;
	if (f->terms)
		return f->unseen ? ASSAY_CLASS_INTERRUPTS : ASSAY_CLASS_FAULTS;
	return f->more ? ASSAY_CLASS_CONSTANT : ASSAY_CLASS_EXACT;
}

static enum assay_class bounded(const struct judge_facts *f)
{
	if (f->marks & JUDGE_APART)
		return ASSAY_CLASS_INCONCLUSIVE;
	if (f->below && f->label == JUDGE_ZERO)
		return f->hidden && f->alive ? ASSAY_CLASS_ONE_SIDED :
					       ASSAY_CLASS_DEAD;
	if (f->below)
		return f->hidden ? ASSAY_CLASS_ONE_SIDED : ASSAY_CLASS_BIASED;
	if (f->above)
		return ASSAY_CLASS_BIASED;
	return f->label == JUDGE_WITHIN ? ASSAY_CLASS_BOUNDED :
					  ASSAY_CLASS_INCONCLUSIVE;
}

/* A shape is proven to be off its truth, and by_line() does not apply: no line
 * fits, the scope has one shape only, or a shape reads 0. */
static enum assay_class failing(const struct judge_facts *f)
{
	const bool part = f->label != JUDGE_OVER && f->hidden;

	if (f->marks & JUDGE_SUM)
		return ASSAY_CLASS_LAW;
	if (f->label == JUDGE_ZERO && !f->alive)
		return ASSAY_CLASS_DEAD;
	if (f->same_over_programs)
		return ASSAY_CLASS_CONSTANT;
	if (f->start)
		return ASSAY_CLASS_INCONCLUSIVE;
	if (f->label == JUDGE_ZERO || f->nothing)
		return part ? ASSAY_CLASS_ONE_SIDED : ASSAY_CLASS_BIASED;
	if (f->line == JUDGE_FACTOR && !(part && f->lone))
		return ASSAY_CLASS_PROPORTIONAL;
	return part ? ASSAY_CLASS_ONE_SIDED : ASSAY_CLASS_BIASED;
}

static enum assay_class by_line(const struct judge_facts *f)
{
	if (f->line == JUDGE_MAYBE)
		return ASSAY_CLASS_INCONCLUSIVE;
	if (f->line == JUDGE_CONSTANT)
		return f->terms ? ASSAY_CLASS_FAULTS : ASSAY_CLASS_CONSTANT;
	return f->marks & JUDGE_SUM ? ASSAY_CLASS_LAW :
				      ASSAY_CLASS_PROPORTIONAL;
}

static enum assay_class decide(const struct judge_facts *f)
{
	if (f->microcodes)
		return ASSAY_CLASS_MICROCODE;
	if (f->law || f->wrapped || f->marks & JUDGE_RATE)
		return ASSAY_CLASS_LAW;
	if (f->combined)
		return worst(f);
	if (f->marks & JUDGE_EMPTY)
		return ASSAY_CLASS_DEAD;
	if (f->unstable)
		return ASSAY_CLASS_UNSTABLE;
	if (f->marks & JUDGE_ACCUSED)
		return ASSAY_CLASS_BIASED;
	if (f->fails && f->doubted == f->fails)
		return ASSAY_CLASS_INCONCLUSIVE;
	if (f->label == JUDGE_BOUNDS || f->label == JUDGE_WITHIN ||
	    f->below || f->above)
		return bounded(f);
	if (f->line && !f->lone && f->label > JUDGE_IN &&
	    f->label < JUDGE_ZERO)
		return by_line(f);
	if (f->label == JUDGE_IN)
		return agreeing(f);
	return f->fails ? failing(f) : ASSAY_CLASS_INCONCLUSIVE;
}

enum assay_class judge_decide(const struct judge_facts *f)
{
	enum assay_class class_;

	if (f->uncounted)
		return f->estimated ? ASSAY_CLASS_INCONCLUSIVE :
				      ASSAY_CLASS_UNAVAILABLE;
	class_ = decide(f);
	if (class_ == ASSAY_CLASS_EXACT && f->banded)
		class_ = ASSAY_CLASS_BOUNDED;
	return f->erratum && (class_ == ASSAY_CLASS_EXACT ||
			      class_ == ASSAY_CLASS_BOUNDED ||
			      class_ == ASSAY_CLASS_INCONCLUSIVE) ?
	       ASSAY_CLASS_KNOWN : class_;
}

/* High confidence needs three readings, a counter that ran below 0 or a
 * violated law; and a truth that is better than an author's round number. */
enum judge_sure judge_surety(const struct judge_facts *f,
			     enum assay_class class_)
{
	if (class_ == ASSAY_CLASS_INCONCLUSIVE)
		return JUDGE_LOW;
	if (f->worst && (f->worst->truth == JUDGE_ABOUT ||
			 f->worst->truth == JUDGE_UNKNOWN))
		return JUDGE_MEDIUM;
	return f->readings >= 3 || f->wrapped || f->law ? JUDGE_SURE :
							  JUDGE_MEDIUM;
}
