/* SPDX-License-Identifier: MIT */
/* The simulation as a witness: the true quantities of a shape, by signal. */
#ifndef VERIFY_SIMULATED_TRUTH_H
#define VERIFY_SIMULATED_TRUTH_H

#include "assay/error.h"
#include "kernels/kernel.h"
#include "sim/sim.h"

struct truth_run {
	const struct kernel *kernel;
	const struct assay_shape *shape;	/* resolved */
	enum isa isa;
	const struct geometry *geometry;
	bool no_fast_forward;
	unsigned warmup, repeats;
	/*
	 * Not 0: give up and return 0 once this many passes of a repetition
	 * were simulated and none was forwarded. The values in `signal` are
	 * then invalid.
	 */
	unsigned patience;
};

/*
 * signal: the signals of each repetition. *forwarded (or NULL): number of
 * passes that were skipped; 0 if the run was given up. Returns 0, -ASSAY_ENOMEM
 * or -ASSAY_EUNAVAIL.
 */
int simulated_truth_run(const struct truth_run *truth_run,
			uint64_t (*signal)[SIGNALS], uint64_t *forwarded,
			struct assay_error *err);

#endif
