/* SPDX-License-Identifier: MIT */
/*
 * void chase_walk(const void *head, uint64_t passes): walks the list at head
 * to its NULL, passes (>= 1) times.
 */
#include "kernels/arch/count.h"
#include "kernels/chase-counts.h"

	PIECE element
	PIECE pass
	PIECE once

	FUNCTION chase_walk
1:	I pass, mov %rdi, %rax
2:	I element, mov (%rax), %rax
	I element, test %rax, %rax
	I element, jne 2b
	I pass, dec %rsi
	I pass, jne 1b
	I once, ret
	END chase_walk, 0

	IS element, CHASE_X86_64_ELEMENT
	IS pass, CHASE_X86_64_PASS
	IS once, CHASE_X86_64_ONCE
