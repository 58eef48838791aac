/* SPDX-License-Identifier: MIT */
/*
 * A program whose counts are known. It stores to the word at WATCHED, which
 * has the same address in every run, so that a breakpoint can be asked for
 * before it starts.
 *
 *	stat-load tree STORES THREADS CHILDREN GRANDCHILDREN
 *		itself, each thread, each child and each of their children
 *		stores STORES times; children are waited for
 *	stat-load phases CONTROL ACK STORES PAGES
 *		stores twice STORES times, but has counting on for the first
 *		half only; then it also touches PAGES new pages
 *	stat-load touch PAGES
 *		touches so many new pages
 *	stat-load getppid CALLS CHILDREN
 *		itself and each child makes so many system calls
 *	stat-load threads GO DONE STORES THREADS
 *		says on DONE that its threads wait, lets them store when there
 *		is a byte on GO, and says so again; thread n stores n * STORES
 *	stat-load poke GO DONE
 *		lets such a program go and waits for it
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define WATCHED ((volatile uint64_t *)0x10000000)
#define THREADS 64

static pthread_barrier_t barrier;

static void die(void)
{
	_exit(99);
}

static void store(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		*WATCHED = i;
}

static void *store_n(void *n)
{
	store((unsigned long)(uintptr_t)n);
	return NULL;
}

static void *wait_and_store(void *n)
{
	pthread_barrier_wait(&barrier);
	store((unsigned long)(uintptr_t)n);
	return NULL;
}

static void start(pthread_t *thread, void *(*fn)(void *), unsigned long n)
{
	if (pthread_create(thread, NULL, fn, (void *)(uintptr_t)n))
		die();
}

static void with_children(unsigned long stores, unsigned long children,
			  unsigned long grandchildren)
{
	for (unsigned long i = 0; i < children; i++) {
		const pid_t pid = fork();

		if (pid < 0)
			die();
		if (pid == 0) {
			store(stores);
			with_children(stores, grandchildren, 0);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
}

static void tree(unsigned long stores, unsigned long threads,
		 unsigned long children, unsigned long grandchildren)
{
	pthread_t thread[THREADS];

	if (threads > THREADS)
		die();
	for (unsigned long i = 0; i < threads; i++)
		start(&thread[i], store_n, stores);
	store(stores);
	with_children(stores, children, grandchildren);
	for (unsigned long i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
}

static int open_fifo(const char *path)
{
	const int fd = open(path, O_RDWR);

	if (fd < 0)
		die();
	return fd;
}

static void say(int fd, const char *text)
{
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die();
}

static void hear(int fd, size_t bytes)
{
	char byte;

	while (bytes--)
		if (read(fd, &byte, 1) != 1)
			die();
}

static void command(int control, int ack, const char *text)
{
	say(control, text);
	hear(ack, 4);
}

static void touch(volatile char *page, unsigned long pages)
{
	for (unsigned long i = 0; i < pages; i++)
		page[i * 4096] = 1;
}

static void phases(int control, int ack, unsigned long stores,
		   unsigned long pages)
{
	char *p = mmap(NULL, (pages + 1) * 4096, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die();
	madvise(p, (pages + 1) * 4096, MADV_NOHUGEPAGE);
	/* All code is there before it counts. */
	command(control, ack, "ping\n");
	touch(p, 1);
	store(0);
	command(control, ack, "enable\n");
	store(stores);
	touch(p + 4096, pages);
	command(control, ack, "disable\n");
	store(stores);
}

static void touch_pages(unsigned long pages)
{
	char *p = mmap(NULL, pages * 4096, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die();
	madvise(p, pages * 4096, MADV_NOHUGEPAGE);
	touch(p, pages);
}

static void call(unsigned long calls, unsigned long children)
{
	for (unsigned long i = 0; i < children; i++) {
		const pid_t pid = fork();

		if (pid < 0)
			die();
		if (pid == 0) {
			call(calls, 0);
			_exit(0);
		}
	}
	while (calls--)
		getppid();
	while (wait(NULL) > 0)
		;
}

static void threads(int go, int done, unsigned long stores, unsigned long n)
{
	pthread_t thread[THREADS];

	if (n > THREADS || pthread_barrier_init(&barrier, NULL, n + 1))
		die();
	for (unsigned long i = 0; i < n; i++)
		start(&thread[i], wait_and_store, stores * (i + 1));
	say(done, "r");
	hear(go, 1);
	pthread_barrier_wait(&barrier);
	for (unsigned long i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	say(done, "d");
	hear(go, 1);
}

static unsigned long number(char **argv, int i)
{
	return strtoul(argv[i], NULL, 10);
}

int main(int argc, char **argv)
{
	if (mmap((void *)WATCHED, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE |
		 MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) !=
	    (void *)WATCHED)
		die();
	store(0);
	if (argc == 6 && !strcmp(argv[1], "tree")) {
		tree(number(argv, 2), number(argv, 3), number(argv, 4),
		     number(argv, 5));
	} else if (argc == 6 && !strcmp(argv[1], "phases")) {
		phases(open_fifo(argv[2]), open_fifo(argv[3]),
		       number(argv, 4), number(argv, 5));
	} else if (argc == 6 && !strcmp(argv[1], "threads")) {
		threads(open_fifo(argv[2]), open_fifo(argv[3]),
			number(argv, 4), number(argv, 5));
	} else if (argc == 3 && !strcmp(argv[1], "touch")) {
		touch_pages(number(argv, 2));
	} else if (argc == 4 && !strcmp(argv[1], "getppid")) {
		call(number(argv, 2), number(argv, 3));
	} else if (argc == 4 && !strcmp(argv[1], "poke")) {
		say(open_fifo(argv[2]), "g");
		hear(open_fifo(argv[3]), 1);
	} else {
		die();
	}
	return 0;
}
