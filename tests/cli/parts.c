/* SPDX-License-Identifier: MIT */
/*
 * A program whose parts are counted one by one: parts WHAT [N]. walk() reads N
 * lines of 64 bytes that nobody read before.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "assay/mark.h"

/* Not there in a static program. */
#pragma weak dlopen
#pragma weak dlsym

#define NOINLINE __attribute__((noinline, noclone))

enum { LINES = 1 << 16, LONG = 100000 };

static volatile char line[LINES][64];
static jmp_buf away;
static volatile int turns, sink;
static int next;

NOINLINE void walk(int n)
{
	for (int i = 0; i < n; i++)
		sink = line[(next + i) % LINES][0];
}

NOINLINE void spin(int n)
{
	for (int i = 0; i < n; i++)
		turns++;
}

NOINLINE void recurse(int depth, int n)
{
	if (depth)
		recurse(depth - 1, n);
	else
		walk(n);
	sink = depth;
}

/* Jumps to walk() at its end where the compiler can. */
NOINLINE void tail(int n)
{
	walk(n);
}

NOINLINE void leap(int n)
{
	walk(n);
	longjmp(away, 1);
}

NOINLINE void quit(int n)
{
	walk(n);
	exit(7);
}

static inline __attribute__((always_inline)) void inlined(int n)
{
	for (int i = 0; i < n; i++)
		sink = line[i][0];
}

NOINLINE void unused(int n)
{
	walk(n);
}

static void *walk_in_thread(void *n)
{
	walk(*(int *)n);
	return NULL;
}

static void *spin_in_thread(void *n)
{
	(void)n;
	spin(LONG);
	return NULL;
}

NOINLINE void gather(int n)
{
	pthread_t thread;

	pthread_create(&thread, NULL, walk_in_thread, &n);
	pthread_join(thread, NULL);
}

NOINLINE void split(int n)
{
	pid_t pid = fork();

	if (pid == 0) {
		walk(n);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void beside(int n)
{
	pthread_t thread;

	pthread_create(&thread, NULL, spin_in_thread, NULL);
	walk(n);
	pthread_join(thread, NULL);
}

static void nest(int depth, int n)
{
	assay_mark_begin("nested");
	if (depth)
		nest(depth - 1, n);
	else
		walk(n);
	assay_mark_end("nested");
}

static void marks(int n)
{
	char name[100];

	memset(name, 'x', sizeof(name));
	name[99] = '\0';
	assay_mark_begin("outer");
	assay_mark_begin("walk");
	walk(n);
	assay_mark_end("walk");
	next += n;
	nest(2, n);
	assay_mark_end(NULL);
	assay_mark_end("outer");	/* ended by the line above */
	assay_mark_begin("empty");
	assay_mark_end("empty");
	assay_mark_begin("a \033[1m\"b\"\xff");
	assay_mark_end("a \033[1m\"b\"\xff");
	assay_mark_begin(name);
	assay_mark_end("never begun");
	assay_mark_begin("open");
}

/* Of a library that this program loads. */
static void loaded(const char *path, int n)
{
	void *library = dlopen ? dlopen(path, RTLD_NOW) : NULL;
	void (*fn)(int) = library ? (void (*)(int))dlsym(library, "far_walk") :
				    NULL;

	if (!fn)
		exit(99);
	fn(n);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	const int n = argc > 2 ? atoi(argv[2]) : 100;

	if (!strcmp(what, "walk"))
		walk(n);
	if (!strcmp(what, "twice")) {
		walk(n);
		assay_mark_begin("again");
		walk(n);
		assay_mark_end("again");
	}
	if (!strcmp(what, "recurse"))
		recurse(5, n);
	if (!strcmp(what, "tail"))
		tail(n);
	if (!strcmp(what, "leap") && !setjmp(away))
		leap(n);
	if (!strcmp(what, "quit"))
		quit(n);
	if (!strcmp(what, "inlined"))
		inlined(n);
	if (!strcmp(what, "unused") && n < 0)
		unused(n);
	if (!strcmp(what, "gather"))
		gather(n);
	if (!strcmp(what, "split"))
		split(n);
	if (!strcmp(what, "beside"))
		beside(n);
	if (!strcmp(what, "marks"))
		marks(n);
	if (!strcmp(what, "loaded"))
		loaded(argv[3], n);
	for (int i = 0; i < LONG; i++)
		turns++;
	return 0;
}
