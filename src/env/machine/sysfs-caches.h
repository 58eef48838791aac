/* SPDX-License-Identifier: MIT */
/* The caches of a CPU, from /sys/devices/system/cpu/cpuN/cache. */
#ifndef ENV_MACHINE_SYSFS_CACHES_H
#define ENV_MACHINE_SYSFS_CACHES_H

#include <stddef.h>

#include "base/geometry.h"

/* Those of one CPU: kinds of cores differ. A cache of which the kernel knows
 * only the size has only_bytes. */
void sysfs_caches(struct geometry *out, const char *sysroot, int cpu);

/*
 * Why the sizes in /sys of this CPU's cache "L1d", "L1i", "L2" or "L3" are not
 * used: ways x sets x line is not the size. "": they are used.
 */
void sysfs_cache_refused(char *out, size_t room, const char *sysroot, int cpu,
			 const char *name);

#endif
