/* SPDX-License-Identifier: MIT */
/*
 * Quantities: what one wants to know, from the fixed list quantities.def, each
 * with a unit and one sentence; and values that may be absent.
 */
#ifndef ASSAY_QUANTITY_H
#define ASSAY_QUANTITY_H

#include <stdbool.h>

#include "assay/export.h"

enum assay_quantity {
#define X(name, unit, sentence) ASSAY_Q_##name,
#include "assay/quantities.def"
#undef X
	ASSAY_QUANTITIES
};

/*
 * A number, or the reason why there is none. A value that is not known is
 * never a number: .why says why, and .number must not be read.
 */
struct assay_value {
	double number;		/* exact for integers up to 2^53 */
	const char *why;	/* NULL: known; otherwise why it is absent.
				 * Borrowed: static, or owned by the object
				 * that holds the value */
	bool estimate;		/* scaled from a part of the run */
	double error;		/* standard error, as assay_count.error */
};

/* One value per quantity; a witness fills what it knows. */
struct assay_quantities {
	struct assay_value of[ASSAY_QUANTITIES];
};

ASSAY_API const char *assay_quantity_name(enum assay_quantity q);
ASSAY_API const char *assay_quantity_unit(enum assay_quantity q);
ASSAY_API const char *assay_quantity_sentence(enum assay_quantity q);

/* The quantity of that name, or -1. */
ASSAY_API int assay_quantity_find(const char *name);

#endif
