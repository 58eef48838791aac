/* SPDX-License-Identifier: MIT */
/* The levels of the memory hierarchy, measured by timing alone. */
#ifndef TIMING_LEVELS_H
#define TIMING_LEVELS_H

#include "analysis/latency/levels.h"
#include "run/handle.h"
#include "base/arena.h"
#include "base/geometry.h"
#include "measure/time.h"

struct levels_config {
	uint64_t from, near_to;	/* bytes; of the curve by windows */
	uint64_t far_from, to;	/* of the one in any order */
	unsigned steps;		/* per doubling */
	unsigned places;	/* parts of the memory, for the near curve */
	unsigned sweeps;	/* of each curve and place */
	double slice_ns, chunk_ns;	/* of one size in one sweep */
	double pause_ns;	/* between sweeps, so that they differ */
};
extern const struct levels_config levels_default_config;

/* What was found on one core. */
struct levels {
	struct levels_curve near, far;
	struct level_found level[LEVELS_MOST];
	size_t levels;		/* the last one is memory, if there are two */
	double ghz;		/* of the core, median */
	double torn;		/* share of chunks whose clock moved */
	unsigned sweeps;
	char pages[64];		/* of the memory, as verified */
};

/*
 * Sweeps one growing random cycle through the arena (of plan->to bytes, mapped)
 * and finds the plateaus of all sweeps' envelope. Returns 0 or -ASSAY_ENOMEM.
 */
int levels_sweep(const struct time_clock *clock,
		 const struct levels_config *plan, const struct arena *arena,
		 struct levels *out);

/*
 * The same on this machine, pinned, in transparent huge pages where there are
 * any (4K: TLB misses would look like levels). cpu: -1: the least busy one.
 */
int levels_measure(const struct assay *assay, int cpu, struct levels *out,
		   struct assay_error *err);

/*
 * Level i of what was found, beside what the operating system says: reported
 * bytes (0: nothing) and a finding in one sentence.
 */
uint64_t levels_compare(const struct levels *found, size_t i,
			const struct geometry *reported, char *finding,
			size_t room);
/* "L1d", "L2", "L3", "memory". */
const char *levels_name(const struct levels *found, size_t i);

#endif
