/* SPDX-License-Identifier: MIT */
/* chase_1(), chase_2(), chase_4(): see list.c. */
#include "kernels/arch/count.h"

	.macro CHASE chains, passes, head2, head3, head4
	PIECES load, step, head, pass, once
	FUNCTION chase_\chains
1:	I head, mov x9, x0
	.ifnb \head2
	I head, mov x10, \head2
	.endif
	.ifnb \head3
	I head, mov x11, \head3
	I head, mov x12, \head4
	.endif
2:	I load, ldr x9, [x9]
	.ifnb \head2
	I load, ldr x10, [x10]
	.endif
	.ifnb \head3
	I load, ldr x11, [x11]
	I load, ldr x12, [x12]
	.endif
	I step, cmp x9, #0
	I step, b.ne 2b
	I pass, subs \passes, \passes, #1
	I pass, b.ne 1b
	I once, ret
	END chase_\chains
	IS load, CHASE_LOAD * \chains
	IS step, CHASE_STEP
	IS head, CHASE_HEAD * \chains
	IS pass, CHASE_PASS
	IS once, CHASE_ONCE
	.endm

	CHASE 1, x1
	CHASE 2, x2, x1
	CHASE 4, x4, x1, x2, x3
