/* SPDX-License-Identifier: MIT */
/* Runs with their pictures and what is concluded: as a page, as pictures. */
#ifndef CLI_PLOTS_SHOWN_H
#define CLI_PLOTS_SHOWN_H

#include "cli/answers/answers.h"
#include "cli/plots/figures.h"
#include "cli/plots/run-points.h"
#include "report/html/page.h"

enum { SHOWN_RUNS = 32 };

/* All that is shown. Big: allocate it. */
struct shown {
	struct context *context;
	const char *title;	/* of the page */
	struct run_file run[SHOWN_RUNS];
	struct run_points points[SHOWN_RUNS];
	struct figures figures[SHOWN_RUNS];
	size_t runs;
	struct figures beside;	/* of several runs */
	struct run_file compared;	/* the rows of their comparison */
};

/* Reads and prepares a run. Returns 0 or a negative code with *err. */
int shown_add(struct shown *shown, const struct run_file *run,
	      struct assay_error *err);
/* After all runs: what they have in common. */
int shown_end(struct shown *shown, struct assay_error *err);
void shown_fini(struct shown *shown);

/* All pictures, or those of the kind --figure; room: SHOWN_PLOTS. */
enum { SHOWN_PLOTS = (SHOWN_RUNS + 1) * FIGURES_MOST };
size_t shown_plots(const struct shown *shown, struct report_plot *out,
		   const char **kind);

/* Writes the page. */
void shown_page(const struct shown *shown, FILE *out);

/* What the run says, in a sentence. */
void shown_sentence(const struct run_file *run, const struct run_points *points,
		    struct phrase *out);
/* The sentences of all runs and of their comparison. */
void shown_conclude(const struct shown *shown, struct phrase *out);
/* The sources that the run's lines name, with counts and reasons. */
void shown_source(struct page *page, const struct context *context,
		  const struct run_file *run);
/* The rows and records of the run as one object of JSON. */
void shown_data(FILE *out, const struct run_file *run);

/* ---- -o FILE.html, .svg, .gp of other commands -------------------------- */

/* A file in memory for the lines that the page or picture is made of. */
FILE *drawn_open(void);
/* Writes what is shown in the format of the context. Returns the exit code. */
int drawn_put(struct shown *shown);
/* Complains that there is no picture. Returns the exit code. */
int drawn_nothing(const struct context *context);
/* Writes the page or picture of the lines. False: complained, and *exit_code
 * is set. */
bool drawn_finish(struct context *context, FILE *lines, int *exit_code);

#endif
