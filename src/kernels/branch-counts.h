/* SPDX-License-Identifier: MIT */
/*
 * Instructions of branch_count by piece: (CHAR * chars + ONE * ones + PASS) *
 * passes + ONCE, where ones is how many '1' the array has; from its first
 * instruction to its return, both included.
 */
#ifndef KERNELS_BRANCH_COUNTS_H
#define KERNELS_BRANCH_COUNTS_H

#define BRANCH_X86_64_CHAR	5	/* cmp, jne, inc, cmp, jne */
#define BRANCH_X86_64_ONE	1	/* inc */
#define BRANCH_X86_64_PASS	3	/* mov, dec, jne */
#define BRANCH_X86_64_ONCE	3	/* add, xor, ret */

#define BRANCH_AARCH64_CHAR	5	/* ldrb, cmp, b.ne, cmp, b.ne */
#define BRANCH_AARCH64_ONE	1	/* add */
#define BRANCH_AARCH64_PASS	3	/* mov, subs, b.ne */
#define BRANCH_AARCH64_ONCE	4	/* add, mov, mov, ret */

#endif
