/* SPDX-License-Identifier: MIT */
/*
 * void iflush_run(uint64_t lines, uint64_t iterations): cleans and invalidates
 * `lines` lines of code (1 .. IFLUSH_LINES), in the data caches and in the
 * instruction cache, then jumps through them, iterations (>= 1) times. They are
 * the last lines of a chain; each does nothing but jump to the next one. The
 * function's own line is in none of the sets that theirs are in.
 */
#include "kernels/arch/count.h"
#include "kernels/iflush-counts.h"

	PIECE flush
	PIECE line
	PIECE iteration
	PIECE once

	.section assay_kernels, "ax", %progbits
	.p2align IFLUSH_SHIFT
	FUNCTION iflush_run
	I once, adrp x2, .Llast
	I once, add x2, x2, :lo12:.Llast
	I once, sub x3, x0, #1
	I once, sub x2, x2, x3, lsl #IFLUSH_SHIFT
.Lagain:
	I iteration, mov x3, x2
	I iteration, mov x4, x0
2:	I flush, dc civac, x3
	I flush, ic ivau, x3
	I flush, add x3, x3, #(1 << IFLUSH_SHIFT)
	I flush, subs x4, x4, #1
	I flush, b.ne 2b
	I iteration, dsb sy
	I iteration, isb
	I iteration, br x2
	END iflush_run, IFLUSH_AARCH64_FLUSH + IFLUSH_AARCH64_ITERATION - 2 + \
			IFLUSH_AARCH64_ONCE - 1
	.if (. - iflush_run) > 64
	.error "the function is longer than a line"
	.endif

	.balign 64
	.rept IFLUSH_LINES - 1
	I line, b . + (1 << IFLUSH_SHIFT)
	.rept ((1 << IFLUSH_SHIFT) >> 2) - 1
	.inst 0
	.endr
	.endr
.Llast:
	I iteration, subs x1, x1, #1
	I iteration, b.ne .Lagain
	I once, ret
	.if (. - .Llast) - 12
	.error "the last line is not as long as its table says"
	.endif

	IS flush, IFLUSH_AARCH64_FLUSH
	IS line, IFLUSH_AARCH64_LINE * (IFLUSH_LINES - 1)
	IS iteration, IFLUSH_AARCH64_ITERATION
	IS once, IFLUSH_AARCH64_ONCE
