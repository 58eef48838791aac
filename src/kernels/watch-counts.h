/* SPDX-License-Identifier: MIT */
/*
 * Instructions of watch_load and watch_store by piece: ACCESS * accesses +
 * ONCE, from the first instruction to the return, both included.
 */
#ifndef KERNELS_WATCH_COUNTS_H
#define KERNELS_WATCH_COUNTS_H

#define WATCH_X86_64_ACCESS	3	/* mov, dec, jne */
#define WATCH_X86_64_ONCE	1	/* ret */

#define WATCH_AARCH64_ACCESS	3	/* ldr or str, subs, b.ne */
#define WATCH_AARCH64_ONCE	1	/* ret */

#endif
