/* SPDX-License-Identifier: MIT */
/*
 * One run: a job made ready (target, kernel, shapes, formula files, events),
 * and the measurement of each of its shapes as a record. Everything that can be
 * wrong in a job is found by run_init(), before anything runs.
 */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "analysis/formulas/formula.h"
#include "run/sweep.h"
#include "run/target.h"
#include "env/env.h"
#include "events/packing.h"

#define RUN_FILES 16

struct run {
	const struct assay *assay;
	const struct assay_job *job;
	const struct kernel *kernel;
	struct target target;
	struct sweep sweep;
	/* First the files that the user named, then the CPU's files, which give
	 * the quantities that events measure. */
	struct formula_file *file[RUN_FILES];
	unsigned asked, files;	/* named by the user; all */
	struct group group;	/* the events to count */
	double most_adds;	/* most adds per cycle in any run so far */
	int idle_cpu;		/* where native kernels run if the job names no
				 * CPU; -1: anywhere */
};

/*
 * Makes a job ready. *out borrows assay and job, must not be moved, and is
 * freed with run_fini(). Returns 0 or an error; then there is nothing to free.
 */
int run_init(struct run *out, const struct assay *assay,
	     const struct assay_job *job, struct assay_error *err);
void run_fini(struct run *run);

/* Uncounted runs before the first counted one. */
unsigned run_warmup(const struct run *run);

/* The word of --page-size (NULL: 4K). Returns 0 or -ASSAY_EINVAL. */
int run_parse_pages(enum arena_pages *out, const char *text,
		    struct assay_error *err);

/*
 * Pins the thread for a native kernel. If the job names a CPU, failing to pin
 * is an error; else the idle CPU is tried. *cpu: the CPU, or -1: not pinned.
 * Undo with env_unpin(old).
 */
int run_pin(const struct run *run, struct env_affinity *old, int *cpu,
	    struct assay_error *err);

/* Fills the record's machine and settings. cpu: as from run_pin(). */
void run_describe(const struct run *run, struct assay_record *record, int cpu);

/* Counted repetitions of a shape; in a replay those of the shape that was
 * measured last. */
unsigned run_repeats(const struct run *run);

/* Returns 0; -ASSAY_ERANGE: a range of values takes hours, by an estimate that
 * the text gives; -ASSAY_ENOMEM. */
int run_check_length(const struct run *run, struct assay_error *err);

/*
 * Measures one shape. *out: a new record; the caller frees it with
 * record_free(). If the job was stopped, the record has fewer repetitions than
 * run_repeats(); -ASSAY_ESTOP: not even one.
 */
int run_measure(struct run *run, const struct assay_shape *shape,
		struct assay_record **out, struct assay_error *err);

/*
 * More events than counters: a shape is run once for every set of events that
 * fit the counters together. The results make one record, in which every event
 * was counted all the time. An event that cannot be counted even alone is
 * absent with its reason. Zeroed: no sets were found yet.
 */
struct event_sets {
	struct group group;
	struct packing packing;
	bool tried;		/* packing was made for `group` */
};

/*
 * As run_measure(), with as many runs of the shape as run->group has sets.
 * run->group is the same afterwards. *sets is filled and used again.
 */
int run_measure_sets(struct run *run, struct event_sets *sets,
		     const struct assay_shape *shape,
		     struct assay_record **out, struct assay_error *err);

#endif
