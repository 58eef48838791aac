/* SPDX-License-Identifier: MIT */
/* A job made ready: target, kernel, shapes, formulas, events. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "analysis/formulas/formula.h"
#include "run/sweep.h"
#include "run/target.h"
#include "env/env.h"

#define RUN_FILES 16

struct run {
	const struct assay *assay;
	const struct assay_job *job;
	const struct kernel *kernel;
	struct target target;
	struct sweep sweep;
	/* what the user asked for, then what says which event measures which
	 * quantity on this CPU */
	struct formula_file *file[RUN_FILES];
	unsigned asked, files;
	struct group group;
	double most_adds;	/* per cycle, of all looks at the core */
	int idle_cpu;		/* where native kernels run if nobody says */
};

/* Checks everything that can be checked without running. */
int run_init(struct run *out, const struct assay *assay,
	     const struct assay_job *job, struct assay_error *err);
void run_fini(struct run *run);

/* Uncounted runs before the first counted one. */
unsigned run_warmup(const struct run *run);

/* The word of --page-size (NULL: 4K). Returns 0 or -ASSAY_EINVAL. */
int run_parse_pages(enum arena_pages *out, const char *text,
	      struct assay_error *err);

/*
 * Pins the thread where a native kernel will run: to the CPU asked for, which
 * must work, or to the one that it is on, if that is allowed. The CPU, or -1.
 */
int run_pin(const struct run *run, struct env_affinity *old, int *cpu,
	    struct assay_error *err);

/* Fills what a record says of machine and settings before the run. */
void run_describe(const struct run *run, struct assay_record *record, int cpu);

/* Counted runs of a shape; replayed, the last one that was measured. */
unsigned run_repeats(const struct run *run);

/* One shape: a new record, owned by the caller. Of fewer repetitions than
 * run_repeats() if the job was stopped; -ASSAY_ESTOP if before the first. */
int run_measure(struct run *run, const struct assay_shape *shape,
		struct assay_record **out, struct assay_error *err);

#endif
