/* SPDX-License-Identifier: MIT */
/* icode_run(): see icode.c. */
#include "kernels/arch/count.h"

	PIECES line, pass, jump, once

	FUNCTION icode_run
	I once, adrp x2, .Llast
	I once, add x2, x2, :lo12:.Llast
	I once, sub x0, x0, #1
	I once, sub x2, x2, x0, lsl #6
	I once, br x2
	END icode_run

#ifdef ASSAY_IMAGE
/*
 * An image's file has no room for half a MiB of jumps: icode_lay() writes them
 * into .bss before the first icode_run().
 */
	.text
	.globl icode_lay
	.hidden icode_lay
	.type icode_lay, %function
icode_lay:
	adrp	x0, .Lchain
	add	x0, x0, :lo12:.Lchain
	adr	x1, .Lline
	adr	x2, .Lpattern
	mov	x3, #(ICODE_LINES - 1)
	ldr	w4, [x1]
1:	str	w4, [x0]
	dc	cvau, x0
	add	x0, x0, #64
	subs	x3, x3, #1
	b.ne	1b
	ldp	x4, x5, [x2]
	stp	x4, x5, [x0]
	dc	cvau, x0
	dsb	ish
	mov	x3, #ICODE_LINES
2:	ic	ivau, x0
	sub	x0, x0, #64
	subs	x3, x3, #1
	b.ne	2b
	dsb	ish
	isb
	ret
	.size icode_lay, . - icode_lay
.Lline:
	b	. + 64
	.set .Lcount_line, ICODE_LINES - 1

	.section .bss.chain.icode, "aw", %nobits
	.p2align 12
.Lchain:
	.skip 64 * (ICODE_LINES - 1)
.Llast:
	.skip 64

	.text
	.p2align 3
.Lpattern:
#else
	.p2align 12
	.rept ICODE_LINES - 1
	I line, b . + 64
	.balign 64
	.endr
.Lpattern:
.Llast:
#endif
	I pass, subs x1, x1, #1
	I pass, b.eq 1f
	I jump, br x2
1:	I once, ret
	.if (. - .Lpattern) - 4 * (ICODE_PASS + ICODE_JUMP + 1)
	.error "the last line is not as long as its table says"
	.endif

	IS line, ICODE_LINE * (ICODE_LINES - 1)
	IS pass, ICODE_PASS
	IS jump, ICODE_JUMP
	IS once, ICODE_ONCE
