/* SPDX-License-Identifier: MIT */
/* Why a line of code misses: rows of numbers, and a sentence. */
#ifndef PROGRAM_WHY_H
#define PROGRAM_WHY_H

#include "base/geometry.h"
#include "assay/row.h"
#include "store/programs/tally.h"

/* The line of code, as in the blame rows. */
struct why_place {
	const char *function, *line, *object;
};

/* One "why" row for each cache and TLB that the line missed. Returns 0 or
 * -ASSAY_ESTOP. */
int why_rows(const struct geometry *g, const struct tally_why *why,
	     const struct why_place *place, assay_row_fn *fn, void *ctx);

#endif
