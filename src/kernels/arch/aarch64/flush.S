/* SPDX-License-Identifier: MIT */
/* flush_run(): see flush.c. */
#include "kernels/arch/count.h"

	PIECES flush, load, iteration, once
	FUNCTION flush_run
1:	I iteration, mov x4, x0
	I iteration, mov x5, x1
2:	I flush, dc civac, x4
	I flush, add x4, x4, x3
	I flush, subs x5, x5, #1
	I flush, b.ne 2b
	I iteration, dsb sy
	I iteration, mov x4, x0
3:	I load, ldr x4, [x4]
	I load, cmp x4, #0
	I load, b.ne 3b
	I iteration, isb
	I iteration, subs x2, x2, #1
	I iteration, b.ne 1b
	I once, ret
	END flush_run
	IS flush, FLUSH_FLUSH
	IS load, FLUSH_LOAD
	IS iteration, FLUSH_ITERATION
	IS once, FLUSH_ONCE
