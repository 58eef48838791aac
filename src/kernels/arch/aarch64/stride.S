/* SPDX-License-Identifier: MIT */
/* stride_load(), stride_store(), stride_update(): see stride.c. */
#include "kernels/arch/count.h"

	.macro ACCESS_load
	I line, ldrb w4, [x3], #64
	I line, add w5, w5, w4
	.endm

	.macro ACCESS_store
	I line, strb w2, [x3], #64
	.endm

	.macro ACCESS_update
	I line, ldrb w4, [x3]
	I line, strb w4, [x3], #64
	.endm

	.macro STRIDE op, length
	PIECES line, pass, once
	FUNCTION stride_\op
	I once, add x1, x0, x1
1:	I pass, mov x3, x0
2:	ACCESS_\op
	I line, cmp x3, x1
	I line, b.ne 2b
	I pass, add x0, x0, #1
	I pass, add x1, x1, #1
	I pass, subs x2, x2, #1
	I pass, b.ne 1b
	I once, ret
	END stride_\op
	IS line, \length
	IS pass, STRIDE_PASS
	IS once, STRIDE_ONCE
	.endm

	STRIDE load, STRIDE_LOAD
	STRIDE store, STRIDE_STORE
	STRIDE update, STRIDE_UPDATE
