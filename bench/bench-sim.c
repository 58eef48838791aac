/* SPDX-License-Identifier: MIT */
/*
 * How fast the simulator is for the CPU files as loaded: five streams through
 * each, in millions of accesses per second of CPU time spent in sim_feed; the
 * same streams as programs under cachegrind in the same run, if valgrind is
 * installed; and the geometric mean of the five ratios per file.
 *
 * What is compared: accesses that sim_feed takes per CPU second, from records
 * that are there already, and references to data by cachegrind's own total per
 * CPU second of its whole run, so cachegrind's side has the program and its
 * instruction fetches too: there is no cachegrind without. What cachegrind takes
 * for none of the accesses is subtracted, in references and seconds. Every
 * figure is the median of ROUNDS rounds; in each, cachegrind goes first.
 *
 * The programs are plain loops: no vectors, no register that saves an access.
 * The program of the power law looks each place up in a table, and so does its
 * stream.
 *
 *	bench-sim [MILLIONS [CPU...]]	accesses, default 16; default: all CPUs
 *	bench-sim --one STREAM CPU MILLIONS	nothing else, for a profiler
 *	bench-sim --native STREAM MILLIONS	the stream as a program
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../tests/unit/draw.h"
#include "base/access.h"
#include "cpus/cpu.h"
#include "sim/sim.h"

#define CHUNK (UINT32_C(1) << 18)	/* records made at a time */
#define ROUNDS 3
/*
 * cachegrind gets GROUND_TIMES the accesses, and at least GROUND_LEAST million:
 * a run without accesses takes 0.3 s, which is subtracted.
 */
#define GROUND_TIMES 8
#define GROUND_LEAST 128
#define MOST_CPUS 64
#define MATRIX 500
#define ZIPF_LINES (UINT32_C(1) << 19)	/* 32 MiB */
#define CHASE_LINES (UINT32_C(1) << 16)	/* 4 MiB */
#define RESIDENT_LINES 128		/* 8 KiB */

/* streams */

struct stream {
	const char *name;
	/* Fills record[0..n) with accesses first, first + 1, ... */
	void (*make)(uint64_t *record, uint64_t first, size_t n);
	/* Does n accesses, as a program would. */
	void (*run)(unsigned char *arena, uint64_t n);
	uint64_t bytes;
};

static uint32_t *resident_order, *chase_order, *zipf_order;

static uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t draw(void)
{
	return draw_next(&seed) >> 11;
}

/* The lines of one cycle through all of them, in the order of the walk. */
static uint32_t *cycle(uint32_t lines)
{
	uint32_t *order = malloc(lines * sizeof(*order));

	for (uint32_t i = 0; i < lines; i++)
		order[i] = i;
	for (uint32_t i = lines - 1; i; i--) {
		const uint32_t j = (uint32_t)(draw() % i), line = order[i];

		order[i] = order[j];
		order[j] = line;
	}
	return order;
}

/* 2^20 draws of a power law; the hot lines lie anywhere. */
static uint32_t *power_law(void)
{
	uint32_t *place = cycle(ZIPF_LINES);
	uint32_t *order = malloc(sizeof(*order) << 20);

	for (uint32_t i = 0; i < 1u << 20; i++) {
		/* density rank^-7/8: rank = lines * u^8 */
		const double u = (double)(draw() & 0xffffff) / 0x1000000;
		const double u2 = u * u, u4 = u2 * u2;
		const uint32_t rank = (uint32_t)(ZIPF_LINES * u4 * u4);

		order[i] = place[rank];
	}
	free(place);
	return order;
}

static uint64_t load(uint64_t offset)
{
	return access_pack(ACCESS_LOAD, 3, 0, ACCESS_ARENA_BASE + offset);
}

static void make_resident(uint64_t *record, uint64_t first, size_t n)
{
	for (size_t i = 0; i < n; i++)
		record[i] = load(64 * (uint64_t)resident_order
				 [(first + i) % RESIDENT_LINES]);
}

static void make_chase(uint64_t *record, uint64_t first, size_t n)
{
	for (size_t i = 0; i < n; i++)
		record[i] = load(64 * (uint64_t)chase_order
				 [(first + i) % CHASE_LINES]);
}

static void make_sequential(uint64_t *record, uint64_t first, size_t n)
{
	for (size_t i = 0; i < n; i++)
		record[i] = load(64 * ((first + i) % (UINT64_C(1) << 20)));
}

/* Each access behind the load of its place from a table. */
static void make_zipf(uint64_t *record, uint64_t first, size_t n)
{
	const uint64_t table = (uint64_t)ZIPF_LINES * 64;

	for (size_t i = 0; i < n; i++) {
		const uint64_t at = (first + i) / 2 & 0xfffff;
		const bool load_it = at * 0x9e3779b1u >> 30 & 3;

		record[i] = (first + i) % 2 ?
			access_pack(load_it ? ACCESS_LOAD : ACCESS_STORE, 3, 0,
				    ACCESS_ARENA_BASE +
				    64 * (uint64_t)zipf_order[at]) :
			access_pack(ACCESS_LOAD, 2, 0,
				    ACCESS_ARENA_BASE + table + 4 * at);
	}
}

/* c[i][j] = sum of a[i][k] * b[k][j], doubles: load, load ... store. */
static void make_matmul(uint64_t *record, uint64_t first, size_t n)
{
	const uint64_t matrix = (uint64_t)MATRIX * MATRIX * 8;
	uint64_t cell = first / (2 * MATRIX + 1);
	uint64_t k = first % (2 * MATRIX + 1);

	for (size_t at = 0; at < n; at++) {
		const uint64_t i = cell / MATRIX % MATRIX, j = cell % MATRIX;

		if (k == 2 * MATRIX)
			record[at] = access_pack(ACCESS_STORE, 3, 0,
						 ACCESS_ARENA_BASE +
						 2 * matrix +
						 (i * MATRIX + j) * 8);
		else if (k % 2 == 0)
			record[at] = load((i * MATRIX + k / 2) * 8);
		else
			record[at] = load(matrix + (k / 2 * MATRIX + j) * 8);
		if (++k > 2 * MATRIX) {
			k = 0;
			cell++;
		}
	}
}

/* the same as programs */

static uint64_t seen;

/* Each line holds the address of the next one. */
static void walk(unsigned char *arena, const uint32_t *order, uint64_t lines,
		 uint64_t n)
{
	void *volatile *at = (void *volatile *)arena;

	for (uint64_t i = 0; i < lines; i++)
		*(void **)(arena + 64 * (uint64_t)order[i]) =
			arena + 64 * (uint64_t)order[(i + 1) % lines];
	while (n--)
		at = *at;
	seen = (uintptr_t)at;
}

static void run_resident(unsigned char *arena, uint64_t n)
{
	walk(arena, resident_order, RESIDENT_LINES, n);
}

static void run_chase(unsigned char *arena, uint64_t n)
{
	walk(arena, chase_order, CHASE_LINES, n);
}

static void run_sequential(unsigned char *arena, uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += *(volatile uint64_t *)(arena + 64 *
					      (i % (UINT64_C(1) << 20)));
	seen = sum;
}

static void run_zipf(unsigned char *arena, uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++) {
		const uint64_t at = i & 0xfffff;
		volatile uint64_t *word = (volatile uint64_t *)(arena +
			64 * (uint64_t)zipf_order[at]);

		if (at * 0x9e3779b1u >> 30 & 3)
			sum += *word;
		else
			*word = sum;
	}
	seen = sum;
}

static void run_matmul(unsigned char *arena, uint64_t n)
{
	const uint64_t cells = (uint64_t)MATRIX * MATRIX;
	const volatile double *a = (const volatile double *)arena;
	const volatile double *b = a + cells;
	volatile double *c = (volatile double *)arena + 2 * cells;

	for (uint64_t cell = 0; cell < n / (2 * MATRIX + 1); cell++) {
		const uint64_t i = cell / MATRIX % MATRIX, j = cell % MATRIX;
		double sum = 0;

		for (uint64_t k = 0; k < MATRIX; k++)
			sum += a[i * MATRIX + k] * b[k * MATRIX + j];
		c[i * MATRIX + j] = sum;
	}
}

static const struct stream streams[] = {
	{ "hits", make_resident, run_resident, 8192 },
	{ "matmul", make_matmul, run_matmul,
	  (uint64_t)3 * MATRIX * MATRIX * 8 },
	{ "sequential", make_sequential, run_sequential, 64 << 20 },
	{ "chase", make_chase, run_chase, 4 << 20 },
	{ "zipf", make_zipf, run_zipf, 32 << 20 },
};
#define STREAMS (sizeof(streams) / sizeof(*streams))

/* CPU files */

struct cpu_rates {
	struct geometry geometry;
	double rate[STREAMS][ROUNDS];	/* M accesses per CPU second */
};

static struct cpu_rates cpus[MOST_CPUS];
static size_t cpu_count;

/* The names that are asked for; none: all. */
static const char *const *wanted;
static int wanted_count;

static bool is_wanted(const char *name)
{
	for (int i = 0; i < wanted_count; i++)
		if (!strcmp(wanted[i], name))
			return true;
	return !wanted_count;
}

static int add_cpu(void *ctx, const struct cpu *cpu)
{
	(void)ctx;
	if (is_wanted(cpu->geometry.name) && cpu_count < MOST_CPUS)
		cpus[cpu_count++].geometry = cpu->geometry;
	return 0;
}

static void load_cpus(const char *const *names, int count)
{
	struct assay_error error;

	wanted = names;
	wanted_count = count;
	if (!cpu_each(NULL, add_cpu, NULL, &error) && cpu_count)
		return;
	fprintf(stderr, "bench-sim: no such CPU file\n");
	exit(2);
}

/* measuring */

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct sim *build(const struct geometry *g, void **memory)
{
	const char *why = "out of memory";
	const size_t bytes = sim_bytes(g, &why);

	*memory = bytes ? aligned_alloc(64, (bytes + 63) & ~(size_t)63) : NULL;
	if (!*memory) {
		fprintf(stderr, "bench-sim: %s: %s\n", g->name, why);
		exit(1);
	}
	return sim_init(*memory, g);
}

/* M accesses per CPU second. */
static double measure(const struct stream *s, const struct geometry *g,
		      uint64_t accesses)
{
	uint64_t *record = malloc(CHUNK * sizeof(*record));
	double spent = 0, begin;
	void *memory;
	struct sim *sim = build(g, &memory);

	for (uint64_t done = 0; done < accesses; done += CHUNK) {
		s->make(record, done, CHUNK);
		begin = cpu_seconds();
		for (size_t i = 0; i < CHUNK; i += ACCESS_BATCH)
			sim_feed(sim, record + i, ACCESS_BATCH);
		spent += cpu_seconds() - begin;
	}
	free(memory);
	free(record);
	accesses = (accesses + CHUNK - 1) / CHUNK * CHUNK;
	return (double)accesses / spent * 1e-6;
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *of)
{
	qsort(of, ROUNDS, sizeof(*of), ascending);
	return of[ROUNDS / 2];
}

/* cachegrind */

static void run_native(const struct stream *s, uint64_t accesses)
{
	unsigned char *arena = calloc(1, s->bytes);

	if (arena)
		s->run(arena, accesses);
	free(arena);
}

static double spent_by_children(void)
{
	struct rusage u;

	getrusage(RUSAGE_CHILDREN, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

/* What a run of cachegrind took and counted. */
struct ground {
	double seconds, instructions, references;
};

/* "==1== D   refs:   1,234  (...": 1234; or `before` if it is no such line. */
static double total_of(const char *line, const char *title, double before)
{
	const char *at = strstr(line, title);
	double n = 0;

	if (!at)
		return before;
	for (at += strlen(title); *at == ' ' || *at == ',' ||
	     (*at >= '0' && *at <= '9'); at++)
		if (*at >= '0' && *at <= '9')
			n = n * 10 + (*at - '0');
	return n;
}

static void run_cachegrind(const char *self, const char *stream,
			   const char *millions, int out)
{
	dup2(out, STDERR_FILENO);
	execlp("valgrind", "valgrind", "--tool=cachegrind", "--cache-sim=yes",
	       "--cachegrind-out-file=/dev/null", "--I1=32768,8,64",
	       "--D1=32768,8,64", "--LL=1048576,16,64", self, "--native", stream,
	       millions, (char *)NULL);
	_exit(127);
}

static bool cachegrind(const char *self, const char *stream,
		       uint64_t millions, struct ground *g)
{
	const double before = spent_by_children();
	char number[24], line[256];
	int status = -1, ends[2];
	pid_t child;
	FILE *out;

	snprintf(number, sizeof(number), "%llu",
		 (unsigned long long)millions);
	memset(g, 0, sizeof(*g));
	fflush(stdout);
	if (pipe(ends))
		return false;
	child = fork();
	if (child == 0)
		run_cachegrind(self, stream, number, ends[1]);
	close(ends[1]);
	out = fdopen(ends[0], "r");
	while (out && fgets(line, sizeof(line), out)) {
		g->instructions = total_of(line, "I   refs:", g->instructions);
		g->references = total_of(line, "D   refs:", g->references);
	}
	if (out)
		fclose(out);
	if (child < 0 || waitpid(child, &status, 0) < 0 || status)
		return false;
	g->seconds = spent_by_children() - before;
	return g->references > 0;
}

/* A run without what one of no accesses takes. */
static bool net_cachegrind(const char *self, const char *stream,
			   uint64_t millions, struct ground *g)
{
	struct ground none;

	if (!cachegrind(self, stream, 0, &none) ||
	    !cachegrind(self, stream, millions, g))
		return false;
	g->seconds -= none.seconds;
	g->instructions -= none.instructions;
	g->references -= none.references;
	return g->seconds > 0;
}

/* the report */

/* cachegrind's M references per CPU second; 0: valgrind was not run. */
static double theirs[STREAMS][ROUNDS];

static void measure_all(const char *self, size_t stream, uint64_t millions,
			int round)
{
	const struct stream *s = &streams[stream];
	const uint64_t wanted = GROUND_TIMES * millions;
	struct ground g;

	if (net_cachegrind(self, s->name,
			   wanted < GROUND_LEAST ? GROUND_LEAST : wanted, &g))
		theirs[stream][round] = g.references / g.seconds * 1e-6;
	for (size_t c = 0; c < cpu_count; c++)
		cpus[c].rate[stream][round] =
			measure(s, &cpus[c].geometry, millions * 1000000);
}

static void print_head(const double *ground)
{
	printf("%-17s", "M accesses/s");
	for (size_t s = 0; s < STREAMS; s++)
		printf(" %14s", streams[s].name);
	printf(" %8s\n%-17s", "mean", "cachegrind");
	for (size_t s = 0; s < STREAMS; s++)
		printf(" %14.1f", ground[s]);
	printf("\n");
}

/* Returns the geometric mean of the ratios; 0: cachegrind was not run. */
static double print_cpu(struct cpu_rates *c, const double *ground)
{
	double product = 1;

	printf("%-17s", c->geometry.name);
	for (size_t s = 0; s < STREAMS; s++) {
		const double rate = median(c->rate[s]);
		const double times = ground[s] > 0 ? rate / ground[s] : 0;

		printf(" %7.1f (%4.1f)", rate, times);
		product *= times;
	}
	product = pow(product, 1.0 / (double)STREAMS);
	printf(" %8.2f\n", product);
	return product;
}

static void report(const char *self, uint64_t millions)
{
	double ground[STREAMS], sum = 0, least = HUGE_VAL;

	for (int round = 0; round < ROUNDS; round++)
		for (size_t s = 0; s < STREAMS; s++)
			measure_all(self, s, millions, round);
	for (size_t s = 0; s < STREAMS; s++)
		ground[s] = median(theirs[s]);
	print_head(ground);
	for (size_t c = 0; c < cpu_count; c++) {
		const double mean = print_cpu(&cpus[c], ground);

		sum += mean;
		least = mean < least ? mean : least;
	}
	printf("times cachegrind, geometric mean over the streams: least %.2f "
	       "(goal 4), mean of files %.2f (goal 6)\n", least,
	       sum / (double)cpu_count);
}

static const struct stream *stream_named(const char *name)
{
	for (size_t i = 0; i < STREAMS; i++)
		if (!strcmp(streams[i].name, name))
			return &streams[i];
	fprintf(stderr, "bench-sim: no stream \"%s\"\n", name);
	exit(2);
}

static uint64_t number(const char *text)
{
	char *end;
	const unsigned long n = strtoul(text, &end, 10);

	if (n <= 1000000 && !*end)
		return n;
	fprintf(stderr, "bench-sim: not a number of millions: \"%s\"\n", text);
	exit(2);
}

int main(int argc, char **argv)
{
	const uint64_t million = 1000000;

	resident_order = cycle(RESIDENT_LINES);
	chase_order = cycle(CHASE_LINES);
	zipf_order = power_law();
	if (argc == 4 && !strcmp(argv[1], "--native")) {
		run_native(stream_named(argv[2]), number(argv[3]) * million);
		return 0;
	}
	if (argc == 5 && !strcmp(argv[1], "--one")) {
		load_cpus((const char *const *)argv + 3, 1);
		printf("%.1f\n", measure(stream_named(argv[2]),
					 &cpus[0].geometry,
					 number(argv[4]) * million));
		return 0;
	}
	load_cpus((const char *const *)argv + 2, argc > 2 ? argc - 2 : 0);
	report(argv[0], argc > 1 ? number(argv[1]) : 16);
	return 0;
}
