/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code that QEMU generates for x86-64 keeps the address of the CPU's state in
 * RBP: it becomes the third argument.
 */
	.macro entry to
	.p2align 4
to_\to:
	endbr64
	mov %rbp, %rdx
	jmp \to
	.endm

	.text
	entry raw_ahead_0
	entry raw_ahead_1
	entry raw_ahead_2
	entry raw_ahead_3
	entry raw_ahead_4
	entry raw_ahead_any
	entry compare_block
	entry zero_lines

	.section .data.rel.ro, "aw"
	.p2align 3
	.globl entry_block, entry_compared, entry_zeroed
	.hidden entry_block, entry_compared, entry_zeroed
entry_block:
	.quad to_raw_ahead_0, to_raw_ahead_1, to_raw_ahead_2
	.quad to_raw_ahead_3, to_raw_ahead_4, to_raw_ahead_any
entry_compared:
	.quad to_compare_block
entry_zeroed:
	.quad to_zero_lines
	.section .note.GNU-stack, "", @progbits
