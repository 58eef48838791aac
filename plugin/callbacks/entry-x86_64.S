/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code that QEMU generates for x86-64 keeps the address of the CPU's state in
 * RBP: it becomes the third argument.
 */
	.text
	.p2align 4
to_zero_lines:
	endbr64
	mov %rbp, %rdx
	jmp zero_lines

	.p2align 4
to_regions_block:
	endbr64
	mov %rbp, %rdx
	jmp regions_block

	.section .data.rel.ro, "aw"
	.p2align 3
	.globl entry_zeroed
	.hidden entry_zeroed
entry_zeroed:
	.quad to_zero_lines
	.globl entry_watched
	.hidden entry_watched
entry_watched:
	.quad to_regions_block
	.section .note.GNU-stack, "", @progbits
