/* SPDX-License-Identifier: MIT */
/*
 * A process of its own that undoes the journal if the one that changed the
 * settings dies, however it dies. It leaves the terminal's process group,
 * ignores the usual signals, and keeps the journal's lock until it is done.
 */
#ifndef ENV_SETTINGS_WATCHER_H
#define ENV_SETTINGS_WATCHER_H

#include "env/settings/journal.h"

struct watcher { int line; };	/* to the watcher; -1: there is none */

/*
 * The journal's lock must be held, and nothing changed yet. undo is the room
 * that the watcher will use. When this returns 0 the watcher is watching.
 */
int watcher_start(struct watcher *out, struct journal *journal,
		  struct journal_undo *undo, struct assay_error *err);

/* All was undone: the watcher ends. Returns when it has. */
void watcher_stop(struct watcher *watcher);

#endif
