/* SPDX-License-Identifier: MIT */
/*
 * Instructions of chase_walk by piece, for its assembly and for its closed
 * form: ELEMENT * elements * passes + PASS * passes + ONCE. Counted from the
 * function's first instruction to its return, both included.
 */
#ifndef KERNELS_CHASE_COUNTS_H
#define KERNELS_CHASE_COUNTS_H

#define CHASE_X86_64_ELEMENT	3	/* mov, test, jne */
#define CHASE_X86_64_PASS	3	/* mov, dec, jne */
#define CHASE_X86_64_ONCE	1	/* ret */

#define CHASE_AARCH64_ELEMENT	3	/* ldr, cmp, b.ne */
#define CHASE_AARCH64_PASS	3	/* mov, subs, b.ne */
#define CHASE_AARCH64_ONCE	1	/* ret */

#endif
