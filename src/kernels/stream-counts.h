/* SPDX-License-Identifier: MIT */
/*
 * Instructions of stream_run by piece: (WRITE + READ) * ints * passes + PASS *
 * passes + ONCE, from its first instruction to its return, both included.
 */
#ifndef KERNELS_STREAM_COUNTS_H
#define KERNELS_STREAM_COUNTS_H

#define STREAM_X86_64_WRITE	4	/* mov, add, cmp, jne */
#define STREAM_X86_64_READ	4	/* add, add, cmp, jne */
#define STREAM_X86_64_PASS	4	/* mov, mov, dec, jne */
#define STREAM_X86_64_ONCE	2	/* lea, ret */

#define STREAM_AARCH64_WRITE	3	/* str, cmp, b.ne */
#define STREAM_AARCH64_READ	4	/* ldr, add, cmp, b.ne */
#define STREAM_AARCH64_PASS	4	/* mov, mov, subs, b.ne */
#define STREAM_AARCH64_ONCE	2	/* add, ret */

#endif
