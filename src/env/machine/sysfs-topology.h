/* SPDX-License-Identifier: MIT */
/*
 * The numbers of CPUs, cores, caches, packages and memory nodes that /sys
 * lists. Parts that CPUs share are counted once, at the first of these CPUs.
 */
#ifndef ENV_MACHINE_SYSFS_TOPOLOGY_H
#define ENV_MACHINE_SYSFS_TOPOLOGY_H

#include "base/cpulist.h"
#include "env/machine/topology.h"

#define SYSFS_CPUS "/sys/devices/system/cpu"

/* The number of CPUs; 0 if /sys cannot be read. */
unsigned sysfs_cpus(const char *sysroot);

/*
 * The number of parts (cores, caches, packages) that these CPUs have. `file`
 * is in the folder of each CPU and lists the CPUs that share its part
 * ("topology/thread_siblings_list"). 0 if a CPU lacks the file.
 */
unsigned sysfs_shared(const char *sysroot, const struct cpulist *cpus,
		      const char *file);

/* Fills the numbers that /sys shows; the others are unchanged. */
void sysfs_topology(struct topology *out, const char *sysroot);

#endif
