/* SPDX-License-Identifier: MIT */
/* iflush_run(): see iflush.c. */
#include "kernels/arch/count.h"

	PIECES flush, line, iteration, once

	.section assay_kernels, "ax", %progbits
	.p2align IFLUSH_SHIFT
	FUNCTION iflush_run
	I once, lea .Llast(%rip), %rdx
	I once, lea -1(%rdi), %rax
	I once, shl $IFLUSH_SHIFT, %rax
	I once, sub %rax, %rdx
.Lagain:
	I iteration, mov %rdx, %rax
	I iteration, mov %rdi, %rcx
2:	I flush, clflush (%rax)
	I flush, add $(1 << IFLUSH_SHIFT), %rax
	I flush, dec %rcx
	I flush, jne 2b
	I iteration, mfence
	I iteration, jmp *%rdx
	END iflush_run
	/* refuses to go back: the function is no longer than a line */
	.org iflush_run + 64, 0xcc
	.rept IFLUSH_LINES - 1
	I line, jmp . + (1 << IFLUSH_SHIFT)
	.balign 64, 0xcc
	.skip (1 << IFLUSH_SHIFT) - 64, 0xcc
	.endr
.Llast:
	I iteration, dec %rsi
	I iteration, jne .Lagain
	I once, ret

	IS flush, IFLUSH_FLUSH
	IS line, IFLUSH_LINE * (IFLUSH_LINES - 1)
	IS iteration, IFLUSH_ITERATION
	IS once, IFLUSH_ONCE
