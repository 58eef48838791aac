/* SPDX-License-Identifier: MIT */
/*
 * void stream_run(int32_t *base, uint64_t ints, uint64_t passes): writes the
 * array from end to end, then reads and sums it, passes (>= 1) times.
 */
#include "kernels/arch/count.h"
#include "kernels/stream-counts.h"

	PIECE write
	PIECE read
	PIECE pass
	PIECE once
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
	END stream_run, STREAM_AARCH64_WRITE + STREAM_AARCH64_READ + \
			STREAM_AARCH64_PASS + STREAM_AARCH64_ONCE
	IS write, STREAM_AARCH64_WRITE
	IS read, STREAM_AARCH64_READ
	IS pass, STREAM_AARCH64_PASS
	IS once, STREAM_AARCH64_ONCE
