/* SPDX-License-Identifier: MIT */
/* icode_run(): see icode.c. */
#include "kernels/arch/count.h"

	PIECES line, pass, jump, once

	FUNCTION icode_run
	I once, lea .Llast(%rip), %rax
	I once, dec %rdi
	I once, shl $6, %rdi
	I once, sub %rdi, %rax
	I once, jmp *%rax

	.p2align 12
	.rept ICODE_LINES - 1
	I line, jmp . + 64
	.balign 64, 0xcc
	.endr
.Llast:
	I pass, dec %rsi
	I pass, je 1f
	I jump, jmp *%rax
1:	I once, ret
	END icode_run

	IS line, ICODE_LINE * (ICODE_LINES - 1)
	IS pass, ICODE_PASS
	IS jump, ICODE_JUMP
	IS once, ICODE_ONCE
