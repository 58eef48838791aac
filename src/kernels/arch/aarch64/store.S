/* SPDX-License-Identifier: MIT */
/* store_plain(), store_streaming(): see store.c. */
#include "kernels/arch/count.h"

	.macro LINE_plain
	.irp at, 0, 8, 16, 24, 32, 40, 48, 56
	I stores, str x2, [x3, #\at]
	.endr
	.endm

	.macro LINE_streaming
	.irp at, 0, 16, 32, 48
	I stores, stnp x2, x2, [x3, #\at]
	.endr
	.endm

	.macro STORES op, stores
	PIECES stores, line, pass, once
	FUNCTION store_\op
	I once, add x1, x0, x1
1:	I pass, mov x3, x0
2:	LINE_\op
	I line, add x3, x3, #64
	I line, cmp x3, x1
	I line, b.ne 2b
	I pass, subs x2, x2, #1
	I pass, b.ne 1b
	I once, dmb ishst
	I once, ret
	END store_\op
	IS stores, \stores
	IS line, STORE_LINE
	IS pass, STORE_PASS
	IS once, STORE_ONCE
	.endm

	STORES plain, STORE_PLAIN
	STORES streaming, STORE_STREAMING
