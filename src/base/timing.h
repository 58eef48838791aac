/* SPDX-License-Identifier: MIT */
/*
 * What the timing witness sees: one sample is one short chunk of accesses with
 * a look at the core's clock on both sides of it.
 */
#ifndef BASE_TIMING_H
#define BASE_TIMING_H

#include <stdbool.h>

struct time_sample {
	double ns;		/* per access */
	double cycles;		/* core cycles per access; 0: no clock */
	double ghz;		/* of the core, beside the chunk; 0: no clock */
	double adds;		/* independent adds per core cycle; 0: not seen.
				 * Falls when an SMT sibling works */
	unsigned round;		/* samples of one round stand close in time */
	bool torn;		/* the clocks before and after disagree */
};

#endif
