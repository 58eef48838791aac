/* SPDX-License-Identifier: MIT */
/* callret_run(): see callret.c. */
#include "kernels/arch/count.h"

	PIECES level, leaf, round, once

	FUNCTION callret_run
	I once, lea .Lleaf(%rip), %rax
	I once, dec %rdi
	I once, shl $3, %rdi
	I once, sub %rdi, %rax
1:	I round, call *%rax
	I round, dec %rsi
	I round, jne 1b
	I once, ret
	END callret_run

	.balign 64
	.rept CALLRET_DEPTH - 1
	I level, call . + 8
	I level, ret
	.balign 8, 0xcc
	.endr
.Lleaf:
	I leaf, ret

	IS level, CALLRET_LEVEL * (CALLRET_DEPTH - 1)
	IS leaf, CALLRET_LEAF
	IS round, CALLRET_ROUND
	IS once, CALLRET_ONCE
