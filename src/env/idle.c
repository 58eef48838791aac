/* SPDX-License-Identifier: MIT */
/*
 * The least busy CPU: /proc shows for each task whether it wants to run and on
 * which CPU it ran last. One pass over /proc, without waiting.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sysfile.h"
#include "env/idle.h"
#include "env/machine/sysfs-topology.h"

#define MOST_TASKS 20000	/* more are not read: a sample is enough */

int idle_choose(const struct idle_cpu *cpu, unsigned cpus, int here)
{
	const struct idle_cpu *best = NULL;

	for (unsigned i = 0; i < cpus; i++) {
		const struct idle_cpu *c = &cpu[i];
		unsigned busy = 2 * c->running + c->sibling_tasks, least;

		least = best ? 2 * best->running + best->sibling_tasks : 0;
		if (!best || busy < least ||
		    (busy == least && (c->capacity > best->capacity ||
				       (c->capacity == best->capacity &&
					best->cpu != here))))
			best = c;
	}
	return best ? best->cpu : -1;
}

/* The state of the pass over /proc. */
struct task_scan {
	const char *root;
	unsigned running[IDLE_CPUS];
	unsigned tasks;
	char process[24];
	long own;
};

/* Reads /proc/PID/stat behind the name, which may hold any character: state is
 * field 3, num_threads 20, processor 39 (proc(5)). */
static bool fields_of(char *text, char *state, long *threads, long *processor)
{
	char *at = strrchr(text, ')'), *word, *rest = NULL;
	int field = 3;

	if (!at)
		return false;
	for (word = strtok_r(at + 1, " ", &rest); word;
	     word = strtok_r(NULL, " ", &rest), field++) {
		if (field == 3)
			*state = word[0];
		else if (field == 20)
			*threads = strtol(word, NULL, 10);
		else if (field == 39) {
			*processor = strtol(word, NULL, 10);
			return true;
		}
	}
	return false;
}

static void count_task(struct task_scan *s, char *text, long *threads)
{
	long processor = -1;
	char state = '?';

	if (fields_of(text, &state, threads, &processor) && state == 'R' &&
	    processor >= 0 && processor < IDLE_CPUS)
		s->running[processor]++;
}

static void count_thread(void *ctx, const char *name)
{
	struct task_scan *s = ctx;
	char text[1024];
	long threads;

	if (s->tasks++ < MOST_TASKS &&
	    sysfile_text(text, sizeof(text), s->root, "/proc/%s/task/%s/stat",
			 s->process, name) > 0)
		count_task(s, text, &threads);
}

static void count_process(void *ctx, const char *name)
{
	struct task_scan *s = ctx;
	char text[1024], copy[1024], folder[64], state;
	long threads = 0, processor;

	if (name[0] < '0' || name[0] > '9' || strlen(name) > 20 ||
	    strtol(name, NULL, 10) == s->own || s->tasks++ > MOST_TASKS ||
	    sysfile_text(text, sizeof(text), s->root, "/proc/%s/stat",
			 name) <= 0)
		return;
	memcpy(copy, text, sizeof(copy));
	if (fields_of(copy, &state, &threads, &processor) && threads > 1) {
		snprintf(s->process, sizeof(s->process), "%s", name);
		snprintf(folder, sizeof(folder), "/proc/%s/task", name);
		if (sysfile_list(s->root, folder, count_thread, s) > 0)
			return;
	}
	count_task(s, text, &threads);
}

/* The tasks on the other threads of the CPU's core. */
static unsigned sibling_tasks(const struct task_scan *s, int cpu)
{
	struct cpulist core;
	unsigned n = 0;

	if (!sysfs_core(&core, s->root, cpu))
		return 0;
	for (int c = 0; c < IDLE_CPUS; c++)
		n += c != cpu && cpulist_has(&core, (unsigned)c) ?
		     s->running[c] : 0;
	return n;
}

int env_idle_cpu(const char *sysroot)
{
	struct task_scan s = { .root = sysroot, .own = (long)getpid() };
	struct idle_cpu cpu[IDLE_CPUS];
	unsigned cpus = 0;
	cpu_set_t allowed;

	CPU_ZERO(&allowed);
	if (sched_getaffinity(0, sizeof(allowed), &allowed) ||
	    sysfile_list(sysroot, "/proc", count_process, &s) <= 0)
		return -1;
	for (int c = 0; c < IDLE_CPUS && c < CPU_SETSIZE; c++) {
		if (!CPU_ISSET(c, &allowed))
			continue;
		cpu[cpus] = (struct idle_cpu){ .cpu = c,
			.running = s.running[c],
			.sibling_tasks = sibling_tasks(&s, c) };
		sysfile_number(&cpu[cpus].capacity, sysroot, "/sys/devices/"
			       "system/cpu/cpu%d/cpu_capacity", c);
		cpus++;
	}
	return idle_choose(cpu, cpus, sched_getcpu());
}
