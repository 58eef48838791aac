/* SPDX-License-Identifier: MIT */
/*
 * The parts of a CPU file that are models rather than structures: prefetchers,
 * branch predictor, page map and cycle constants; and cycles as an expression
 * over signals.
 */
#ifndef CPUS_CYCLE_CONSTANTS_H
#define CPUS_CYCLE_CONSTANTS_H

#include "cpus/fact.h"

int timing_read(const struct scope *top, struct geometry *out);

/*
 * The cycle model of base/geometry.h over signals: terms whose constant is 0
 * are left out; all 0: an empty expression.
 */
void timing_cycles(struct expr *out, const struct geometry *geometry);

#endif
