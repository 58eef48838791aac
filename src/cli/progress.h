/* SPDX-License-Identifier: MIT */
/* One line on a terminal's stderr that says how far a long command is. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>

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

#endif
