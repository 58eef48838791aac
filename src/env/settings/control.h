/* SPDX-License-Identifier: MIT */
/*
 * Changes settings for the time of a run, and puts them back: prefetchers,
 * governor and huge pages of the machine; nice value, real-time priority and
 * affinity of the process. Every change of the machine goes into the journal
 * first (journal.h). Settings of the process end with it at the latest.
 */
#ifndef ENV_SETTINGS_CONTROL_H
#define ENV_SETTINGS_CONTROL_H

#include "assay.h"

struct control;

/*
 * Makes the changes, all or none; *out is for control_end, which puts the
 * settings back and frees it. As assay_settle and assay_restore (assay.h).
 */
int control_begin(struct control **out, const struct assay_wishes *wishes,
		  const char *sysroot, struct assay_error *err);
int control_end(struct control *control, struct assay_error *err);

/* The settings made, "prefetchers=off governor=performance"; "" if none. */
const char *control_text(const struct control *control);
/* A sentence if a timing contradicts the prefetchers' register; else "". */
const char *control_doubt(const struct control *control);

/* Undoes the journal of a killed run, if there is one. *undone: the number of
 * settings that were put back. */
int control_restore(const char *sysroot, unsigned *undone,
		    struct assay_error *err);

/* Is there a journal whose lock no process holds? */
bool control_left_over(const char *sysroot);

#endif
