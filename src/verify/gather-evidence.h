/* SPDX-License-Identifier: MIT */
/* Asking the three witnesses about one counted shape of a panel. */
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
	/* Of the CPU's file, for times; NULL: none is known. */
	const struct geometry *geometry;
	/* Simulation. exact: repetition i did what signal[i] says; else the
	 * machine is a relative of all of them. NULL: it was not asked. */
	const uint64_t (*signal)[SIGNALS];
	unsigned signals;
	bool exact;
	bool foreign;		/* somebody else's code made the same accesses:
				 * its instructions are not predicted */
	const char *not_simulated;	/* signal is NULL: why */
	const struct time_pie *pie;	/* timing's own measurement, or NULL */
	const char *not_timed;		/* why it has none, or NULL */
	struct evidence *evidence;	/* room for it */
};

/* A second or so. */
#define EVIDENCE_ACCESSES (UINT64_C(1) << 24)

/*
 * NULL: so much can be simulated; or why not. Long runs can only if nearly all
 * of their passes need not be.
 */
const char *evidence_too_long(const struct truth_run *truth_run);

/* Models of a machine that is not quite any of them; all run the shape once. */
int evidence_models(const struct kernel *kernel,
		   const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, unsigned warmup,
		   uint64_t (*signal)[SIGNALS], unsigned *models,
		   struct assay_error *err);

/*
 * Page faults, switches and moves to other CPUs, as far as the record counted
 * them, and interrupts at most: a tick in every ms.
 */
void evidence_disturbances(struct panel *panel, size_t row,
			  const struct assay_record *record, unsigned repeat);

/* Depends on the code that ran, not only on what it does to memory. */
bool evidence_depends_on_code(enum assay_quantity quantity);

/* The record's repetitions are the panel's rows from `row` on. */
void evidence_gather(struct panel *panel, size_t row, const struct evidence_sources *h);

#endif
