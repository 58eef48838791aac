/* SPDX-License-Identifier: MIT */
/* The pictures of a run. */
#ifndef CLI_PLOTS_FIGURES_H
#define CLI_PLOTS_FIGURES_H

#include "cli/plots/run-file.h"

/* X(NAME, "what it shows"), in the order of the output. */
#define FIGURES(X) \
	X(latency, "time per access over size") \
	X(events, "events per access over size") \
	X(calculated, "counted beside calculated") \
	X(served, "who served the accesses, over size") \
	X(pies, "hypotheses about who served the accesses, beside the truth") \
	X(ipc, "instructions per cycle") \
	X(misses, "misses per access of a cache") \
	X(points, "what a recipe counted") \
	X(change, "before and after") \
	X(lines, "lines of code that cost most") \
	X(classes, "events by class")

enum figure {
#define FIGURE_ID(name, text) FIGURE_##name,
	FIGURES(FIGURE_ID)
#undef FIGURE_ID
	FIGURE_KINDS
};

enum { FIGURES_MOST = 32 };

struct figures {
	struct report_plot plot[FIGURES_MOST];
	enum figure kind[FIGURES_MOST];
	size_t plots;
	void **owned;		/* what the plots point to */
	size_t owns;
	bool no_memory;
};

/* What the library says of a run's records: all that figures need. */
struct run_points;

/*
 * Makes all figures that the run has data for. Points: of the records of
 * kernels, or NULL. Non-zero: no memory.
 */
int figures_make(struct figures *out, const struct run_file *run,
		 const struct run_points *points);
/* Adds the time per access of n runs in one picture. */
void figures_of_runs(struct figures *figures, const struct run_points *points,
		     const char *const *name, size_t n);
void figures_fini(struct figures *figures);

/* For the makers: zeroed memory that lives as long as the figures; NULL: none
 * is left. */
void *figures_own(struct figures *figures, size_t n, size_t size);
char *figures_text(struct figures *figures, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Keeps the plot, if it has anything to draw. */
void figures_add(struct figures *figures, enum figure kind,
		 const struct report_plot *plot);

/* The count of the first of the events; NaN: none was counted. */
double figure_count(const struct assay_record *record,
		    const char *const *names);
/* Events of instructions and of core cycles; NULL-terminated. */
extern const char *const figure_instructions[], *const figure_cycles[];

void figures_of_points(struct figures *figures,
		       const struct run_points *points);
void figures_of_rows(struct figures *figures, const struct run_file *run);
void figures_of_counts(struct figures *figures, const struct run_file *run);

#endif
