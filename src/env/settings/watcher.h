/* SPDX-License-Identifier: MIT */
/*
 * The watcher: a process that undoes the journal if the process that changed
 * the settings dies, also by SIGKILL. The watcher leaves the terminal's process
 * group, ignores the usual signals, and holds the journal's lock until it ends.
 */
#ifndef ENV_SETTINGS_WATCHER_H
#define ENV_SETTINGS_WATCHER_H

#include "env/settings/journal.h"

struct watcher { int socket; };	/* to the watcher; -1: no watcher */

/*
 * Starts the watcher and waits until it is ready. The journal's lock must be
 * held, and no setting changed yet. The watcher uses the memory of `undo`.
 * Returns 0 or -ASSAY_EIO.
 */
int watcher_start(struct watcher *out, struct journal *journal,
		  struct journal_undo *undo, struct assay_error *err);

/* Ends the watcher, after all was undone, and waits for its end. */
void watcher_stop(struct watcher *watcher);

#endif
