/* SPDX-License-Identifier: MIT */
/*
 * The kinds of core of a machine: the kernel has one core PMU for each kind and
 * lists the kind's CPUs in the PMU's folder; caches differ from kind to kind.
 */
#ifndef ENV_MACHINE_KINDS_H
#define ENV_MACHINE_KINDS_H

#include <stddef.h>

#include "base/geometry.h"

#define KINDS 8

struct core_kind {
	char pmu[48];		/* "cpu_core" */
	char cpus[64];		/* those that are online, "0-7" */
	int first;		/* the first of these CPUs */
	unsigned midr;		/* MIDR_EL1 of that CPU; 0: not known, or not
				 * Arm */
	unsigned events;	/* events that the kernel names for the PMU */
	struct geometry geometry;	/* caches of the first CPU, from /sys */
	/* Numbers of cores and L2 caches of the kind's CPUs. A cache that
	 * several kinds share is counted in each. 0: /sys does not show it. */
	unsigned cores, l2;
};

/*
 * Fills the kinds in the order of their first CPUs. Returns how many; 0 if no
 * core PMU lists its CPUs, as on x86 with one kind of core. A kind whose CPUs
 * are all offline is left out.
 */
size_t core_kinds(struct core_kind out[KINDS], const char *sysroot);

/* The number of events that the kernel names for the (first) core PMU. */
unsigned core_events(const char *sysroot);

/*
 * Adds the TLBs of the kind's first CPU, from CPUID, to the kind's geometry.
 * On this machine the calling thread runs on that CPU meanwhile.
 */
void core_kind_tlbs(struct core_kind *kind, const char *sysroot);

#endif
