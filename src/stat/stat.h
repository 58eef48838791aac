/* SPDX-License-Identifier: MIT */
/*
 * The parts of assay_stat(), private to this room. stat.c makes a struct
 * stat_job of the caller's struct assay_stat. Of each part:
 *
 * - schedule.c, groups.c: names -> events, and the run in which each event is
 *   counted (struct stat_schedule, stat_follow_setup());
 * - spots.c, cgroup.c: the threads, CPUs and control groups to count (struct
 *   stat_spots);
 * - child.c, threads.c, breakpoint-symbols.c: start and trace the program;
 * - run-once.c, watch.c, control.c: one run, from opening the counters to
 *   reading them (struct stat_watch);
 * - results.c, summary.c, metric.c: counts -> what the caller gets.
 *
 * Times are in nanoseconds of CLOCK_MONOTONIC unless a name says otherwise.
 * Functions that return int return 0 or a negative error of assay/error.h, and
 * fill `err`.
 */
#ifndef STAT_STAT_H
#define STAT_STAT_H

#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "run/run.h"
#include "assay/stat.h"
#include "base/process/process.h"
#include "counters/perf-follow.h"
#include "events/hybrid.h"
#include "events/packing.h"

#define STAT_METRICS 256
#define STAT_RUNS 100000	/* runs of one program at most */
#define THREAD_NAME 32		/* bytes of a thread's name, with its NUL */

/* ---- what is counted ----------------------------------------------------- */

/* The events of one call: run.group has them, run.file the formulas. */
struct stat_schedule {
	struct run run;		/* run.kernel and run.sweep are not used */
	bool replay;		/* saved records are read, no program runs */
	const char *groups;	/* names of -g, separated by commas; or NULL */
	unsigned char brace[ASSAY_EVENTS];	/* number of the event's brace,
						 * or PACKING_LOOSE */
	unsigned char core[ASSAY_EVENTS];	/* index into hybrid->core + 1;
						 * 0: every kind of core */
	struct hybrid *hybrid;	/* owned; NULL: all cores are of one kind */
	struct packing packing;	/* which event is counted in which run */
	unsigned char together[ASSAY_EVENTS];	/* follow_setup.together */
};

/* *out must be all zeroes. After an error nothing is left to free. */
int stat_schedule_init(struct stat_schedule *out, const struct assay *assay,
		   const struct assay_stat *stat, struct assay_error *err);
void stat_schedule_fini(struct stat_schedule *schedule);
/* Sets schedule->packing and ->together. multiplex: all events in every run. */
void stat_schedule_pack(struct stat_schedule *schedule, bool multiplex);

/* Is the quantity in one of these groups? groups: as -g takes them, or NULL. */
bool stat_group_has(const char *groups, int quantity);
/*
 * Is this formula of the schedule's file f shown? Every formula of a file named
 * with -M is. Of the files that -g brings in, the first file with a formula for
 * a quantity of the groups gives this quantity.
 */
bool stat_group_wants(const struct stat_schedule *schedule, unsigned f,
		      size_t formula);
/* Appends the events that the shown formulas of file f need. */
int stat_group_events(struct stat_schedule *schedule, unsigned f,
		      struct assay_error *err);
/* -ASSAY_ENOENT, with the known names, if a group has no such name. */
int stat_group_check(const char *groups, struct assay_error *err);

/* ---- where it is counted ------------------------------------------------- */

/* A control group and its open directory. */
struct stat_cgroup { const char *name; int fd; };

/* The threads or CPUs that get counters. */
struct stat_spots {
	struct follow_spot *spot;	/* control groups: each CPU of the first
					 * group, each CPU of the second ... */
	size_t spots;
	bool inherit;		/* also count what these threads start */
	struct stat_cgroup *cgroup;
	size_t cgroups;
	char *names;		/* the text behind every cgroup[].name */
};

/*
 * Finds the spots of stat->cpus, cgroup, pids or tids. A program without any of
 * these has no spot: its thread does not exist yet.
 */
int stat_spots_init(struct stat_spots *out, const struct assay_stat *stat,
		    const char *sysroot, struct assay_error *err);
void stat_spots_fini(struct stat_spots *spots);

/*
 * Opens the directory of a control group. Returns 0; -ASSAY_EINVAL,
 * -ASSAY_ENOENT with the nearest name, -ASSAY_EPERM, or -ASSAY_EUNAVAIL where
 * no hierarchy of control groups is mounted that perf_event can count.
 */
int stat_cgroup_open(int *out, const char *name, const char *sysroot,
		     struct assay_error *err);
/*
 * Opens each group of "a,b,c" into out->cgroup. `out` owns the groups, also
 * after an error. Errors as stat_cgroup_open(); -ASSAY_EINVAL if one group is
 * inside another one: its counts would be counted twice.
 */
int stat_cgroups_open(struct stat_spots *out, const char *list,
		      const char *sysroot, struct assay_error *err);

/* ---- the program --------------------------------------------------------- */

/* A process that was forked for the program, and waits before its exec. */
struct stat_child {
	pid_t pid;
	int go, failed;		/* pipes: "call exec now"; exec's errno */
};

/* Is there a breakpoint event on a symbol, whose address must be found? */
bool stat_needs_symbols(const struct group *group);
/*
 * Replaces the symbols of breakpoint events by their addresses in the program
 * or process; an event whose symbol is not found becomes absent, with the
 * reason. The addresses hold only for a program that runs without address-space
 * randomisation. Returns 0, or the errno of a program that exec refused.
 */
int stat_find_symbols(struct group *group, const struct assay_stat *stat);
/* Switches address-space randomisation off for the calling process and for
 * what this process executes. */
bool stat_disable_aslr(void);

/*
 * Starts the program at once, by vfork. *status: as stat_child_release() sets
 * it. pin: a list of CPUs to run on, or NULL.
 */
int stat_child_start(struct stat_child *out, char *const *program,
		     const char *pin, bool no_aslr,
		     const struct process_signals *signals, int *status,
		     struct assay_error *err);
/* Forks a child that waits for stat_child_release() or stat_child_drop(). */
int stat_child_fork(struct stat_child *out, char *const *program,
		    const char *pin, bool no_aslr,
		    const struct process_signals *signals,
		    struct assay_error *err);
struct stat_trace;
/* Lets the child call exec. trace: if the child is traced, else NULL. *status
 * is set to 126 (not executable) or 127 (not found) if exec fails. */
int stat_child_release(struct stat_child *child, struct stat_trace *trace,
		       const char *name, int *status, struct assay_error *err);
/* The error text and *status (126 or 127) for this errno of exec. */
int stat_exec_failed(int error, const char *name, int *status,
		     struct assay_error *err);
/* Ends a child that was not released. */
void stat_child_drop(struct stat_child *child);

/* A thread of a traced program. */
struct stat_tracee {
	pid_t tid;
	size_t spot;		/* index into job->spots */
	bool counted;		/* the thread has a spot */
};

/* A traced program whose threads are counted one by one. */
struct stat_trace {
	struct stat_job *job;
	pid_t child;		/* the program's first thread */
	struct stat_tracee *tracee;
	size_t tracees;
	int failed;		/* the error of a thread that got no counters:
				 * later threads get none either */
	bool ended;		/* the child; then also: */
	int status;		/* of wait() */
	struct rusage usage;
};

/* Reads the names of the threads of stat->pids or tids, with per_thread. */
int stat_name_threads(struct stat_job *job, struct assay_error *err);

/*
 * Traces `child`, which waits before its exec; each of its threads becomes a
 * spot with counters of its own. stat_threads_end() must be called in any case.
 * Returns 0; -ASSAY_EUNAVAIL if ptrace is refused; -ASSAY_ENOMEM.
 */
int stat_threads_begin(struct stat_job *job, struct stat_trace *trace,
		       pid_t child, struct assay_error *err);
/* Handles all that has happened to the threads, and does not wait. Returns
 * trace->ended. */
bool stat_threads_poll(struct stat_trace *trace);
/* Detaches from the threads that still run: they go on, untraced. Returns
 * trace->failed, with a text: -ASSAY_ERANGE if there were too many threads. */
int stat_threads_end(struct stat_trace *trace, struct assay_error *err);

/* ---- one run ------------------------------------------------------------- */

/* The control FIFO. */
struct stat_control {
	int commands, answers;	/* descriptors; -1: none */
	char line[64];		/* the part of a line that was read so far */
	size_t used;
};
enum stat_command {
	STAT_NOTHING, STAT_ENABLE, STAT_DISABLE, STAT_PING, STAT_STOP,
	STAT_UNKNOWN
};

/* text: FIFO[,ACK-FIFO] or fd:NUMBER[,NUMBER]. */
int stat_control_open(struct stat_control *out, const char *text,
		      struct assay_error *err);
void stat_control_close(struct stat_control *control);
/* The next complete command; STAT_NOTHING: no complete line was read. */
enum stat_command stat_control_next(struct stat_control *control);

/* A run from the start of the program to its end. */
struct stat_watch {
	const struct assay_stat *stat;
	const struct process_signals *signals;
	struct stat_control *control;	/* or NULL */
	const struct follow *follow;
	bool on;		/* counting is on; the caller sets the first
				 * value */
	bool was_on;		/* ... at any time since the last interval */
	bool ever_on;		/* ... at any time of the run */
	uint64_t start;		/* stat_now() when the program was started */
	pid_t child;		/* 0: no program was started */
	struct stat_trace *trace;	/* or NULL */
	const struct stat_spots *spots;
	/* Called after each interval, and at the end for the last part. ns:
	 * since the start. Non-zero: no more intervals are wanted. */
	int (*interval)(void *ctx, uint64_t ns);
	void *ctx;
	/* results */
	uint64_t ns, user_ns, system_ns;
	uint64_t preempted;	/* involuntary context switches */
	int status;		/* exit code, or 128 + signal */
	bool stopped;		/* by a signal or "stop": no further runs */
};

/* Waits for the end of the run, then switches the counters off. */
int stat_watch(struct stat_watch *watch, struct assay_error *err);
uint64_t stat_now(void);

/* ---- the call ------------------------------------------------------------ */

/* One call of assay_stat(). */
struct stat_job {
	const struct assay_stat *stat;
	struct assay *assay;
	assay_stat_fn *fn;
	void *ctx;
	struct stat_schedule schedule;
	struct stat_spots spots;
	char (*thread)[THREAD_NAME];	/* [spot], with stat->per_thread */
	struct process_signals signals;
	struct stat_control control;
	struct assay_trust *trust;
	struct assay_record *record;	/* a repetition for each run */
	double *user, *system;		/* ns of each run */
	uint64_t stolen;		/* ns before the run; if stolen_known */
	bool stolen_known;
	char title[256];
	unsigned runs;			/* complete runs */
	bool no_aslr;			/* run without address-space
					 * randomisation */
	int status;
	/* of the present run */
	struct follow *follow;
	unsigned run;			/* its number, from 0 */
	const struct stat_watch *watch;	/* NULL: the run has ended */
	bool was_on;			/* counting was on during the run */
	struct follow_value last[ASSAY_EVENTS];	/* at the last interval */
};

/* Runs the program once, as run job->run. *stopped: no further runs. */
int stat_run_once(struct stat_job *job, bool *stopped, struct assay_error *err);

/* How follow_open() opens the counters of job->run. left_out: [ASSAY_EVENTS],
 * kept in *out. The spots in *out are borrowed from the job. */
void stat_follow_setup(const struct stat_job *job, struct follow_setup *out,
		       bool *left_out);

/* ---- results ------------------------------------------------------------- */

/* The count of an event from its value, enabled and running time. */
struct assay_count stat_count_of(const struct follow_value *v);

/* A record's means and metrics. Large: allocate it on the heap. */
struct stat_summary {
	struct assay_stat_result result;
	struct assay_record *record;	/* one repetition: the means */
	struct assay_stat_count count[ASSAY_EVENTS];
	struct assay_stat_metric metric[STAT_METRICS];
	struct assay_trusted trusted[ASSAY_EVENTS];
};

/* Of each event the sum of its counts, over all runs that counted it. */
struct stat_means {
	const struct assay_record *record;
	unsigned sets;		/* run n counted the events of set n % sets */
	double *sum;		/* [event] */
	unsigned *runs;		/* [event]: the number of counts in sum */
};

/* Returns 0 or -ASSAY_ENOMEM. The record is borrowed. */
int stat_means_init(struct stat_means *out, const struct assay_record *record,
		    unsigned sets);
void stat_means_fini(struct stat_means *means);
/* Sets out->value from means that are not rounded, unless out->value is absent,
 * and out->error. */
void stat_metric_value(struct assay_stat_metric *out,
		       const struct stat_means *means,
		       const struct formula_file *file,
		       const struct formula *formula);

/* Means of the record's repetitions, and the formulas over the means. *out must
 * be all zeroes. */
int stat_summarize(struct stat_summary *out,
		   const struct stat_schedule *schedule,
		   const struct assay_trust *trust,
		   const struct assay_record *record, struct assay_error *err);
void stat_summary_fini(struct stat_summary *summary);

/* Mean and standard error of n numbers. */
void stat_mean(const double *x, size_t n, double *mean, double *error);
/* Mean of n times in ns; absent if the times were not measured. */
struct assay_stat_time stat_mean_time(const double *ns, unsigned n,
				      bool measured);

/* Writes machine, program and events of the job into the record. */
void stat_name_events(const struct stat_job *job, struct assay_record *record);
/* Is the event the elapsed time, which no counter counts? */
bool stat_is_elapsed(const struct stat_job *job, unsigned event);
/* out[e]: the count of value[e], for each event with have[e]. */
void stat_fill_counts(const struct stat_job *job,
		      const struct follow_value *value, const bool *have,
		      struct assay_count *out);
/* Summarizes the record and hands the result to the caller. frame: what part of
 * the run the result is of, and the times. */
int stat_report(struct stat_job *job, const struct assay_record *record,
		const struct assay_stat_result *frame,
		struct assay_error *err);
/* A stat_watch.interval; ctx is the job. */
int stat_report_interval(void *ctx, uint64_t ns);
/* One result for each thread, or for each control group, of the run. */
int stat_report_threads(struct stat_job *job, struct assay_error *err);
int stat_report_cgroups(struct stat_job *job, struct assay_error *err);
/* Was any event counted in any run? */
bool stat_any_counted(const struct assay_record *record);

#endif
