/* SPDX-License-Identifier: MIT */
/* The bounds of closed form, simulation and timing on one shape of a panel. */
#ifndef VERIFY_GATHER_EVIDENCE_H
#define VERIFY_GATHER_EVIDENCE_H

#include "verify/simulated-truth.h"
#include "verify/panel.h"
#include "timing/time-pie.h"
#include "kernels/kernel.h"

struct evidence_sources {
	const struct kernel *kernel;
	const struct assay_shape *shape;
	const struct assay_record *record;
	const struct assay_expectation *expectation;
	/* Geometry of the CPU file, for times; NULL: no file is known. */
	const struct geometry *geometry;
	/*
	 * Simulation. exact: signal[i] has the true signals of repetition i;
	 * else each of them is of one model that resembles the machine. NULL:
	 * not simulated.
	 */
	const uint64_t (*signal)[SIGNALS];
	unsigned signals;
	bool exact;
	bool foreign;		/* other code made the same accesses: its
				 * instructions are not predicted */
	const char *not_simulated;	/* signal is NULL: why */
	const struct time_pie *pie;	/* timing's own measurement, or NULL */
	const char *not_timed;		/* why pie is NULL, or NULL */
	struct evidence *evidence;	/* out: filled by evidence_gather() */
};

/* This number of accesses takes about a second to simulate. */
#define EVIDENCE_ACCESSES (UINT64_C(1) << 24)

/*
 * NULL if the run is short enough to simulate, else the reason. A run with many
 * accesses is short if fast-forwarding skips nearly all of its passes.
 */
const char *evidence_too_long(const struct truth_run *truth_run);

/* Models that resemble a real machine; each runs the shape once. */
int evidence_models(const struct kernel *kernel,
		   const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, unsigned warmup,
		   uint64_t (*signal)[SIGNALS], unsigned *models,
		   struct assay_error *err);

/*
 * Bounds the counts that disturbances add: page faults, switches and moves to
 * other CPUs as the record counted them; interrupts at one each millisecond.
 */
void evidence_disturbances(struct panel *panel, size_t row,
			  const struct assay_record *record, unsigned repeat);

/* Does the quantity depend on more of the code than its memory accesses? */
bool evidence_depends_on_code(enum assay_quantity quantity);

/* The record's repetitions are the panel's rows from `row` on. */
void evidence_gather(struct panel *panel, size_t row,
		     const struct evidence_sources *s);

#endif
