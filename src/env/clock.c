/* SPDX-License-Identifier: MIT */
/*
 * The clock, and how the calling thread spent its time: on the CPU, waiting for
 * the CPU, or preempted by other guests of the hypervisor.
 */
#define _GNU_SOURCE	/* RUSAGE_THREAD, sched_getcpu */
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/sysfile.h"
#include "env/env.h"

static uint64_t read_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t env_now_ns(void)
{
	return read_ns(CLOCK_MONOTONIC_RAW);
}

void env_thread_usage(struct env_thread_usage *out, bool begin)
{
	struct rusage usage = { 0 };

	if (!begin) {
		out->wall_ns = env_now_ns();
		out->cpu_ns = read_ns(CLOCK_THREAD_CPUTIME_ID);
	}
	getrusage(RUSAGE_THREAD, &usage);
	out->preempted = (uint64_t)usage.ru_nivcsw;
	out->waited = (uint64_t)usage.ru_nvcsw;
	out->cpu = sched_getcpu();
	if (!begin)
		return;
	out->cpu_ns = read_ns(CLOCK_THREAD_CPUTIME_ID);
	out->wall_ns = env_now_ns();
}

/* The eighth number, steal, of the line "cpuN user nice ..." (proc(5)). */
static bool stolen_ticks(const char *line, const char *name, uint64_t *ticks)
{
	const size_t length = strlen(name);

	return !strncmp(line, name, length) && line[length] == ' ' &&
	       sscanf(line + length, "%*u %*u %*u %*u %*u %*u %*u %" SCNu64,
		      ticks) == 1;
}

bool env_stolen(uint64_t *ns, const char *sysroot, int cpu)
{
	const long hz = sysconf(_SC_CLK_TCK);
	char line[512], name[24] = "cpu";
	bool found = false;
	uint64_t ticks = 0;
	FILE *file = hz > 0 ? sysfile_open(sysroot, "/proc/stat") : NULL;

	if (!file)
		return false;
	if (cpu >= 0)
		snprintf(name, sizeof(name), "cpu%d", cpu);
	while (!found && fgets(line, sizeof(line), file) &&
	       !strncmp(line, "cpu", 3))
		found = stolen_ticks(line, name, &ticks);
	fclose(file);
	if (found)
		*ns = ticks * (1000000000u / (uint64_t)hz);
	return found;
}
