/* SPDX-License-Identifier: MIT */
/*
 * Other programs: finds them in PATH, starts them without a shell, reads their
 * output line by line; and blocks the signals that are passed on to a running
 * program.
 */
#define _GNU_SOURCE	/* environ, pipe2 */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
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

/*
 * Starts a program whose standard input is empty. out: the descriptor that
 * becomes its standard output, or -1; keep: a descriptor that the program
 * inherits, or -1.
 */
static int spawn(pid_t *pid, const char *const *argv, int out, int keep)
{
	posix_spawn_file_actions_t actions;
	int rc;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
					 O_RDONLY, 0);
	if (out >= 0)
		posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	/* Onto itself: this clears close-on-exec. */
	if (keep >= 0)
		posix_spawn_file_actions_adddup2(&actions, keep, keep);
	rc = posix_spawnp(pid, argv[0], &actions, NULL, (char *const *)argv,
			  environ);
	posix_spawn_file_actions_destroy(&actions);
	return rc;
}

static int await(pid_t pid, int *status)
{
	int s;

	while (waitpid(pid, &s, 0) < 0)
		if (errno != EINTR)
			return -1;
	*status = WIFSIGNALED(s) ? 128 + WTERMSIG(s) : WEXITSTATUS(s);
	return 0;
}

/* Passes each line to fn. Returns the result of fn that stopped the reading, or
 * 0. */
static int listen_to(int fd, process_line_fn *fn, void *ctx)
{
	FILE *in = fdopen(fd, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t bytes;
	int rc = 0;

	if (!in) {
		close(fd);
		return -1;
	}
	while (!rc && (bytes = getline(&line, &room, in)) > 0)
		rc = fn(ctx, line, (size_t)bytes);
	free(line);
	fclose(in);
	return rc;
}

int process_run(const char *const *argv, int keep, process_line_fn *fn,
		void *ctx, int *status, struct assay_error *err)
{
	int ends[2] = { -1, -1 }, stopped = 0, rc;
	pid_t pid;

	if (fn && pipe2(ends, O_CLOEXEC) < 0)
		return error_set(err, -ASSAY_EIO, "cannot make a pipe: %s",
				 strerror(errno));
	rc = spawn(&pid, argv, ends[1], keep);
	if (fn)
		close(ends[1]);
	if (rc) {
		if (fn)
			close(ends[0]);
		return error_set(err, -ASSAY_EIO, "cannot start %s: %s",
				 argv[0], strerror(rc));
	}
	if (fn)
		stopped = listen_to(ends[0], fn, ctx);
	if (stopped)
		kill(pid, SIGTERM);
	if (await(pid, status) < 0)
		return error_set(err, -ASSAY_EIO, "cannot wait for %s: %s",
				 argv[0], strerror(errno));
	return stopped ? error_set(err, -ASSAY_ESTOP, "stopped") : 0;
}
