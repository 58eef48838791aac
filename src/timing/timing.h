/* SPDX-License-Identifier: MIT */
/*
 * The timing witness on a job's shapes (`--on time`): shapes are laid out in
 * memory as chains of pointers, and timed in rounds.
 */
#ifndef TIMING_TIMING_H
#define TIMING_TIMING_H

#include "measure/time.h"
#include "run/metrics.h"

/*
 * Times all shapes of the run. fn gets one result per shape, made in *derived,
 * with a record; both are valid during the call only. Returns 0 or an error,
 * -ASSAY_ESTOP if fn returned non-zero.
 */
int timing_run(struct run *run, struct derived_metrics *derived,
	       assay_result_fn *fn, void *ctx, struct assay_error *err);

/* ---- layout.c ----------------------------------------------------------- */

/* Is the shape a chase in a random order? Then any other draw of the order is
 * as good, and layout_chains() may lay the shape out. */
bool layout_is_random(const struct run *run, const struct assay_shape *shape);

/*
 * The chains of such a shape in the lines at base, each chain in its own part.
 * word: which word of a line holds the pointers. draw: added to the seed.
 * Returns 0, or -ASSAY_ESTOP: a signal handler ended it (assay_end_kernel()).
 */
int layout_chains(struct timed *out, const struct assay_shape *shape,
		  unsigned char *base, unsigned word, unsigned draw,
		  struct assay_error *err);

/*
 * Any other shape, in an arena of its own, which the caller unmaps: as cyclic
 * chains if the kernel can make them, else *out is the kernel's run. *arena and
 * *shape must outlive *out.
 */
int layout_kernel(struct run *run, const struct assay_shape *shape,
		  enum arena_pages pages, struct arena *arena,
		  struct timed *out, struct assay_error *err);

/* Any shape, in an arena of its own, which the caller unmaps. */
int layout_shape(struct run *run, const struct assay_shape *shape,
		 struct arena *arena, struct timed *out,
		 struct assay_error *err);

#endif
