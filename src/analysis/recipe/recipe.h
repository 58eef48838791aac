/* SPDX-License-Identifier: MIT */
/*
 * Recipes (data/recipes/NAME.yaml): published experiments as data: kernels,
 * sizes, events, the divisor of the counts, the plot, and the published
 * findings. Loading and listing; the schema is documented in
 * docs/recipe-file.md. A recipe owns all that its members point to.
 */
#ifndef ANALYSIS_RECIPE_RECIPE_H
#define ANALYSIS_RECIPE_RECIPE_H

#include <stddef.h>

#include "assay/error.h"
#include "assay/quantity.h"
#include "assay/row.h"
#include "assay/shape.h"
#include "base/expr.h"

#define RECIPE_RUNS 8
#define RECIPE_SETTINGS 8
#define RECIPE_EVENTS 24
#define RECIPE_CLAIMS 32
#define RECIPE_LOOPS 8
#define RECIPE_COUNTS 8

struct recipe_setting { const char *name, *text; };

struct recipe_run {
	const char *name, *kernel;
	struct recipe_setting setting[RECIPE_SETTINGS];
	unsigned settings;
	const char *event[RECIPE_EVENTS];
	unsigned events;
	const char *formulas;	/* "file[:variant],..." or "" */
	const char *per;	/* the divisor of the counts: an expression
				 * over the shape's options and "accesses";
				 * "": 1 */
};

/* A published finding: bounds of an expression over a range of sizes. */
struct recipe_claim {
	const char *says;
	unsigned run;		/* index */
	const char *text;	/* the expression as written */
	struct expr of;		/* names: indices into run[].event, whose
				 * counts are divided by that run's .per */
	const char *from, *to;	/* of the swept option; "": no bound. A size,
				 * or an expression over l1d, l2, l3 */
	double low, high;
};

/*
 * One count of a loop whose listing was published. The expressions are as .per
 * of a run, and may name "sigma" too.
 */
struct recipe_count {
	const char *event;
	enum assay_quantity quantity;
	const char *is, *because;	/* the count, and its reason */
	const char *low, *high;	/* bounds of the count; "": equal to .is */
	const char *bounds;	/* the reason for the bounds; "": no bounds */
};

/* A loop of published code, and its counts on one kind of CPU. */
struct recipe_loop {
	const char *kernel, *cpu, *isa;	/* as the records name them */
	struct recipe_setting where[RECIPE_SETTINGS];	/* options that a record
							 * must have */
	unsigned wheres;
	struct recipe_count count[RECIPE_COUNTS];
	unsigned counts;
};

struct recipe {
	const char *name, *title, *source, *note, *file;
	const char *on;		/* the default of --on */
	const char *page_map;	/* of the simulator; "": the CPU file's */
	struct recipe_run run[RECIPE_RUNS];
	unsigned runs;
	struct recipe_claim claim[RECIPE_CLAIMS];
	unsigned claims;
	struct recipe_loop loop[RECIPE_LOOPS];
	unsigned loops;
	const char *plot[RECIPE_EVENTS];	/* events to plot */
	unsigned plots;		/* their number; may be 0 */
	void *owned;
};

/* As formula_load() and formula_parse(), without variants. */
int recipe_load(struct recipe **out, const char *name_or_path,
		const char *data_dir, struct assay_error *err);
int recipe_parse(struct recipe **out, const char *file, const char *text,
		 size_t bytes, struct assay_error *err);
void recipe_free(struct recipe *recipe);

/* Row "recipe" {recipe, title, on, source}: of all recipes, of one. */
int recipe_list(const char *data_dir, assay_row_fn *fn, void *ctx,
		struct assay_error *err);
int recipe_describe(const struct recipe *recipe, assay_row_fn *fn, void *ctx);

/*
 * Evaluates a number, a size ("48 KiB", "4M"), or an expression over names,
 * whose values come from `value` (absent: the name is not known). Returns 0 or
 * -ASSAY_EPARSE.
 */
int recipe_number(double *out, const char *text,
		  struct assay_value (*value)(void *ctx, const char *name),
		  void *ctx, struct assay_error *err);

#endif
