/* SPDX-License-Identifier: MIT */
/* The parts of assay_stat(). Private to the api room. */
#ifndef STAT_STAT_H
#define STAT_STAT_H

#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "run/run.h"
#include "assay/stat.h"
#include "base/process.h"
#include "counters/perf-follow.h"
#include "events/hybrid.h"
#include "events/packing.h"

#define STAT_METRICS 256
#define STAT_RUNS 100000	/* of one program at most */

/* What is counted: run.group and run.file, made from names. */
struct stat_plan {
	struct run run;		/* its kernel and sweep are not used */
	bool replay;
	const char *groups;	/* as asked for; or NULL */
	unsigned char brace[ASSAY_EVENTS];	/* or PACKING_LOOSE */
	unsigned char core[ASSAY_EVENTS];	/* core type + 1; 0: of all */
	struct hybrid *hybrid;	/* NULL: one kind of core */
	struct packing packing;
	unsigned char together[ASSAY_EVENTS];	/* FOLLOW_ALONE or a group */
};

/* Into zeroes. */
int stat_plan_init(struct stat_plan *out, const struct assay *assay,
		   const struct assay_stat *stat, struct assay_error *err);
void stat_plan_fini(struct stat_plan *plan);
/* Sets: which events are counted in which run. */
void stat_plan_pack(struct stat_plan *plan, bool multiplex);

/* A control group by its open folder. */
struct stat_cgroup { const char *name; int fd; };

/* Whom to count. */
struct stat_spots {
	struct follow_spot *spot;	/* of control groups: each CPU of the
					 * first, each of the second ... */
	size_t spots;
	bool inherit;
	struct stat_cgroup *cgroup;
	size_t cgroups;
	char *names;		/* of all of them */
};

/* For everything but a program alone, whose one thread is not there yet. */
int stat_spots_init(struct stat_spots *out, const struct assay_stat *stat,
		    const char *sysroot, struct assay_error *err);
void stat_spots_fini(struct stat_spots *spots);

/*
 * Opens the folder of a control group. Returns 0; -ASSAY_EINVAL, -ASSAY_ENOENT
 * with what may have been meant, -ASSAY_EPERM, or -ASSAY_EUNAVAIL where no
 * hierarchy that counts is mounted.
 */
int stat_cgroup_open(int *out, const char *name, const char *sysroot,
		     struct assay_error *err);
/*
 * Opens all of "a,b,c" into the spots, which own them, also after an error.
 * Errors as stat_cgroup_open(); -ASSAY_EINVAL if one is inside another, whose
 * counts would contain it.
 */
int stat_cgroups_open(struct stat_spots *out, const char *list,
		      const char *sysroot, struct assay_error *err);

/* A program that waits before its exec. */
struct stat_child {
	pid_t pid;
	int go, failed;		/* pipes */
};

/*
 * Breakpoints on symbols of the program or the process: their addresses, or
 * why they cannot be had. A program must then be made to stay in place.
 * Returns 0, or the errno of a program that cannot be executed.
 */
bool stat_needs_symbols(const struct group *group);
int stat_find_symbols(struct group *group, const struct assay_stat *stat);
/* For the calling process and what it executes: no address randomisation. */
bool stat_stay_in_place(void);

/*
 * Starts the program; *status as of stat_child_go(). pin: its CPUs, or NULL;
 * fixed: it stays in place.
 */
int stat_child_start(struct stat_child *out, char *const *program,
		     const char *pin, bool fixed,
		     const struct process_signals *signals, int *status,
		     struct assay_error *err);
/* Forks; the child waits. */
int stat_child_make(struct stat_child *out, char *const *program,
		    const char *pin, bool fixed, const struct process_signals *signals,
		    struct assay_error *err);
/* Lets it go on. *status: 126 or 127 if it cannot be executed. */
int stat_child_go(struct stat_child *child, const char *name, int *status,
		  struct assay_error *err);
/* Says why it could not be executed. */
int stat_not_run(int error, const char *name, int *status,
		 struct assay_error *err);
/* Ends one that was not let go. */
void stat_child_drop(struct stat_child *child);

/* The control FIFO. */
struct stat_control {
	int commands, answers;	/* -1: none */
	char line[64];		/* read so far */
	size_t used;
};
enum stat_command {
	STAT_NOTHING, STAT_ENABLE, STAT_DISABLE, STAT_PING, STAT_STOP,
	STAT_UNKNOWN
};

int stat_control_open(struct stat_control *out, const char *text,
		      struct assay_error *err);
void stat_control_close(struct stat_control *control);
/* The next command, and "ack" for it; NOTHING: none is complete yet. */
enum stat_command stat_control_next(struct stat_control *control);

/* The threads of a traced program; spot: a number that add() gave. */
struct stat_tracee {
	pid_t tid;
	size_t spot;
	bool met;		/* it has a spot */
};
struct stat_trace {
	/* A thread that is stopped before its first instruction. */
	int (*add)(void *ctx, pid_t tid, size_t *spot);
	/* It is there for the last time. */
	void (*name)(void *ctx, size_t spot, pid_t tid);
	void (*gone)(void *ctx, size_t spot);
	void *ctx;
	pid_t child;
	struct stat_tracee *tracee;
	size_t tracees;
	int failed;		/* what add() returned: no more are added */
};

/*
 * child: one that waits before its exec, to be ended by stat_trace_end() in
 * any case. Returns 0; -ASSAY_EUNAVAIL if it cannot be traced; what add()
 * returns, without a text.
 */
int stat_trace_begin(struct stat_trace *trace, pid_t child,
		     struct assay_error *err);
/* Whatever has happened; true: the child has ended, by this wait status. */
bool stat_trace_look(struct stat_trace *trace, int *status,
		     struct rusage *usage);
/* Who is still there runs on, untraced. */
void stat_trace_end(struct stat_trace *trace);

/* One run, once it goes. */
struct stat_watch {
	const struct assay_stat *stat;
	const struct process_signals *signals;
	struct stat_control *control;	/* or NULL */
	const struct follow *follow;
	bool on;		/* counting; set by the caller for the start */
	bool was_on;		/* at any time since the last interval */
	bool ever_on;
	uint64_t start;		/* stat_now() when it was let go */
	pid_t child;		/* 0: none */
	struct stat_trace *trace;	/* or NULL */
	const struct stat_spots *spots;
	/* after each interval, and after the rest of one */
	int (*interval)(void *ctx, uint64_t ns);
	void *ctx;
	/* results */
	uint64_t ns, user_ns, system_ns, preempted;
	int status;
	bool stopped;		/* by a signal or "stop": no further runs */
};

/* Until it ends; then nothing counts any more. */
int stat_watch(struct stat_watch *watch, struct assay_error *err);
uint64_t stat_now(void);

/* The value of a count from what was read over its stretch of time. */
struct assay_count stat_judge(const struct follow_value *v);

/* All that is made of the runs; big: on the heap. */
struct stat_summary {
	struct assay_stat_result result;
	struct assay_record *record;	/* one repetition: the means */
	struct assay_stat_count count[ASSAY_EVENTS];
	struct assay_stat_metric metric[STAT_METRICS];
	struct assay_trusted trusted[ASSAY_EVENTS];
};

/* What was counted of each event, over all runs. */
struct stat_means {
	const struct assay_record *record;
	unsigned sets;		/* run n counted set n modulo that */
	double *sum;		/* [event] */
	unsigned *runs;
};

/* Returns 0 or -ASSAY_ENOMEM. The record is borrowed. */
int stat_means_init(struct stat_means *out, const struct assay_record *record,
		    unsigned sets);
void stat_means_fini(struct stat_means *means);
/* out->value, if it is not absent, from means that are not rounded; and its
 * error. */
void stat_metric_value(struct assay_stat_metric *out,
		       const struct stat_means *means,
		       const struct formula_file *file,
		       const struct formula *formula);

/* Means of the record's repetitions, and the formulas over them; into zeroes. */
int stat_summarize(struct stat_summary *out, const struct stat_plan *plan,
		   const struct assay_trust *trust,
		   const struct assay_record *record, struct assay_error *err);
void stat_summary_fini(struct stat_summary *summary);

/* Mean and standard error of n numbers. */
void stat_mean(const double *x, size_t n, double *mean, double *error);

/* Quantities by the names that -g takes. */
bool stat_group_has(const char *groups, int quantity);
/* Is this formula of file f shown? Of those that -g chooses, the first file
 * that gives a quantity gives it. */
bool stat_group_wants(const struct stat_plan *plan, unsigned f, size_t formula);
/* Appends what the formulas of file f for the groups' quantities need. */
int stat_group_events(struct stat_plan *plan, unsigned f,
		      struct assay_error *err);
int stat_group_check(const char *groups, struct assay_error *err);

#endif
