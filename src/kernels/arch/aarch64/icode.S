/* SPDX-License-Identifier: MIT */
/*
 * void icode_run(uint64_t lines, uint64_t passes): jumps through `lines` lines
 * of code (1 .. ICODE_LINES), each of which does nothing but jump to the next,
 * passes (>= 1) times. The lines are the last ones of a chain of whole pages;
 * its last line counts the passes.
 */
#include "kernels/arch/count.h"
#include "kernels/icode-counts.h"

	PIECE line
	PIECE pass
	PIECE jump
	PIECE once

	FUNCTION icode_run
	I once, adrp x2, .Llast
	I once, add x2, x2, :lo12:.Llast
	I once, sub x0, x0, #1
	I once, sub x2, x2, x0, lsl #6
	I once, br x2
	END icode_run, ICODE_AARCH64_ONCE - 1

	.p2align 12
	.rept ICODE_LINES - 1
	I line, b . + 64
	.balign 64
	.endr
.Llast:
	I pass, subs x1, x1, #1
	I pass, b.eq 1f
	I jump, br x2
1:	I once, ret
	.if (. - .Llast) - 4 * (ICODE_AARCH64_PASS + ICODE_AARCH64_JUMP + 1)
	.error "the last line is not as long as its table says"
	.endif

	IS line, ICODE_AARCH64_LINE * (ICODE_LINES - 1)
	IS pass, ICODE_AARCH64_PASS
	IS jump, ICODE_AARCH64_JUMP
	IS once, ICODE_AARCH64_ONCE
