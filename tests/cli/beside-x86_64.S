/* SPDX-License-Identifier: MIT */
/* 1000 times a store to data that begins where the code ends. */
	.text
	.globl _start
_start:
	mov $1000, %ecx
1:
	incq data(%rip)
	nop
	dec %ecx
	jnz 1b
	mov $60, %eax
	xor %edi, %edi
	syscall

	.data
data:
	.quad 0
