/* SPDX-License-Identifier: MIT */
/*
 * Instructions that begin in one page and end in the next, for x86-64, behind
 * others of their block of code: one that accesses nothing, a load, a call and
 * a jump; and a string instruction in two lines. straddle ROUNDS: each round is
 * 24 instructions, 8 of which branch, six loads and a store, and its code is in
 * ten lines, two of which it comes to twice.
 */
#include <stdlib.h>

extern void straddle_rounds(long rounds);

__asm__(".text\n"
	".balign 4096\n"
	"straddle_begin:\n"
	".org straddle_begin + 4096 - 8\n"
	"straddle_rounds:\n"
	"1:	inc %eax\n"			/* 2 bytes */
	"	inc %eax\n"
	"	add $0x12345678, %esi\n"	/* 6, four of them here */
	"	inc %eax\n"
	"	jmp 2f\n"
	".org straddle_begin + 2 * 4096 - 8\n"
	"2:	inc %eax\n"
	"	inc %eax\n"
	"	mov straddle_begin(%rip), %ecx\n"	/* 6 */
	"	inc %eax\n"
	"	jmp 3f\n"
	".org straddle_begin + 3 * 4096 - 4\n"
	"3:	inc %eax\n"
	"	call 5f\n"			/* 5, two of them here */
	"	inc %eax\n"
	"	jmp 4f\n"
	".org straddle_begin + 4 * 4096 - 4\n"
	"4:	inc %eax\n"
	"	jmp 6f\n"			/* 5: it is far */
	"5:	inc %eax\n"
	"	ret\n"
	".org straddle_begin + 5 * 4096\n"
	"6:	lea straddle_begin(%rip), %rsi\n"
	"	mov $4, %ecx\n"
	"	jmp 7f\n"
	".org straddle_begin + 5 * 4096 + 63\n"
	"7:	rep lodsb\n"			/* 2 */
	"	dec %rdi\n"
	"	jnz 1b\n"
	"	ret\n");

int main(int argc, char **argv)
{
	straddle_rounds(argc > 1 ? atol(argv[1]) : 1);
	return 0;
}
