/* SPDX-License-Identifier: MIT */
/*
 * process_start(): starts a program by way of a keeper. The keeper is a fork of
 * this process; it waits for the program, passes signals on to the program, and
 * takes orphans of the program as its own children. The kernel tells the keeper
 * of this process's death by END; the keeper then kills its children until none
 * is left. Keeper and program stay in the caller's process group, so that the
 * terminal's ^C and ^Z reach the program. The keeper may only make system
 * calls: this process may have threads.
 */
#define _GNU_SOURCE	/* environ, execvpe, pipe2 */
#include "base/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	END = SIGALRM	/* to the keeper; never passed on */
};

void process_drop_handlers(void)
{
	struct sigaction now;

	for (int number = 1; number < NSIG; number++) {
		if (sigaction(number, NULL, &now) ||
		    now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN)
			continue;
		now = (struct sigaction){ .sa_handler = SIG_DFL };
		sigaction(number, &now, NULL);
	}
}

/* Asks the kernel for a signal at the parent's death; ends this process if the
 * parent has died before. */
static void die_with(pid_t parent, int number)
{
	prctl(PR_SET_PDEATHSIG, number);
	if (getppid() != parent)
		_exit(128 + SIGKILL);
}

/* ---- the program, before exec -------------------------------------------- */

/* Moves a descriptor; onto itself, close-on-exec is cleared. */
static bool become(int fd, int as)
{
	if (fd < 0)
		return true;
	return fd == as ? fcntl(fd, F_SETFD, 0) == 0 : dup2(fd, as) >= 0;
}

static _Noreturn void execute(const struct process_how *how, int said,
			      const sigset_t *mask)
{
	int error;

	process_drop_handlers();
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (become(how->in, STDIN_FILENO) && become(how->out, STDOUT_FILENO) &&
	    become(how->keep, how->keep))
		execvpe(how->argv[0], (char *const *)how->argv,
			how->environment ? how->environment : environ);
	error = errno;
	_exit(write(said, &error, sizeof(error)) == sizeof(error) ? 127 : 126);
}

/* ---- the keeper ---------------------------------------------------------- */

static void kill_children(void)
{
	char list[4096], *at = list;
	const int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? 0 : read(fd, list, sizeof(list) - 1);

	if (fd >= 0)
		close(fd);
	list[n > 0 ? n : 0] = '\0';
	while (*at) {
		const long pid = strtol(at, &at, 10);

		/* A number that the end of the list cuts off is left. */
		if (*at != ' ' || pid <= 1)
			break;
		kill((pid_t)pid, SIGKILL);
		at++;
	}
}

/* Children of a killed process become the keeper's. */
static _Noreturn void end_all(int code)
{
	do
		kill_children();
	while (waitpid(-1, NULL, 0) > 0);
	_exit(code);
}

static bool ends_programs(int number)
{
	return number == SIGINT || number == SIGTERM || number == SIGHUP ||
	       number == SIGQUIT;
}

/* What a program leaves running goes on after the program's end, except after a
 * signal to end. */
static void reap(pid_t program, bool told_to_end)
{
	pid_t pid;
	int s, code;

	while ((pid = waitpid(-1, &s, WNOHANG)) > 0) {
		if (pid != program)
			continue;
		code = WIFSIGNALED(s) ? 128 + WTERMSIG(s) : WEXITSTATUS(s);
		if (told_to_end)
			end_all(code);
		_exit(code);
	}
}

static _Noreturn void keep(pid_t program, pid_t parent, const sigset_t *all)
{
	bool told_to_end = false;
	siginfo_t info;

	for (;;) {
		reap(program, told_to_end);
		if (sigwaitinfo(all, &info) < 0)
			continue;
		if (info.si_signo == END) {
			kill(program, SIGKILL);
			end_all(128 + SIGKILL);
		}
		if (info.si_signo == SIGCHLD || info.si_code != SI_USER ||
		    info.si_pid != parent)
			continue;
		told_to_end |= ends_programs(info.si_signo);
		kill(program, info.si_signo);
	}
}

/* All signals are blocked here. */
static _Noreturn void start_keeper(const struct process_how *how, int said,
				   pid_t parent, const sigset_t *mask,
				   const sigset_t *all)
{
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	const pid_t keeper = getpid();
	pid_t program;
	int error;

	sigaction(SIGCHLD, &usual, NULL);
	sigaction(END, &usual, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	die_with(parent, END);
	program = fork();
	if (program == 0) {
		die_with(keeper, SIGKILL);
		execute(how, said, mask);
	}
	error = errno;
	if (program < 0 && write(said, &error, sizeof(error)) < 0)
		_exit(126);
	if (program < 0)
		_exit(127);
	close(said);
	keep(program, parent, all);
}

/* ---- this process -------------------------------------------------------- */

/* The errno with which the start failed; 0: exec has closed the pipe. */
static int hear(int fd)
{
	int error = 0;

	while (read(fd, &error, sizeof(error)) < 0 && errno == EINTR)
		;
	return error;
}

int process_start(pid_t *pid, const struct process_how *how)
{
	const pid_t parent = getpid();
	sigset_t all, old;
	int said[2], error;

	if (pipe2(said, O_CLOEXEC) < 0)
		return errno;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	*pid = fork();
	error = errno;
	if (*pid == 0)
		start_keeper(how, said[1], parent,
			     how->mask ? how->mask : &old, &all);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	close(said[1]);
	if (*pid > 0) {
		error = hear(said[0]);
		while (error && waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	close(said[0]);
	return error;
}

void process_end(pid_t pid)
{
	kill(pid, END);
}
