/* SPDX-License-Identifier: MIT */
/*
 * What counting costs, against bare perf_event, PAPI and perf stat in one run.
 *
 *	bench-stat [ASSAY]
 *
 * 1. ns to begin and end a region of 4 software events, and ns of one read.
 *    Bare is the cheapest sequence that is correct: counters that always run,
 *    and one read(2) of the group on either side. All variants take turns in
 *    each round; shown is the median of the rounds.
 * 2. ms of user and system CPU of a whole `assay stat -e page-faults true`
 *    against `perf stat -e page-faults true`, and of `true` alone.
 *
 * PAPI is loaded if its library is there (package libpapi7.0), perf is run if
 * it is there (linux-perf); what is missing is said.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "assay.h"
#include "assay/region.h"
#include "counters/perf-group.h"

#define EVENTS 4
#define ROUNDS 401
#define CALLS 50
#define RUNS 200

static const char names[] =
	"page-faults,minor-faults,major-faults,context-switches";
/* the same, as Linux numbers them */
static const uint64_t configs[EVENTS] = { 2, 5, 6, 3 };
static const char *const papi_names[EVENTS] = {
	"perf::PAGE-FAULTS", "perf::MINOR-FAULTS", "perf::MAJOR-FAULTS",
	"perf::CONTEXT-SWITCHES",
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *x, size_t n)
{
	qsort(x, n, sizeof(*x), compare);
	return x[n / 2];
}

/* ---- what is compared ----------------------------------------------------- */

struct bare {
	int leader;
	char before[256], after[256];
};

struct papi {
	int set;
	int (*start)(int);
	int (*stop)(int, long long *);
	int (*read)(int, long long *);
	bool ready, running;
};

struct all {
	struct bare bare;
	struct assay_region *region;
	struct papi papi;
};

static void bare_open(struct bare *b)
{
	struct group group = { .events = EVENTS };
	struct perf_group *opened = calloc(1, sizeof(*opened));
	const struct perf_target self = { .cpu = -1, .sysroot = "/" };

	for (int i = 0; i < EVENTS; i++)
		group.event[i] = (struct encoding){
			.family = ENCODING_SOFTWARE, .config = configs[i] };
	/* Opened by the same code; what is measured is the system calls. */
	perf_group_open(opened, &group, &self);
	b->leader = opened->leader;
	if (b->leader < 0 || opened->members != EVENTS) {
		fprintf(stderr, "bench-stat: cannot count: %s\n",
			opened->slot[0].why);
		exit(77);
	}
}

static void bare_pair(struct all *a)
{
	if (read(a->bare.leader, a->bare.before, sizeof(a->bare.before)) < 0 ||
	    read(a->bare.leader, a->bare.after, sizeof(a->bare.after)) < 0)
		exit(1);
}

static void bare_read(struct all *a)
{
	if (read(a->bare.leader, a->bare.before, sizeof(a->bare.before)) < 0)
		exit(1);
}

static void region_pair(struct all *a)
{
	if (assay_region_begin(a->region) || assay_region_end(a->region))
		exit(1);
}

static void papi_pair(struct all *a)
{
	long long values[EVENTS];

	a->papi.start(a->papi.set);
	a->papi.stop(a->papi.set, values);
}

static void papi_read(struct all *a)
{
	long long values[EVENTS];

	a->papi.read(a->papi.set, values);
}

static void papi_running(struct all *a, bool on)
{
	long long values[EVENTS];

	if (on)
		a->papi.start(a->papi.set);
	else
		a->papi.stop(a->papi.set, values);
}

static void papi_open(struct papi *p)
{
	void *lib = dlopen("libpapi.so.7.0", RTLD_NOW);
	int (*init)(int), (*create)(int *), (*add)(int, const char *);

	if (!lib)
		return;
	*(void **)&init = dlsym(lib, "PAPI_library_init");
	*(void **)&create = dlsym(lib, "PAPI_create_eventset");
	*(void **)&add = dlsym(lib, "PAPI_add_named_event");
	*(void **)&p->start = dlsym(lib, "PAPI_start");
	*(void **)&p->stop = dlsym(lib, "PAPI_stop");
	*(void **)&p->read = dlsym(lib, "PAPI_read");
	p->set = -1;
	if (!init || !create || !add || !p->start || !p->stop || !p->read ||
	    init(7 << 24) != 7 << 24 || create(&p->set))
		return;
	for (int i = 0; i < EVENTS; i++)
		if (add(p->set, papi_names[i]))
			return;
	p->ready = true;
}

/* ---- measuring ------------------------------------------------------------ */

static const struct variant {
	const char *name;
	void (*call)(struct all *all);
	bool papi, running;
} variants[] = {
	{ "bare: two reads of one group", bare_pair, false, false },
	{ "assay_region_begin + _end", region_pair, false, false },
	{ "PAPI_start + PAPI_stop", papi_pair, true, false },
	{ "bare: one read", bare_read, false, false },
	{ "PAPI_read", papi_read, true, true },
};

enum { VARIANTS = sizeof(variants) / sizeof(variants[0]) };

static double one_round(struct all *all, const struct variant *v)
{
	double start, end;

	if (v->running)
		papi_running(all, true);
	v->call(all);
	start = now();
	for (int i = 0; i < CALLS; i++)
		v->call(all);
	end = now();
	if (v->running)
		papi_running(all, false);
	return (end - start) / CALLS;
}

static void bench_calls(struct all *all, const struct assay *assay)
{
	static double ns[VARIANTS][ROUNDS];
	double result[VARIANTS];

	(void)assay;
	for (int r = 0; r < ROUNDS; r++)
		for (int v = 0; v < VARIANTS; v++)
			if (!variants[v].papi || all->papi.ready)
				ns[v][r] = one_round(all, &variants[v]);
	for (int v = 0; v < VARIANTS; v++) {
		result[v] = median(ns[v], ROUNDS);
		if (!variants[v].papi || all->papi.ready)
			printf("%-34s %8.0f ns\n", variants[v].name,
			       result[v]);
	}
	printf("region / bare: %.2f (goal: at most 1.10)\n",
	       result[1] / result[0]);
	if (all->papi.ready)
		printf("region / PAPI: %.2f (goal: below 0.50)\n",
		       result[1] / result[2]);
	else
		puts("PAPI: its library is not here (libpapi7.0)");
}

/* ---- whole processes ------------------------------------------------------ */

/* User and system ms of a program and what it started; < 0: it failed. */
static double run(char *const *argv)
{
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		const int null = open("/dev/null", O_WRONLY);

		dup2(null, 1);
		dup2(null, 2);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status)
		return -1;
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static void bench_processes(char *assay)
{
	char *const with_assay[] = { assay, "stat", "-e", "page-faults",
				     "true", NULL };
	char *const with_perf[] = { "perf", "stat", "-e", "page-faults",
				    "true", NULL };
	char *const alone[] = { "true", NULL };
	char *const *const what[] = { with_assay, with_perf, alone };
	static double ms[3][RUNS];
	double result[3];

	for (int r = 0; r < RUNS; r++)
		for (int i = 0; i < 3; i++)
			ms[i][r] = run(what[i]);
	for (int i = 0; i < 3; i++)
		result[i] = median(ms[i], RUNS);
	printf("%-34s %8.2f ms user + system\n", "true", result[2]);
	printf("%-34s %8.2f ms\n", "assay stat -e page-faults true",
	       result[0]);
	if (result[1] < 0) {
		puts("perf: it is not here (linux-perf)");
		return;
	}
	printf("%-34s %8.2f ms\n", "perf stat -e page-faults true", result[1]);
	printf("assay / perf: %.2f (goal: at most 0.20)\n",
	       result[0] / result[1]);
	printf("the same without true: %.2f\n",
	       (result[0] - result[2]) / (result[1] - result[2]));
}

int main(int argc, char **argv)
{
	struct all all = { 0 };
	struct assay_error err = { 0 };
	struct assay *assay;

	if (assay_open(&assay, NULL, &err) ||
	    assay_region_open(&all.region, assay, names, &err)) {
		fprintf(stderr, "bench-stat: %s\n", err.text);
		return 77;
	}
	papi_open(&all.papi);
	bare_open(&all.bare);
	bench_calls(&all, assay);
	assay_region_close(all.region);
	assay_close(assay);
	if (argc > 1)
		bench_processes(argv[1]);
	return 0;
}
