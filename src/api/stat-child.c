/* SPDX-License-Identifier: MIT */
/*
 * The program that is counted: started in two steps, so that its counters can
 * be opened between fork and exec; and the signals that are meant for it.
 */
#define _GNU_SOURCE	/* pipe2, sched_setaffinity */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/stat.h"
#include "base/cpulist.h"
#include "base/text.h"

enum { NOT_RUNNABLE = 126, NOT_FOUND = 127 };

static const int passed_on[] = {
	SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2,
};

/* A parent that ignores SIGCHLD would never learn how the child ended. */
int stat_signals_take(struct stat_signals *out, struct assay_error *err)
{
	struct sigaction usual;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(*passed_on); i++)
		sigaddset(&set, passed_on[i]);
	out->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (out->fd < 0)
		return error_set(err, -ASSAY_EIO, "signalfd failed: %s",
				 strerror(errno));
	memset(&usual, 0, sizeof(usual));
	usual.sa_handler = SIG_DFL;
	sigaction(SIGCHLD, &usual, &out->child);
	pthread_sigmask(SIG_BLOCK, &set, &out->old);
	return 0;
}

void stat_signals_give(struct stat_signals *signals)
{
	struct signalfd_siginfo info;

	/* What came too late was for the program, which has ended. */
	while (read(signals->fd, &info, sizeof(info)) == sizeof(info))
		;
	close(signals->fd);
	sigaction(SIGCHLD, &signals->child, NULL);
	pthread_sigmask(SIG_SETMASK, &signals->old, NULL);
}

static void run_child(int go, int failed, char *const *program,
		      const cpu_set_t *cpus, bool fixed,
		      const struct stat_signals *signals)
{
	char byte;
	int error;

	sigaction(SIGCHLD, &signals->child, NULL);
	sigprocmask(SIG_SETMASK, &signals->old, NULL);
	if (read(go, &byte, 1) != 1)
		_exit(0);	/* dropped */
	error = cpus && sched_setaffinity(0, sizeof(*cpus), cpus) ? errno : 0;
	if (!error && fixed && !stat_stay_in_place())
		error = errno;
	if (!error) {
		execvp(program[0], program);
		error = errno;
	}
	if (write(failed, &error, sizeof(error)) != sizeof(error))
		_exit(NOT_RUNNABLE);
	_exit(NOT_FOUND);
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

int stat_child_make(struct stat_child *out, char *const *program,
		    const char *pin, bool fixed,
		    const struct stat_signals *signals,
		    struct assay_error *err)
{
	int go[2], failed[2];
	cpu_set_t cpus;

	if (read_cpus(&cpus, pin, err))
		return -ASSAY_EINVAL;

	/* A socket: writing to a dead child must not be a signal. */
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
			  fixed, signals);
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

static pid_t reap(pid_t pid, int *status)
{
	pid_t rc;

	do
		rc = waitpid(pid, status, 0);
	while (rc < 0 && errno == EINTR);
	return rc;
}

void stat_child_drop(struct stat_child *child)
{
	int status;

	close(child->go);
	close(child->failed);
	reap(child->pid, &status);
}

/* Why execvp failed; 0: it did not, and closed the pipe. */
static int exec_error(int failed)
{
	ssize_t n;
	int error;

	do
		n = read(failed, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof(error) ? error : 0;
}

int stat_child_go(struct stat_child *child, const char *name, int *status,
		  struct assay_error *err)
{
	const char byte = 1;
	int error, ended;

	if (send(child->go, &byte, 1, MSG_NOSIGNAL) != 1) {
		/* Killed from outside: watching it will tell. */
		close(child->go);
		close(child->failed);
		return 0;
	}
	close(child->go);
	error = exec_error(child->failed);
	close(child->failed);
	if (!error)
		return 0;
	reap(child->pid, &ended);
	return stat_not_run(error, name, status, err);
}

int stat_not_run(int error, const char *name, int *status,
		 struct assay_error *err)
{
	*status = error == ENOENT || error == ENOTDIR ? NOT_FOUND :
							NOT_RUNNABLE;
	return error_set(err, *status == NOT_FOUND ? -ASSAY_ENOENT :
			 -ASSAY_EPERM, "cannot run '%.200s': %s", name,
			 strerror(error));
}
