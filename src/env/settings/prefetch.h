/* SPDX-License-Identifier: MIT */
/*
 * A timing check of whether the prefetchers are off: writing their register is
 * no proof. Without prefetchers, loads in the order of addresses are as slow as
 * loads in random order.
 */
#ifndef ENV_SETTINGS_PREFETCH_H
#define ENV_SETTINGS_PREFETCH_H

#include <stddef.h>

enum prefetch_verdict {
	PREFETCH_ARE_OFF, PREFETCH_ARE_ON, PREFETCH_NOT_CLEAR
};

/*
 * The verdict from the times of one load: lines in order, and the same lines of
 * the same pages in random order. Not clear if the second is fast as well.
 */
enum prefetch_verdict prefetch_judge(double in_order_ns, double shuffled_ns,
				     double one_cycle_ns);

/*
 * Measures, and returns "verified", "not-verified" or "not-clear". For the last
 * two, `why` gets a sentence.
 */
const char *prefetch_check(char *why, size_t room);

#endif
