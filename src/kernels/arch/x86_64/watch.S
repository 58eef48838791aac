/* SPDX-License-Identifier: MIT */
/*
 * void watch_load(uint64_t *word, uint64_t accesses), watch_store(same): loads
 * from, or stores to, one word again and again.
 */
#include "kernels/arch/count.h"
#include "kernels/watch-counts.h"

	.macro WATCH name, access:vararg
	PIECE access
	PIECE once
	FUNCTION \name
1:	I access, \access
	I access, dec %rsi
	I access, jne 1b
	I once, ret
	END \name, 0
	IS access, WATCH_X86_64_ACCESS
	IS once, WATCH_X86_64_ONCE
	.endm

	WATCH watch_load, mov (%rdi), %rax
	WATCH watch_store, mov %rsi, (%rdi)
