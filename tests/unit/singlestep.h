/* SPDX-License-Identifier: MIT */
/* Instructions and branches of a call, counted one by one with ptrace. */
#ifndef TESTS_SINGLESTEP_H
#define TESTS_SINGLESTEP_H

#include <stdint.h>

struct step_counts {
	uint64_t instructions, branches, taken;
};

/*
 * Runs call(ctx) in a child of this process and counts the instructions at
 * addresses low .. high (exclusive). Returns 0, or -1 and *why: single-stepping
 * does not work here (another ISA, not permitted).
 */
int singlestep(void (*call)(void *ctx), void *ctx, uintptr_t low,
	       uintptr_t high, struct step_counts *out, const char **why);

#endif
