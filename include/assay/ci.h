/* SPDX-License-Identifier: MIT */
/*
 * A gate on simulated counts: did a program get worse? Two builds are compared
 * in one call, or one build with a baseline that the repository holds. Every
 * run is fixed: environment, streams, visible CPUs, guest CPU, seeds, page map
 * and the lengths of paths do not depend on the caller.
 */
#ifndef ASSAY_CI_H
#define ASSAY_CI_H

#include <stdbool.h>

#include "assay/error.h"
#include "assay/row.h"

struct assay;

struct assay_ci {
	const char *folder;	/* of assay-ci.yaml, and to run in; NULL: "." */
	const char *cpu;	/* NULL: as the file says, else i7-6700hq, for
				 * AArch64 programs neoverse-n1 */
	unsigned layouts;	/* 0: as the file says, else 8 */
	unsigned most;		/* rows "line" for each budget; 0: none */
	const char *output;	/* is written afterwards: -ASSAY_EINVAL if the
				 * run reads this file; NULL: none */
	bool (*stopped)(void *ctx);	/* asked between runs; or NULL */
	void *stopped_ctx;
};

struct assay_ci_outcome {
	unsigned budgets, over, better, unjudged;
};

/*
 * Compares two builds of a program. arguments: NULL-terminated, without the
 * program; or NULL. Rows, in this order:
 *
 * "budget" {benchmark, quantity, verdict (over, inside, better, not judged),
 * base, head, change, least, most, pairs, budget, function, file, line, more,
 * why}. base and head are counts of the first layout; change is the median of
 * the paired changes, least and most are their range. function, file and line:
 * where `more` of the counts are new.
 *
 * "line" {benchmark, quantity, function, file, line, base, head, more}: the
 * lines that changed most.
 *
 * "remark" {benchmark, text}.
 *
 * Returns 0; -ASSAY_EUNAVAIL: nothing can be compared; -ASSAY_ENOENT or
 * -ASSAY_EPERM: no such program, or one that cannot be run; -ASSAY_EINVAL;
 * -ASSAY_ESTOP; -ASSAY_EIO: a run failed, or ended with another status than
 * wanted.
 */
ASSAY_API int assay_ci_ab(struct assay *assay, const struct assay_ci *ci,
			  const char *base, const char *head,
			  char *const *arguments, assay_row_fn *fn, void *ctx,
			  struct assay_ci_outcome *outcome,
			  struct assay_error *err);

/*
 * Writes ci->folder/assay-ci.yaml with one benchmark: the command (NULL: one to
 * be filled in). Returns 0; -ASSAY_EINVAL: the file is there already.
 */
ASSAY_API int assay_ci_init(const struct assay_ci *ci, char *const *command,
			    struct assay_error *err);

/*
 * Runs the benchmarks of assay-ci.yaml, each twice in two layouts, and writes
 * assay-ci.baseline.json. Rows "recorded" {benchmark, quantity, count, layouts,
 * why} for each budget (why: it cannot be judged), then "remark". outcome:
 * .budgets and .unjudged. Errors as assay_ci_ab().
 */
ASSAY_API int assay_ci_record(struct assay *assay, const struct assay_ci *ci,
			      assay_row_fn *fn, void *ctx,
			      struct assay_ci_outcome *outcome,
			      struct assay_error *err);

/* Compares the benchmarks with the baseline. Rows and errors as
 * assay_ci_ab(). */
ASSAY_API int assay_ci_check(struct assay *assay, const struct assay_ci *ci,
			     assay_row_fn *fn, void *ctx,
			     struct assay_ci_outcome *outcome,
			     struct assay_error *err);

#endif
