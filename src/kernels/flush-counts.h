/* SPDX-License-Identifier: MIT */
/*
 * Instructions of flush_walk by piece: (FLUSH + WALK) * lines * iterations +
 * ITERATION * iterations + ONCE, from its first instruction to its return,
 * both included.
 */
#ifndef KERNELS_FLUSH_COUNTS_H
#define KERNELS_FLUSH_COUNTS_H

#define FLUSH_X86_64_FLUSH	4	/* clflush, add, dec, jne */
#define FLUSH_X86_64_WALK	3	/* mov, test, jne */
#define FLUSH_X86_64_ITERATION	6	/* mov, mov, mfence, mov, dec, jne */
#define FLUSH_X86_64_ONCE	1	/* ret */

#define FLUSH_AARCH64_FLUSH	4	/* dc, add, subs, b.ne */
#define FLUSH_AARCH64_WALK	3	/* ldr, cmp, b.ne */
/* mov, mov, dsb, mov, isb, subs, b.ne */
#define FLUSH_AARCH64_ITERATION	7
#define FLUSH_AARCH64_ONCE	1	/* ret */

#endif
