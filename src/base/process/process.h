/* SPDX-License-Identifier: MIT */
/* Other programs: finding, starting and waiting for them. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <signal.h>
#include <stddef.h>

#include "assay/error.h"

/* Returns 0, or -ASSAY_EUNAVAIL (names the packages) if PATH lacks `name`. */
int process_find(const char *name, const char *packages,
		 struct assay_error *err);

/*
 * Starts argv[0] from PATH without a shell, passes its standard output line by
 * line to fn (NULL: the program writes to our own), and waits for its end.
 * keep: a descriptor of ours that the program inherits, or -1. A non-zero
 * return of fn ends the program. Returns 0 and the exit code, or 128 + a
 * signal, in *status; -ASSAY_EIO; -ASSAY_ESTOP.
 */
typedef int process_line_fn(void *ctx, const char *text, size_t bytes);
int process_run(const char *const *argv, int keep, process_line_fn *fn,
		void *ctx, int *status, struct assay_error *err);

/* The signals that are passed on to a program, and their former handling. */
struct process_signals {
	sigset_t old;
	struct sigaction child;
	int fd;
};

/*
 * Blocks the signals that end a program; they are read from fd instead. Returns
 * 0 or -ASSAY_EIO. process_signals_restore() undoes both.
 */
int process_signals_block(struct process_signals *out, struct assay_error *err);
void process_signals_restore(struct process_signals *signals);

#endif
