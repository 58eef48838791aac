/* SPDX-License-Identifier: MIT */
/*
 * Instructions of stride_load, stride_store and stride_update by piece: LOAD,
 * STORE or UPDATE * lines * offsets + PASS * offsets + ONCE, from the first
 * instruction to the return, both included.
 */
#ifndef KERNELS_STRIDE_COUNTS_H
#define KERNELS_STRIDE_COUNTS_H

#define STRIDE_X86_64_LOAD	4	/* add, add, cmp, jne */
#define STRIDE_X86_64_STORE	4	/* mov, add, cmp, jne */
#define STRIDE_X86_64_UPDATE	5	/* mov, mov, add, cmp, jne */
#define STRIDE_X86_64_PASS	5	/* mov, inc, inc, dec, jne */
#define STRIDE_X86_64_ONCE	2	/* add, ret */

#define STRIDE_AARCH64_LOAD	4	/* ldrb, add, cmp, b.ne */
#define STRIDE_AARCH64_STORE	3	/* strb, cmp, b.ne */
#define STRIDE_AARCH64_UPDATE	4	/* ldrb, strb, cmp, b.ne */
#define STRIDE_AARCH64_PASS	5	/* mov, add, add, subs, b.ne */
#define STRIDE_AARCH64_ONCE	2	/* add, ret */

#endif
