/* SPDX-License-Identifier: MIT */
/*
 * Recipes (data/recipes/NAME.yaml): a published experiment as data: kernels,
 * sizes, events, what the counts are divided by, the plot, and what the
 * experiment claims. The schema is documented in docs/recipe-file.md.
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
	const char *per;	/* expression over the shape's options and
				 * "accesses"; "": counts as they are */
};

/* Values that a claim's expression may have where it is made. */
struct recipe_claim {
	const char *says;
	unsigned run;		/* index */
	const char *text;	/* as written */
	struct expr of;		/* names: indices into run[].event, divided
				 * as that run says */
	const char *from, *to;	/* of the swept option; "": no bound. A size,
				 * or an expression over l1d, l2, l3 */
	double low, high;
};

/* What the published code itself counts, where its listing was published, too.
 * Expressions as .per of a run, and "sigma". */
struct recipe_count {
	const char *event;
	enum assay_quantity quantity;
	const char *is, *because;
	const char *low, *high;	/* "": as .is */
	const char *bounds;	/* why there are such; "": there are none */
};

/* A loop of other people's code: its counts on one kind of CPU. */
struct recipe_loop {
	const char *kernel, *cpu, *isa;	/* as the records name them */
	struct recipe_setting where[RECIPE_SETTINGS];	/* words of options */
	unsigned wheres;
	struct recipe_count count[RECIPE_COUNTS];
	unsigned counts;
};

struct recipe {
	const char *name, *title, *source, *note, *file;
	const char *on;		/* where it runs if nobody says */
	const char *page_map;	/* sim; "": the CPU's */
	struct recipe_run run[RECIPE_RUNS];
	unsigned runs;
	struct recipe_claim claim[RECIPE_CLAIMS];
	unsigned claims;
	struct recipe_loop loop[RECIPE_LOOPS];
	unsigned loops;
	const char *plot[RECIPE_EVENTS];	/* events to plot; may be none */
	unsigned plots;
	void *owned;
};

/* As formula_load and formula_parse. */
int recipe_load(struct recipe **out, const char *name_or_path,
		const char *data_dir, struct assay_error *err);
int recipe_parse(struct recipe **out, const char *file, const char *text,
		 size_t bytes, struct assay_error *err);
void recipe_free(struct recipe *recipe);

/* Row "recipe" {recipe, title, on, source}; of all of them. */
int recipe_list(const char *data_dir, assay_row_fn *fn, void *ctx,
		struct assay_error *err);
int recipe_describe(const struct recipe *recipe, assay_row_fn *fn, void *ctx);

/*
 * A number, a size ("48 KiB", "4M"), or an expression over names that
 * `value` knows (absent: unknown). Returns 0 or -ASSAY_EPARSE.
 */
int recipe_number(double *out, const char *text,
		  struct assay_value (*value)(void *ctx, const char *name),
		  void *ctx, struct assay_error *err);

#endif
