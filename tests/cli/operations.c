/* SPDX-License-Identifier: MIT */
/*
 * Instructions of all kinds, each in a loop of its own: operations ROUNDS
 * [threads]. Where there is a second thread QEMU performs atomic accesses in
 * another way. Without arguments it lists what a round of each is.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#ifdef __x86_64__
#define SET "operations-x86_64.def"
/* rdi and rbx: memory. */
#define FUNCTION(name, begin, round) \
	__asm__(".text\n" \
		".balign 64\n" \
		".type do_" name ", %function\n" \
		"do_" name ":\n" \
		"	push %rbx\n" \
		"	push %rbp\n" \
		"	push %r14\n" \
		"	push %r15\n" \
		"	mov %rsp, %r14\n" \
		"	sub $256, %rsp\n" \
		"	mov %rdi, %rbx\n" \
		"	mov %rsi, %r15\n" \
		"	xor %eax, %eax\n" \
		begin "\n" \
		"1:\n" round "\n" \
		"	dec %r15\n" \
		"	jnz 1b\n" \
		"	mov %r14, %rsp\n" \
		"	pop %r15\n" \
		"	pop %r14\n" \
		"	pop %rbp\n" \
		"	pop %rbx\n" \
		"	ret\n" \
		".size do_" name ", . - do_" name "\n");
#else
#define SET "operations-aarch64.def"
/* x0: memory. */
#define FUNCTION(name, begin, round) \
	__asm__(".arch armv8.5-a+sve2\n" \
		".text\n" \
		".balign 64\n" \
		".type do_" name ", %function\n" \
		"do_" name ":\n" \
		"	stp x28, x26, [sp, #-32]!\n" \
		"	str x30, [sp, #16]\n" \
		"	mov x28, x1\n" \
		"	mov x9, xzr\n" \
		begin "\n" \
		"1:\n" round "\n" \
		"	subs x28, x28, #1\n" \
		"	b.ne 1b\n" \
		"	ldr x30, [sp, #16]\n" \
		"	ldp x28, x26, [sp], #32\n" \
		"	ret\n" \
		".size do_" name ", . - do_" name "\n");
#endif

#define OPERATION(name, instructions, loads, stores, branches, unseen, begin, \
		  round) \
	FUNCTION(#name, begin, round) \
	extern void do_##name(char *memory, long rounds);
#include SET
#undef OPERATION

static const struct {
	const char *name;
	int count[5];
	void (*run)(char *memory, long rounds);
} operations[] = {
/* With the two instructions of the loop. */
#define OPERATION(name, instructions, loads, stores, branches, unseen, begin, \
		  round) \
	{ #name, { instructions + 2, loads, stores, branches + 1, unseen }, \
	  do_##name },
#include SET
#undef OPERATION
};

static char memory[2][4096] __attribute__((aligned(4096)));

/* Bit 22 of AArch64's: SVE. */
static int can_run(const char *name)
{
	return strncmp(name, "sve_", 4) != 0 || getauxval(AT_HWCAP) >> 22 & 1;
}

static void list(const char *name, const int *count)
{
	printf("%s", name);
	for (int i = 0; i < 5; i++)
		printf(" %d", count[i]);
	printf("\n");
}

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc > 2 && pthread_create(&thread, NULL, wait_for_ever, NULL))
		return 1;
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		if (!can_run(operations[i].name))
			continue;
		memset(memory, 0, sizeof(memory));
		if (argc > 1)
			operations[i].run(memory[0], atol(argv[1]));
		else
			list(operations[i].name, operations[i].count);
	}
	return 0;
}
