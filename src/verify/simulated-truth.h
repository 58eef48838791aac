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
	 * Not 0: it is given up, with 0, once so many passes of a repetition
	 * were simulated and none was forwarded. signal is then worth nothing.
	 */
	unsigned patience;
};

/*
 * signal: what each of the repetitions did. *forwarded (or NULL): passes that
 * need not be simulated; 0 if it was given up. Returns 0, -ASSAY_ENOMEM or -ASSAY_EUNAVAIL.
 */
int simulated_truth_run(const struct truth_run *truth_run, uint64_t (*signal)[SIGNALS],
		uint64_t *forwarded, struct assay_error *err);

#endif
