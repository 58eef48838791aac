/* SPDX-License-Identifier: MIT */
/* Other programs: finding, starting and waiting for them. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <signal.h>
#include <stddef.h>

#include "assay/error.h"

/* 0, or -ASSAY_EUNAVAIL with the packages if it is not in PATH. */
int process_find(const char *name, const char *packages, struct assay_error *err);

/*
 * Starts argv[0] from PATH without a shell, hands out its standard output
 * line by line (NULL: it keeps ours), and waits. keep: a file of ours that it
 * inherits, or -1. A non-zero return of fn ends it. Returns 0 and the exit code,
 * or 128 + a signal, in *status; -ASSAY_EIO; -ASSAY_ESTOP.
 */
typedef int process_line_fn(void *ctx, const char *text, size_t bytes);
int process_run(const char *const *argv, int keep, process_line_fn *fn, void *ctx,
	     int *status, struct assay_error *err);

/* The signals that are passed on to a program, and their former handling. */
struct process_signals {
	sigset_t old;
	struct sigaction child;
	int fd;
};

/*
 * Blocks the signals that end a program and takes them from fd instead.
 * Returns 0 or -ASSAY_EIO. process_signals_give() undoes all of that.
 */
int process_signals_take(struct process_signals *out, struct assay_error *err);
void process_signals_give(struct process_signals *signals);

#endif
