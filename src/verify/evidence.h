/* SPDX-License-Identifier: MIT */
/*
 * What the three witnesses say of one run of a shape, and so of what an event
 * should have counted in it:
 *
 *  closed form	bands of quantities, from the shape alone
 *  simulation	what a model of the CPU did; where the model is not the machine,
 *		several models (page maps, prefetchers), and the truth is
 *		somewhere between them
 *  timing	how many dependent loads were served by which level
 *
 * None of them knows of the others. An event's claim is an expression over
 * signals; a witness who knows a part of them still gives bounds.
 */
#ifndef VERIFY_EVIDENCE_H
#define VERIFY_EVIDENCE_H

#include <stdbool.h>

#include "assay/expectation.h"
#include "base/expr.h"
#include "sim/sim.h"

enum witness_kind { WITNESS_CLOSED, WITNESS_SIMULATED, WITNESS_TIMED,
		    WITNESSES };
extern const char *const witness_names[WITNESSES];

struct range { double low, high; };	/* high: INFINITY if not known */

#define EVIDENCE_MODELS 6

struct evidence {
	const char *silent[WITNESSES];	/* why it says nothing; NULL: it does */
	/* closed form and timing */
	struct range signal[WITNESSES][SIGNALS];
	struct range quantity[ASSAY_QUANTITIES];	/* closed form */
	/* simulation */
	uint64_t model[EVIDENCE_MODELS][SIGNALS];
	unsigned models;
	double slack;		/* share by which models are wrong anyway */
};

/* Shares of dependent loads by the level that served them. */
enum { SERVED_L1, SERVED_L2, SERVED_L3, SERVED_DRAM, SERVED_LEVELS };

/* Nobody has spoken. */
void evidence_init(struct evidence *out);

/* holds: NULL, or whether a quantity's prediction holds for this run. */
typedef bool evidence_holds_fn(const void *ctx, enum assay_quantity quantity);
void evidence_closed_form(struct evidence *t, const struct assay_expectation *e,
		      evidence_holds_fn *holds, const void *ctx);
/* One more model. slack: as in the struct. */
void evidence_model(struct evidence *t, const uint64_t *signal,
		     double slack);
/*
 * Of a run that is nothing but `loads` dependent loads: how many of them each
 * level served, each within its range.
 */
void evidence_timed(struct evidence *t, double loads,
		     const struct range served[SERVED_LEVELS]);

/*
 * What an event that counts that expression must have counted. False: the
 * witness says nothing of it, not even "at least one".
 */
bool evidence_bounds(const struct evidence *t, enum witness_kind witness,
		  const struct expr *counts, struct range *out);

#endif
