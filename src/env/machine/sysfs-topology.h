/* SPDX-License-Identifier: MIT */
/*
 * The numbers of CPUs, cores, caches, packages and memory nodes that /sys
 * lists. Parts that CPUs share are counted once, at the first of these CPUs.
 * CPUs that are offline are no CPUs.
 */
#ifndef ENV_MACHINE_SYSFS_TOPOLOGY_H
#define ENV_MACHINE_SYSFS_TOPOLOGY_H

#include "base/cpulist.h"
#include "env/machine/topology.h"

#define SYSFS_CPUS "/sys/devices/system/cpu"

/* The CPUs in a file such as "0-3,8". */
bool sysfs_list(struct cpulist *out, const char *sysroot, const char *path);

/* The CPUs that are online. Returns how many; 0 if /sys cannot be read. */
unsigned sysfs_online(struct cpulist *out, const char *sysroot);

/* The first CPU that is online; 0 if /sys cannot be read. */
int sysfs_first(const char *sysroot);

/* The CPUs of this CPU's core that are online; false: /sys does not tell. */
bool sysfs_core(struct cpulist *out, const char *sysroot, int cpu);

/* Adds the cores, packages and caches that these CPUs have to *out. */
void sysfs_parts(struct topology *out, const char *sysroot,
		 const struct cpulist *cpus);

/* Fills the numbers that /sys shows; the others are unchanged. */
void sysfs_topology(struct topology *out, const char *sysroot);

#endif
