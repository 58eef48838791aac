/* SPDX-License-Identifier: MIT */
/* branch_count(): see branch.c. */
#include "kernels/arch/count.h"

	PIECES char, one, pass, once
	FUNCTION branch_count
	I once, add %rdi, %rsi
	I once, xor %eax, %eax
1:	I pass, mov %rdi, %rcx
2:	I char, cmpb $'1', (%rcx)
	I char, jne 3f
	I one, inc %rax
3:	I char, inc %rcx
	I char, cmp %rsi, %rcx
	I char, jne 2b
	I pass, dec %rdx
	I pass, jne 1b
	I once, ret
	END branch_count
	IS char, BRANCH_CHAR
	IS one, BRANCH_ONE
	IS pass, BRANCH_PASS
	IS once, BRANCH_ONCE
