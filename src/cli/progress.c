/* SPDX-License-Identifier: MIT */
/* One line on a terminal's stderr that says how far a long command is. */
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void draw(const struct progress *p)
{
	double used = now() - p->start;

	fprintf(stderr, "\r\033[K %s %u/%u", p->what, p->done, p->total);
	if (p->done && used > 1)
		fprintf(stderr, "  %.0f s left",
			used / p->done * (p->total - p->done));
	fflush(stderr);
}

void progress_start(struct progress *p, const char *what, unsigned total,
		    bool quiet)
{
	*p = (struct progress){
		.on = !quiet && isatty(STDERR_FILENO),
		.what = what, .total = total, .start = now(),
	};
	if (p->on)
		draw(p);
}

void progress_step(struct progress *p, unsigned done)
{
	p->done = done;
	if (p->on)
		draw(p);
}

void progress_clear(const struct progress *p)
{
	if (p->on)
		fputs("\r\033[K", stderr);
}

void progress_end(struct progress *p)
{
	progress_clear(p);
	p->on = false;
}
