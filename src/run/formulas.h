/* SPDX-License-Identifier: MIT */
/*
 * The formula files of a run (run->file), and the events that they need. Files
 * that the user named come first (the first run->asked of run->files); the
 * others were found by the CPU. At most RUN_FILES files; run_fini() frees them.
 * All functions return 0 or a negative error, with the text in *err.
 */
#ifndef RUN_FORMULAS_H
#define RUN_FORMULAS_H

#include "run/run.h"

/* Loads "file[:variant],..." (NULL: nothing) and sets run->asked. */
int formulas_load_named(struct run *run, const char *list,
			struct assay_error *err);

/* Is the file for the CPU of that name, or of an alias in its CPU file (cpu may
 * be NULL)? */
bool formulas_fit(const struct formula_file *file, const char *name,
		  const struct cpu *cpu);

/* Appends every built-in file with formulas for quantities on this CPU. */
int formulas_load_fitting(struct run *run, const char *cpu,
			  struct assay_error *err);
/* As formulas_load_fitting(), and also files whose formulas only claim to be a
 * quantity. */
int formulas_load_claiming(struct run *run, const char *cpu,
			   struct assay_error *err);

/* Appends the events of the files that the user named to run->group. */
int formulas_add_events(struct run *run, struct assay_error *err);

/*
 * Can the event be counted on the target, as far as is known before a run?
 * Returns 0; -ASSAY_ENOENT: the name is unknown; -ASSAY_EUNAVAIL: it cannot, and
 * err has the reason; or another error of the name. Empties run->group.
 */
int formulas_check_event(struct run *run, const char *name,
			 struct assay_error *err);

/*
 * Appends one event to run->group unless the group has an event of that name.
 * A name that the target does not have becomes an absent event, not an error.
 */
int formulas_add_event(struct run *run, const char *name,
		       struct assay_error *err);

#endif
