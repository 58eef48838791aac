/* SPDX-License-Identifier: MIT */
/* A job made ready: target, kernel, shapes, formulas, events. */
#ifndef API_RUN_H
#define API_RUN_H

#include "analysis/formula.h"
#include "api/sweep.h"
#include "api/target.h"

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
};

/* Checks everything that can be checked without running. */
int run_init(struct run *out, const struct assay *assay,
	     const struct assay_job *job, struct assay_error *err);
void run_fini(struct run *run);

/* Uncounted runs before the first counted one. */
unsigned run_warmup(const struct run *run);

/* One shape: a new record, owned by the caller. */
int run_measure(struct run *run, const struct assay_shape *shape,
		struct assay_record **out, struct assay_error *err);

#endif
