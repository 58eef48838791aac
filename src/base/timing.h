/* SPDX-License-Identifier: MIT */
/*
 * The samples of the timing witness: a sample is one short chunk of accesses
 * between two measurements of the core's clock.
 */
#ifndef BASE_TIMING_H
#define BASE_TIMING_H

#include <stdbool.h>

struct time_sample {
	double ns;		/* per access */
	double cycles;		/* core cycles per access; 0: no clock */
	double ghz;		/* clock of the core around the chunk; 0: not
				 * measured */
	double adds;		/* independent adds per core cycle; 0: not seen.
				 * Falls when an SMT sibling works */
	unsigned round;		/* samples of one round stand close in time */
	bool torn;		/* the clocks before and after disagree */
};

#endif
