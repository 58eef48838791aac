/* SPDX-License-Identifier: MIT */
/*
 * A program's threads and processes, each met before its first instruction and
 * named before it is gone. Counters that are inherited only have sums, and the
 * kernel's report of each inherited counter at its thread's end misses some;
 * so the program is traced, but stops only where threads begin and end.
 *
 * A new thread is learnt from the event of the one that started it, so only
 * threads that are ours are ever waited for.
 */
#define _GNU_SOURCE	/* __WALL */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "stat/stat.h"
#include "base/text.h"

#define OPTIONS (PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | \
		 PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT)

static struct stat_tracee *find(struct stat_trace *t, pid_t tid)
{
	for (size_t i = 0; i < t->tracees; i++)
		if (t->tracee[i].tid == tid)
			return &t->tracee[i];
	return NULL;
}

static int remember(struct stat_trace *t, pid_t tid)
{
	struct stat_tracee *grown;

	grown = realloc(t->tracee, (t->tracees + 1) * sizeof(*grown));
	if (!grown)
		return -ASSAY_ENOMEM;
	t->tracee = grown;
	t->tracee[t->tracees++] = (struct stat_tracee){ .tid = tid };
	return 0;
}

static void forget(struct stat_trace *t, struct stat_tracee *one)
{
	if (one->met)
		t->gone(t->ctx, one->spot);
	*one = t->tracee[--t->tracees];
}

/* From here on it is counted. */
static void meet(struct stat_trace *t, struct stat_tracee *one)
{
	if (one->met || t->failed)
		return;
	t->failed = t->add(t->ctx, one->tid, &one->spot);
	one->met = t->failed == 0;
}

static void begins(struct stat_trace *t, pid_t by)
{
	unsigned long tid;

	if (ptrace(PTRACE_GETEVENTMSG, by, NULL, &tid))
		return;
	if (!find(t, (pid_t)tid) && remember(t, (pid_t)tid))
		t->failed = -ASSAY_ENOMEM;
}

/* Of several threads the one that calls exec survives, as the first one. */
static void becomes(struct stat_trace *t, pid_t tid)
{
	struct stat_tracee *old;
	unsigned long former;

	if (ptrace(PTRACE_GETEVENTMSG, tid, NULL, &former) ||
	    (pid_t)former == tid || !find(t, (pid_t)former))
		return;
	old = find(t, tid);
	if (old)
		forget(t, old);
	find(t, (pid_t)former)->tid = tid;
}

/* How it goes on: PTRACE_CONT with *number, or PTRACE_LISTEN. */
static void stopped(struct stat_trace *t, struct stat_tracee *one, int status)
{
	const pid_t tid = one->tid;
	const int number = WSTOPSIG(status);
	int pass = 0;

	switch (status >> 16) {
	case PTRACE_EVENT_CLONE:
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
		begins(t, tid);
		break;
	case PTRACE_EVENT_EXEC:
		becomes(t, tid);
		break;
	case PTRACE_EVENT_EXIT:
		if (one->met)
			t->name(t->ctx, one->spot, tid);
		break;
	case PTRACE_EVENT_STOP:
		meet(t, one);
		if (number == SIGTRAP)
			break;
		ptrace(PTRACE_LISTEN, tid, NULL, NULL);
		return;
	default:
		pass = number;
	}
	ptrace(PTRACE_CONT, tid, NULL, (void *)(intptr_t)pass);
}

bool stat_trace_look(struct stat_trace *t, int *status, struct rusage *usage)
{
	bool more = true, ended = false;

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
				stopped(t, &t->tracee[i], got);
				continue;
			}
			forget(t, &t->tracee[i--]);
			if (tid != t->child)
				continue;
			ended = true;
			*status = got;
			*usage = used;
		}
	}
	return ended;
}

/* Lets one go that outlives the program. */
static void let_go(struct stat_trace *t, struct stat_tracee *one)
{
	int status, pass = 0;

	ptrace(PTRACE_INTERRUPT, one->tid, NULL, NULL);
	if (wait4(one->tid, &status, __WALL, NULL) == one->tid &&
	    WIFSTOPPED(status)) {
		if (one->met)
			t->name(t->ctx, one->spot, one->tid);
		if (status >> 16 == 0)
			pass = WSTOPSIG(status);
		ptrace(PTRACE_DETACH, one->tid, NULL, (void *)(intptr_t)pass);
	}
	forget(t, one);
}

void stat_trace_end(struct stat_trace *t)
{
	while (t->tracees)
		let_go(t, &t->tracee[t->tracees - 1]);
	free(t->tracee);
	t->tracee = NULL;
}

int stat_trace_begin(struct stat_trace *t, pid_t child, struct assay_error *err)
{
	t->child = child;
	if (remember(t, child))
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	if (ptrace(PTRACE_SEIZE, child, NULL, (void *)OPTIONS)) {
		t->tracees = 0;
		return error_set(err, -ASSAY_EUNAVAIL, "the threads of a "
				 "program cannot be told apart here: it cannot "
				 "be traced (%s); a debugger, a container or "
				 "kernel.yama.ptrace_scope forbids it",
				 strerror(errno));
	}
	/* It waits before its exec, where its counters start. */
	meet(t, t->tracee);
	return t->failed;
}
