/* SPDX-License-Identifier: MIT */
/* stream_run(): see stream.c. */
#include "kernels/arch/count.h"

	PIECES write, read, pass, once
	FUNCTION stream_run
	I once, lea (%rdi,%rsi,4), %rsi
1:	I pass, mov %rdi, %rcx
2:	I write, mov %edx, (%rcx)
	I write, add $4, %rcx
	I write, cmp %rsi, %rcx
	I write, jne 2b
	I pass, mov %rdi, %rcx
3:	I read, add (%rcx), %eax
	I read, add $4, %rcx
	I read, cmp %rsi, %rcx
	I read, jne 3b
	I pass, dec %rdx
	I pass, jne 1b
	I once, ret
	END stream_run
	IS write, STREAM_WRITE
	IS read, STREAM_READ
	IS pass, STREAM_PASS
	IS once, STREAM_ONCE
