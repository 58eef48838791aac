/* SPDX-License-Identifier: MIT */
/* matmul_textbook(), matmul_interchange(): see matmul.c. */
#include "kernels/arch/count.h"

	PIECES inner, middle, outer, once
	FUNCTION matmul_textbook
	I once, push %rbx
	I once, lea (,%rcx,8), %r8
	I once, mov %rcx, %r9
1:	I outer, mov %rsi, %r10
	I outer, mov %rcx, %r11
2:	I middle, pxor %xmm0, %xmm0
	I middle, xor %eax, %eax
	I middle, mov %r10, %rbx
3:	I inner, movsd (%rdi,%rax,8), %xmm1
	I inner, mulsd (%rbx), %xmm1
	I inner, addsd %xmm1, %xmm0
	I inner, add %r8, %rbx
	I inner, inc %rax
	I inner, cmp %rcx, %rax
	I inner, jne 3b
	I middle, movsd %xmm0, (%rdx)
	I middle, add $8, %rdx
	I middle, add $8, %r10
	I middle, dec %r11
	I middle, jne 2b
	I outer, add %r8, %rdi
	I outer, dec %r9
	I outer, jne 1b
	I once, pop %rbx
	I once, ret
	END matmul_textbook
	IS inner, TEXTBOOK_INNER
	IS middle, TEXTBOOK_MIDDLE
	IS outer, TEXTBOOK_OUTER
	IS once, TEXTBOOK_ONCE

	PIECES inner, middle, zero, outer, once
	FUNCTION matmul_interchange
	I once, lea (,%rcx,8), %r8
	I once, mov %rcx, %r9
	I once, pxor %xmm2, %xmm2
1:	I outer, xor %eax, %eax
2:	I zero, movsd %xmm2, (%rdx,%rax,8)
	I zero, inc %rax
	I zero, cmp %rcx, %rax
	I zero, jne 2b
	I outer, mov %rsi, %r10
	I outer, xor %r11d, %r11d
3:	I middle, movsd (%rdi,%r11,8), %xmm0
	I middle, xor %eax, %eax
4:	I inner, movsd (%r10,%rax,8), %xmm1
	I inner, mulsd %xmm0, %xmm1
	I inner, addsd (%rdx,%rax,8), %xmm1
	I inner, movsd %xmm1, (%rdx,%rax,8)
	I inner, inc %rax
	I inner, cmp %rcx, %rax
	I inner, jne 4b
	I middle, add %r8, %r10
	I middle, inc %r11
	I middle, cmp %rcx, %r11
	I middle, jne 3b
	I outer, add %r8, %rdi
	I outer, add %r8, %rdx
	I outer, dec %r9
	I outer, jne 1b
	I once, ret
	END matmul_interchange
	IS inner, INTERCHANGE_INNER
	IS middle, INTERCHANGE_MIDDLE
	IS zero, INTERCHANGE_ZERO
	IS outer, INTERCHANGE_OUTER
	IS once, INTERCHANGE_ONCE
