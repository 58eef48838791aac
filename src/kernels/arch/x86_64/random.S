/* SPDX-License-Identifier: MIT */
/*
 * random_<generator>_<dependence>(): see random.c. eax: address generator; r8d:
 * sum over the loaded data.
 */
#include "kernels/arch/count.h"

	.macro XORSHIFT_STEP operation, bits
	I generator, mov %eax, %ecx
	I generator, \operation $\bits, %ecx
	I generator, xor %ecx, %eax
	.endm

	.macro NEXT_xorshift
	XORSHIFT_STEP shl, 13
	XORSHIFT_STEP shr, 17
	XORSHIFT_STEP shl, 5
	.endm

	.macro NEXT_sequence
	I generator, add $64, %eax
	.endm

	.macro MIX_dependent
	I dependence, xor %r8d, %ecx
	.endm

	.macro MIX_free
	.endm

	.macro SUM_dependent
	I dependence, add %ecx, %r8d
	.endm

	.macro SUM_free
	.endm

	.macro LOOP generator, dependence, start, next, mix
	PIECES base, generator, dependence, once
	FUNCTION random_\generator\()_\dependence
	I once, mov $\start, %eax
	I once, mov $RANDOM_SUM_START, %r8d
1:	NEXT_\generator
	I base, mov %eax, %ecx
	MIX_\dependence
	I base, and %edx, %ecx
	I base, mov (%rdi,%rcx), %rcx
	SUM_\dependence
	I base, dec %rsi
	I base, jne 1b
	I once, ret
	END random_\generator\()_\dependence
	IS base, RANDOM_BASE
	IS generator, \next
	IS dependence, \mix
	IS once, RANDOM_ONCE
	.endm

	LOOP xorshift, dependent, RANDOM_XORSHIFT_START, RANDOM_XORSHIFT, \
		RANDOM_DEPENDENCE
	LOOP xorshift, free, RANDOM_XORSHIFT_START, RANDOM_XORSHIFT, 0
	LOOP sequence, dependent, RANDOM_SEQUENCE_START, RANDOM_SEQUENCE, \
		RANDOM_DEPENDENCE
	LOOP sequence, free, RANDOM_SEQUENCE_START, RANDOM_SEQUENCE, 0
