/* SPDX-License-Identifier: MIT */
/* Laying a shape out for the timing witness. */
#ifndef TIMING_LAYOUT_H
#define TIMING_LAYOUT_H

#include "run/run.h"
#include "measure/time.h"

/* The chase in a random order: which random order is all the same. */
bool layout_is_random(const struct run *run, const struct assay_shape *shape);

/*
 * Its chains, each in its own part of the lines at base, using one word of
 * each line. turn: makes one more draw of the order.
 */
void layout_chains(struct timed *out, const struct assay_shape *shape,
		   unsigned char *base, unsigned word, unsigned turn);

/*
 * Any other kernel, in an arena of its own, which the caller unmaps: its lists
 * made cycles, or (out->kernel) its whole run. arena and shape must outlive it.
 */
int layout_kernel(struct run *run, const struct assay_shape *shape,
		  enum arena_pages pages, struct arena *arena,
		  struct timed *out, struct assay_error *err);

/* Either of them, in an arena of its own. */
int layout_shape(struct run *run, const struct assay_shape *shape,
		 struct arena *arena, struct timed *out,
		 struct assay_error *err);

#endif
