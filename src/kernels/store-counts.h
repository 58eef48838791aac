/* SPDX-License-Identifier: MIT */
/*
 * Instructions of store_plain and store_streaming by piece: PLAIN or STREAMING
 * * lines * passes + PASS * passes + ONCE, from the first instruction to the
 * return, both included; and the stores that fill a line.
 */
#ifndef KERNELS_STORE_COUNTS_H
#define KERNELS_STORE_COUNTS_H

#define STORE_X86_64_PLAIN_STORES	8	/* mov of 8 bytes */
#define STORE_X86_64_STREAMING_STORES	8	/* movnti of 8 bytes */
#define STORE_X86_64_LINE		3	/* add, cmp, jne */
#define STORE_X86_64_PASS		3	/* mov, dec, jne */
#define STORE_X86_64_ONCE		3	/* add, sfence, ret */

#define STORE_AARCH64_PLAIN_STORES	8	/* str of 8 bytes */
#define STORE_AARCH64_STREAMING_STORES	4	/* stnp of 16 bytes */
#define STORE_AARCH64_LINE		3	/* add, cmp, b.ne */
#define STORE_AARCH64_PASS		3	/* mov, subs, b.ne */
#define STORE_AARCH64_ONCE		3	/* add, dmb, ret */

#endif
