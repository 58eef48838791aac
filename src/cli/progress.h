/* SPDX-License-Identifier: MIT */
/* A long command: how far it is, and how ^C ends it. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

/* One line on a terminal's stderr. */
struct progress {
	bool on;
	const char *what;
	unsigned done, total;
	double start;		/* seconds */
};

/* Nothing is ever printed if quiet or if stderr is no terminal. */
void progress_start(struct progress *p, const char *what, unsigned total,
		    bool quiet);
void progress_step(struct progress *p, unsigned done);
/* Takes the line away until the next step. */
void progress_clear(const struct progress *p);
void progress_end(struct progress *p);

/*
 * ^C: the first one lets the current point finish, the second one kills. None
 * does anything where it is ignored.
 */
void interrupt_catch(void);
/* The same; what waits for input then, or within a second, fails with EINTR:
 * SIGALRM is used up. */
void interrupt_catch_waiting(void);
bool interrupt_seen(void);
/* The same, as .stopped of jobs. */
bool interrupt_stops(void *ctx);

#endif
