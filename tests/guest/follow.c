/* SPDX-License-Identifier: MIT */
/*
 * Counters of other programs on a real PMU: how many events fit, totals over a
 * child and its child, counters that are shared in time, and a program that
 * moves between two kinds of core. What is counted is a loop of two
 * instructions; the host judges.
 */
#define _GNU_SOURCE	/* sched_setaffinity */
#include "follow.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "counters/perf-follow.h"
#include "events/hybrid.h"
#include "events/packing.h"

#define INST_RETIRED 0x08

static struct group group;

static void fill(unsigned events)
{
	memset(&group, 0, sizeof(group));
	for (unsigned e = 0; e < events; e++) {
		struct encoding *x = &group.event[group.events++];

		x->family = ENCODING_RAW;
		x->config = INST_RETIRED;
		x->scope = ENCODING_USER;
		snprintf(x->name, sizeof(x->name), "r08");
		snprintf(x->code, sizeof(x->code), "0x08");
	}
}

/* 2 n + 1 instructions. */
static void burn(unsigned long n)
{
	__asm__ volatile("mov x9, %0\n"
			 "1: subs x9, x9, #1\n"
			 "b.ne 1b" : : "r"(n) : "x9", "cc");
}

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		printf("@{\"t\":\"broken\",\"what\":\"cpu %d\"}\n", cpu);
}

struct program {
	unsigned long n;
	bool child;	/* has one that does the same */
	bool moves;	/* does it again on CPU 1 */
	int go;		/* waits for a byte from here */
};

static void run_program(const struct program *p)
{
	char byte;
	pid_t pid;

	if (read(p->go, &byte, 1) != 1)
		_exit(1);
	if (p->moves)
		run_on(0);
	burn(p->n);
	if (p->moves) {
		run_on(1);
		burn(p->n);
	}
	if (p->child) {
		pid = fork();
		if (pid == 0) {
			burn(p->n);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	_exit(0);
}

/* Runs it with all events of the group counted. */
static struct follow *count(struct program program,
			    const unsigned char *together)
{
	struct follow_spot spot = { .cpu = -1 };
	const struct follow_setup setup = {
		.events = &group, .together = together, .spot = &spot,
		.spots = 1, .inherit = true, .sysroot = "/",
	};
	struct follow *f = NULL;
	int go[2];

	if (pipe(go))
		return NULL;
	program.go = go[0];
	fflush(stdout);
	spot.pid = fork();
	if (spot.pid == 0)
		run_program(&program);
	if (follow_open(&f, &setup, NULL) == 0)
		follow_enable(f);
	if (write(go[1], "g", 1) != 1)
		printf("@{\"t\":\"broken\",\"what\":\"pipe\"}\n");
	waitpid(spot.pid, NULL, 0);
	close(go[0]);
	close(go[1]);
	return f;
}

int follow_program(const char *n)
{
	const unsigned long times = strtoul(n, NULL, 10);
	pid_t pid;

	burn(times);
	pid = fork();
	if (pid == 0) {
		burn(times);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return 0;
}

/* The counters are ours, wait for an exec, and are inherited by it. */
static struct follow *count_inherited(unsigned long n,
				      const unsigned char *together)
{
	const struct follow_spot spot = { .cpu = -1 };
	const struct follow_setup setup = {
		.events = &group, .together = together, .spot = &spot,
		.spots = 1, .inherit = true, .on_exec = true, .sysroot = "/",
	};
	struct follow *f = NULL;
	char text[32];
	pid_t pid;

	snprintf(text, sizeof(text), "%lu", n);
	fflush(stdout);
	if (follow_open(&f, &setup, NULL))
		return NULL;
	pid = vfork();
	if (pid == 0) {
		execl("/proc/self/exe", "init", "burn", text, NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	/* What we do is not in it. */
	burn(n);
	return f;
}

static void print_counts(const char *what, unsigned long n, struct follow *f)
{
	struct follow_value v;

	for (unsigned e = 0; f && e < group.events; e++) {
		if (follow_read(f, e, &v))
			printf("@{\"t\":\"%s\",\"event\":\"%s\",\"n\":%lu,"
			       "\"value\":%llu,\"enabled\":%llu,"
			       "\"running\":%llu}\n", what,
			       group.event[e].name, n,
			       (unsigned long long)v.value,
			       (unsigned long long)v.enabled,
			       (unsigned long long)v.running);
		else
			printf("@{\"t\":\"%s\",\"why\":\"%s\"}\n", what,
			       f->why[e]);
	}
	follow_close(f);
}

static bool fits(void *ctx, const struct group *g, const unsigned *event,
		 unsigned n)
{
	(void)ctx;
	return follow_fits(g, event, n);
}

static void print_packing(unsigned events)
{
	struct packing p;

	fill(events);
	packing_make(&p, &group, NULL, fits, NULL);
	printf("@{\"t\":\"packed\",\"events\":%u,\"sets\":%u,\"set\":[",
	       events, p.sets);
	for (unsigned e = 0; e < events; e++)
		printf("%s%u", e ? "," : "", p.set[e]);
	printf("]}\n");
}

void suite_follow(void)
{
	static const unsigned char together[ASSAY_EVENTS] = { 0 };

	print_packing(4);
	print_packing(10);
	print_packing(20);
	fill(3);
	for (unsigned long n = 100000; n <= 400000; n *= 2)
		print_counts("tree", n, count((struct program){
			     .n = n, .child = true }, together));
	for (unsigned long n = 100000; n <= 400000; n *= 2)
		print_counts("inherited", n, count_inherited(n, together));
	fill(12);
	print_counts("shared", 50000000, count((struct program){
		     .n = 50000000 }, NULL));
}

void suite_kinds(void)
{
	unsigned char core[ASSAY_EVENTS];
	struct hybrid *hybrid = calloc(1, sizeof(*hybrid));

	if (!hybrid)
		return;
	hybrid_read(hybrid, "/");
	printf("@{\"t\":\"cores\",\"kinds\":%u}\n", hybrid->cores);
	fill(1);
	if (hybrid_expand(hybrid, &group, core, NULL, NULL))
		printf("@{\"t\":\"broken\",\"what\":\"expand\"}\n");
	for (unsigned long n = 1000000; n <= 2000000; n *= 2)
		print_counts("moved", n, count((struct program){
			     .n = n, .moves = true }, NULL));
	free(hybrid);
}
