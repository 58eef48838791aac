/* SPDX-License-Identifier: MIT */
/*
 * The loop of a run: waits for the end of the program, of the counted processes
 * or of counting, and meanwhile passes on signals, carries out commands of the
 * control FIFO, starts counting after a delay, and reports intervals. There is
 * one ppoll() on the signalfd and the FIFO; its timeout is the next time at
 * which counting starts or an interval ends. When stat_watch() returns, the
 * counters are off.
 */
#define _GNU_SOURCE	/* ppoll */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stat/stat.h"
#include "base/text.h"
#include "base/sysfile.h"

#define MS UINT64_C(1000000)
#define LOOK_AGAIN (50 * MS)	/* how often /proc is searched for processes
				 * that are not children of this one */
#define NEVER UINT64_MAX

struct loop {
	struct stat_watch *watch;
	uint64_t start;
	uint64_t enable_at, interval_at;	/* NEVER: not due any more */
	bool ended;		/* the run */
	bool refused;		/* the caller wants no more intervals */
};

uint64_t stat_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t ns_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000 + (uint64_t)t->tv_usec * 1000;
}

static void reap(struct loop *l)
{
	struct stat_watch *w = l->watch;
	struct rusage usage;
	int status;

	if (w->trace ? !stat_threads_poll(w->trace) :
	    !w->child || wait4(w->child, &status, WNOHANG, &usage) != w->child)
		return;
	if (w->trace) {
		status = w->trace->status;
		usage = w->trace->usage;
	}
	w->ns = stat_now() - l->start;
	w->user_ns = ns_of(&usage.ru_utime);
	w->system_ns = ns_of(&usage.ru_stime);
	w->preempted = (uint64_t)usage.ru_nivcsw;
	w->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
					  WEXITSTATUS(status);
	l->ended = true;
}

/* Passes a signal on to the program. Signals of the terminal (SI_KERNEL) reach
 * the program without this. */
static void pass_on(struct loop *l, const struct signalfd_siginfo *info)
{
	struct stat_watch *w = l->watch;
	const int number = (int)info->ssi_signo;
	const bool ends = number != SIGUSR1 && number != SIGUSR2;

	if (w->child && info->ssi_code != SI_KERNEL)
		kill(w->child, number);
	if (ends)
		w->stopped = true;
	if (ends && !w->child)
		l->ended = true;
}

static void read_signals(struct loop *l)
{
	struct signalfd_siginfo info;

	while (read(l->watch->signals->fd, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			continue;	/* reap() is called in any case */
		pass_on(l, &info);
	}
	reap(l);
}

static void enable(struct loop *l)
{
	struct stat_watch *w = l->watch;

	follow_enable(w->follow);
	w->on = w->was_on = w->ever_on = true;
	l->enable_at = NEVER;
}

static void disable(struct loop *l)
{
	follow_disable(l->watch->follow);
	l->watch->on = false;
	l->enable_at = NEVER;
}

static void answer(const struct stat_control *control)
{
	static const char ack[] = "ack\n";

	/* A full FIFO is no error: nobody reads the answers. */
	if (control->answers >= 0 &&
	    write(control->answers, ack, sizeof(ack) - 1) < 0)
		return;
}

static void read_commands(struct loop *l)
{
	struct stat_watch *w = l->watch;
	enum stat_command command;

	while ((command = stat_control_next(w->control)) != STAT_NOTHING) {
		if (command == STAT_ENABLE) {
			enable(l);
		} else if (command == STAT_DISABLE) {
			disable(l);
		} else if (command == STAT_STOP) {
			w->stopped = true;
			if (w->child)
				kill(w->child, SIGTERM);
			else
				l->ended = true;
		} else if (command == STAT_UNKNOWN) {
			continue;
		}
		answer(w->control);
	}
}

#define SKIP_4 "%*s%*s%*s%*s"	/* fields */

/* Does the process run? One that has ended stays in /proc, in state Z, until
 * its parent looks; a process whose first thread has ended is in state Z, too. */
static bool is_running(int pid)
{
	char text[512], state = 'Z';
	const char *end;
	long threads = 0;

	if (sysfile_text(text, sizeof(text), "/", "/proc/%d/stat", pid) <= 0)
		return false;
	end = strrchr(text, ')');
	if (end)
		sscanf(end + 1, " %c" SKIP_4 SKIP_4 SKIP_4 SKIP_4 "%ld", &state,
		       &threads);
	return state != 'Z' || threads > 1;
}

/* Ends the run if none of the counted processes runs any more. These are not
 * children of this process, so no signal tells of their end. */
static void look_for_others(struct loop *l)
{
	const struct stat_spots *spots = l->watch->spots;

	if (l->watch->child || !spots || !spots->spots)
		return;
	for (size_t i = 0; i < spots->spots; i++)
		if (spots->spot[i].cpu >= 0 ||
		    is_running((int)spots->spot[i].pid))
			return;
	l->ended = true;
}

/* Starts counting, or reports an interval, if that is due. If the caller wants
 * no more intervals, the loop still waits for the program. */
static void do_what_is_due(struct loop *l)
{
	struct stat_watch *w = l->watch;
	const uint64_t now = stat_now();

	if (now >= l->enable_at)
		enable(l);
	if (now < l->interval_at)
		return;
	/* An interval that is over by now is left out. */
	while (l->interval_at <= now)
		l->interval_at += w->stat->interval_ms * MS;
	if (w->interval(w->ctx, now - l->start)) {
		l->refused = w->stopped = true;
		l->interval_at = NEVER;
		l->ended = !w->child;
	}
	w->was_on = w->on;
}

static uint64_t next_due(const struct loop *l)
{
	uint64_t next = l->enable_at < l->interval_at ? l->enable_at :
							l->interval_at;

	if (!l->watch->child && next > stat_now() + LOOK_AGAIN)
		next = stat_now() + LOOK_AGAIN;
	return next;
}

static void wait_for_something(struct loop *l)
{
	struct stat_watch *w = l->watch;
	const uint64_t next = next_due(l), now = stat_now();
	const uint64_t left = next > now ? next - now : 0;
	const struct timespec timeout = { (time_t)(left / 1000000000),
					  (long)(left % 1000000000) };
	struct pollfd fds[2] = {
		{ .fd = w->signals->fd, .events = POLLIN },
		{ .fd = w->control ? w->control->commands : -1,
		  .events = POLLIN },
	};

	if (ppoll(fds, 2, next == NEVER ? NULL : &timeout, NULL) > 0 &&
	    fds[1].revents & (POLLHUP | POLLERR | POLLNVAL) &&
	    !(fds[1].revents & POLLIN))
		w->control = NULL;	/* all writers of the FIFO have gone */
}

int stat_watch(struct stat_watch *watch, struct assay_error *err)
{
	const struct assay_stat *stat = watch->stat;
	struct loop l = {
		.watch = watch, .start = watch->start, .enable_at = NEVER,
		.interval_at = NEVER,
	};

	if (stat->delay_ms > 0)
		l.enable_at = l.start + (uint64_t)stat->delay_ms * MS;
	if (stat->interval_ms)
		l.interval_at = l.start + stat->interval_ms * MS;
	watch->ns = 0;
	watch->was_on = watch->ever_on = watch->on;
	for (;;) {
		read_signals(&l);
		if (!l.ended && watch->control)
			read_commands(&l);
		if (!l.ended)
			look_for_others(&l);
		if (l.ended)
			break;
		do_what_is_due(&l);
		if (!l.ended)
			wait_for_something(&l);
	}
	if (!watch->ns)
		watch->ns = stat_now() - l.start;
	/* Processes that still run must not be counted while counters are
	 * read. */
	follow_disable(watch->follow);
	/* The last part of an interval: the intervals add up to the total. */
	if (stat->interval_ms && !l.refused)
		l.refused = watch->interval(watch->ctx, watch->ns) != 0;
	return l.refused ? error_set(err, -ASSAY_ESTOP, "stopped") : 0;
}
