/* SPDX-License-Identifier: MIT */
/*
 * Counting any program, process or CPU from outside: what `assay stat` does.
 *
 * Counts are of user code unless an event says otherwise (":k", ":uk"), except
 * for events that only the kernel has (context switches, tracepoints). A
 * program is counted from its exec on, with all threads and processes that it
 * starts.
 */
#ifndef ASSAY_STAT_H
#define ASSAY_STAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "assay.h"

#define ASSAY_STAT_WAIT (-1)	/* .delay_ms: until "enable" is received */

/*
 * What is to be counted, and where: a program; or CPUs, a control group (on
 * all CPUs or these), processes or threads, until they end, a signal comes, or
 * the program, which then is not counted itself, ends. Strings are borrowed
 * for the call. Zero is a sensible value of every member.
 */
struct assay_stat {
	char *const *program;	/* arguments, NULL-terminated; or NULL */
	const char *on;		/* NULL, "perf": this machine;
				 * "replay:FILE|NAME": saved records */
	const char *events;	/* "a,b,{c,d}": c and d are counted at the same
				 * times; NULL: what the formulas need, else a
				 * few common ones */
	const char *formulas;	/* "file[:variant],..." or NULL */
	const char *groups;	/* "l2,tlb": the quantities of assay_stat_groups
				 * by the formula files for this CPU; or NULL */
	unsigned repeats;	/* runs of the program; 0: 1 */
	const char *cpus;	/* "0,2-3": all that runs there; or NULL */
	const char *cgroup;	/* "/system.slice/x,/y": what runs in these
				 * control groups, by their paths in the
				 * unified hierarchy or that of perf_event,
				 * none inside another; or NULL. Of several,
				 * each has a result in each run */
	const char *pin;	/* "0,2-3": the program runs there only */
	const char *pids;	/* "1,2": these processes, with all threads */
	const char *tids;	/* "1,2": these threads only */
	bool per_thread;	/* one result for each thread: of those of pids
				 * (each with what it starts) or tids; or, in
				 * each run, of all threads and processes of the
				 * program, which is traced to meet them (it
				 * stops where they begin and end), up to
				 * 4096 */
	unsigned interval_ms;	/* > 0: also a result for each interval, and
				 * for the rest: together the total */
	int delay_ms;		/* count only after this time; or
				 * ASSAY_STAT_WAIT, which needs .control */
	const char *control;	/* "[fifo:]PATH[,ACK]" or "fd:N[,N]": lines
				 * "enable", "disable", "ping", "stop", each
				 * answered by "ack"; or NULL */
	bool multiplex;		/* share counters in time instead of counting
				 * in several runs: estimates */
};

struct assay_stat_count {
	const char *name;	/* as asked for; on CPUs of several core types
				 * one count per type, "TYPE/NAME/" */
	const char *code;	/* what was programmed; may be "" */
	const char *unit;	/* "ns" or NULL */
	struct assay_value value;	/* mean over .runs; scaled if it is an
					 * estimate */
	double error;		/* standard error of the mean, 0 if runs < 2 */
	unsigned runs;		/* in which it was counted */
	uint64_t enabled, running;	/* ns, summed over all of .runs */
	enum assay_mark mark;	/* by the newest certificate that fits */
	const char *mark_why;	/* one sentence, or "" */
};

/* A formula over the means. */
struct assay_stat_metric {
	const char *file, *name, *text;
	struct assay_value value;
	double error;		/* standard error, by leaving out one run after
				 * the other: correlated counts are no problem */
	const char *error_why;	/* there is none: the reason; or NULL */
	enum assay_mark mark;	/* of its worst event; verified if all are */
	const char *mark_why;
	const char *warning;	/* of the formula; or "" */
};

/* ns, mean over the runs; absent where there was none. */
struct assay_stat_time {
	struct assay_value mean;
	double error;
};

enum assay_stat_kind {
	ASSAY_STAT_TOTAL,	/* of everything; the last result */
	ASSAY_STAT_INTERVAL,	/* between two moments of one run */
	ASSAY_STAT_THREAD,	/* of one thread, with .per_thread */
	ASSAY_STAT_CGROUP,	/* of one of several control groups */
};

/* Borrowed for the call. */
struct assay_stat_result {
	enum assay_stat_kind kind;
	unsigned run;		/* which run it is a part of, from 1; TOTAL, or
				 * only one run was asked for: 0 */
	double seconds;		/* INTERVAL: its end, since the start */
	pid_t tid;		/* THREAD */
	const char *thread;	/* THREAD: its name */
	const char *cgroup;	/* CGROUP: as asked for */
	const struct assay_record *record;	/* TOTAL: every run; else NULL */
	const char *title;	/* the program's arguments, "process 12" ... */
	unsigned runs;		/* complete ones */
	unsigned sets;		/* runs that counting everything once takes */
	const struct assay_stat_count *count;
	size_t counts;
	const struct assay_stat_metric *metric;
	size_t metrics;
	struct assay_stat_time elapsed, user, system;
	const char *about;	/* one sentence about the certificate */
	int status;		/* of the last run: exit code, or 128 + signal */
};

/* Non-zero return stops with -ASSAY_ESTOP, once the program has ended. */
typedef int assay_stat_fn(void *ctx, const struct assay_stat_result *result);

/*
 * Counts and hands out results. While it works, SIGINT, SIGTERM, SIGHUP,
 * SIGQUIT, SIGUSR1 and SIGUSR2 that come to the calling thread are passed on
 * to the program; without one, the first two end the counting. Their handling
 * is as before when it returns.
 *
 * *status is set in every case: the program's exit code or 128 + its signal;
 * 127 or 126 if it was not found or could not be executed; 125 if it was not
 * started or counting failed. Returns 0; -ASSAY_EUNAVAIL if nothing at all was
 * counted, with the cause (a program of which nothing can be counted is not
 * started); mistakes in what was asked for as assay_run.
 */
ASSAY_API int assay_stat(struct assay *assay, const struct assay_stat *stat,
			 assay_stat_fn *fn, void *ctx, int *status,
			 struct assay_error *err);

/* Rows "group" {group, quantities}: what .groups may name. */
ASSAY_API int assay_stat_groups(assay_row_fn *fn, void *ctx);

#endif
