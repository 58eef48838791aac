/* SPDX-License-Identifier: MIT */
/*
 * Blocks of code for wander.c, of every shape that the plugin knows. x0 and
 * x1: addresses; x2: at most 7.
 */
	.text
	.globl _start, wander_exit, wander_shapes, wander_shapes_end
	.globl wander_ends
_start:
	mov x0, sp
	bl wander
	brk #0
wander_exit:
	mov x0, #0
	mov x8, #93
	svc #0

	/* It begins anywhere in a line. */
	.macro shape
	.org at + 1108
	at = .
	.endm

	.balign 4096
wander_shapes:
	at = . - 1108
	.rept 12
	/* one line: brought by a load or a store, dirty or not */
	shape
	ldr x3, [x0]
	add x3, x3, #1
	str x3, [x0]
	ret
	shape
	str x2, [x0]
	ldr x3, [x0, #8]
	ret
	shape
	ldrb w3, [x0]
	ldr w4, [x0, #16]
	ldrh w5, [x0, #8]
	ret
	/* two lines, perhaps of two pages */
	shape
	ldr x3, [x0, #56]
	str x3, [x0, #64]
	ldur x4, [x0, #60]
	stur x4, [x1, #60]
	ret
	/* several addresses */
	shape
	ldr x3, [x1]
	str x3, [x0]
	str x3, [sp, #-16]!
	ldrb w4, [x1, x2]
	ldr x3, [sp], #16
	ret
	/* in parts */
	shape
	ldp x3, x4, [x0]
	stp x4, x3, [x1]
	ldr x3, [x0, #16]
	ret
	shape
	ldr q0, [x1]
	stur q0, [x0, #24]
	ldr s1, [x0]
	ret
	shape
	add x3, x2, #1
	ldp q0, q1, [x0]
	str x3, [x1]
	stp q1, q0, [x1, #32]
	ret
	/* what is not modelled */
	shape
	prfm pldl1keep, [x0]
	ldr x3, [x1]
	ret
	/* loops, and blocks that go elsewhere */
	shape
1:	ldr x3, [x0, x2, lsl #3]
	tbnz x3, #0, 2f
	ldr x4, [x1]
	str x4, [x1, #8]
2:	add x3, x3, #1
	str x3, [x0]
	subs x2, x2, #1
	b.gt 1b
	ret
	shape
	mov x6, x30
	bl 1f
	str x3, [x1]
	bl 1f
	mov x30, x6
	b 2f
1:	ldr x3, [x0]
	ret
2:	ldr x4, [x1, #8]
	ret
	/* much code */
	shape
	ldr x3, [x0]
	.rept 40
	nop
	.endr
	str x3, [x1]
	ret
	shape
	.rept 90
	nop
	.endr
	b 1f
	.skip 400
1:	ret
	.endr
	.org at + 1108
wander_shapes_end:
	/* blocks at the end of a page; wander.c knows how many */
	.balign 4096
	.skip 4092
wander_ends:
	.rept 24
	ldr x3, [x0]
	ret
	.skip 4088
	.endr
	.section .note.GNU-stack, "", %progbits
