/* SPDX-License-Identifier: MIT */
/*
 * Blocks of code for wander.c, of every shape that the plugin knows. %rdi and
 * %rsi: addresses; %rdx: at most 7.
 */
	.text
	.globl _start, wander_exit, wander_shapes, wander_shapes_end
	.globl wander_ends
_start:
	mov %rsp, %rdi
	and $-16, %rsp
	call wander
	hlt
wander_exit:
	mov $60, %eax
	xor %edi, %edi
	syscall

	/* It begins anywhere in a line. */
	.macro shape
	.org at + 1108
	at = .
	.endm

	/* %rcx: %rsi again, but what the block loads, so that QEMU reports what
	 * is accessed there */
	.macro reported
	shape
	push %rsi
	mov (%rsp), %rcx
	.endm

	.balign 4096
wander_shapes:
	at = . - 1108
	.rept 8
	/* one line: brought by a load or a store, dirty or not */
	shape
	addq $1, (%rdi)
	ret
	shape
	mov (%rdi), %rax
	mov %rax, 8(%rdi)
	ret
	shape
	mov %rdx, (%rdi)
	mov 8(%rdi), %rax
	ret
	shape
	mov (%rdi), %rax
	add 16(%rdi), %rax
	add 8(%rdi), %al
	ret
	shape
	mov 8(%rdi), %eax
	movb %al, (%rdi)
	mov 4(%rdi), %ax
	ret
	/* two lines, perhaps of two pages */
	shape
	mov 56(%rdi), %rax
	mov 64(%rdi), %rcx
	ret
	shape
	mov 56(%rdi), %rax
	mov %rax, 64(%rdi)
	ret
	shape
	mov 60(%rdi), %rax
	mov %rax, 60(%rdi)
	ret
	shape
	mov %rax, 60(%rsi)
	movl $1, 64(%rsi)
	ret
	shape
	movups 24(%rdi), %xmm0
	movups %xmm0, 60(%rdi)
	ret
	/* ... of two pages, again and again */
	shape
	or $4095, %rdi
	call 1f
	incq (%rsi)
	call 1f
	incq (%rsi)
1:	mov -7(%rdi), %rax
	mov 1(%rdi), %rcx
	ret
	/* several addresses */
	shape
	mov (%rdi), %rax
	mov %rax, (%rsi)
	add %rax, (%rdi)
	ret
	shape
	push %rdi
	mov (%rdi), %rax
	add %rax, (%rsi)
	pop %rax
	mov %rax, here(%rip)
	incb 1(%rsi)
	ret
	shape
	incl (%rdi, %rdx, 8)
	mov (%rsi, %rdx, 2), %eax
	ret
	shape
	mov (%rsi), %rax
	mov 8(%rdi), %rax
	incl (%rsi, %rdx)
	mov 4(%rdi, %rdx), %al
	movzbl (%rsi), %eax
	ret
	/* some that QEMU reports: before and behind others, and less than the instruction could access */
	reported
	incq (%rcx)
	mov %rax, 8(%rdi)
	mov 8(%rcx), %eax
	decq 8(%rsi)
	pop %rax
	ret
	reported
	movzbl (%rcx), %eax
	incq (%rdi)
	mov 4(%rcx), %al
	pop %rax
	ret
	reported
	movq (%rcx), %xmm0
	movups (%rcx), %xmm1
	movups %xmm1, 8(%rcx)
	pop %rax
	ret
	reported
	movzwl (%rcx), %eax
	pop %rax
	ret
	shape
	mov (%rdi), %rcx
	mov %edx, %eax
	xor %edx, %edx
	or $1, %ecx
	div %ecx
	mov %rax, (%rsi)
	ret
	shape
	lock addq $1, (%rdi)
	mov (%rsi), %rax
	ret
	/* streaming, strings, what is not modelled */
	shape
	movnti %rax, (%rdi)
	mov (%rdi), %rax
	movnti %eax, (%rsi)
	ret
	shape
	mov %edx, %ecx
	rep movsb
	mov -8(%rdi), %rax
	ret
	shape
	prefetcht0 (%rdi)
	mov (%rsi), %rax
	ret
	/* loops, and blocks that go elsewhere */
	shape
1:	incq (%rdi)
	testb $1, (%rdi)
	jz 2f
	incq (%rsi)
2:	dec %edx
	jg 1b
	ret
	shape
1:	mov (%rdi, %rdx, 8), %rax
	testb $3, %al
	jz 2f
	inc %rax
	mov %rax, (%rsi, %rdx, 8)
2:	dec %edx
	jg 1b
	ret
	shape
	call 1f
	incq (%rsi)
	call 1f
	jmp 2f
1:	push %rbx
	mov (%rdi), %rbx
	pop %rbx
	ret
2:	decb (%rsi)
	ret
	/* much code */
	shape
	mov (%rdi), %rax
	.skip 70, 0x90
	mov %rax, (%rsi)
	.skip 50, 0x90
	incq (%rdi)
	ret
	shape
	incq (%rdi)
	jmp 1f
	.skip 700
1:	decq (%rdi)
	.skip 200, 0x90
	ret
	shape
	.skip 300, 0x90
	jmp 1f
1:	ret
	.endr
	.org at + 1108
wander_shapes_end:
	/* blocks in two pages; wander.c knows how many */
	.balign 4096
	.skip 4094
wander_ends:
	.rept 24
	incq (%rdi)
	ret
	.skip 4092
	.endr
	.lcomm here, 8
	.section .note.GNU-stack, "", %progbits
