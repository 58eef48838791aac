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
	entry ahead_block_0
	entry ahead_block_1
	entry ahead_block_2
	entry ahead_block_3
	entry ahead_block_4
	entry ahead_block_any
	entry compare_block

	.section .data.rel.ro, "aw"
	.p2align 3
	.globl entry_block, entry_compared
	.hidden entry_block, entry_compared
entry_block:
	.quad to_ahead_block_0, to_ahead_block_1, to_ahead_block_2
	.quad to_ahead_block_3, to_ahead_block_4, to_ahead_block_any
entry_compared:
	.quad to_compare_block
	.section .note.GNU-stack, "", @progbits
