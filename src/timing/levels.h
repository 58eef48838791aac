/* SPDX-License-Identifier: MIT */
/*
 * The levels of the memory hierarchy, by timing alone: a sweep of latency over
 * sizes (levels-sweep.c), the plateaus in it (analysis/latency/levels.h), and
 * rows for people (levels.c, assay_levels()).
 */
#ifndef TIMING_LEVELS_H
#define TIMING_LEVELS_H

#include "analysis/latency/levels.h"
#include "run/handle.h"
#include "base/arena.h"
#include "base/geometry.h"
#include "measure/time.h"

struct levels_config {
	uint64_t from, near_to;	/* bytes: sizes of the near curve, which goes
				 * window by window */
	uint64_t far_from, to;	/* of the far curve, in random order */
	unsigned steps;		/* sizes per doubling */
	unsigned places;	/* parts of the memory, for the near curve */
	unsigned sweeps;	/* of each curve and place */
	double slice_ns;	/* of one size in one sweep */
	double chunk_ns;	/* of one chunk in it */
	double pause_ns;	/* between sweeps: their disturbances differ */
};
extern const struct levels_config levels_default_config;

/* What was found on one core. */
struct levels {
	struct levels_curve near, far;
	struct level_found level[LEVELS_MOST];
	size_t levels;		/* the last one is memory, if there are two */
	double ghz;		/* of the core, median */
	double torn;		/* share of chunks whose clock moved */
	double off;		/* share of the sweeps' time off the CPU */
	unsigned sweeps;
	char pages[64];		/* of the memory, as verified */
};

/*
 * Chases growing random cycles through the arena (config->to bytes, mapped),
 * and finds the plateaus of the envelope. Returns 0 or -ASSAY_ENOMEM.
 */
int levels_sweep(const struct time_clock *clock,
		 const struct levels_config *config, const struct arena *arena,
		 struct levels *out);

/*
 * The same on this machine, on a pinned thread, in transparent huge pages if
 * there are any: with 4 KiB pages, TLB misses would look like levels. cpu: -1:
 * the idlest one. Returns 0 or an error.
 */
int levels_measure(const struct assay *assay, int cpu, struct levels *out,
		   struct assay_error *err);

/*
 * Compares level i with the cache that the operating system reports. Returns
 * its bytes (0: none is reported); finding: the difference in one sentence.
 */
uint64_t levels_compare(const struct levels *found, size_t i,
			const struct geometry *reported, char *finding,
			size_t room);
/* "L1d", "L2", "L3", "memory". */
const char *levels_name(const struct levels *found, size_t i);

#endif
