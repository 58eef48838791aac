/* SPDX-License-Identifier: MIT */
/*
 * Assembler macros that count instructions while they are assembled, so that
 * the numbers in <kernel>-counts.h cannot drift from the code:
 *
 *	PIECE loop		start counting a piece
 *	I loop, mov ...		one instruction of that piece
 *	IS loop, NUMBER		stop the build unless it has NUMBER of them
 *	FUNCTION / END		a hidden function; END checks that on AArch64
 *				its bytes are 4 * total
 *
 * All counted code is in one section, whose ends the linker names
 * __start_assay_kernels and __stop_assay_kernels: a witness that counts
 * instructions between these two needs to know nothing else.
 */
	.macro PIECE name
	.set .Lcount_\name, 0
	.endm

	.macro I name, line:vararg
	.set .Lcount_\name, .Lcount_\name + 1
	\line
	.endm

	.macro IS name, number:vararg
	.if .Lcount_\name - (\number)
	.error "piece \name is not as long as its table says"
	.endif
	.endm

	.macro FUNCTION name
	.section assay_kernels, "ax", %progbits
	.p2align 6
	.globl \name
	.hidden \name
	.type \name, %function
\name:
	.endm

	.macro END name, total:vararg
#ifdef __aarch64__
	.if (. - \name) - 4 * (\total)
	.error "\name is not as long as its table says"
	.endif
#endif
	.size \name, . - \name
	.endm

	.section .note.GNU-stack, "", %progbits
