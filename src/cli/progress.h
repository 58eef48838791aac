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
 * ^C: the first one lets the current point finish, the second one kills. An
 * ignored SIGINT stays ignored.
 */
void interrupt_catch(void);
/*
 * Like interrupt_catch(). A read that waits for input at ^C, or starts to
 * within a second, fails with EINTR. Uses SIGALRM.
 */
void interrupt_catch_waiting(void);
bool interrupt_seen(void);
/* The same, as .stopped of jobs. */
bool interrupt_stops(void *ctx);

#endif
