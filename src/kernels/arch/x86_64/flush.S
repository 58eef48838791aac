/* SPDX-License-Identifier: MIT */
/*
 * void flush_walk(void *list, uint64_t lines, uint64_t iterations, uint64_t
 * spacing): flushes each of the list's lines, which lie `spacing` bytes apart,
 * then walks the list to its NULL, iterations (>= 1) times.
 */
#include "kernels/arch/count.h"
#include "kernels/flush-counts.h"

	PIECE flush
	PIECE walk
	PIECE iteration
	PIECE once
	FUNCTION flush_walk
1:	I iteration, mov %rdi, %rax
	I iteration, mov %rsi, %r8
2:	I flush, clflush (%rax)
	I flush, add %rcx, %rax
	I flush, dec %r8
	I flush, jne 2b
	I iteration, mfence
	I iteration, mov %rdi, %rax
3:	I walk, mov (%rax), %rax
	I walk, test %rax, %rax
	I walk, jne 3b
	I iteration, dec %rdx
	I iteration, jne 1b
	I once, ret
	END flush_walk, 0
	IS flush, FLUSH_X86_64_FLUSH
	IS walk, FLUSH_X86_64_WALK
	IS iteration, FLUSH_X86_64_ITERATION
	IS once, FLUSH_X86_64_ONCE
