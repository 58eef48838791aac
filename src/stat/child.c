/* SPDX-License-Identifier: MIT */
/*
 * Starts the program that is counted. stat_child_start() does so in one step,
 * by vfork, which copies no page tables. Where counters must be opened between
 * fork and exec, stat_child_fork() forks a child that waits, and
 * stat_child_release() lets this child call exec. A failed exec gives the exit
 * status of a shell: 126, or 127 if there is no such file.
 */
#define _GNU_SOURCE	/* pipe2, sched_setaffinity, vfork */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stat/stat.h"
#include "base/cpulist.h"
#include "base/text.h"

enum { NOT_RUNNABLE = 126, NOT_FOUND = 127, LOOK_AGAIN_MS = 10 };

/* Executes the program in this process, or returns the errno. */
static int become(char *const *program, const cpu_set_t *cpus, bool no_aslr)
{
	if (cpus && sched_setaffinity(0, sizeof(*cpus), cpus))
		return errno;
	if (no_aslr && !stat_disable_aslr())
		return errno;
	execvp(program[0], program);
	return errno;
}

static void run_child(int go, int failed, char *const *program,
		      const cpu_set_t *cpus, bool no_aslr,
		      const struct process_signals *signals)
{
	char byte;
	int error;

	sigaction(SIGCHLD, &signals->child, NULL);
	sigprocmask(SIG_SETMASK, &signals->old, NULL);
	if (read(go, &byte, 1) != 1)
		_exit(0);	/* stat_child_drop() */
	error = become(program, cpus, no_aslr);
	if (write(failed, &error, sizeof(error)) != sizeof(error))
		_exit(NOT_RUNNABLE);
	_exit(NOT_FOUND);
}

struct started {
	char *const *program;
	const cpu_set_t *cpus;
	bool no_aslr;
	const struct process_signals *signals;
	int error;		/* errno of exec; the child writes it: it shares
				 * this memory */
};

/*
 * After vfork the child shares this process's memory, so a signal handler of
 * the caller must not run in the child. All signals are blocked there until
 * process_drop_handlers() has reset every handler, as exec would.
 */
static void run_at_once(struct started *s)
{
	process_drop_handlers();
	sigaction(SIGCHLD, &s->signals->child, NULL);
	sigprocmask(SIG_SETMASK, &s->signals->old, NULL);
	s->error = become(s->program, s->cpus, s->no_aslr);
}

/* Not inlined: the caller of vfork must hold nothing in registers that the
 * child changes. */
static pid_t __attribute__((noinline)) start(struct started *s)
{
	const pid_t pid = vfork();

	if (pid == 0) {
		run_at_once(s);
		_exit(NOT_FOUND);
	}
	return pid;
}

static int read_cpus(cpu_set_t *out, const char *text, struct assay_error *err)
{
	struct cpulist list;

	CPU_ZERO(out);
	if (!text)
		return 0;
	if (cpulist_parse(&list, text))
		return error_set(err, -ASSAY_EINVAL, "'%.60s' is no list of "
				 "CPUs: write 0,2-3", text);
	for (unsigned cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (cpulist_has(&list, cpu))
			CPU_SET(cpu, out);
	return 0;
}

static pid_t reap(pid_t pid, int *status)
{
	pid_t rc;

	do {
		rc = waitpid(pid, status, 0);
		/* A traced child stops before it ends: let it go on. */
		if (rc == pid && WIFSTOPPED(*status)) {
			ptrace(PTRACE_CONT, pid, NULL, NULL);
			rc = -1;
			errno = EINTR;
		}
	} while (rc < 0 && errno == EINTR);
	return rc;
}

int stat_child_start(struct stat_child *out, char *const *program,
		     const char *pin, bool no_aslr,
		     const struct process_signals *signals, int *status,
		     struct assay_error *err)
{
	sigset_t all, old;
	cpu_set_t cpus;
	struct started s = { .program = program, .no_aslr = no_aslr,
			     .cpus = pin ? &cpus : NULL, .signals = signals };
	int ended, why;

	if (read_cpus(&cpus, pin, err))
		return -ASSAY_EINVAL;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	out->pid = start(&s);
	why = errno;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (out->pid < 0)
		return error_set(err, -ASSAY_EIO, "cannot start a process: %s",
				 strerror(why));
	if (!s.error)
		return 0;
	reap(out->pid, &ended);
	return stat_exec_failed(s.error, program[0], status, err);
}

int stat_child_fork(struct stat_child *out, char *const *program,
		    const char *pin, bool no_aslr,
		    const struct process_signals *signals,
		    struct assay_error *err)
{
	int go[2], failed[2];
	cpu_set_t cpus;

	if (read_cpus(&cpus, pin, err))
		return -ASSAY_EINVAL;

	/* A socket: with MSG_NOSIGNAL, writing to a dead child raises no
	 * SIGPIPE. */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, go))
		return error_set(err, -ASSAY_EIO, "socketpair failed: %s",
				 strerror(errno));
	if (pipe2(failed, O_CLOEXEC)) {
		error_set(err, -ASSAY_EIO, "pipe failed: %s", strerror(errno));
		goto out_go;
	}
	out->pid = fork();
	if (out->pid < 0) {
		error_set(err, -ASSAY_EIO, "cannot start a process: %s",
			  strerror(errno));
		goto out_failed;
	}
	if (out->pid == 0) {
		close(go[1]);
		close(failed[0]);
		run_child(go[0], failed[1], program, pin ? &cpus : NULL,
			  no_aslr, signals);
	}
	close(go[0]);
	close(failed[1]);
	out->go = go[1];
	out->failed = failed[0];
	return 0;

out_failed:
	close(failed[0]);
	close(failed[1]);
out_go:
	close(go[0]);
	close(go[1]);
	return -ASSAY_EIO;
}

void stat_child_drop(struct stat_child *child)
{
	int status;

	close(child->go);
	close(child->failed);
	reap(child->pid, &status);
}

/* The errno of a failed exec; 0 after a successful one, which closed the pipe.
 * A traced child stops for each signal, and is let go on meanwhile. */
static int exec_error(int failed, struct stat_trace *trace)
{
	struct pollfd end = { .fd = failed, .events = POLLIN };
	ssize_t n;
	int error;

	while (trace && poll(&end, 1, LOOK_AGAIN_MS) <= 0)
		stat_threads_poll(trace);
	do
		n = read(failed, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(error) ? error : 0;
}

int stat_child_release(struct stat_child *child, struct stat_trace *trace,
		       const char *name, int *status, struct assay_error *err)
{
	const char byte = 1;
	int error, ended;

	if (send(child->go, &byte, 1, MSG_NOSIGNAL) != 1) {
		/* The child was killed: stat_watch() reports that. */
		close(child->go);
		close(child->failed);
		return 0;
	}
	close(child->go);
	error = exec_error(child->failed, trace);
	close(child->failed);
	if (!error)
		return 0;
	reap(child->pid, &ended);
	return stat_exec_failed(error, name, status, err);
}

int stat_exec_failed(int error, const char *name, int *status,
		 struct assay_error *err)
{
	*status = error == ENOENT || error == ENOTDIR ? NOT_FOUND :
							NOT_RUNNABLE;
	return error_set(err, *status == NOT_FOUND ? -ASSAY_ENOENT :
			 -ASSAY_EPERM, "cannot run '%.200s': %s", name,
			 strerror(error));
}
