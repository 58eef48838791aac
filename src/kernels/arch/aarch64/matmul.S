/* SPDX-License-Identifier: MIT */
/* matmul_textbook(), matmul_interchange(): see matmul.c. */
#include "kernels/arch/count.h"

	PIECES inner, middle, outer, once
	FUNCTION matmul_textbook
	I once, lsl x4, x3, #3
	I once, mov x5, x3
1:	I outer, mov x6, x1
	I outer, mov x7, x3
2:	I middle, movi d0, #0
	I middle, mov x8, x0
	I middle, mov x9, x6
	I middle, mov x10, x3
3:	I inner, ldr d1, [x8], #8
	I inner, ldr d2, [x9]
	I inner, add x9, x9, x4
	I inner, fmadd d0, d1, d2, d0
	I inner, subs x10, x10, #1
	I inner, b.ne 3b
	I middle, str d0, [x2], #8
	I middle, add x6, x6, #8
	I middle, subs x7, x7, #1
	I middle, b.ne 2b
	I outer, add x0, x0, x4
	I outer, subs x5, x5, #1
	I outer, b.ne 1b
	I once, ret
	END matmul_textbook
	IS inner, TEXTBOOK_INNER
	IS middle, TEXTBOOK_MIDDLE
	IS outer, TEXTBOOK_OUTER
	IS once, TEXTBOOK_ONCE

	PIECES inner, middle, zero, outer, once
	FUNCTION matmul_interchange
	I once, lsl x4, x3, #3
	I once, mov x5, x3
1:	I outer, mov x8, x2
	I outer, mov x7, x3
2:	I zero, str xzr, [x8], #8
	I zero, subs x7, x7, #1
	I zero, b.ne 2b
	I outer, mov x6, x1
	I outer, mov x7, x3
	I outer, mov x9, x0
3:	I middle, ldr d0, [x9], #8
	I middle, mov x8, x2
	I middle, mov x10, x3
4:	I inner, ldr d1, [x6], #8
	I inner, ldr d2, [x8]
	I inner, fmadd d2, d0, d1, d2
	I inner, str d2, [x8], #8
	I inner, subs x10, x10, #1
	I inner, b.ne 4b
	I middle, subs x7, x7, #1
	I middle, b.ne 3b
	I outer, add x0, x0, x4
	I outer, add x2, x2, x4
	I outer, subs x5, x5, #1
	I outer, b.ne 1b
	I once, ret
	END matmul_interchange
	IS inner, INTERCHANGE_INNER
	IS middle, INTERCHANGE_MIDDLE
	IS zero, INTERCHANGE_ZERO
	IS outer, INTERCHANGE_OUTER
	IS once, INTERCHANGE_ONCE
