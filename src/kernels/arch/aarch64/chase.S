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
1:	I pass, mov x2, x0
2:	I element, ldr x2, [x2]
	I element, cmp x2, #0
	I element, b.ne 2b
	I pass, subs x1, x1, #1
	I pass, b.ne 1b
	I once, ret
	END chase_walk, CHASE_AARCH64_ELEMENT + CHASE_AARCH64_PASS + \
			CHASE_AARCH64_ONCE

	IS element, CHASE_AARCH64_ELEMENT
	IS pass, CHASE_AARCH64_PASS
	IS once, CHASE_AARCH64_ONCE
