/* SPDX-License-Identifier: MIT */
/*
 * Counting each thread by itself (--per-thread). Threads of a running process
 * are listed by spots.c; this file reads their names. A program that assay
 * starts is traced by ptrace, so that each of its threads and processes gets a
 * spot before its first instruction, and its name is read before it exits.
 * Inherited counters would not do: the kernel has only their sums, and its
 * report of an inherited counter at the thread's end misses some.
 *
 * Invariants
 * 1. A tracee stops only where threads begin and end, at exec, and for its
 *    signals, which are passed on.
 * 2. A new thread becomes known by the ptrace event of its creator. So wait4()
 *    is called only for threads of the program, never for the caller's other
 *    children.
 */
#define _GNU_SOURCE	/* __WALL */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "stat/stat.h"
#include "base/array.h"
#include "base/text.h"
#include "base/sysfile.h"

#define OPTIONS (PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | \
		 PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT)

/* ---- names --------------------------------------------------------------- */

static void name_thread(struct stat_job *job, size_t spot, pid_t tid)
{
	char name[THREAD_NAME];

	if (sysfile_text(name, sizeof(name), "/", "/proc/%d/comm",
			 (int)tid) <= 0)
		return;
	name[strcspn(name, "\n")] = '\0';
	text_copy(job->thread[spot], THREAD_NAME, name);
}

int stat_name_threads(struct stat_job *job, struct assay_error *err)
{
	if (!job->stat->per_thread || !job->spots.spots)
		return 0;
	job->thread = calloc(job->spots.spots, sizeof(*job->thread));
	if (!job->thread)
		return error_memory(err);
	for (size_t i = 0; i < job->spots.spots; i++)
		name_thread(job, i, job->spots.spot[i].pid);
	return 0;
}

/* ---- the spots of a program ---------------------------------------------- */

static int grow(struct stat_job *job, pid_t tid)
{
	const size_t n = job->spots.spots + 1;

	if (!array_resize(&job->spots.spot, n, sizeof(*job->spots.spot)) ||
	    !array_resize(&job->thread, n, sizeof(*job->thread)))
		return -ASSAY_ENOMEM;
	job->spots.spot[n - 1] = (struct follow_spot){ .pid = tid, .cpu = -1 };
	memset(job->thread[n - 1], 0, THREAD_NAME);
	job->spots.spots = n;
	return 0;
}

/* A new spot for a thread that is stopped before its first instruction. */
static int add_thread(struct stat_trace *t, pid_t tid, size_t *spot)
{
	struct stat_job *job = t->job;
	bool left_out[ASSAY_EVENTS];
	struct follow_setup setup;
	int rc = grow(job, tid);

	if (rc < 0)
		return rc;
	*spot = job->spots.spots - 1;
	name_thread(job, *spot, tid);
	stat_follow_setup(job, &setup, left_out);
	/* The first thread waits for its exec. The others are stopped, and
	 * their counters are switched on below. */
	setup.on_exec = *spot == 0 && job->stat->delay_ms == 0;
	setup.inherit = false;
	rc = *spot == 0 ? follow_open(&job->follow, &setup, NULL) :
			  follow_add(job->follow, &setup);
	if (rc == 0 && *spot > 0 && job->watch && job->watch->on)
		follow_enable_spot(job->follow, *spot);
	return rc;
}

/* ---- the trace ----------------------------------------------------------- */

static struct stat_tracee *find(struct stat_trace *t, pid_t tid)
{
	for (size_t i = 0; i < t->tracees; i++)
		if (t->tracee[i].tid == tid)
			return &t->tracee[i];
	return NULL;
}

static int add_tracee(struct stat_trace *t, pid_t tid)
{
	if (!array_resize(&t->tracee, t->tracees + 1, sizeof(*t->tracee)))
		return -ASSAY_ENOMEM;
	t->tracee[t->tracees++] = (struct stat_tracee){ .tid = tid };
	return 0;
}

static void remove_tracee(struct stat_trace *t, struct stat_tracee *one)
{
	if (one->counted)
		follow_retire(t->job->follow, one->spot);
	*one = t->tracee[--t->tracees];
}

/* Opens the counters of a thread, unless an earlier thread got none. */
static void open_tracee(struct stat_trace *t, struct stat_tracee *one)
{
	if (one->counted || t->failed)
		return;
	t->failed = add_thread(t, one->tid, &one->spot);
	one->counted = t->failed == 0;
}

/* The thread that `by` has just started. */
static void add_new_thread(struct stat_trace *t, pid_t by)
{
	unsigned long tid;

	if (ptrace(PTRACE_GETEVENTMSG, by, NULL, &tid))
		return;
	if (!find(t, (pid_t)tid) && add_tracee(t, (pid_t)tid))
		t->failed = -ASSAY_ENOMEM;
}

/* exec ends all threads but the calling one, which gets the ID of the first. */
static void after_exec(struct stat_trace *t, pid_t tid)
{
	struct stat_tracee *old;
	unsigned long former;

	if (ptrace(PTRACE_GETEVENTMSG, tid, NULL, &former) ||
	    (pid_t)former == tid || !find(t, (pid_t)former))
		return;
	old = find(t, tid);
	if (old)
		remove_tracee(t, old);
	find(t, (pid_t)former)->tid = tid;
}

/* Handles the event of a stop, and lets the thread go on with its signal. In a
 * group stop the thread stays stopped (PTRACE_LISTEN). */
static void handle_stop(struct stat_trace *t, struct stat_tracee *one,
			int status)
{
	const pid_t tid = one->tid;
	const int number = WSTOPSIG(status);
	int pass = 0;

	switch (status >> 16) {
	case PTRACE_EVENT_CLONE:
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
		add_new_thread(t, tid);
		break;
	case PTRACE_EVENT_EXEC:
		after_exec(t, tid);
		break;
	case PTRACE_EVENT_EXIT:
		if (one->counted)
			name_thread(t->job, one->spot, tid);
		break;
	case PTRACE_EVENT_STOP:
		open_tracee(t, one);
		if (number == SIGTRAP)
			break;
		ptrace(PTRACE_LISTEN, tid, NULL, NULL);
		return;
	default:
		pass = number;
	}
	ptrace(PTRACE_CONT, tid, NULL, (void *)(intptr_t)pass);
}

bool stat_threads_poll(struct stat_trace *t)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < t->tracees; i++) {
			const pid_t tid = t->tracee[i].tid;
			struct rusage used;
			int got;

			if (wait4(tid, &got, WNOHANG | __WALL, &used) != tid)
				continue;
			more = true;
			if (WIFSTOPPED(got)) {
				handle_stop(t, &t->tracee[i], got);
				continue;
			}
			remove_tracee(t, &t->tracee[i--]);
			if (tid != t->child)
				continue;
			t->ended = true;
			t->status = got;
			t->usage = used;
		}
	}
	return t->ended;
}

/* Detaches from a thread that outlives the program. */
static void let_go(struct stat_trace *t, struct stat_tracee *one)
{
	int status, pass = 0;

	ptrace(PTRACE_INTERRUPT, one->tid, NULL, NULL);
	if (wait4(one->tid, &status, __WALL, NULL) == one->tid &&
	    WIFSTOPPED(status)) {
		if (one->counted)
			name_thread(t->job, one->spot, one->tid);
		if (status >> 16 == 0)
			pass = WSTOPSIG(status);
		ptrace(PTRACE_DETACH, one->tid, NULL, (void *)(intptr_t)pass);
	}
	remove_tracee(t, one);
}

int stat_threads_begin(struct stat_job *job, struct stat_trace *t, pid_t child,
		       struct assay_error *err)
{
	job->spots.spots = 0;
	*t = (struct stat_trace){ .job = job, .child = child };
	if (add_tracee(t, child))
		return error_memory(err);
	if (ptrace(PTRACE_SEIZE, child, NULL, (void *)OPTIONS)) {
		t->tracees = 0;
		return error_set(err, -ASSAY_EUNAVAIL, "the threads of a "
				 "program cannot be told apart here: it cannot "
				 "be traced (%s); a debugger, a container or "
				 "kernel.yama.ptrace_scope forbids it",
				 strerror(errno));
	}
	/* The child waits before its exec, where its counters start. */
	open_tracee(t, t->tracee);
	return t->failed == -ASSAY_ENOMEM ?
	       error_set(err, t->failed, "out of memory") : t->failed;
}

int stat_threads_end(struct stat_trace *t, struct assay_error *err)
{
	while (t->tracees)
		let_go(t, &t->tracee[t->tracees - 1]);
	free(t->tracee);
	t->tracee = NULL;
	if (t->failed == -ASSAY_ERANGE)
		return error_set(err, t->failed, "more than %d threads: "
				 "count them together, without --per-thread",
				 FOLLOW_SPOTS);
	if (t->failed)
		return error_set(err, t->failed, "out of memory");
	return 0;
}
