/* SPDX-License-Identifier: MIT */
/*
 * Instructions of icode_run by piece: LINE * (lines - 1) * passes + PASS *
 * passes + JUMP * (passes - 1) + ONCE, from its first instruction to its
 * return, both included; and how long the chain is at most.
 */
#ifndef KERNELS_ICODE_COUNTS_H
#define KERNELS_ICODE_COUNTS_H

#define ICODE_LINES		8192	/* a multiple of a page's 64 */

#define ICODE_X86_64_LINE	1	/* jmp */
#define ICODE_X86_64_PASS	2	/* dec, je */
#define ICODE_X86_64_JUMP	1	/* jmp */
#define ICODE_X86_64_ONCE	6	/* lea, dec, shl, sub, jmp, ret */

#define ICODE_AARCH64_LINE	1	/* b */
#define ICODE_AARCH64_PASS	2	/* subs, b.eq */
#define ICODE_AARCH64_JUMP	1	/* br */
#define ICODE_AARCH64_ONCE	6	/* adrp, add, sub, sub, br, ret */

#endif
