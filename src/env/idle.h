/* SPDX-License-Identifier: MIT */
/* Which CPU has least to do. */
#ifndef ENV_IDLE_H
#define ENV_IDLE_H

#include <stdint.h>

#define IDLE_CPUS 1024

struct idle_cpu {
	int cpu;
	unsigned running;	/* other tasks that run or want to */
	unsigned beside;	/* the same on its siblings */
	int64_t capacity;	/* cpu_capacity; 0: not told */
};

/*
 * The least busy; of these the strongest; of these `here`, or the last one,
 * because the first ones serve interrupts. -1 if there are none.
 */
int idle_choose(const struct idle_cpu *cpu, unsigned cpus, int here);

/*
 * The best of the CPUs that the calling thread may use, by what /proc shows at
 * this moment; -1 if it shows nothing.
 */
int env_idle_cpu(const char *sysroot);

#endif
