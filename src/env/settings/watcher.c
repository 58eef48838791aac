/* SPDX-License-Identifier: MIT */
/* Waiting for somebody's death, in order to tidy up after him. */
#define _GNU_SOURCE	/* SOCK_CLOEXEC, close_range */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "env/settings/watcher.h"

enum { READY = 'r', DONE = 'd' };

/* Other descriptors would keep pipes open that somebody waits for. */
static void close_others(int keep1, int keep2)
{
	const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct rlimit most = { 1024, 1024 };

	for (int fd = 0; fd < 3 && null >= 0; fd++)
		dup2(null, fd);
	if (keep1 < keep2 &&
	    !close_range(3, (unsigned)keep1 - 1, 0) &&
	    (keep2 == keep1 + 1 ||
	     !close_range((unsigned)keep1 + 1, (unsigned)keep2 - 1, 0)) &&
	    !close_range((unsigned)keep2 + 1, ~0u, 0))
		return;
	getrlimit(RLIMIT_NOFILE, &most);
	if (most.rlim_cur > 65536)
		most.rlim_cur = 65536;
	for (int fd = 3; fd < (int)most.rlim_cur; fd++)
		if (fd != keep1 && fd != keep2)
			close(fd);
}

static void ignore_signals(void)
{
	static const int ignored[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE,
		SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN,
		SIGTTOU };
	struct sigaction action;
	sigset_t none;

	memset(&action, 0, sizeof(action));
	action.sa_handler = SIG_IGN;
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		sigaction(ignored[i], &action, NULL);
	action.sa_handler = SIG_DFL;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGABRT, &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The lock is given up by the exit, after the last write. */
static _Noreturn void watch(int line, struct journal *journal,
			    struct journal_undo *undo)
{
	char word = READY;
	ssize_t n;

	setsid();
	ignore_signals();
	if (journal->file >= 0)
		close(journal->file);
	journal->file = -1;
	if (line < journal->lock)
		close_others(line, journal->lock);
	else
		close_others(journal->lock, line);
	if (write(line, &word, 1) != 1)
		_exit(1);
	do
		n = read(line, &word, 1);
	while (n < 0 && errno == EINTR);
	if (n == 1 && word == DONE)
		_exit(0);
	_exit(journal_undo(journal, undo) ? 1 : 0);
}

/* Its parent ends at once, so that nobody's wait() ever sees it. */
static int fork_twice(const int line[2], struct journal *journal,
		      struct journal_undo *undo)
{
	const pid_t pid = fork();
	int status;

	if (pid < 0)
		return -errno;
	if (pid == 0) {
		const pid_t child = fork();

		if (child)
			_exit(child < 0);
		close(line[0]);
		watch(line[1], journal, undo);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return errno == ECHILD ? 0 : -errno;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -EAGAIN;
}

static bool hear_ready(int line)
{
	char word = 0;
	ssize_t n;

	do
		n = read(line, &word, 1);
	while (n < 0 && errno == EINTR);
	return n == 1 && word == READY;
}

int watcher_start(struct watcher *out, struct journal *journal,
		  struct journal_undo *undo, struct assay_error *err)
{
	int line[2], rc;

	out->line = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line))
		return error_set(err, -ASSAY_EIO, "cannot make a socket for "
				 "the watcher: %s", strerror(errno));
	rc = fork_twice(line, journal, undo);
	close(line[1]);
	if (rc || !hear_ready(line[0])) {
		close(line[0]);
		return error_set(err, -ASSAY_EIO, "cannot start the process "
				 "that would undo the settings: %s",
				 rc ? strerror(-rc) : "it ended");
	}
	out->line = line[0];
	return 0;
}

void watcher_stop(struct watcher *watcher)
{
	char word = DONE;

	if (watcher->line < 0)
		return;
	if (send(watcher->line, &word, 1, MSG_NOSIGNAL) == 1)
		while (read(watcher->line, &word, 1) < 0 && errno == EINTR)
			;	/* its end is heard as the end of the line */
	close(watcher->line);
	watcher->line = -1;
}
