/* SPDX-License-Identifier: MIT */
/* The kinds of core of x86 CPUs with several. */
#include <string.h>

#include "cpus/cpu.h"

const char *const cpu_cores[CPU_CORES] = { "P", "E", "LP" };
const char *const cpu_core_pmus[CPU_CORES] = {
	"cpu_core", "cpu_atom", "cpu_lowpower",
};

int cpu_core_of(const char *pmu, size_t bytes)
{
	for (int i = 0; i < CPU_CORES; i++)
		if (strlen(cpu_core_pmus[i]) == bytes &&
		    !strncmp(pmu, cpu_core_pmus[i], bytes))
			return i;
	return -1;
}
