/* SPDX-License-Identifier: MIT */
/* touch_pages(): see touch.c. */
#include "kernels/arch/count.h"

#define MADVISE 28
#define DONTNEED 4

	PIECES page, once
	FUNCTION touch_pages
	I once, mov $MADVISE, %eax
	I once, mov $DONTNEED, %edx
	I once, syscall
1:	I page, mov %rdx, (%rdi)
	I page, add $4096, %rdi
	I page, sub $4096, %rsi
	I page, jne 1b
	I once, ret
	END touch_pages
	IS page, TOUCH_PAGE
	IS once, TOUCH_ONCE
