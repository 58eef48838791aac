/* SPDX-License-Identifier: MIT */
/* watch_load(), watch_store(): see watch.c. */
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
