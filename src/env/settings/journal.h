/* SPDX-License-Identifier: MIT */
/*
 * The journal of changed settings: SYSROOT/run/assay/journal. A line is written
 * and synced before its change is made, so whatever happened is in it:
 *
 *	assay-journal 1
 *	KIND CPU WAS NOW SUM
 *
 * SUM is the FNV-1a hash of what stands before it. A last line without it was
 * cut off by a crash, and its change was never begun. The file is trusted only
 * if it is a plain file of our own that nobody else may write; what it names
 * is limited to the table of setting.h.
 *
 * SYSROOT/run/assay/lock is locked by whoever changes settings and by his
 * watcher: a journal whose lock is free is a left-over.
 */
#ifndef ENV_SETTINGS_JOURNAL_H
#define ENV_SETTINGS_JOURNAL_H

#include "env/settings/setting.h"

#define JOURNAL_LINES 8192	/* changes in one journal at most */
#define JOURNAL_BYTES (JOURNAL_LINES * 128)

/*
 * The settings of a journal's text, in order. damaged: the first line that is
 * not what was once written (counted from 1; 0: none); what follows a damaged
 * line is still read, if it is whole. Returns how many, at most room.
 */
size_t journal_parse(struct setting *out, size_t room, const char *text,
		     size_t bytes, unsigned *damaged);

/* One line with its sum. Returns its length, or 0 if it does not fit. */
size_t journal_line(char *out, size_t room, const struct setting *setting);

struct journal {
	const char *sysroot;
	int lock;		/* descriptor, or -1 */
	int file;		/* descriptor, or -1 */
};

/* Is there one, left-over or not? Cheap. */
bool journal_there(const char *sysroot);

/*
 * Takes the lock. Returns 0; -ASSAY_EPERM if the folder cannot be made or is
 * not safe, or if another process holds the lock (holder: its number, or 0).
 */
int journal_lock(struct journal *out, const char *sysroot, int *holder,
		 struct assay_error *err);
void journal_unlock(struct journal *journal);

/* Begins a new journal; there must be none. */
int journal_create(struct journal *journal, struct assay_error *err);
/* Appends and syncs. */
int journal_add(struct journal *journal, const struct setting *setting,
		struct assay_error *err);

/* Room for undoing a journal: no memory is allocated while it is used. */
struct journal_undo {
	struct setting setting[JOURNAL_LINES];
	char text[JOURNAL_BYTES];
	unsigned undone, failed, damaged;	/* the outcome */
	struct assay_error why;			/* of the first failure */
};

/*
 * Undoes all of the journal, last change first, and removes it if nothing
 * failed. Returns 0, also if there is no journal; -ASSAY_EIO with out->why. The
 * lock must be held. Allocates nothing, so that it may follow a fork.
 */
int journal_undo(struct journal *journal, struct journal_undo *out);

#endif
