/* SPDX-License-Identifier: MIT */
/*
 * How many CPUs, cores, caches, packages and memory nodes a machine has, as
 * /sys lists them. Each is counted at the first of the CPUs that share it.
 */
#ifndef ENV_MACHINE_SHAPE_H
#define ENV_MACHINE_SHAPE_H

#include "base/cpulist.h"
#include "env/machine/topology.h"

#define SHAPE_CPUS "/sys/devices/system/cpu"

/* How many CPUs have a folder; 0: not visible. */
unsigned shape_cpus(const char *sysroot);

/*
 * How many of what these CPUs share by `file`, a list of CPUs in the folder of
 * each ("topology/thread_siblings_list"); 0: not all of them tell.
 */
unsigned shape_shared(const char *sysroot, const struct cpulist *cpus,
		      const char *file);

/* Fills what is told; what is not stays 0. */
void shape_read(struct topology *out, const char *sysroot);

#endif
