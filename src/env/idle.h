/* SPDX-License-Identifier: MIT */
/* The least busy CPU, as a place for a run that the user did not pin. */
#ifndef ENV_IDLE_H
#define ENV_IDLE_H

#include <stdint.h>

#define IDLE_CPUS 1024

struct idle_cpu {
	int cpu;
	unsigned running;	/* other tasks that run or wait on the CPU */
	unsigned sibling_tasks;	/* such tasks on the core's other threads */
	int64_t capacity;	/* /sys's cpu_capacity; 0: not known */
};

/*
 * Chooses the CPU with the fewest tasks, where tasks of siblings count half; of
 * several such CPUs the one with the highest capacity; then `here`; then the
 * last, because the first CPUs serve interrupts. -1 if cpus is 0.
 */
int idle_choose(const struct idle_cpu *cpu, unsigned cpus, int here);

/*
 * The best of the CPUs that the calling thread may use, by the tasks that /proc
 * shows now; -1 if /proc cannot be read.
 */
int env_idle_cpu(const char *sysroot);

#endif
