/* SPDX-License-Identifier: MIT */
/* The process that restores the settings if the parent dies; see watcher.h. */
#define _GNU_SOURCE	/* SOCK_CLOEXEC, close_range */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "env/settings/watcher.h"

enum { READY = 'r', DONE = 'd' };

/* Closes all other descriptors: an inherited end of a pipe would keep the pipe
 * open for its reader. */
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

/* The watcher. Its exit, which comes after the last write, frees the lock. */
static _Noreturn void wait_and_undo(int sock, struct journal *journal,
				    struct journal_undo *undo)
{
	char word = READY;
	ssize_t n;

	setsid();
	ignore_signals();
	if (journal->file >= 0)
		close(journal->file);
	journal->file = -1;
	if (sock < journal->lock)
		close_others(sock, journal->lock);
	else
		close_others(journal->lock, sock);
	if (write(sock, &word, 1) != 1)
		_exit(1);
	do
		n = read(sock, &word, 1);
	while (n < 0 && errno == EINTR);
	if (n == 1 && word == DONE)
		_exit(0);
	_exit(journal_undo(journal, undo) ? 1 : 0);
}

/* Starts the watcher as a grandchild: the child in between ends at once, so
 * that no wait() of the caller's returns the watcher. */
static int fork_twice(const int sock[2], struct journal *journal,
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
		close(sock[0]);
		wait_and_undo(sock[1], journal, undo);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return errno == ECHILD ? 0 : -errno;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -EAGAIN;
}

static bool wait_until_ready(int sock)
{
	char word = 0;
	ssize_t n;

	do
		n = read(sock, &word, 1);
	while (n < 0 && errno == EINTR);
	return n == 1 && word == READY;
}

int watcher_start(struct watcher *out, struct journal *journal,
		  struct journal_undo *undo, struct assay_error *err)
{
	int sock[2], rc;

	out->socket = -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sock))
		return error_set(err, -ASSAY_EIO, "cannot make a socket for "
				 "the watcher: %s", strerror(errno));
	rc = fork_twice(sock, journal, undo);
	close(sock[1]);
	if (rc || !wait_until_ready(sock[0])) {
		close(sock[0]);
		return error_set(err, -ASSAY_EIO, "cannot start the process "
				 "that would undo the settings: %s",
				 rc ? strerror(-rc) : "it ended");
	}
	out->socket = sock[0];
	return 0;
}

void watcher_stop(struct watcher *watcher)
{
	char word = DONE;

	if (watcher->socket < 0)
		return;
	if (send(watcher->socket, &word, 1, MSG_NOSIGNAL) == 1)
		while (read(watcher->socket, &word, 1) < 0 && errno == EINTR)
			;	/* until the watcher's exit closes the socket */
	close(watcher->socket);
	watcher->socket = -1;
}
