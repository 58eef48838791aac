/* SPDX-License-Identifier: MIT */
/* branch_count(): see branch.c. */
#include "kernels/arch/count.h"

	PIECES char, one, pass, once
	FUNCTION branch_count
	I once, add x1, x0, x1
	I once, mov x5, x0
	I once, mov x0, #0
1:	I pass, mov x3, x5
2:	I char, ldrb w4, [x3], #1
	I char, cmp w4, #'1'
	I char, b.ne 3f
	I one, add x0, x0, #1
3:	I char, cmp x3, x1
	I char, b.ne 2b
	I pass, subs x2, x2, #1
	I pass, b.ne 1b
	I once, ret
	END branch_count
	IS char, BRANCH_CHAR
	IS one, BRANCH_ONE
	IS pass, BRANCH_PASS
	IS once, BRANCH_ONCE
