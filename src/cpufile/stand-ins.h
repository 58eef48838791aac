/* SPDX-License-Identifier: MIT */
/* What a new CPU file has where nobody has said anything yet. */
#ifndef CPUFILE_STAND_INS_H
#define CPUFILE_STAND_INS_H

/* The sections that a machine can report ... */
static const char stand_in_caches[] =
	"caches:\n"
	"  from: G unknown\n"
	"  l1d: {size: 32 KiB, ways: 8, policy: tree-plru}\n"
	"  l1i: {size: 32 KiB, ways: 8, policy: tree-plru}\n"
	"  l2: {size: 1 MiB, ways: 8, policy: tree-plru}\n"
	"  l3: {size: 16 MiB, ways: 16, policy: tree-plru}\n"
	"\n"
	"tlbs:\n"
	"  from: G unknown\n"
	"  dtlb: {entries: 64, policy: lru}\n"
	"  itlb: {entries: 64, policy: lru}\n"
	"  l2tlb: {entries: 1024, ways: 8, policy: lru}\n"
	"\n"
	"walker:\n"
	"  from: G unknown\n"
	"  reads-through: l1d\n"
	"  levels: 4\n"
	"  cached-levels: 3\n";

/* ... and those that none reports. */
static const char stand_in_models[] =
	"predictor:\n"
	"  from: G unknown\n"
	"  kind: tage\n"
	"  entries: 8192\n"
	"  history: 128\n"
	"  return-stack: 16\n"
	"\n"
	"page-map:\n"
	"  from: G unknown\n"
	"  kind: random-4k\n"
	"  seed: 1\n"
	"\n"
	"cycles:\n"
	"  from: G unknown\n"
	"  l1-hit: 4\n"
	"  l2-hit: 14\n"
	"  l3-hit: 50\n"
	"  dram-extra: 250\n"
	"  mispredict: 15\n"
	"\n";

#endif
