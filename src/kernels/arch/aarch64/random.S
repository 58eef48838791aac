/* SPDX-License-Identifier: MIT */
/*
 * random_<generator>_<dependence>(): see random.c. w3: address generator; w4:
 * sum over the loaded data.
 */
#include "kernels/arch/count.h"

	.macro NEXT_xorshift
	I generator, eor w3, w3, w3, lsl #13
	I generator, eor w3, w3, w3, lsr #17
	I generator, eor w3, w3, w3, lsl #5
	.endm

	.macro NEXT_sequence
	I generator, add w3, w3, #64
	.endm

	.macro ADDRESS_dependent
	I dependence, eor w5, w3, w4
	I base, and w5, w5, w2
	.endm

	.macro ADDRESS_free
	I base, and w5, w3, w2
	.endm

	.macro SUM_dependent
	I dependence, add w4, w4, w5
	.endm

	.macro SUM_free
	.endm

	.macro LOOP generator, dependence, start, next, mix
	PIECES base, generator, dependence, once
	FUNCTION random_\generator\()_\dependence
	I once, mov w3, #\start
	I once, mov w4, #(RANDOM_SUM_START & 0xffff)
	I once, movk w4, #(RANDOM_SUM_START >> 16), lsl #16
1:	NEXT_\generator
	ADDRESS_\dependence
	I base, ldr x5, [x0, w5, uxtw]
	SUM_\dependence
	I base, subs x1, x1, #1
	I base, b.ne 1b
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
