/* SPDX-License-Identifier: MIT */
/*
 * Instructions of callret_run by piece: LEVEL * (depth - 1) * rounds + LEAF *
 * rounds + ROUND * rounds + ONCE, from its first instruction to its return,
 * both included; and how deep the calls go at most.
 */
#ifndef KERNELS_CALLRET_COUNTS_H
#define KERNELS_CALLRET_COUNTS_H

#define CALLRET_DEPTH		256

#define CALLRET_X86_64_LEVEL	2	/* call, ret */
#define CALLRET_X86_64_LEAF	1	/* ret */
#define CALLRET_X86_64_ROUND	3	/* call, dec, jne */
#define CALLRET_X86_64_ONCE	5	/* lea, dec, shl, sub, ret */

#define CALLRET_AARCH64_LEVEL	4	/* stp, bl, ldp, ret */
#define CALLRET_AARCH64_LEAF	1	/* ret */
#define CALLRET_AARCH64_ROUND	3	/* blr, subs, b.ne */
#define CALLRET_AARCH64_ONCE	7	/* adrp, add, sub, sub, stp, ldp, ret */

#endif
