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
	END chase_walk_\chains, (CHASE_AARCH64_LOAD + CHASE_AARCH64_HEAD) * \
		\chains + CHASE_AARCH64_STEP + CHASE_AARCH64_PASS + \
		CHASE_AARCH64_ONCE
	IS load, CHASE_AARCH64_LOAD * \chains
	IS step, CHASE_AARCH64_STEP
	IS head, CHASE_AARCH64_HEAD * \chains
	IS pass, CHASE_AARCH64_PASS
	IS once, CHASE_AARCH64_ONCE
	.endm

	WALK 1, x1
	WALK 2, x2, x1
	WALK 4, x4, x1, x2, x3
