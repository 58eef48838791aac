/* SPDX-License-Identifier: MIT */
/*
 * Other programs: finding, starting and waiting for them. Each program that
 * process_start() or process_run() starts has a keeper, a process between this
 * one and the program. If this process dies, also by SIGKILL, the keeper kills
 * the program and all that the program started.
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "assay/error.h"

/* Returns 0, or -ASSAY_EUNAVAIL (names the packages) if PATH lacks `name`. */
int process_find(const char *name, const char *packages,
		 struct assay_error *err);

struct process_how {
	const char *const *argv;	/* argv[0] is searched for in PATH */
	char *const *environment;	/* NULL: that of this process */
	const sigset_t *mask;		/* blocked signals; NULL: as here */
	int in, out;	/* descriptors that become its standard input and
			 * output; -1: those of this process */
	int keep;	/* a descriptor that the program inherits, or -1 */
};

/*
 * Starts a program without a shell. *pid: the keeper, for waitpid(); its exit
 * code is the program's, or 128 + the signal that ended the program. Signals
 * that this process sends to the keeper reach the program. Returns 0 or an
 * errno.
 */
int process_start(pid_t *pid, const struct process_how *how);
/* Lets the keeper kill the program and all that the program started. */
void process_end(pid_t pid);

/* Is the command to stop? Asked when a signal has interrupted the waiting. */
typedef bool process_stopped_fn(void *ctx);
typedef int process_line_fn(void *ctx, const char *text, size_t bytes);

struct process_run {
	const char *const *argv;
	int keep;			/* as in struct process_how */
	process_line_fn *line;	/* gets standard output line by line; NULL: the
				 * program writes to our own */
	void *line_ctx;
	process_stopped_fn *stopped;	/* or NULL */
	void *stopped_ctx;
};

/*
 * Starts a program whose standard input is empty, and waits for its end. A
 * non-zero return of line(), or true of stopped(), ends the program. Returns 0
 * and the exit code, or 128 + a signal, in *status; -ASSAY_EIO; -ASSAY_ESTOP.
 */
int process_run(const struct process_run *run, int *status,
		struct assay_error *err);

/* Gives all caught signals their default action, as exec would. */
void process_drop_handlers(void);

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
