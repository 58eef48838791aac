/* SPDX-License-Identifier: MIT */
/*
 * Instructions of the four random_* loops by piece, for their assembly and
 * for their closed form: LOOP * accesses + ONCE, where LOOP = BASE, plus
 * XORSHIFT or SEQUENCE, plus DEPENDENCE if on. Counted from the function's
 * first instruction to its return, both included.
 */
#ifndef KERNELS_RANDOM_COUNTS_H
#define KERNELS_RANDOM_COUNTS_H

#define RANDOM_X86_64_BASE	5	/* mov, and, mov, dec, jne */
#define RANDOM_X86_64_XORSHIFT	9	/* 3 x mov, shift, xor */
#define RANDOM_X86_64_SEQUENCE	1	/* add */
#define RANDOM_X86_64_DEPENDENCE 2	/* xor, add */
#define RANDOM_X86_64_ONCE	3	/* mov, mov, ret */

#define RANDOM_AARCH64_BASE	4	/* and, ldr, subs, b.ne */
#define RANDOM_AARCH64_XORSHIFT	3	/* 3 x eor with shift */
#define RANDOM_AARCH64_SEQUENCE	1	/* add */
#define RANDOM_AARCH64_DEPENDENCE 2	/* eor, add */
#define RANDOM_AARCH64_ONCE	4	/* mov, mov, movk, ret */

/* Where the address generators and the data-dependent sum start. */
#define RANDOM_XORSHIFT_START	1
#define RANDOM_SEQUENCE_START	-64
#define RANDOM_SUM_START	123456789

#endif
