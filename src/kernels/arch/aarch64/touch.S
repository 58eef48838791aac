/* SPDX-License-Identifier: MIT */
/* touch_pages(): see touch.c. */
#include "kernels/arch/count.h"

#define MADVISE 233
#define DONTNEED 4

	PIECES page, once
	FUNCTION touch_pages
	I once, mov x3, x0
	I once, mov x8, #MADVISE
	I once, mov x2, #DONTNEED
	I once, svc #0
1:	I page, str x2, [x3]
	I page, add x3, x3, #1, lsl #12
	I page, subs x1, x1, #1, lsl #12
	I page, b.ne 1b
	I once, ret
	END touch_pages
	IS page, TOUCH_PAGE
	IS once, TOUCH_ONCE
