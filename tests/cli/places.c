/* SPDX-License-Identifier: MIT */
/*
 * Places of instructions of x86-64, wherever a block of code begins: places
 * VARIANT ROUNDS. In `joins` and `meets` one branch is in two blocks, and goes
 * the other way in each round. In `apart` and `close` two loads walk, each
 * through lines of its own.
 */
#include <stdlib.h>
#include <string.h>

/* The branch is 16 bytes behind the beginning; 6 bytes are before the nops. */
#define JOIN(name, before, behind) \
	".balign 64\n" name ":\n" \
	"1:	test $1, %dil\n" \
	"	jz 2f\n" \
	"	.fill " before ", 1, 0x90\n" \
	"2:	.fill " behind ", 1, 0x90\n" \
	"	test $1, %dil\n" \
	"	jnz 3f\n" \
	"	.fill 14, 1, 0x90\n" \
	"3:	dec %rdi\n" \
	"	jnz 1b\n" \
	"	ret\n"
/* The first load takes 3 bytes, from 2 behind a multiple of 4 on. */
#define LOAD(name, between) \
	".balign 64\n" \
	"	.fill 2, 1, 0x90\n" name ":\n" \
	"1:	mov (%rsi), %rax\n" \
	"	.fill " between ", 1, 0x90\n" \
	"	mov (%rdx), %rcx\n" \
	"	add $64, %rsi\n" \
	"	add $64, %rdx\n" \
	"	dec %rdi\n" \
	"	jnz 1b\n" \
	"	ret\n"

typedef void rounds(long n, const char *some, const char *others);
extern rounds joins, meets, apart, close_by;

__asm__(".text\n"
	JOIN("joins", "4", "2") JOIN("meets", "6", "0")
	LOAD("apart", "8") LOAD("close_by", "0"));

static char lines[2][1 << 20];

int main(int argc, char **argv)
{
	static const struct { const char *name; rounds *run; } variants[] = {
		{ "joins", joins }, { "meets", meets },
		{ "apart", apart }, { "close", close_by },
	};

	for (int i = 0; argc > 2 && i < 4; i++)
		if (strcmp(variants[i].name, argv[1]) == 0)
			variants[i].run(atol(argv[2]), lines[0], lines[1]);
	return 0;
}
