/* SPDX-License-Identifier: MIT */
/* iflush_run(): see iflush.c. */
#include "kernels/arch/count.h"

	PIECES flush, line, iteration, once

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
	END iflush_run
	.if (. - iflush_run) > 64
	.error "the function is longer than a line"
	.endif

#ifdef ASSAY_IMAGE
/*
 * In an image iflush_lay() writes the lines into .bss before the first
 * iflush_run(). The distance of the branch back is known only after linking.
 */
	.text
	.globl iflush_lay
	.hidden iflush_lay
	.type iflush_lay, %function
iflush_lay:
	adrp	x0, .Lchain
	add	x0, x0, :lo12:.Lchain
	adr	x1, .Lline
	ldr	w4, [x1]
	mov	x3, #(IFLUSH_LINES - 1)
1:	str	w4, [x0]
	dc	cvau, x0
	ic	ivau, x0
	add	x0, x0, #(1 << IFLUSH_SHIFT)
	subs	x3, x3, #1
	b.ne	1b
	adr	x1, .Lpattern
	ldp	w4, w5, [x1]
	ldr	w6, [x1, #8]
	adrp	x2, .Lagain
	add	x2, x2, :lo12:.Lagain
	sub	x2, x2, x0
	sub	x2, x2, #4
	asr	x2, x2, #2
	bfi	w5, w2, #5, #19
	stp	w4, w5, [x0]
	str	w6, [x0, #8]
	dc	cvau, x0
	dsb	ish
	ic	ivau, x0
	dsb	ish
	isb
	ret
	.size iflush_lay, . - iflush_lay
.Lline:
	b	. + (1 << IFLUSH_SHIFT)
	.set .Lcount_line, IFLUSH_LINES - 1

	.section .bss.chain.iflush, "aw", %nobits
	.p2align IFLUSH_SHIFT
	.skip 64
.Lchain:
	.skip (IFLUSH_LINES - 1) << IFLUSH_SHIFT
.Llast:
	.skip 64

	.text
	.p2align 3
#else
	.balign 64
	.rept IFLUSH_LINES - 1
	I line, b . + (1 << IFLUSH_SHIFT)
	.rept ((1 << IFLUSH_SHIFT) >> 2) - 1
	.inst 0
	.endr
	.endr
.Llast:
#endif
.Lpattern:
	I iteration, subs x1, x1, #1
	I iteration, b.ne .Lagain
	I once, ret
	.if (. - .Lpattern) - 12
	.error "the last line is not as long as its table says"
	.endif

	IS flush, IFLUSH_FLUSH
	IS line, IFLUSH_LINE * (IFLUSH_LINES - 1)
	IS iteration, IFLUSH_ITERATION
	IS once, IFLUSH_ONCE
