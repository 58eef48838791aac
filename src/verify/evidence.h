/* SPDX-License-Identifier: MIT */
/*
 * The bounds of the three witnesses for one run of a shape, and so for the
 * count of an event in this run:
 *
 *  closed form	bands of quantities, from the shape alone
 *  simulation	what a model of the CPU did; where the model is not the machine,
 *		several models (page maps, prefetchers), and the truth is
 *		somewhere between them
 *  timing	how many dependent loads were served by which level
 *
 * The witnesses are independent. An event's claim is an expression over
 * signals; a witness that knows some of the signals still gives bounds.
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

struct range { double low, high; };	/* high: INFINITY if unknown */

#define EVIDENCE_MODELS 6

struct evidence {
	const char *silent[WITNESSES];	/* why the witness gives no bounds;
					 * NULL: the witness gives some */
	/* closed form and timing */
	struct range signal[WITNESSES][SIGNALS];
	struct range quantity[ASSAY_QUANTITIES];	/* closed form */
	/* simulation */
	uint64_t model[EVIDENCE_MODELS][SIGNALS];
	unsigned models;
	double slack;		/* error of every model, as a share */
};

/* Shares of dependent loads by the level that served each load. */
enum { SERVED_L1, SERVED_L2, SERVED_L3, SERVED_DRAM, SERVED_LEVELS };

/* No witness has given bounds yet. */
void evidence_init(struct evidence *out);

/* holds: NULL, or whether a quantity's prediction holds for this run. */
typedef bool evidence_holds_fn(const void *ctx, enum assay_quantity quantity);
void evidence_closed_form(struct evidence *t, const struct assay_expectation *e,
		      evidence_holds_fn *holds, const void *ctx);
/* Adds a model's signals. slack: as in struct evidence. */
void evidence_model(struct evidence *t, const uint64_t *signal,
		     double slack);
/*
 * For a run of `loads` dependent loads and no other access: how many loads each
 * level served, each number as a range.
 */
void evidence_timed(struct evidence *t, double loads,
		     const struct range served[SERVED_LEVELS]);

/*
 * The bounds on the count of an event that counts the expression. False: the
 * witness gives no bounds, not even "at least one".
 */
bool evidence_bounds(const struct evidence *t, enum witness_kind witness,
		  const struct expr *counts, struct range *out);

#endif
