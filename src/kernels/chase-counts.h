/* SPDX-License-Identifier: MIT */
/*
 * Instructions of chase_walk_<chains> by piece, for its assembly and for its
 * closed form. A step takes one element of each chain:
 *
 *	(LOAD * elements + STEP * elements / chains
 *	 + HEAD * chains + PASS) * passes + ONCE
 *
 * With one chain that is 3 * elements * passes + 3 * passes + 1. Counted from
 * the function's first instruction to its return, both included.
 */
#ifndef KERNELS_CHASE_COUNTS_H
#define KERNELS_CHASE_COUNTS_H

#define CHASE_X86_64_LOAD	1	/* mov */
#define CHASE_X86_64_STEP	2	/* test, jne */
#define CHASE_X86_64_HEAD	1	/* mov */
#define CHASE_X86_64_PASS	2	/* dec, jne */
#define CHASE_X86_64_ONCE	1	/* ret */

#define CHASE_AARCH64_LOAD	1	/* ldr */
#define CHASE_AARCH64_STEP	2	/* cmp, b.ne */
#define CHASE_AARCH64_HEAD	1	/* mov */
#define CHASE_AARCH64_PASS	2	/* subs, b.ne */
#define CHASE_AARCH64_ONCE	1	/* ret */

#endif
