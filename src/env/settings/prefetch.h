/* SPDX-License-Identifier: MIT */
/*
 * Are the prefetchers off? A register that was written is no proof: loads in
 * the order of addresses must have become as slow as loads in no order.
 */
#ifndef ENV_SETTINGS_PREFETCH_H
#define ENV_SETTINGS_PREFETCH_H

#include <stddef.h>

enum prefetch_verdict {
	PREFETCH_ARE_OFF, PREFETCH_ARE_ON, PREFETCH_NOT_CLEAR
};

/*
 * From the times of one access: lines in order, and the same lines of the same
 * pages out of order. Where the second is not slow, nothing can be told.
 */
enum prefetch_verdict prefetch_judge(double in_order_ns, double shuffled_ns,
				     double one_cycle_ns);

/*
 * Measures and judges: "verified", "not-verified" or "not-clear"; for the last
 * two, why holds a sentence.
 */
const char *prefetch_check(char *why, size_t room);

#endif
