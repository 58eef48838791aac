/* SPDX-License-Identifier: MIT */
/* Instructions and branches of a call, counted one by one with ptrace. */
#define _GNU_SOURCE
#include "singlestep.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __x86_64__

static bool is_prefix(unsigned char b)
{
	return b == 0x2e || b == 0x3e || b == 0x66 || b == 0xf2 || b == 0xf3 ||
	       (b & 0xf0) == 0x40;
}

/*
 * Is the instruction at code a branch? *length: of a conditional one, else 0
 * (always taken). The child is a copy of us, so our own code is its code.
 */
static bool is_branch(const unsigned char *code, unsigned *length)
{
	const unsigned char *p = code;

	while (is_prefix(*p))
		p++;
	*length = 0;
	if ((*p & 0xf0) == 0x70 || (*p & 0xfc) == 0xe0)
		*length = (unsigned)(p - code) + 2;
	else if (*p == 0x0f && (p[1] & 0xf0) == 0x80)
		*length = (unsigned)(p - code) + 6;
	return *length || *p == 0xe8 || *p == 0xe9 || *p == 0xeb ||
	       *p == 0xc3 || *p == 0xc2 ||
	       (*p == 0xff && ((p[1] >> 3 & 7) == 2 || (p[1] >> 3 & 7) == 4));
}

static void count(struct step_counts *out, uintptr_t at, uintptr_t next)
{
	unsigned length;

	out->instructions++;
	if (!is_branch((const unsigned char *)at, &length))
		return;
	out->branches++;
	out->taken += !length || next != at + length;
}

/* What others send stops it too, where it is: no step. */
static bool is_step(int status)
{
	return WSTOPSIG(status) != SIGSTOP && WSTOPSIG(status) != SIGCONT &&
	       WSTOPSIG(status) != SIGWINCH;
}

static int step(pid_t child, uintptr_t *at)
{
	int status;

	do {
		if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) ||
		    waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
			return -1;
	} while (!is_step(status));
	*at = (uintptr_t)ptrace(PTRACE_PEEKUSER, child,
				offsetof(struct user_regs_struct, rip), NULL);
	return 0;
}

static void child_main(void (*call)(void *), void *ctx)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(1);
	raise(SIGSTOP);
	call(ctx);
	_exit(0);
}

int singlestep(void (*call)(void *ctx), void *ctx, uintptr_t low,
	       uintptr_t high, struct step_counts *out, const char **why)
{
	struct step_counts seen = { 0, 0, 0 };
	uintptr_t at = 0, next;
	pid_t child = fork();
	int status;

	*why = "no child process";
	if (child < 0)
		return -1;
	if (child == 0)
		child_main(call, ctx);
	*why = "ptrace is not permitted";
	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
		return -1;
	while (step(child, &next) == 0) {
		if (at >= low && at < high)
			count(&seen, at, next);
		at = next;
	}
	*out = seen;
	return 0;
}

#else

int singlestep(void (*call)(void *ctx), void *ctx, uintptr_t low,
	       uintptr_t high, struct step_counts *out, const char **why)
{
	(void)call, (void)ctx, (void)low, (void)high, (void)out;
	*why = "single-stepping is written for x86-64 only";
	return -1;
}

#endif
