/* SPDX-License-Identifier: MIT */
/*
 * void watch_load(uint64_t *word, uint64_t accesses), watch_store(same): loads
 * from, or stores to, one word again and again.
 */
#include "kernels/arch/count.h"

	.macro WATCH name, access:vararg
	PIECES access, once
	FUNCTION \name
1:	I access, \access
	I access, subs x1, x1, #1
	I access, b.ne 1b
	I once, ret
	END \name
	IS access, WATCH_ACCESS
	IS once, WATCH_ONCE
	.endm

	WATCH watch_load, ldr x2, [x0]
	WATCH watch_store, str x1, [x0]
