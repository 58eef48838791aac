/* SPDX-License-Identifier: MIT */
/* The port to an x86-64 core: time_native reads the time-stamp counter. */
#include "measure/time.h"

#include "kernels/draw.h"

#define ONE "$1"
#define ADD(to, what) "addq " what ", %[" to "]\n\t"
#define LOAD(at) "movq (%[" at "]), %[" at "]\n\t"
#define NEXT(times) "decq %[" times "]\n\tjnz 1b"

static uint64_t begin(void *ctx)
{
	uint32_t low, high;

	(void)ctx;
	__asm__ volatile("lfence\n\trdtsc\n\tlfence"
			 : "=a"(low), "=d"(high) :: "memory");
	return (uint64_t)high << 32 | low;
}

static uint64_t end(void *ctx)
{
	uint32_t low, high;

	(void)ctx;
	__asm__ volatile("rdtscp\n\tlfence"
			 : "=a"(low), "=d"(high) :: "rcx", "memory");
	return (uint64_t)high << 32 | low;
}

/*
 * The fence makes the load wait for the first stamp; the second stamp waits for
 * the load. `wait` rounds of a loop, drawn at random, delay the load, so that
 * every phase of a counter with steps of several cycles is equally likely. A
 * mispredicted branch does no harm: the fence lets no load execute early.
 */
static inline uint32_t timed_load(void **where, uint64_t wait)
{
	uint32_t ticks, from;

	__asm__ volatile("1:\n\tdecq %[wait]\n\tjnz 1b\n\t"
			 "lfence\n\t"
			 "rdtscp\n\tmovl %%eax, %[from]\n\tlfence\n\t"
			 "movq (%[at]), %[at]\n\t"
			 "rdtscp\n\tsubl %[from], %%eax\n\tlfence"
			 : "=&a"(ticks), [at] "+r"(*where),
			   [from] "=&r"(from), [wait] "+r"(wait)
			 :: "rcx", "rdx", "cc", "memory");
	return ticks;
}

static void flush(void *ctx, void *line)
{
	(void)ctx;
	__asm__ volatile("clflush (%0)" :: "r"(line) : "memory");
}

#include "measure/time-loops.h"

const struct time_port *const time_cycles = NULL;
