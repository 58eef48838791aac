/* SPDX-License-Identifier: MIT */
/* stride_load(), stride_store(), stride_update(): see stride.c. */
#include "kernels/arch/count.h"

	.macro ACCESS_load
	I line, add (%rcx), %al
	.endm

	.macro ACCESS_store
	I line, mov %dl, (%rcx)
	.endm

	.macro ACCESS_update
	I line, mov (%rcx), %al
	I line, mov %al, (%rcx)
	.endm

	.macro STRIDE op, length
	PIECES line, pass, once
	FUNCTION stride_\op
	I once, add %rdi, %rsi
1:	I pass, mov %rdi, %rcx
2:	ACCESS_\op
	I line, add $64, %rcx
	I line, cmp %rsi, %rcx
	I line, jne 2b
	I pass, inc %rdi
	I pass, inc %rsi
	I pass, dec %rdx
	I pass, jne 1b
	I once, ret
	END stride_\op
	IS line, \length
	IS pass, STRIDE_PASS
	IS once, STRIDE_ONCE
	.endm

	STRIDE load, STRIDE_LOAD
	STRIDE store, STRIDE_STORE
	STRIDE update, STRIDE_UPDATE
