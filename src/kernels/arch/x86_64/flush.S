/* SPDX-License-Identifier: MIT */
/* flush_run(): see flush.c. */
#include "kernels/arch/count.h"

	PIECES flush, load, iteration, once
	FUNCTION flush_run
1:	I iteration, mov %rdi, %rax
	I iteration, mov %rsi, %r8
2:	I flush, clflush (%rax)
	I flush, add %rcx, %rax
	I flush, dec %r8
	I flush, jne 2b
	I iteration, mfence
	I iteration, mov %rdi, %rax
3:	I load, mov (%rax), %rax
	I load, test %rax, %rax
	I load, jne 3b
	I iteration, dec %rdx
	I iteration, jne 1b
	I once, ret
	END flush_run
	IS flush, FLUSH_FLUSH
	IS load, FLUSH_LOAD
	IS iteration, FLUSH_ITERATION
	IS once, FLUSH_ONCE
