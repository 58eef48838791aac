/* SPDX-License-Identifier: MIT */
/*
 * hwloc's view of a machine; only topology.c includes hwloc. Of a recorded
 * machine it is made from SYSROOT/assay-topology, a line in hwloc's synthetic
 * syntax ("pack:1 l3:1(size=16MB) l2:4 core:1 pu:2"). Where cores differ there
 * is no such line, and what hwloc can read instead (XML) it reads too
 * trustingly for a file from elsewhere: then the lists below /sys are counted.
 */
#ifndef ENV_MACHINE_TOPOLOGY_H
#define ENV_MACHINE_TOPOLOGY_H

#include <stddef.h>

#include "base/geometry.h"

#define TOPOLOGY_CACHES 8

struct topology_cache {
	char name[8];		/* "L1d", "L2" ... */
	uint64_t bytes;
	unsigned count;		/* of them in the machine */
	unsigned sharers;	/* CPUs that share the first one */
	char cpus[64];		/* these, "0,4" */
};

struct topology {
	bool known;		/* by hwloc; else as far as /sys tells */
	unsigned packages, nodes, cores, cpus, kinds;
	uint64_t memory_bytes;	/* 0: not told */
	unsigned caches;
	struct topology_cache cache[TOPOLOGY_CACHES];
};

void topology_read(struct topology *out, const char *sysroot);

/* The shape in hwloc's synthetic syntax; false if it has none: cores differ. */
bool topology_shape(char *out, size_t room, const char *sysroot);

/* Fills the caches that hwloc sees above the first processing unit. */
void topology_caches(struct geometry *out);

#endif
