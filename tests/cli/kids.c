/* SPDX-License-Identifier: MIT */
/*
 * A program that starts others in every way, and says by its status whether
 * they saw what they should. Its first argument says which.
 */
#define _GNU_SOURCE	/* execveat, environ, memfd_create */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 4096, LONG = 100 << 10, THREADS = 3 };

static volatile long table[WORDS];

static __attribute__((noinline)) int walk(void)
{
	for (int i = 0; i < WORDS; i++)
		table[i] += i;
	return 0;
}

static int status_of(pid_t child)
{
	int status;

	if (child < 0 || waitpid(child, &status, 0) != child)
		return 100;
	return WIFEXITED(status) ? WEXITSTATUS(status) :
				   128 + WTERMSIG(status);
}

/* COUNT children, each of which ends with its number. */
static int forks(char **argument)
{
	int bad = 0;

	for (int i = 0; i < atoi(argument[0]); i++) {
		pid_t child = fork();

		if (!child) {
			walk();
			_exit(i);
		}
		bad |= status_of(child) != i;
	}
	return bad;
}

/* A child of a child of a child ... */
static int nests(char **argument)
{
	int left = atoi(argument[0]);
	pid_t child = 0;

	while (left-- && !(child = fork()))
		walk();
	return child ? status_of(child) : 7;
}

static int vforks(char **argument)
{
	pid_t child = vfork();

	if (!child) {
		execv(argument[0], argument);
		_exit(99);
	}
	return status_of(child);
}

static int spawns(char **argument)
{
	pid_t child;

	if (posix_spawn(&child, argument[0], NULL, NULL, argument, environ))
		return 98;
	return status_of(child);
}

static int executes(char **argument)
{
	execv(argument[0], argument);
	return errno;
}

/* By a directory and a name, or a file that is open. */
static int executes_at(char **argument)
{
	int file = open(argument[0], O_RDONLY | O_CLOEXEC);

	execveat(file, "", argument, environ, AT_EMPTY_PATH);
	return errno;
}

/* By the name of a descriptor that closes then. */
static int executes_open(char **argument)
{
	char name[32];

	snprintf(name, sizeof(name), "/proc/self/fd/%d",
		 open(argument[0], O_RDONLY | O_CLOEXEC));
	execv(name, argument);
	return errno;
}

/* A copy that is in no folder, and closes then. */
static int executes_copy(char **argument)
{
	static char bytes[1 << 16];
	const int from = open(argument[0], O_RDONLY | O_CLOEXEC);
	const int to = memfd_create("copy", MFD_CLOEXEC);
	ssize_t n;

	while ((n = read(from, bytes, sizeof(bytes))) > 0)
		if (write(to, bytes, (size_t)n) != n)
			return 1;
	fexecve(to, argument, environ);
	return errno;
}

static int executes_itself(char **argument)
{
	execv("/proc/self/exe", argument);
	return errno;
}

/* Each ERRNO PATH: it cannot be executed, and that is why. */
static int fails(char **argument)
{
	for (; argument[0]; argument += 2) {
		execv(argument[1], argument);
		if (errno != atoi(argument[0]))
			return 1;
	}
	return walk();
}

/* Hands over much, and not everything in the usual place. */
static int hands_over(char **argument)
{
	static char text[LONG + 1], set[LONG + 8] = "LONG=";
	char *environment[] = { "FIRST=1", set, "LD_BIND_NOW=1", "EMPTY=",
				"LAST=a,b=c", NULL };
	char *list[] = { "another name", "check", text, "", NULL };
	int closed = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int left = open("/dev/null", O_RDONLY);
	sigset_t blocked;

	memset(text, 'x', LONG);
	memset(set + 5, 'y', LONG);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	signal(SIGUSR2, SIG_IGN);
	if (dup2(closed, 20) != 20 || fcntl(20, F_SETFD, FD_CLOEXEC) < 0 ||
	    dup2(left, 21) != 21)
		return 1;
	execve(argument[0], list, environment);
	return errno;
}

static int same(char *const *list, const char *const *wanted)
{
	for (; *list && *wanted; list++, wanted++)
		if (strncmp(*list, *wanted, strlen(*wanted)) != 0)
			return 0;
	return !*list && !*wanted;
}

/* Takes it out; was it there? */
static int without(char **list, const char *entry)
{
	while (*list && strcmp(*list, entry) != 0)
		list++;
	if (!*list)
		return 0;
	for (; *list; list++)
		list[0] = list[1];
	return 1;
}

/* What hands_over has handed over; argument[0] is the long one. */
static int checks(char **argument)
{
	static const char *const wanted[] = { "FIRST=1", "LONG=yyy", "EMPTY=",
					      "LAST=a,b=c", NULL };
	struct sigaction action;
	sigset_t blocked;

	if (strcmp(argument[-2], "another name") != 0)
		return 1;
	if (strlen(argument[0]) != LONG || argument[0][LONG - 1] != 'x')
		return 2;
	if (!argument[1] || *argument[1] || argument[2])
		return 3;
	if (!without(environ, "LD_BIND_NOW=1"))
		return 4;
	if (!same(environ, wanted) || strlen(environ[1]) != LONG + 5)
		return 5;
	sigprocmask(SIG_SETMASK, NULL, &blocked);
	if (!sigismember(&blocked, SIGUSR1))
		return 6;
	if (sigaction(SIGUSR2, NULL, &action) || action.sa_handler != SIG_IGN)
		return 7;
	if (fcntl(20, F_GETFD) >= 0 || fcntl(21, F_GETFD) < 0)
		return 8;
	return walk();
}

/* Nothing is open that was not handed over: as many as without QEMU. */
static int opens(char **argument)
{
	int open_ = 0;

	for (int fd = 3; fd < 64; fd++)
		open_ += fcntl(fd, F_GETFD) >= 0;
	return open_ == atoi(argument[0]) ? 0 : 50 + open_;
}

/* All that is open is closed, as daemons do it. */
static int closes(char **argument)
{
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	return spawns(argument);
}

static int pipe_of_threads[2];

static void *waits(void *unused)
{
	char c;

	(void)unused;
	walk();
	if (read(pipe_of_threads[0], &c, 1) < 0)
		return NULL;
	return NULL;
}

/* A child of a program with threads has one. */
static int threads(char **argument)
{
	pthread_t thread[THREADS];
	int status;
	pid_t child;

	if (pipe(pipe_of_threads) < 0)
		return 1;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, waits, NULL))
			return 1;
	child = fork();
	if (!child) {
		walk();
		if (argument[0])
			execv(argument[0], argument);
		_exit(5);
	}
	status = status_of(child);
	for (int i = 0; i < THREADS; i++)
		if (write(pipe_of_threads[1], "x", 1) != 1)
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return status;
}

/* A child that ends by a signal of its own. */
static int kills(char **argument)
{
	pid_t child = fork();

	if (!child) {
		walk();
		kill(getpid(), atoi(argument[0]));
		_exit(1);
	}
	return status_of(child) == 128 + atoi(argument[0]) ? 0 : 1;
}

/* COUNT children that are killed while they work. */
static int murders(char **argument)
{
	int ready[2], bad = 0;
	char c;

	if (pipe(ready) < 0)
		return 1;
	for (int i = 0; i < atoi(argument[0]); i++) {
		pid_t child = fork();

		if (!child) {
			walk();
			if (write(ready[1], "x", 1) == 1)
				for (;;)
					walk();
			_exit(1);
		}
		bad |= read(ready[0], &c, 1) != 1;
		usleep(2000 + 100 * (unsigned)i);
		kill(child, SIGKILL);
		bad |= status_of(child) != 128 + SIGKILL;
	}
	return bad;
}

static volatile sig_atomic_t ended;

/* Reports more than a simulator takes at once. */
static void *works(void *unused)
{
	while (!ended)
		walk();
	return unused;
}

/* Beside threads that work, COUNT programs that are not there, and signals:
 * each time what was reported is waited for. */
static int besides(char **argument)
{
	pthread_t thread[THREADS];
	int bad = 0;

	if (signal(SIGUSR1, SIG_IGN) == SIG_ERR)
		return 1;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, works, NULL))
			return 1;
	for (int i = 0; i < atoi(argument[0]); i++) {
		bad |= execv("/nosuch", argument) != -1 || errno != ENOENT;
		bad |= kill(getpid(), SIGUSR1);
		walk();
	}
	ended = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return bad;
}

static void *calls(void *unused)
{
	for (;;)
		getppid();
	return unused;
}

/* Another takes its place, and that of threads that make system calls. */
static int overtakes(char **argument)
{
	pthread_t thread;

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread, NULL, calls, NULL))
			return 1;
	usleep(10000);
	execv(argument[0], argument);
	return 1;
}

static void handle(int signal)
{
	(void)signal;
}

/* Its end is a fault, a little after what might have been its end. */
static int survives(char **argument)
{
	switch (argument[0][0]) {
	case 'e':
		execv("/nosuch", argument);
		break;
	case 'h':
		signal(SIGUSR1, handle);
		kill(getpid(), SIGUSR1);
		break;
	default:
		kill(getppid(), 0);
		break;
	}
	table[0]++;
	return *(volatile int *)NULL;
}

/* A child that outlives it: until what is read from ends. */
static int leaves(char **argument)
{
	int ready[2];
	char c;

	(void)argument;
	if (pipe(ready) < 0)
		return 1;
	if (fork())
		return read(ready[0], &c, 1) == 1 ? 0 : 1;
	walk();
	if (write(ready[1], "x", 1) == 1)
		while (read(0, &c, 1) > 0)
			;
	_exit(0);
}

static int walks(char **argument)
{
	return walk() + (argument[0] ? atoi(argument[0]) : 0);
}

static const struct {
	const char *name;
	int (*run)(char **argument);
} ways[] = {
	{ "fork", forks }, { "nest", nests }, { "vfork", vforks },
	{ "spawn", spawns }, { "exec", executes }, { "at", executes_at },
	{ "itself", executes_itself }, { "fail", fails },
	{ "open-file", executes_open }, { "copy", executes_copy },
	{ "hand", hands_over }, { "check", checks }, { "open", opens },
	{ "close", closes }, { "threads", threads }, { "kill", kills },
	{ "murder", murders }, { "leave", leaves }, { "walk", walks },
	{ "beside", besides }, { "over", overtakes }, { "survive", survives },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(ways) / sizeof(*ways); i++)
		if (strcmp(argv[1], ways[i].name) == 0)
			return ways[i].run(argv + 2);
	return 101;
}
