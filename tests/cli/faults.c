/* SPDX-License-Identifier: MIT */
/*
 * Accesses that fault in the middle of a block of code, for x86-64: behind
 * some that did happen, and before others that did not. It ends with 0 if all
 * of them were handled. Nothing here depends on time.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, ROUNDS = 50 };

static sigjmp_buf back;
static volatile int handled;
static char *page;		/* the one behind it cannot be accessed */
static uint64_t here[16];

static void jump_back(int signal)
{
	(void)signal;
	handled++;
	siglongjmp(back, 1);
}

static void make_possible(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)info, (void)context;
	handled++;
	mprotect(page + PAGE, PAGE, PROT_READ | PROT_WRITE);
}

static void on_user(int signal)
{
	(void)signal;
	handled++;
}

/* Two accesses, the one at that address, and two that follow; begin: what is
 * before them. A jump: both addresses are known when their block begins. */
#define JUMP "jmp 9f\n9:\t"
#define AROUND(begin, access, address) \
	__asm__ volatile(begin "mov (%1), %%rax\n\tmov %%rax, 8(%1)\n\t" access \
			 "\n\tmov 16(%1), %%rax\n\tmov %%rax, 24(%1)" \
			 :: "r"(address), "r"(here) \
			 : "rax", "rcx", "rdx", "xmm0", "xmm1", "memory")

#define TRY(access, address) \
	do { \
		if (!sigsetjmp(back, 1)) \
			AROUND("", access, address); \
		if (!sigsetjmp(back, 1)) \
			AROUND(JUMP, access, address); \
	} while (0)

static void fault_once(void)
{
	char *bad = page + PAGE;
	char *wild = (char *)(uintptr_t)UINT64_C(0x8000000000001000);

	TRY("mov (%0), %%rax", bad);
	TRY("mov %%rax, (%0)", bad + 8);
	TRY("addq $1, (%0)", bad + 16);
	TRY("movups (%0), %%xmm0", bad - 8);	/* the second half */
	TRY("movups %%xmm0, (%0)", bad - 8);
	TRY("mov (%0), %%rax", bad - 4);	/* in both pages */
	TRY("mov (%0), %%rax", wild);
	TRY("mov %%rax, (%0)", wild);
	/* what is loaded says where the next one is: QEMU reports that */
	TRY("mov %0, (%1)\n\tmov (%1), %%rcx\n\tmov (%%rcx), %%rax", bad);
	TRY("mov %0, (%1)\n\tmov (%1), %%rcx\n\tmovups (%%rcx), %%xmm1",
	    bad - 8);
	TRY("xor %%ecx, %%ecx\n\tmov $1, %%eax\n\tcqo\n\tidiv %%rcx", bad);
}

/* A store into memory that can be read. */
static void fault_in_constant(void)
{
	mprotect(page + PAGE, PAGE, PROT_READ);
	TRY("mov (%0), %%rax\n\tmov %%rax, (%0)", page + PAGE);
	TRY("addq $1, (%0)", page + PAGE);
	mprotect(page + PAGE, PAGE, PROT_NONE);
}

/* Lines that were newest, and dirty, when they could still be accessed. */
static void fault_on_known(void)
{
	mprotect(page + PAGE, PAGE, PROT_READ | PROT_WRITE);
	AROUND("", "movups %%xmm0, (%0)", page + PAGE - 8);
	mprotect(page + PAGE, PAGE, PROT_NONE);
	TRY("movups %%xmm0, (%0)", page + PAGE - 8);
	TRY("movups (%0), %%xmm0", page + PAGE - 8);
	TRY("mov %%rax, -8(%0)\n\tmov %%rax, (%0)", page + PAGE);
}

/* The handler makes it possible, and it is done again. */
static void fault_and_resume(void)
{
	struct sigaction action = { .sa_sigaction = make_possible,
				    .sa_flags = SA_SIGINFO };
	struct sigaction before;

	sigaction(SIGSEGV, &action, &before);
	AROUND("", "movups %%xmm0, (%0)", page + PAGE - 8);
	mprotect(page + PAGE, PAGE, PROT_NONE);
	AROUND(JUMP, "movups %%xmm0, (%0)", page + PAGE - 8);
	mprotect(page + PAGE, PAGE, PROT_NONE);
	AROUND("", "addq $1, (%0)", page + PAGE + 64);
	mprotect(page + PAGE, PAGE, PROT_NONE);
	AROUND(JUMP, "addq $1, (%0)", page + PAGE + 64);
	mprotect(page + PAGE, PAGE, PROT_NONE);
	sigaction(SIGSEGV, &before, NULL);
}

/* Code that writes beside itself, and beside the same code of the next page:
 * QEMU's own faults, which nobody sees. */
static void write_code(void)
{
	static const unsigned char code[] = {
		0x48, 0x89, 0x37,	/* mov %rsi, (%rdi) */
		0x48, 0x8b, 0x07,	/* mov (%rdi), %rax */
		0xc3			/* ret */
	};
	char *memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *next = memory + PAGE;
	uint64_t (*run)(void *, uint64_t), (*other)(void *, uint64_t);

	memcpy(memory, code, sizeof(code));
	memcpy(next, code, sizeof(code));
	memcpy(&run, &memory, sizeof(run));
	memcpy(&other, &next, sizeof(other));
	for (uint64_t i = 0; i < ROUNDS; i++)
		handled += run(memory + 128, i) == i;
	for (uint64_t i = 0; i < ROUNDS; i++)
		handled += other(here, i) == i && run(next + 128, i) == i &&
			   run(next + 128, i) == i;
	munmap(memory, 2 * PAGE);
}

int main(void)
{
	const int traps[] = { SIGSEGV, SIGBUS, SIGFPE };

	page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(page + PAGE, PAGE, PROT_NONE);
	for (int i = 0; i < 3; i++)
		signal(traps[i], jump_back);
	signal(SIGUSR1, on_user);
	for (int i = 0; i < ROUNDS; i++) {
		fault_once();
		fault_in_constant();
		fault_on_known();
		fault_and_resume();
		raise(SIGUSR1);
	}
	write_code();
	return handled == ROUNDS * (22 + 4 + 6 + 4 + 1 + 2) ? 0 : 1;
}
