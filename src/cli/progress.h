/* SPDX-License-Identifier: MIT */
/* Progress of a long command, and its end by ^C. */
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

/* Prints nothing if quiet or if stderr is no terminal. */
void progress_start(struct progress *p, const char *what, unsigned total,
		    bool quiet);
void progress_step(struct progress *p, unsigned done);
/* Clears the line until the next step. */
void progress_clear(const struct progress *p);
void progress_end(struct progress *p);

/*
 * ^C and SIGTERM: the first one ends the current repetition, the second one
 * kills. A read or write that waits at the first one, or starts to within a
 * second, fails with EINTR. Ignored signals stay ignored. Uses SIGALRM.
 */
void interrupt_catch(void);
bool interrupt_seen(void);
/* The same, as .stopped of jobs. */
bool interrupt_stops(void *ctx);

#endif
