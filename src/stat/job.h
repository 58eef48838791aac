/* SPDX-License-Identifier: MIT */
/* One call of assay_stat(), and what its parts share. */
#ifndef STAT_JOB_H
#define STAT_JOB_H

#include "stat/stat.h"

#define THREAD_NAME 32

struct stat_job {
	const struct assay_stat *stat;
	struct assay *assay;
	assay_stat_fn *fn;
	void *ctx;
	struct stat_plan plan;
	struct stat_spots spots;
	char (*thread)[THREAD_NAME];	/* of each spot, with per_thread */
	struct process_signals signals;
	struct stat_control control;
	struct assay_trust *trust;
	struct assay_record *record;
	double *user, *system;		/* ns of each run */
	uint64_t stolen;		/* ns, before the run, if known */
	bool stolen_known;
	char title[256];
	unsigned runs;			/* complete ones */
	bool fixed;			/* the program stays in place */
	int status;
	/* of the run that goes on */
	struct follow *follow;
	unsigned run;
	const struct stat_watch *watch;	/* NULL: it has ended */
	bool was_on;			/* counting, at any time of it */
	struct follow_value last[ASSAY_EVENTS];	/* at the last interval */
};

/* How the counters of job->run are opened; left_out: [ASSAY_EVENTS], used by
 * it. Its spots are the job's. */
void stat_setup(const struct stat_job *job, struct follow_setup *out,
		bool *left_out);

/* Of a process's threads, if they are told apart. */
int stat_name_threads(struct stat_job *job, struct assay_error *err);
void stat_name_thread(struct stat_job *job, size_t spot, pid_t tid);

/* Each thread of a program that waits for its exec becomes a spot with
 * counters of its own. Errors as stat_trace_begin(), -ASSAY_ERANGE. */
int stat_threads_begin(struct stat_job *job, struct stat_trace *trace,
		       pid_t child, struct assay_error *err);
int stat_threads_end(struct stat_trace *trace, struct assay_error *err);

/* What every result's record says of machine, program and events. */
void stat_name_events(const struct stat_job *job, struct assay_record *record);
/* The counts of what was read: out[e] for each event with have[e]. */
void stat_take_counts(const struct stat_job *job,
		      const struct follow_value *value, const bool *have,
		      struct assay_count *out);
/* Sums the record up and gives it to the caller, in a frame that says when,
 * of whom, and how long. */
int stat_hand_out(struct stat_job *job, const struct assay_record *record,
		  const struct assay_stat_result *frame,
		  struct assay_error *err);
/* A stat_watch's interval; ctx is the job. */
int stat_on_interval(void *ctx, uint64_t ns);
/* The parts of a run: its threads, or several control groups. */
int stat_hand_out_threads(struct stat_job *job, struct assay_error *err);
int stat_hand_out_cgroups(struct stat_job *job, struct assay_error *err);

/* Before and after each run: what disturbed it, into the record. */
void stat_noise_begin(struct stat_job *job);
void stat_noise_end(struct stat_job *job, const struct stat_watch *run);

/* Mean of n ns; absent if they were not measured. */
struct assay_stat_time stat_mean_time(const double *ns, unsigned n,
				      bool measured);
/* Was any event counted in any run? */
bool stat_anything(const struct assay_record *record);

/* Instead of running: the results of saved records. */
int stat_replay(struct stat_job *job, struct assay_error *err);

#endif
