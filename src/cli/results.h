/* SPDX-License-Identifier: MIT */
/*
 * Runs a job and passes each result to the chosen output format: a record's
 * line for programs, one row for spreadsheets, or the output of `show` for
 * people.
 */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "assay/stat.h"
#include "cli/context.h"
#include "cli/progress.h"

struct results {
	struct context *context;
	/* for people; returns non-zero to stop */
	int (*show)(struct results *results, const struct assay_result *r);
	void *data;		/* of show */
	struct progress progress;
	struct assay_error err;	/* why a result could not be written */
	unsigned asked, counted;	/* events, over all records */
};

/* Runs the job and complains about errors. Returns the exit code. */
int results_run(struct results *results, const struct assay_job *job);

/* ---- parts of a page for people ----------------------------------------- */

/* The first lines of a page: "4 096 elements ...", CPU and settings. */
void page_head(struct context *context, const struct assay_result *r);
/* The events' counts and the time. */
void page_counts(struct context *context, const struct assay_result *r);
/*
 * Disturbances of a run beyond a limit; with -v also those below it. before:
 * text printed before the line.
 */
void page_noise(struct context *context, const struct assay_noise *noise,
		const char *before);
/* Predicted against measured; with -v all predictions and their terms. */
void page_judgement(struct context *context, const struct assay_result *r);
/* With --slope: counts per unit of work, overhead and interference. */
void page_slopes(struct context *context, const struct assay_result *r);
/* Values of the formulas that are not pies. */
void page_metrics(struct context *context, const struct assay_result *r);
/* A level, or from PIE_LEVELS on the total. */
enum { PIE_LEVELS = 4 };
const struct assay_value *pie_part(const struct assay_pie *pie, int part);
/* Each hypothesis below the true pie, with a bar and its contradictions. */
void page_pies(struct context *context, const struct assay_result *r);

/* --on time: the fields of a row; texts are kept in *text. Returns 6. */
struct timing_text { char ns[48], cycles[48], clock[16]; };
size_t timing_fields(const struct assay_timing *timing,
		     struct assay_field *field, struct timing_text *text);
/* The meaning of a time per access in a list, or "". */
const char *pace_text(const struct assay_result *r);

/*
 * Below the results, for people: the certificate used, and every event that the
 * certificate calls wrong or does not judge. Prints nothing without one.
 */
void trusted_note(struct context *context);

/* ---- the command that simulates what cannot be counted (hand-over.c) ------ */

struct phrase;
/* Is `why` that this machine has no counters, and the program one to run? */
bool hand_over_fits(const struct settings *settings, const char *why);
/* "assay sim --by none -- ./program 'an argument'" */
void hand_over_text(struct phrase *out, char *const *program);

/* ---- other commands' results --------------------------------------------- */

/* An assay_stat_fn; ctx is a struct context *. */
int stat_print(void *ctx, const struct assay_stat_result *result);
/* Verdicts on the provider's quantities and events. Returns the exit code. */
int verdicts_show(struct context *context, const char *on);
/* The first sentence of that, from the rows of assay_verify(). */
void verdicts_sentence(const struct kept_rows *rows, struct phrase *out);

#endif
