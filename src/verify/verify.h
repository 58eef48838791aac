/* SPDX-License-Identifier: MIT */
/*
 * Verify: quantities against closed forms (tallies), events against what is
 * true (a panel); one result after the other, whatever they come from.
 */
#ifndef VERIFY_VERIFY_H
#define VERIFY_VERIFY_H

#include "analysis/recipe/recipe.h"
#include "run/metrics.h"
#include "verify/panel.h"
#include "verify/simulated-truth.h"

/* All comparisons of one quantity by one source under one kernel. */
struct tally {
	const char *kernel;
	enum assay_quantity quantity;
	char from[128];
	unsigned shapes, agrees, disagrees, open;
	unsigned near;		/* of those that disagree: within the margin */
	double worst;		/* largest relative error */
	char factor[48];	/* it in words, where a share says little */
	char at[160];		/* where that was */
	char why[ASSAY_WHY];	/* why nothing could be compared */
	char differs[ASSAY_WHY];	/* what is known of the formula */
};

#define VERIFY_TALLIES 256
#define VERIFY_REPEATS 3	/* at most */

struct verify {
	const struct assay_verification *ask;
	struct assay *assay;
	const char *on, *page_map;
	char prefetching[512];	/* the same with the model's prefetchers, or ""
				 * if it has none or they are asked for */
	assay_row_fn *fn;
	void *ctx;
	struct tally tally[VERIFY_TALLIES];
	unsigned tallies;
	unsigned compared, disagrees;
	bool controls;		/* only what needs no PMU */
	bool stopped;		/* by progress() */
	unsigned done, total;	/* shapes */
	unsigned repeats;
	struct row_settings {	/* of the row that is run */
		struct assay_setting of[5];
		size_t settings;
		char seed[16];
	} row;
	struct target *witness;	/* the CPU whose model is the witness, or NULL:
				 * no file is known */
	struct cpu *saved_cpu;	/* replay: the file of the records' CPU, or
				 * NULL; the panel borrows from it */
	bool exact;		/* sim: the model is the machine */
	bool interrupted;	/* counted under a system, which counts, too */
	unsigned counters;	/* count at a time; 0: as many as asked for */
	char cpu[ASSAY_NAME];	/* as the records of the plan call it */
	struct panel panel;
	struct recipe **recipe;	/* with loops for the saved records' CPU */
	size_t recipes;
	struct assay_record **record;	/* all, for certificates; owned */
	size_t records;
};

/* ---- quantities (verify-tally.c) ----------------------------------------- */

/* Takes a judged result in; hands out its rows. `run` is its run. */
int verify_take(struct verify *v, const struct run *run,
		const struct assay_result *result);
/*
 * One row "verdict" each. event: the panel's verdicts, which a machine's own
 * comparisons follow: a few counts more are no other quantity.
 */
int verify_tallies(struct verify *v, const struct certificate_event *event);
/* "elements=16 order=linear" */
void verify_shape_text(char *out, size_t room, const struct sweep *sweep,
		       const struct assay_shape *shape);

/* ---- running (verify-plan.c) --------------------------------------------- */

/* What happens beside the program; nobody asks what they count. */
#define VERIFY_DISTURBANCES "context-switches,cpu-migrations"

enum plan_how {
	PLAN_PLAIN,
	PLAN_FORWARD,		/* only if nearly all need not be simulated */
	PLAN_PREFETCHERS	/* with the model's prefetchers switched on */
};

/* Runs the plan: tallies and the panel are filled. */
int verify_plan(struct verify *v, struct assay_error *err);
/*
 * The shapes of the plan, nothing run. forward: meant for models only that need
 * not simulate nearly all of it; prefetch: with plan_prefetch(). Non-zero from
 * fn ends it and is returned. seed: as in struct assay_verification.
 */
typedef int plan_fn(void *ctx, const struct kernel *kernel,
		    const struct assay_shape *shape, const char *text,
		    bool forward, bool prefetch);
int plan_each(enum assay_effort effort, unsigned seed, plan_fn *fn, void *ctx,
	      struct assay_error *err);
/* How many of the CPU's counters count at a time; a row "finding" if fewer. */
int verify_counters(struct verify *v, struct assay_error *err);

/* ---- one shape (verify-shape.c) ------------------------------------------ */

/* All shapes of a row of the plan; run: its job. */
int verify_shapes(struct verify *v, struct run *run, enum plan_how how,
		  struct assay_error *err);
/* Can the pie by time be had? */
bool verify_has_pie(const struct verify *v, const struct kernel *kernel,
		    const struct assay_shape *shape);
/* Switches all prefetchers on that the model has. */
void plan_prefetch(struct geometry *geometry);
/*
 * What is true of a shape. forward: *leave_out if more than a little of it
 * would have to be simulated.
 */
int plan_simulated_truth(struct truth_run *witness, bool forward,
		 uint64_t (*signal)[SIGNALS], bool *leave_out,
		 struct assay_error *err);
/* Keeps a record for the certificate. Returns 0 or -ASSAY_ENOMEM. */
int verify_keep(struct verify *v, struct assay_record *record);

/* ---- witnesses (verify-witness.c) ---------------------------------------- */

/* A row "witness" each: {witness, shapes, silent, why}. */
int verify_witnesses(struct verify *v);
/*
 * On this machine: the model of its CPU becomes v->witness, if a file is known
 * for it and it has counters. Returns 0 (found or not) or an error.
 */
int verify_find_model(struct verify *v, struct target *target,
		      struct assay_error *err);

/* ---- laws between events (verify-law.c) ---------------------------------- */

/*
 * A row "identity" for each law that a run of the plan violates: as
 * assay_check_identities() has it, with kernel and shape of the worst run and
 * the number of shapes.
 */
int verify_laws(struct verify *v, struct assay_error *err);

/* ---- slopes (verify-slope.c) --------------------------------------------- */

/*
 * Rows "slope" of a judged shape if they were asked for; and where a native
 * count disagrees that agrees as a slope, the comparison does. The run's group
 * is what was counted.
 */
int verify_slope(struct verify *v, struct run *run, struct derived_metrics *j,
		 const struct assay_shape *shape, struct assay_error *err);

/* ---- saved records (verify-saved.c) -------------------------------------- */

/*
 * Every record of a file, at the shape that it has. on: "replay:FILE".
 * A record of another kernel than this program knows is passed over.
 */
int verify_saved(struct verify *v, struct assay_error *err);
/*
 * A row "formula" {formula, quantity, verdict, said, than, right, because of,
 * file} for each of several formulas of one quantity (of run's files) that says
 * something else of the record than one which is right by the CPU's file.
 */
int verify_formulas(struct verify *v, const struct run *run,
		    const struct assay_record *record);
/*
 * The recipes that say what a published loop counts on that CPU; closed after
 * an error, too.
 */
int verify_published_open(struct verify *v, const char *cpu,
			  struct assay_error *err);
void verify_published_close(struct verify *v);
/*
 * A record of somebody else's code whose loop was published with it: claims
 * and comparisons. The record's repetitions are the panel's last rows. Returns
 * 0, what v->fn returns, -ASSAY_EPARSE (a loop names what the kernel has not).
 */
int verify_published(struct verify *v, const struct run *run,
		     struct derived_metrics *j, const struct assay_shape *shape,
		     const struct assay_record *record,
		     struct assay_error *err);

#endif
