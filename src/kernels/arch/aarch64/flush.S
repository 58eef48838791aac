/* SPDX-License-Identifier: MIT */
/*
 * void flush_walk(void *list, uint64_t lines, uint64_t iterations, uint64_t
 * spacing): cleans and invalidates each of the list's lines, which lie
 * `spacing` bytes apart, then walks the list to its NULL, iterations (>= 1)
 * times.
 */
#include "kernels/arch/count.h"
#include "kernels/flush-counts.h"

	PIECE flush
	PIECE walk
	PIECE iteration
	PIECE once
	FUNCTION flush_walk
1:	I iteration, mov x4, x0
	I iteration, mov x5, x1
2:	I flush, dc civac, x4
	I flush, add x4, x4, x3
	I flush, subs x5, x5, #1
	I flush, b.ne 2b
	I iteration, dsb sy
	I iteration, mov x4, x0
3:	I walk, ldr x4, [x4]
	I walk, cmp x4, #0
	I walk, b.ne 3b
	I iteration, isb
	I iteration, subs x2, x2, #1
	I iteration, b.ne 1b
	I once, ret
	END flush_walk, FLUSH_AARCH64_FLUSH + FLUSH_AARCH64_WALK + \
			FLUSH_AARCH64_ITERATION + FLUSH_AARCH64_ONCE
	IS flush, FLUSH_AARCH64_FLUSH
	IS walk, FLUSH_AARCH64_WALK
	IS iteration, FLUSH_AARCH64_ITERATION
	IS once, FLUSH_AARCH64_ONCE
