/* SPDX-License-Identifier: MIT */
/* The least busy CPU, as a place for a run that the user did not pin. */
#ifndef ENV_IDLE_H
#define ENV_IDLE_H

#include <stdint.h>

#define IDLE_CPUS 1024

struct idle_cpu {
	int cpu;
	unsigned running;	/* other tasks that run on it or want to */
	unsigned sibling_tasks;	/* the same, of the core's other threads */
	int64_t capacity;	/* /sys's cpu_capacity; 0: not known */
};

/*
 * The CPU with the fewest tasks (those of siblings count half); among equal
 * ones that of the highest capacity; among these `here`, else the last, because
 * the first CPUs serve interrupts. -1 if cpus is 0.
 */
int idle_choose(const struct idle_cpu *cpu, unsigned cpus, int here);

/*
 * The best of the CPUs that the calling thread may use, by the tasks that /proc
 * shows now; -1 if /proc cannot be read.
 */
int env_idle_cpu(const char *sysroot);

#endif
