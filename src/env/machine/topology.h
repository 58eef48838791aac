/* SPDX-License-Identifier: MIT */
/*
 * The topology of a machine: packages, cores, caches and memory nodes. hwloc
 * reads it; only topology.c includes hwloc. A recorded machine has it in
 * SYSROOT/assay-topology, a line in hwloc's synthetic syntax ("pack:1
 * l3:1(size=16MB) l2:4 core:1 pu:2"). A machine with several kinds of core has
 * no such line; hwloc's XML is not used, because hwloc trusts XML too much for
 * a file from elsewhere. Then the lists below /sys are counted instead.
 */
#ifndef ENV_MACHINE_TOPOLOGY_H
#define ENV_MACHINE_TOPOLOGY_H

#include <stddef.h>

#include "base/geometry.h"

#define TOPOLOGY_CACHES 24

/* The caches of a level that have one size: cores can differ. */
struct topology_cache {
	char name[8];		/* "L1d", "L2" ... */
	uint64_t bytes;
	int first;		/* the first CPU that has such a cache */
	unsigned count;		/* such caches in the machine; 0: not known */
	unsigned sharers;	/* CPUs that share the first of them */
	char cpus[64];		/* these CPUs, "0,4" */
};

struct topology {
	bool known;		/* from hwloc; else counted below /sys */
	unsigned packages, nodes, cores, cpus, kinds;
	uint64_t memory_bytes;	/* 0: not known */
	unsigned caches;
	struct topology_cache cache[TOPOLOGY_CACHES];
};

/* The entry of caches with that name and size, added if there was none (first
 * is -1 then); NULL: no room. */
struct topology_cache *topology_cache(struct topology *t, const char *name,
				      uint64_t bytes);

/* Numbers that neither hwloc nor /sys shows are 0. */
void topology_read(struct topology *out, const char *sysroot);

/* The line for assay-topology; false if there is none: the cores differ. */
bool topology_synthetic(char *out, size_t room, const char *sysroot);

/* Fills the caches of the first CPU, from hwloc, on this machine. */
void topology_caches(struct geometry *out);

#endif
