/* SPDX-License-Identifier: MIT */
/*
 * Time per access, measured without counters (`--on time`): in short chunks,
 * in rounds over all shapes, each chunk beside the core's own clock, so that
 * there are core cycles as well as nanoseconds.
 */
#ifndef ASSAY_TIMING_H
#define ASSAY_TIMING_H

#include <stdbool.h>

#include "assay/quantity.h"

/* low and high: the range over the rounds (p10 and p90 of their values). */
struct assay_span {
	struct assay_value value;	/* absent: unstable; then the range is
					 * all that is known */
	double low, high;
};

struct assay_timing {
	struct assay_span ns;		/* per access; p25 */
	struct assay_span cycles;	/* core cycles per access; p25 */
	double ghz;		/* of the core, median; 0: not seen */
	double drift;		/* of the clock: (p90 - p10) / median */
	double torn;		/* share of chunks within which it moved */
	double sibling;		/* share of chunks with a busy SMT sibling */
	unsigned rounds, samples;
	double seconds;		/* that measuring it took: warming, chunks and
				 * repetitions; not getting its memory ready */
	unsigned repeated;	/* rounds done again since they were disturbed */
	bool stable;
	bool disturbed;		/* beyond the limit, even when repeated */
	const char *note;	/* what is wrong, or ""; owned by the library */
};

#endif
