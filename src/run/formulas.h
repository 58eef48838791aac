/* SPDX-License-Identifier: MIT */
/* Which formula files a job needs, and the events that they need. */
#ifndef RUN_FORMULAS_H
#define RUN_FORMULAS_H

#include "run/run.h"

/* Loads "file[:variant],..." into run->file; sets run->asked. */
int formulas_load_named(struct run *run, const char *list, struct assay_error *err);

/* Appends every built-in file whose formulas give quantities on this CPU. */
int formulas_load_fitting(struct run *run, const char *cpu, struct assay_error *err);
/* The same with files that only compete for quantities, too. */
int formulas_load_claiming(struct run *run, const char *cpu,
		      struct assay_error *err);

/* Appends the events of the files asked for to run->group. */
int formulas_add_events(struct run *run, struct assay_error *err);

/*
 * Appends one event, if it is not there yet. An event that no one knows here
 * is absent, not an error.
 */
int formulas_add_event(struct run *run, const char *name,
		       struct assay_error *err);

#endif
