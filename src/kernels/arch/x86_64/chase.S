/* SPDX-License-Identifier: MIT */
/* chase_1(), chase_2(), chase_4(): see list.c. */
#include "kernels/arch/count.h"

	.macro CHASE chains, passes, head2, head3, head4
	PIECES load, step, head, pass, once
	FUNCTION chase_\chains
1:	I head, mov %rdi, %rax
	.ifnb \head2
	I head, mov \head2, %r9
	.endif
	.ifnb \head3
	I head, mov \head3, %r10
	I head, mov \head4, %r11
	.endif
2:	I load, mov (%rax), %rax
	.ifnb \head2
	I load, mov (%r9), %r9
	.endif
	.ifnb \head3
	I load, mov (%r10), %r10
	I load, mov (%r11), %r11
	.endif
	I step, test %rax, %rax
	I step, jne 2b
	I pass, dec \passes
	I pass, jne 1b
	I once, ret
	END chase_\chains
	IS load, CHASE_LOAD * \chains
	IS step, CHASE_STEP
	IS head, CHASE_HEAD * \chains
	IS pass, CHASE_PASS
	IS once, CHASE_ONCE
	.endm

	CHASE 1, %rsi
	CHASE 2, %rdx, %rsi
	CHASE 4, %r8, %rsi, %rdx, %rcx
