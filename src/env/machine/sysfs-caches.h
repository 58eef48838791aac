/* SPDX-License-Identifier: MIT */
/* The caches of a CPU, from /sys/devices/system/cpu/cpuN/cache. */
#ifndef ENV_MACHINE_SYSFS_CACHES_H
#define ENV_MACHINE_SYSFS_CACHES_H

#include "base/geometry.h"

/* Those of one CPU: kinds of cores differ. */
void sysfs_caches(struct geometry *out, const char *sysroot, int cpu);

#endif
