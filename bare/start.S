/* SPDX-License-Identifier: MIT */
/*
 * From the first instruction to C. Lowers the exception level to the one that
 * the image was built for, and gives the lower level access to floating point,
 * timer and PMU. If the board starts below that level, image_main() reports it.
 * Input: none but the system registers. Then clears .bss and calls image_main()
 * with the stack of link.ld. One core runs; the others wait.
 */
	.section .text.start, "ax", %progbits
	.globl _start
_start:
	msr	daifset, #15
	mrs	x0, mpidr_el1
	tst	x0, #0xffffff		/* one core; the others rest */
	b.eq	1f
0:	wfe
	b	0b

1:	mrs	x0, CurrentEL
	lsr	x0, x0, #2
	ldr	x1, =image_level
	cmp	x0, x1
	b.ls	5f
	cmp	x0, #3
	b.eq	2f

	/* EL2 -> EL1 */
	mov	x2, #(1 << 31)		/* HCR_EL2.RW */
	msr	hcr_el2, x2
	mov	x2, #3
	msr	cnthctl_el2, x2
	msr	cntvoff_el2, xzr
	mov	x2, #0x33ff		/* no trap of floating point */
	msr	cptr_el2, x2
	msr	hstr_el2, xzr
	mrs	x2, midr_el1
	msr	vpidr_el2, x2
	mrs	x2, mpidr_el1
	msr	vmpidr_el2, x2
	mrs	x2, pmcr_el0		/* all counters to EL1 */
	ubfx	x2, x2, #11, #5
	msr	mdcr_el2, x2
	ldr	x2, =0x30d00800
	msr	sctlr_el1, x2
	mov	x2, #0x3c5
	msr	spsr_el2, x2
	adr	x2, 1b
	msr	elr_el2, x2
	isb
	eret

	/* EL3 -> EL2, or EL1 where there is no EL2; both Non-secure */
2:	mov	x2, #0x531		/* NS, RES1, HCE, RW */
	msr	scr_el3, x2
	msr	cptr_el3, xzr
	mrs	x2, mdcr_el3
	bic	x2, x2, #(1 << 6)	/* TPM */
	msr	mdcr_el3, x2
	ldr	x2, =0x30d00800
	msr	sctlr_el1, x2
	mov	x3, #0x3c5
	mrs	x2, id_aa64pfr0_el1
	tst	x2, #0xf00
	b.eq	3f
	ldr	x2, =0x30c50830
	msr	sctlr_el2, x2
	mov	x3, #0x3c9
3:	msr	spsr_el3, x3
	adr	x2, 1b
	msr	elr_el3, x2
	isb
	eret

5:	ldr	x2, =vectors
	cmp	x0, #2
	b.hi	6f
	b.eq	7f
	mov	x3, #(3 << 20)
	msr	cpacr_el1, x3
	msr	vbar_el1, x2
	b	8f
6:	msr	cptr_el3, xzr
	msr	vbar_el3, x2
	b	8f
7:	mov	x3, #0x33ff
	msr	cptr_el2, x3
	msr	vbar_el2, x2
8:	isb
	ldr	x0, =image_stack
	mov	sp, x0
	ldr	x0, =image_bss
	ldr	x1, =image_bss_end
9:	cmp	x0, x1
	b.hs	10f
	stp	xzr, xzr, [x0], #16
	b	9b
10:	bl	image_main
11:	wfe
	b	11b
	.ltorg

/* Each vector passes its number to image_fault(), which does not return. */
	.balign 2048
vectors:
	.set	number, 0
	.rept	16
	.balign	128
	mov	x0, #number
	b	12f
	.set	number, number + 1
	.endr
12:	ldr	x1, =image_fault_stack
	mov	sp, x1
	bl	image_fault
	.ltorg

/*
 * Replaces a kernel's loop: counts its calls and returns. With the branch to
 * here, a call executes BASELINE_STUB instructions (baseline.h).
 */
	.text
	.globl	baseline_stub
baseline_stub:
	adrp	x9, baseline_calls
	add	x9, x9, :lo12:baseline_calls
	ldr	x10, [x9]
	add	x10, x10, #1
	str	x10, [x9]
	ret
	.section .note.GNU-stack, "", %progbits
