/* SPDX-License-Identifier: MIT */
/*
 * What a test of an event ends with. Bias (how far from the truth) and
 * repeatability (how far from itself) are apart: an event can be repeatable to
 * eight digits and wrong.
 */
#ifndef ASSAY_CLASS_H
#define ASSAY_CLASS_H

#include "assay/export.h"

enum assay_class {
	ASSAY_CLASS_EXACT,	/* what is claimed, to the last digit */
	ASSAY_CLASS_INTERRUPTS,	/* exact less interrupts: a few more counts,
				 * which do not grow with the work */
	ASSAY_CLASS_PROPORTIONAL,	/* a constant factor */
	ASSAY_CLASS_BIASED,	/* something else is in it, or it is something
				 * else */
	ASSAY_CLASS_DEAD,	/* zero where there was something */
	ASSAY_CLASS_UNSTABLE,	/* differs from itself */
	ASSAY_CLASS_INCONCLUSIVE,	/* nothing tells it apart */
	ASSAY_CLASS_UNAVAILABLE,	/* not counted */
	ASSAY_CLASS_KNOWN,	/* deviates as an erratum says */
	ASSAY_CLASS_BOUNDED,	/* within bounds: everywhere between what the
				 * witnesses allow, which is no last digit */
	ASSAY_CLASS_FAULTS,	/* exact but for whole counts per interrupt and
				 * page fault, each of them counted beside */
	ASSAY_CLASS_CONSTANT,	/* exact but for what start and stop add: the
				 * same number whatever the work */
	ASSAY_CLASS_ONE_SIDED,	/* only a part of what a prefetcher can take
				 * over */
	ASSAY_CLASS_LAW,	/* a law violated: impossible whatever ran */
	ASSAY_CLASS_MICROCODE,	/* counts otherwise with another microcode */
	ASSAY_CLASSES
};

/* "exact", "exact less interrupts", ...; never NULL. */
ASSAY_API const char *assay_class_name(enum assay_class class_);

/* The class of that name, or -1. */
ASSAY_API int assay_class_find(const char *name);

/*
 * May a number from an event of that class be quoted as what it claims? 1:
 * yes, 0: no, -1: nothing is known.
 */
ASSAY_API int assay_class_trust(enum assay_class class_);

/* Is it a failure that nothing recorded excuses? A known deviation is none. */
ASSAY_API int assay_class_fails(enum assay_class class_);

#endif
