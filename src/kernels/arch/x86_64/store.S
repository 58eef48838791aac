/* SPDX-License-Identifier: MIT */
/* store_plain(), store_streaming(): see store.c. */
#include "kernels/arch/count.h"

	.macro STORES name, stores, instruction
	PIECES stores, line, pass, once
	FUNCTION \name
	I once, add %rdi, %rsi
1:	I pass, mov %rdi, %rcx
2:
	.irp at, 0, 8, 16, 24, 32, 40, 48, 56
	I stores, \instruction %rdx, \at(%rcx)
	.endr
	I line, add $64, %rcx
	I line, cmp %rsi, %rcx
	I line, jne 2b
	I pass, dec %rdx
	I pass, jne 1b
	I once, sfence
	I once, ret
	END \name
	IS stores, \stores
	IS line, STORE_LINE
	IS pass, STORE_PASS
	IS once, STORE_ONCE
	.endm

	STORES store_plain, STORE_PLAIN, mov
	STORES store_streaming, STORE_STREAMING, movnti
