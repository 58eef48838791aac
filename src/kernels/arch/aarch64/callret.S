/* SPDX-License-Identifier: MIT */
/* callret_run(): see callret.c. */
#include "kernels/arch/count.h"

	PIECES level, leaf, round, once

	FUNCTION callret_run
	I once, adrp x2, .Lleaf
	I once, add x2, x2, :lo12:.Lleaf
	I once, sub x0, x0, #1
	I once, sub x2, x2, x0, lsl #4
	I once, stp x29, x30, [sp, #-16]!
1:	I round, blr x2
	I round, subs x1, x1, #1
	I round, b.ne 1b
	I once, ldp x29, x30, [sp], #16
	I once, ret
	END callret_run

	.balign 64
.Llevels:
	.rept CALLRET_DEPTH - 1
	I level, stp x29, x30, [sp, #-16]!
	I level, bl . + 12
	I level, ldp x29, x30, [sp], #16
	I level, ret
	.endr
.Lleaf:
	I leaf, ret
	.if (.Lleaf - .Llevels) - 4 * CALLRET_LEVEL * \
			(CALLRET_DEPTH - 1)
	.error "the levels are not as long as their table says"
	.endif

	IS level, CALLRET_LEVEL * (CALLRET_DEPTH - 1)
	IS leaf, CALLRET_LEAF
	IS round, CALLRET_ROUND
	IS once, CALLRET_ONCE
