/* SPDX-License-Identifier: MIT */
/*
 * void stride_load(uint8_t *base, uint64_t bytes, uint64_t offsets),
 * stride_store(same): one byte of every 64-byte line, from end to end; then
 * the next byte of each, offsets (>= 1) times in all.
 */
#include "kernels/arch/count.h"
#include "kernels/stride-counts.h"

	.macro STRIDE name, length, access:vararg
	PIECE line
	PIECE pass
	PIECE once
	FUNCTION \name
	I once, add %rdi, %rsi
1:	I pass, mov %rdi, %rcx
2:	I line, \access
	I line, add $64, %rcx
	I line, cmp %rsi, %rcx
	I line, jne 2b
	I pass, inc %rdi
	I pass, inc %rsi
	I pass, dec %rdx
	I pass, jne 1b
	I once, ret
	END \name, 0
	IS line, \length
	IS pass, STRIDE_X86_64_PASS
	IS once, STRIDE_X86_64_ONCE
	.endm

	STRIDE stride_load, STRIDE_X86_64_LOAD, add (%rcx), %al
	STRIDE stride_store, STRIDE_X86_64_STORE, mov %dl, (%rcx)
