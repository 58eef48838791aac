/* SPDX-License-Identifier: MIT */
/* The words for the classes of verdicts. */
#include "assay/class.h"

#include "base/text.h"

static const struct { const char *name; int trust; } classes[] = {
	[ASSAY_CLASS_EXACT] = { "exact", 1 },
	[ASSAY_CLASS_INTERRUPTS] = { "exact less interrupts", 1 },
	[ASSAY_CLASS_PROPORTIONAL] = { "proportional", 0 },
	[ASSAY_CLASS_BIASED] = { "biased", 0 },
	[ASSAY_CLASS_DEAD] = { "dead", 0 },
	[ASSAY_CLASS_UNSTABLE] = { "unstable", 0 },
	[ASSAY_CLASS_INCONCLUSIVE] = { "inconclusive", -1 },
	[ASSAY_CLASS_UNAVAILABLE] = { "unavailable", -1 },
	[ASSAY_CLASS_KNOWN] = { "known deviation", 0 },
	[ASSAY_CLASS_BOUNDED] = { "within bounds", 1 },
	[ASSAY_CLASS_FAULTS] = { "exact less interrupts/faults", 1 },
	[ASSAY_CLASS_CONSTANT] = { "exact less a constant", 1 },
	[ASSAY_CLASS_ONE_SIDED] = { "one-sided", 0 },
	[ASSAY_CLASS_LAW] = { "law violated", 0 },
	[ASSAY_CLASS_MICROCODE] = { "known deviation by microcode", 0 },
};

const char *assay_class_name(enum assay_class class_)
{
	return (unsigned)class_ < ASSAY_CLASSES ? classes[class_].name : "?";
}

int assay_class_find(const char *name)
{
	for (int i = 0; i < ASSAY_CLASSES; i++)
		if (text_equal(classes[i].name, name))
			return i;
	return -1;
}

int assay_class_trust(enum assay_class class_)
{
	return (unsigned)class_ < ASSAY_CLASSES ? classes[class_].trust : -1;
}

int assay_class_fails(enum assay_class class_)
{
	return assay_class_trust(class_) == 0 &&
	       class_ != ASSAY_CLASS_KNOWN && class_ != ASSAY_CLASS_MICROCODE;
}
