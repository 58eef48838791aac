/* SPDX-License-Identifier: MIT */
/*
 * Progress of a long command: one line on a terminal's stderr. The first ^C
 * ends the current repetition and any waiting, the second one kills.
 */
#include "cli/progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "assay.h"

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

/* ---- ^C ------------------------------------------------------------------ */

/* The only kind of object that a signal handler may write. */
static volatile sig_atomic_t seen;

/* Sets an alarm: a read that starts after `seen` was tested wakes up, too. */
static void on_signal(int number)
{
	(void)number;
	seen = 1;
	alarm(1);
	assay_end_kernel();
}

/* Keeps an ignored signal ignored: we run in the background or by nohup. */
static void unless_ignored(int number, const struct sigaction *action)
{
	struct sigaction old;

	sigaction(number, action, &old);
	if (old.sa_handler == SIG_IGN)
		sigaction(number, &old, NULL);
}

/* Without SA_RESTART: a call that waits fails with EINTR. */
void interrupt_catch(void)
{
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal;
	sigaction(SIGALRM, &action, NULL);
	action.sa_flags = SA_RESETHAND;
	unless_ignored(SIGINT, &action);
	unless_ignored(SIGTERM, &action);
}

bool interrupt_seen(void)
{
	return seen;
}

bool interrupt_stops(void *ctx)
{
	(void)ctx;
	return seen;
}
