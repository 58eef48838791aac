/* SPDX-License-Identifier: MIT */
/* Why a line of code misses: rows of numbers, and a sentence. */
#ifndef PROGRAM_WHY_H
#define PROGRAM_WHY_H

#include "program/attribute.h"

/* The line of code, as in its row of misses. */
struct why_place {
	const char *function, *line, *object, *inlined;
};

/* One "why" row for each cache and TLB that the line missed, and one for its
 * mispredicted branches. Returns 0 or -ASSAY_ESTOP. */
int why_rows(const struct why_place *place, const struct geometry *g,
	     const struct entry *entry, assay_row_fn *fn, void *ctx);

#endif
