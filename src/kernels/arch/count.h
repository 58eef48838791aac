/* SPDX-License-Identifier: MIT */
/*
 * Assembler macros that count instructions while they are assembled, so that
 * the numbers in counts.h cannot drift from the code:
 *
 *	PIECES loop, once	start counting these pieces from 0
 *	I loop, mov ...		one instruction of the piece `loop`
 *	IS loop, NUMBER		stop the build unless the piece has NUMBER of
 *				them
 *	FUNCTION / END		a hidden function; END checks on AArch64 that
 *				the function has no byte beside the instructions
 *				counted by I
 *
 * All counted code is in one section, whose ends the linker names
 * __start_assay_kernels and __stop_assay_kernels: an instruction counter
 * outside of this program finds the counted code by these two addresses.
 */
#ifdef __aarch64__
#define COUNT(x86_64, aarch64) aarch64
#else
#define COUNT(x86_64, aarch64) x86_64
#endif
#include "kernels/counts.h"

	.set .Lcounted, 0

	.macro PIECES names:vararg
	.irp name, \names
	.set .Lcount_\name, 0
	.endr
	.endm

	.macro I name, line:vararg
	.set .Lcount_\name, .Lcount_\name + 1
	.set .Lcounted, .Lcounted + 1
	\line
	.endm

	.macro IS name, number:vararg
	.if .Lcount_\name - (\number)
	.error "piece \name is not as long as counts.h says"
	.endif
	.endm

	.macro FUNCTION name
	.section assay_kernels, "ax", %progbits
	.p2align 6
	.globl \name
	.hidden \name
	.type \name, %function
\name:
	.set .Lcounted, 0
	.endm

	.macro END name
#ifdef __aarch64__
	.if (. - \name) - 4 * .Lcounted
	.error "\name has instructions that are not counted"
	.endif
#endif
	.size \name, . - \name
	.endm

	.section .note.GNU-stack, "", %progbits
