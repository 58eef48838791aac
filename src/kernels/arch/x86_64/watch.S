/* SPDX-License-Identifier: MIT */
/* watch_load(), watch_store(): see watch.c. */
#include "kernels/arch/count.h"

	.macro WATCH name, access:vararg
	PIECES access, once
	FUNCTION \name
1:	I access, \access
	I access, dec %rsi
	I access, jne 1b
	I once, ret
	END \name
	IS access, WATCH_ACCESS
	IS once, WATCH_ONCE
	.endm

	WATCH watch_load, mov (%rdi), %rax
	WATCH watch_store, mov %rsi, (%rdi)
