/* SPDX-License-Identifier: MIT */
/*
 * Verify: compares quantities with their closed forms (struct quantity_result)
 * and counts of events with the true signals (struct panel). The counts of each
 * shape are added in turn, whichever provider counted.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include "analysis/recipe/recipe.h"
#include "run/metrics.h"
#include "verify/panel.h"
#include "verify/simulated-truth.h"

/* All comparisons of one quantity by one source under one kernel. */
struct quantity_result {
	const char *kernel;
	enum assay_quantity quantity;
	char from[128];
	unsigned shapes, agrees, disagrees, open;
	unsigned near;		/* disagreements within the margin */
	double worst;		/* largest relative error */
	char factor[48];	/* worst in words, if no share can say it */
	char at[160];		/* the shape of the worst error */
	char why[ASSAY_WHY];	/* why no shape could be compared */
	char differs[ASSAY_WHY];	/* a known fault of the formula */
};

#define VERIFY_QUANTITIES 256
#define VERIFY_REPEATS 3	/* at most */

struct verify {
	const struct assay_verification *ask;
	struct assay *assay;
	const char *on, *page_map;
	char prefetching[512];	/* `on` with the model's prefetchers switched
				 * on, or "" if the model has none or the
				 * user has set them */
	assay_row_fn *fn;
	void *ctx;
	struct quantity_result result[VERIFY_QUANTITIES];
	unsigned results;
	unsigned compared, disagrees;
	bool controls;		/* only the checks that need no PMU */
	bool stopped;		/* by progress() */
	unsigned done, total;	/* shapes */
	unsigned repeats;
	struct row_settings {	/* settings of the plan's current row */
		struct assay_setting of[5];
		size_t settings;
		char seed[16];
	} row;
	struct target *witness;	/* the CPU whose model is the witness; NULL:
				 * no CPU file is known */
	struct cpu *saved_cpu;	/* replay: the CPU file of the records, or
				 * NULL; the panel borrows from it */
	bool exact;		/* sim: the model is the machine */
	bool interrupted;	/* counts include the system's interrupts */
	unsigned counters;	/* count at a time; 0: as many as asked for */
	char cpu[ASSAY_NAME];	/* name of the CPU in the plan's records */
	struct panel panel;
	struct identities *laws;	/* of programs on laws_cpu; or NULL */
	char laws_cpu[ASSAY_NAME];
	size_t program_row;	/* the panel's last row of a program, + 1; 0:
				 * none */
	struct stated *stated;	/* what the user states of programs; or
				 * NULL */
	struct recipe **recipe;	/* with loops for the saved records' CPU */
	size_t recipes;
	struct assay_record **record;	/* all, for certificates; owned */
	size_t records;
};

/* By enum assay_verdict. */
extern const char *const verify_verdict_words[];

/* ---- quantities (summary.c) ---------------------------------------------- */

/* Adds the comparisons of a result to v->result and emits a row for each. */
int verify_add_result(struct verify *v, const struct run *run,
		const struct assay_result *result);
/*
 * Emits a row "verdict" per element of v->result. event: the panel's verdicts.
 * A native count that is off by a few agrees if the verdicts on its events
 * allow interrupts.
 */
int verify_emit_quantities(struct verify *v,
			   const struct certificate_event *event);
/* "elements=16 order=linear" */
void verify_shape_text(char *out, size_t room, const struct sweep *sweep,
		       const struct assay_shape *shape);

/* ---- running (plan.c, counters.c) ---------------------------------------- */

/* Software events that count disturbances; they are never judged. */
#define VERIFY_DISTURBANCES "context-switches,cpu-migrations"

enum plan_how {
	PLAN_PLAIN,
	PLAN_FORWARD,		/* only if nearly all need not be simulated */
	PLAN_PREFETCHERS	/* with the model's prefetchers switched on */
};

/* Runs the plan: fills v->result and the panel. */
int verify_plan(struct verify *v, struct assay_error *err);
/*
 * Calls fn for each shape of the plan; runs nothing. forward: a shape for
 * models that can fast-forward nearly all passes; prefetch: a shape run with
 * plan_prefetch(). A non-zero result of fn stops the loop and is returned.
 * seed: as in struct assay_verification.
 */
typedef int plan_fn(void *ctx, const struct kernel *kernel,
		    const struct assay_shape *shape, const char *text,
		    bool forward, bool prefetch);
int plan_each(enum assay_effort effort, unsigned seed, plan_fn *fn, void *ctx,
	      struct assay_error *err);
/* How many of the CPU's counters count at a time; a row "finding" if fewer. */
int verify_counters(struct verify *v, struct assay_error *err);

/* ---- one shape (shape.c) ------------------------------------------------- */

/* Runs all shapes of one row of the plan. run: the job of this row. */
int verify_shapes(struct verify *v, struct run *run, enum plan_how how,
		  struct assay_error *err);
/* Can the pie by time be had? */
bool verify_has_pie(const struct verify *v, const struct kernel *kernel,
		    const struct assay_shape *shape);
/* Switches on all prefetchers of the model. */
void plan_prefetch(struct geometry *geometry);
/*
 * Simulates the true signals of a shape. forward: sets *leave_out if
 * fast-forwarding cannot skip nearly all passes.
 */
int plan_simulated_truth(struct truth_run *witness, bool forward,
		 uint64_t (*signal)[SIGNALS], bool *leave_out,
		 struct assay_error *err);
/* Keeps a record for the certificate. Returns 0 or -ASSAY_ENOMEM. */
int verify_keep(struct verify *v, struct assay_record *record);

/* ---- witnesses (witness.c) ----------------------------------------------- */

/* A row "witness" each: {witness, shapes, silent, why}. */
int verify_witnesses(struct verify *v);
/*
 * Sets v->witness to the model of this machine's CPU, if a CPU file is known
 * and this CPU has counters. Returns 0 (found or not) or an error.
 */
int verify_find_model(struct verify *v, struct target *target,
		      struct assay_error *err);

/* ---- identities between events (identities.c) ---------------------------- */

/*
 * Emits a row "identity", as assay_check_identities() does, for each identity
 * that a run of the plan violates, with kernel and shape of the worst run and
 * the number of shapes.
 */
int verify_identities(struct verify *v, struct assay_error *err);

/* ---- slopes (slope.c) ---------------------------------------------------- */

/*
 * Emits the rows "slope" of a judged shape if the user asked for slopes. A
 * native count that disagrees is judged to agree if its slope agrees. The run's
 * group holds the counted events.
 */
int verify_slope(struct verify *v, struct run *run, struct derived_metrics *j,
		 const struct assay_shape *shape, struct assay_error *err);

/* ---- saved records (saved.c, formula.c, published.c) --------------------- */

/*
 * Verifies every record of a file at the record's own shape. on: "replay:FILE".
 */
int verify_saved(struct verify *v, struct assay_error *err);
/*
 * A record of a program that is no kernel: laws between its events, and what
 * the user states. Returns 0, the result of v->fn, or -ASSAY_ENOMEM.
 */
int verify_program(struct verify *v, const struct assay_record *record);
/*
 * For several formulas of one quantity (in run's files): emits a row "formula"
 * {formula, quantity, verdict, said, than, right, because of, file} per formula
 * whose value on the record differs from the formula that is right by the CPU
 * file.
 */
int verify_formulas(struct verify *v, const struct run *run,
		    const struct assay_record *record);
/*
 * Opens the recipes that list the counts of a published loop on the CPU. Call
 * verify_published_close() after an error, too.
 */
int verify_published_open(struct verify *v, const char *cpu,
			  struct assay_error *err);
void verify_published_close(struct verify *v);
/*
 * A record of foreign code with a published loop: claims its counts and
 * compares them. The record's repetitions are the panel's last rows. Returns 0,
 * the result of v->fn, or -ASSAY_EPARSE (a loop names an option that the kernel
 * lacks).
 */
int verify_published(struct verify *v, const struct run *run,
		     struct derived_metrics *j, const struct assay_shape *shape,
		     const struct assay_record *record,
		     struct assay_error *err);

#endif
