/* SPDX-License-Identifier: MIT */
/* One call of assay_simulate(), private to simulate.c and program-rows.c. */
#ifndef PROGRAM_SIMULATION_H
#define PROGRAM_SIMULATION_H

#include "program/model.h"
#include "program/program.h"
#include "run/target.h"
#include "store/traces/trace.h"

struct simulation {
	const struct assay_simulation *what;
	struct target target;
	struct group group;
	struct assay_record *record;
	struct trace_summary summary;
	uint64_t shared;		/* of a trace: provider_config.shared */
	struct child_tally_file file;	/* of a program: its tallies ... */
	struct merged_tally merged;	/* ... and their sum */
	struct model model;		/* the CPU, if none was named */
	struct cost cost;
	unsigned char *kept;		/* sites of --only; NULL: all */
};

/* Of the CPU that is simulated. */
static inline const char *cpu_name(const struct simulation *s)
{
	return s->target.cpu ? s->target.cpu->name : "";
}

/* A row "not-modelled" {what, count}, if the count is not 0. */
int put_not_modelled(const char *what, uint64_t count, assay_row_fn *fn,
		     void *ctx);
/* A count's name: addresses of which two share one simulated byte. */
extern const char shared_memory[];

/* All rows of a program but the record. Returns 0, -ASSAY_ENOMEM or
 * -ASSAY_ESTOP. */
int program_rows(const struct simulation *s, assay_row_fn *fn, void *ctx,
		 struct assay_error *err);

#endif
