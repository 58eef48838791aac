/* SPDX-License-Identifier: MIT */
/* Recipes as runs: one run made ready, and what can be said before it runs. */
#ifndef HYPOTHESES_RECIPE_RUN_H
#define HYPOTHESES_RECIPE_RUN_H

#include "analysis/recipe/recipe.h"
#include "run/run.h"

/* A run of a recipe and where it runs. */
struct recipe_job {
	const struct recipe *recipe;
	unsigned index;			/* of the run */
	const char *on, *page_map;	/* page_map may be NULL */
	struct assay_setting setting[RECIPE_SETTINGS];
	struct assay_job job;
};

/*
 * Makes the run and its events ready; events that the place lacks are absent.
 * *run borrows *job, whose recipe, index, on and page_map are set. Returns 0 or
 * an error; then there is nothing to free.
 */
int recipe_run_init(struct run *run, struct assay *assay,
		    struct recipe_job *job, struct assay_error *err);

/*
 * Rows "recipe" {recipe, title, on, verdict, why, source, note} of all recipes.
 * verdict: "sound", "doubtful" or "cannot be counted". on: the place; NULL: the
 * one that each recipe names.
 */
int recipe_verdicts(struct assay *assay, const char *on, assay_row_fn *fn,
		    void *ctx, struct assay_error *err);

#endif
