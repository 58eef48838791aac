/* SPDX-License-Identifier: MIT */
/*
 * The journal of changed settings: SYSROOT/run/assay/journal. A line is written
 * and synced before its change is made, so the journal has every change:
 *
 *	assay-journal 1
 *	KIND CPU WAS NOW SUM
 *
 * SUM is the FNV-1a hash of the line before it. A last line without SUM was cut
 * off by a crash, and its change was never begun. The file is trusted only if
 * it is a regular file of this user that nobody else may write; it can name
 * only settings of the table in setting.c.
 *
 * The process that changes settings and its watcher hold a lock on
 * SYSROOT/run/assay/lock: a journal whose lock is free is a left-over.
 */
#ifndef ENV_SETTINGS_JOURNAL_H
#define ENV_SETTINGS_JOURNAL_H

#include "env/settings/setting.h"

#define JOURNAL_LINES 8192	/* changes in one journal at most */
#define JOURNAL_BYTES (JOURNAL_LINES * 128)

/*
 * The settings in a journal's text, in order. *damaged: the number of the first
 * line whose SUM or fields are wrong (from 1; 0: none); the lines behind it are
 * still read. Returns the number of settings, at most room.
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

/* Does a journal exist, left-over or in use? One system call. */
bool journal_there(const char *sysroot);

/*
 * Takes the lock. Returns 0; -ASSAY_EPERM if the folder cannot be made or is
 * not safe, or if another process holds the lock (holder: its number, or 0).
 */
int journal_lock(struct journal *out, const char *sysroot, int *holder,
		 struct assay_error *err);
void journal_unlock(struct journal *journal);

/* Creates the journal file; an error if it exists. The lock must be held. */
int journal_create(struct journal *journal, struct assay_error *err);
/* Appends a line and syncs the file. */
int journal_add(struct journal *journal, const struct setting *setting,
		struct assay_error *err);

/* The memory for undoing a journal, allocated beforehand, and the outcome. */
struct journal_undo {
	struct setting setting[JOURNAL_LINES];
	char text[JOURNAL_BYTES];
	unsigned undone, failed, damaged;	/* the outcome */
	struct assay_error why;			/* of the first failure */
};

/*
 * Undoes all changes of the journal, the last one first, and removes the file
 * if none failed; else the file keeps those that failed. A value that is not
 * the one of the journal was set by somebody else: it stays, and undoing it has
 * failed. The lock must be held. Allocates no memory, so that a forked
 * process may call this. Returns 0, also without a journal; -ASSAY_EIO or
 * -ASSAY_EPERM with the reason in out->why.
 */
int journal_undo(struct journal *journal, struct journal_undo *out);

#endif
