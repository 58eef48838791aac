/* SPDX-License-Identifier: MIT */
/* stream_run(): see stream.c. */
#include "kernels/arch/count.h"

	PIECES write, read, pass, once
	FUNCTION stream_run
	I once, add x1, x0, x1, lsl #2
1:	I pass, mov x3, x0
2:	I write, str w2, [x3], #4
	I write, cmp x3, x1
	I write, b.ne 2b
	I pass, mov x3, x0
3:	I read, ldr w4, [x3], #4
	I read, add w5, w5, w4
	I read, cmp x3, x1
	I read, b.ne 3b
	I pass, subs x2, x2, #1
	I pass, b.ne 1b
	I once, ret
	END stream_run
	IS write, STREAM_WRITE
	IS read, STREAM_READ
	IS pass, STREAM_PASS
	IS once, STREAM_ONCE
