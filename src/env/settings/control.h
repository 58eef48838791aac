/* SPDX-License-Identifier: MIT */
/*
 * Settings of the machine for the time of a run, and back again. What belongs
 * to the process (nice, real-time priority) ends with it and is put back by
 * control_end; what belongs to the machine goes through the journal.
 */
#ifndef ENV_SETTINGS_CONTROL_H
#define ENV_SETTINGS_CONTROL_H

#include "assay.h"

struct control;

/* What assay_settle and assay_restore promise; see assay.h. */
int control_begin(struct control **out, const struct assay_wishes *wishes,
		  const char *sysroot, struct assay_error *err);
int control_end(struct control *control, struct assay_error *err);

/* What was set, "prefetchers=off governor=performance"; "" if nothing. */
const char *control_text(const struct control *control);
/* A sentence if the prefetchers do not do what their register says; or "". */
const char *control_doubt(const struct control *control);

/* Undoes what a killed run left. *undone: how many settings. */
int control_restore(const char *sysroot, unsigned *undone,
		    struct assay_error *err);

/* Is there a journal that nobody is working with? */
bool control_left_over(const char *sysroot);

#endif
