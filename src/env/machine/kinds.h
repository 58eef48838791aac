/* SPDX-License-Identifier: MIT */
/*
 * The kinds of cores of a machine. The kernel has one core PMU for each and
 * lists its CPUs; caches differ from kind to kind.
 */
#ifndef ENV_MACHINE_KINDS_H
#define ENV_MACHINE_KINDS_H

#include <stddef.h>

#include "base/geometry.h"

#define KINDS 8

struct core_kind {
	char pmu[48];		/* "cpu_core" */
	char cpus[64];		/* "0-7" */
	int first;		/* of them */
	unsigned midr;		/* Arm, of that one; 0: not told */
	unsigned events;	/* that the kernel names for this PMU */
	struct geometry geometry;	/* caches of that one, where told */
	/* how many its CPUs have; one that other kinds share, too, is counted
	 * with each. 0: not told of each */
	unsigned cores, l1d, l1i, l2, l3;
};

/*
 * Ascending in their first CPU. Returns how many: 0 where the kernel has no
 * core PMU that lists its CPUs, as on x86 with cores of one kind.
 */
size_t core_kinds(struct core_kind out[KINDS], const char *sysroot);

/* The events that the kernel names for the core PMU; of several the first. */
unsigned core_events(const char *sysroot);

/*
 * Asks a CPU of that kind for its TLBs (CPUID), into its geometry. On this
 * machine the calling thread runs there meanwhile.
 */
void core_kind_tlbs(struct core_kind *kind, const char *sysroot);

#endif
