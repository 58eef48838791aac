/* SPDX-License-Identifier: MIT */
/*
 * Runs of programs, several at once, each in a process of its own on one CPU.
 * A run sees an environment, streams, CPUs and a random seed that do not depend
 * on the caller.
 */
#ifndef CI_RUN_H
#define CI_RUN_H

#include "ci/ci.h"
#include "ci/lines.h"

#define RUN_WHY 160
#define RUN_SAID 200

/* What a run gave. .why: the quantity is absent, and why. */
struct run {
	double number[ASSAY_QUANTITIES];
	char why[ASSAY_QUANTITIES][RUN_WHY];	/* "": it is there */
	unsigned threads, processes;
	bool shows;		/* the program saw the path of its folder */
	uint64_t left_out;	/* kinds of accesses that were not modelled */
	int status;
	char said[RUN_SAID];	/* the last line on standard error */
};

struct run_job {
	const struct ci_program *program;
	const char *tag;	/* of layout_place() */
	unsigned layout;
	struct run *run;
	struct ci_lines *lines;	/* gets counts by line; or NULL */
};

/* How many runs go on at once: one on each CPU of this process. */
unsigned ci_run_workers(void);

/*
 * Runs all jobs. Returns 0; -ASSAY_EIO if a run failed or ended with another
 * status than the program's .status; -ASSAY_ESTOP; and the errors of
 * assay_simulate(). Lines are freed by ci_lines_fini(), also after an error.
 */
int ci_run_jobs(const struct run_job *job, size_t jobs, struct assay *assay,
	     const struct assay_ci *ci, const char *folder,
	     struct assay_error *err);

#endif
