/* SPDX-License-Identifier: MIT */
/* Settings of the machine that are changed for some runs and put back. */
#ifndef ASSAY_CONTROL_H
#define ASSAY_CONTROL_H

#include <stdbool.h>

#include "assay/error.h"
#include "assay/export.h"

struct assay;

/*
 * What the machine shall be like for the time of some runs. Every change is
 * written into a journal before it is made (SYSROOT/run/assay/journal) and
 * undone by assay_control_end; if this process dies, however it dies, by a
 * process that watches it; and if that dies too, by the next one that begins.
 */
struct assay_wishes {
	const char *prefetchers;	/* "on", "off", or the bits of the
				 * register that turn them off, "0x5"; NULL:
				 * as they are. On all CPUs. */
	const char *governor;	/* of all CPUs; NULL: as it is */
	unsigned huge_pages;	/* so many free ones of 2 MiB; 0: as it is */
	bool nice_given;
	int nice;		/* -20 .. 19 */
	int realtime;		/* SCHED_FIFO priority 1 .. 99; 0: none */
	bool pin_given;
	int pin;		/* this thread, and what it starts, on one
				 * CPU */
};

struct assay_control;

/*
 * Changes the settings, after undoing what a killed run left. Returns 0 and a
 * handle for assay_control_end(), which must come before assay_close();
 * -ASSAY_EPERM with what would help; -ASSAY_EINVAL or -ASSAY_ERANGE for a
 * wish that makes no sense here; -ASSAY_EIO if a change did not stick. After a
 * failure all is as it was. One process at a time may change settings.
 * Prefetchers that were turned off are checked by measuring.
 */
ASSAY_API int assay_control_begin(struct assay *assay,
				  const struct assay_wishes *wishes,
				  struct assay_control **out,
				  struct assay_error *err);
/*
 * What was set, as records keep it: "governor=performance nice=-5". Both
 * strings live as long as the handle.
 */
ASSAY_API const char *assay_control_text(const struct assay_control *control);
/* Why the prefetchers may not be off; "": no doubt. */
ASSAY_API const char *assay_control_doubt(const struct assay_control *control);
/*
 * Undoes everything; control may be NULL. Returns 0, or -ASSAY_EIO if
 * something could not be undone: then the journal is kept.
 */
ASSAY_API int assay_control_end(struct assay_control *control,
				struct assay_error *err);
/* Is there a journal of a run that was killed together with its watcher? */
ASSAY_API bool assay_left_over(struct assay *assay);
/*
 * Undoes it. *undone: so many settings had to be changed back. -ASSAY_EPERM if
 * it needs rights; -ASSAY_EIO if something could not be undone.
 */
ASSAY_API int assay_restore(struct assay *assay, unsigned *undone,
			    struct assay_error *err);

#endif
