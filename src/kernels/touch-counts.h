/* SPDX-License-Identifier: MIT */
/*
 * Instructions of touch_pages by piece: PAGE * pages + ONCE, from its first
 * instruction to its return, both included; the system call is one of them.
 */
#ifndef KERNELS_TOUCH_COUNTS_H
#define KERNELS_TOUCH_COUNTS_H

#define TOUCH_X86_64_PAGE	4	/* mov, add, sub, jne */
#define TOUCH_X86_64_ONCE	4	/* mov, mov, syscall, ret */

#define TOUCH_AARCH64_PAGE	4	/* str, add, subs, b.ne */
#define TOUCH_AARCH64_ONCE	5	/* mov, mov, mov, svc, ret */

#endif
