/* SPDX-License-Identifier: MIT */
/*
 * Instructions of iflush_run by piece: FLUSH * lines * iterations + LINE *
 * (lines - 1) * iterations + ITERATION * iterations + ONCE, from its first
 * instruction to its return, both included; and its chain: how many lines of
 * code at most, and from one to the next.
 */
#ifndef KERNELS_IFLUSH_COUNTS_H
#define KERNELS_IFLUSH_COUNTS_H

#define IFLUSH_LINES		64
#define IFLUSH_SHIFT		8	/* 256 bytes: more than next-line
					 * prefetchers reach */

#define IFLUSH_X86_64_FLUSH	4	/* clflush, add, dec, jne */
#define IFLUSH_X86_64_LINE	1	/* jmp */
#define IFLUSH_X86_64_ITERATION	6	/* mov, mov, mfence, jmp, dec, jne */
#define IFLUSH_X86_64_ONCE	5	/* lea, lea, shl, sub, ret */

#define IFLUSH_AARCH64_FLUSH	5	/* dc, ic, add, subs, b.ne */
#define IFLUSH_AARCH64_LINE	1	/* b */
#define IFLUSH_AARCH64_ITERATION 7	/* mov, mov, dsb, isb, br, subs,
					 * b.ne */
#define IFLUSH_AARCH64_ONCE	5	/* adrp, add, sub, sub, ret */

#endif
