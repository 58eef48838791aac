/* SPDX-License-Identifier: MIT */
/*
 * Other programs: finds them in PATH, runs them and reads their output line by
 * line (keeper.c starts them); and blocks the signals that are passed on to a
 * running program.
 */
#define _GNU_SOURCE	/* pipe2 */
#include "base/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

static const int passed_on[] = {
	SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2,
};

/* A parent that ignores SIGCHLD would never learn how the child ended. */
int process_signals_block(struct process_signals *out, struct assay_error *err)
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

void process_signals_restore(struct process_signals *signals)
{
	struct signalfd_siginfo info;

	/* What came too late was for the program, which has ended. */
	while (read(signals->fd, &info, sizeof(info)) == sizeof(info))
		;
	close(signals->fd);
	sigaction(SIGCHLD, &signals->child, NULL);
	pthread_sigmask(SIG_SETMASK, &signals->old, NULL);
}

int process_find(const char *name, const char *packages,
		 struct assay_error *err)
{
	const char *path = getenv("PATH");
	char file[PATH_MAX];

	for (path = path ? path : "/usr/bin:/bin"; *path;
	     path += *path == ':') {
		int length = (int)strcspn(path, ":");
		int n = snprintf(file, sizeof(file), "%.*s/%s", length, path,
				 name);

		if (n < (int)sizeof(file) && access(file, X_OK) == 0)
			return 0;
		path += length;
	}
	error_set(err, -ASSAY_EUNAVAIL, "%s is not installed", name);
	error_add(err, "packages (names as in Debian 12): %s", packages);
	return -ASSAY_EUNAVAIL;
}

static bool stops(const struct process_run *run)
{
	return errno == EINTR && run->stopped && run->stopped(run->stopped_ctx);
}

/* Returns true if the program is to stop. */
static bool await(const struct process_run *run, pid_t pid, int *s)
{
	bool stopped = false;

	while (waitpid(pid, s, 0) < 0) {
		if (stops(run)) {
			process_end(pid);
			stopped = true;
		} else if (errno != EINTR) {
			*s = -1;
			break;
		}
	}
	return stopped;
}

/* Passes each line to line(). Returns true if the program is to stop. */
static bool listen_to(int fd, const struct process_run *run)
{
	FILE *in = fdopen(fd, "r");
	char *text = NULL;
	size_t room = 0;
	ssize_t bytes;
	bool stop = !in;

	if (!in) {
		close(fd);
		return true;
	}
	while (!stop) {
		bytes = getline(&text, &room, in);
		if (bytes < 0 && (!ferror(in) || errno != EINTR))
			break;
		stop = bytes < 0 ? stops(run) :
		       run->line(run->line_ctx, text, (size_t)bytes) != 0;
		clearerr(in);
	}
	free(text);
	fclose(in);
	return stop;
}

/* out: what becomes the program's standard output, or -1. */
static int start(pid_t *pid, const struct process_run *run, int out,
		 struct assay_error *err)
{
	const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	const int rc = process_start(pid, &(struct process_how){
			.argv = run->argv, .in = in, .out = out,
			.keep = run->keep });

	if (in >= 0)
		close(in);
	return rc ? error_set(err, -ASSAY_EIO, "cannot start %s: %s",
			      run->argv[0], strerror(rc)) : 0;
}

int process_run(const struct process_run *run, int *status,
		struct assay_error *err)
{
	int ends[2] = { -1, -1 }, s = 0, rc;
	bool stopped = false;
	pid_t pid;

	if (run->line && pipe2(ends, O_CLOEXEC) < 0)
		return error_set(err, -ASSAY_EIO, "cannot make a pipe: %s",
				 strerror(errno));
	rc = start(&pid, run, ends[1], err);
	if (run->line)
		close(ends[1]);
	if (rc && run->line)
		close(ends[0]);
	if (rc)
		return rc;
	if (run->line)
		stopped = listen_to(ends[0], run);
	if (stopped)
		process_end(pid);
	stopped |= await(run, pid, &s);
	if (s < 0)
		return error_set(err, -ASSAY_EIO, "cannot wait for %s: %s",
				 run->argv[0], strerror(errno));
	*status = WIFSIGNALED(s) ? 128 + WTERMSIG(s) : WEXITSTATUS(s);
	return stopped ? error_set(err, -ASSAY_ESTOP, "stopped") : 0;
}
