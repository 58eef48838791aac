/* SPDX-License-Identifier: MIT */
/*
 * void chase_walk_1(head, passes), chase_walk_2(head, head, passes),
 * chase_walk_4(head, head, head, head, passes): walks that many lists side by
 * side, all of one length, to their NULL, passes (>= 1) times.
 */
#include "kernels/arch/count.h"
#include "kernels/chase-counts.h"

	.macro WALK chains, passes, head2, head3, head4
	PIECE load
	PIECE step
	PIECE head
	PIECE pass
	PIECE once
	FUNCTION chase_walk_\chains
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
	END chase_walk_\chains, 0
	IS load, CHASE_X86_64_LOAD * \chains
	IS step, CHASE_X86_64_STEP
	IS head, CHASE_X86_64_HEAD * \chains
	IS pass, CHASE_X86_64_PASS
	IS once, CHASE_X86_64_ONCE
	.endm

	WALK 1, %rsi
	WALK 2, %rdx, %rsi
	WALK 4, %r8, %rsi, %rdx, %rcx
