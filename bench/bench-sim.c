/* SPDX-License-Identifier: MIT */
/*
 * How fast the software PMU is: five streams through three hierarchies with
 * goals, and through those of three CPU files, in millions of accesses per
 * second of CPU time spent in sim_feed. In the same
 * run the counts of a part of each stream are compared with the reference
 * simulator of the tests. With valgrind installed, the instructions per access
 * in sim_feed are printed, as callgrind counts them: with AVX2, since valgrind
 * knows no AVX-512; and the streams run as programs under cachegrind, with the
 * same caches.
 *
 * What repeats itself is not simulated again (sim/repeats.h): how much that
 * is, is printed, and the median where every access is simulated. Instructions
 * per access are those of the latter.
 *
 * What is compared with cachegrind: accesses that sim_feed takes per CPU second
 * with two levels, from records that are there already, and references to data
 * by cachegrind's own total per CPU second of its whole run. So its side has
 * the program and its instruction fetches too: there is no cachegrind without.
 * Both do the same accesses, as many of them, by turns, ours first, in both
 * ways; what cachegrind takes for none of them is subtracted, in references and
 * seconds.
 * The programs are plain loops: no vectors, no register that saves an access.
 * The one of the power law looks each place up in a table, and so do we then.
 *
 * Other simulators are in no package. What they take per access is quoted, as
 * callgrind counted it once for like streams and two levels of the same sizes;
 * but the matrix was smaller, and missed less.
 *
 *	bench-sim [MILLIONS]		accesses per measurement, default 64
 *	bench-sim --peer STREAM [MILLIONS]	against cachegrind only
 *	bench-sim --one STREAM HIERARCHY MILLIONS	nothing else, for callgrind
 *	bench-sim --each STREAM HIERARCHY MILLIONS	with every access simulated
 *	bench-sim --native STREAM MILLIONS	the stream as a program
 */
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
#include "reference-sim.h"
#include "sim/sim.h"

#define CHUNK (UINT32_C(1) << 18)	/* records made at a time */
#define CHECKED (UINT32_C(1) << 20)	/* accesses compared */
#define ROUNDS 5
#define MATRIX 500
#define ZIPF_LINES (UINT32_C(1) << 19)	/* 32 MiB */
#define CHASE_LINES (UINT32_C(1) << 16)	/* 4 MiB */
#define RESIDENT_LINES 128		/* 8 KiB */

/* streams: the byte offset of access i, and whether it stores */

struct stream {
	const char *name;
	/* Fills record[0..n) with accesses first, first + 1, ... */
	void (*make)(uint64_t *record, uint64_t first, size_t n);
	/* Does n of them, as a program would. */
	void (*run)(unsigned char *arena, uint64_t n);
	double goal[3];		/* M accesses/s, by hierarchy */
	double most;		/* goal: instructions per access; 0: none */
	double times;		/* goal: cachegrind's references; 0: none */
	uint64_t bytes;
	/* As run() does it, if that does more; or NULL. */
	void (*make_run)(uint64_t *record, uint64_t first, size_t n);
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

static void make_zipf(uint64_t *record, uint64_t first, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t at = (first + i) & 0xfffff;

		record[i] = access_pack(at * 0x9e3779b1u >> 30 & 3 ?
					ACCESS_LOAD : ACCESS_STORE, 3, 0,
					ACCESS_ARENA_BASE +
					64 * (uint64_t)zipf_order[at]);
	}
}

/* Each access behind the load of its place from a table. */
static void make_run_zipf(uint64_t *record, uint64_t first, size_t n)
{
	const uint64_t table = (uint64_t)ZIPF_LINES * 64;

	for (size_t i = 0; i < n; i++) {
		const uint64_t at = (first + i) / 2;

		if ((first + i) % 2)
			make_zipf(record + i, at, 1);
		else
			record[i] = access_pack(ACCESS_LOAD, 2, 0,
						ACCESS_ARENA_BASE + table +
						4 * (at & 0xfffff));
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
	{ "resident", make_resident, run_resident, { 500, 500, 300 }, 15, 0,
	  8192, NULL },
	{ "matmul", make_matmul, run_matmul, { 350, 350, 200 }, 25, 7,
	  (uint64_t)3 * MATRIX * MATRIX * 8, NULL },
	{ "sequential", make_sequential, run_sequential, { 190, 120, 80 }, 80,
	  10, 64 << 20, NULL },
	{ "chase", make_chase, run_chase, { 180, 75, 50 }, 80, 15, 4 << 20,
	  NULL },
	{ "zipf", make_zipf, run_zipf, { 60, 60, 40 }, 0, 8, 32 << 20,
	  make_run_zipf },
};
#define STREAMS (sizeof(streams) / sizeof(*streams))

/* hierarchies */

static const char *const hierarchies[] = {
	"L1+L2", "L1+L2+L3", "L1+L2+L3+TLBs+prefetch", "like cortex-a72",
	"like cortex-a76", "like i7-6700hq"
};
#define HIERARCHIES 6
#define WITH_GOALS 3

static struct cache_geometry cache(uint32_t bytes, uint32_t ways)
{
	return (struct cache_geometry){
		.present = true, .line_bytes = 64, .sets = bytes / 64 / ways,
		.ways = ways, .slices = 1
	};
}

/* What the CPU files of these names say, prefetchers off. */

static void like_a72(struct geometry *g)
{
	g->l1d = cache(32 << 10, 2);
	g->l1i = cache(48 << 10, 3);
	g->l2 = cache(1 << 20, 16);
	g->l2.policy = REPLACE_BIT_PLRU;
	g->l2.inclusion = INCLUDE_ALL;
	g->dtlb = (struct tlb_geometry){ true, 32, 32, REPLACE_LRU };
	g->l2tlb = (struct tlb_geometry){ true, 1024, 4, REPLACE_LRU };
	g->walker = (struct walker_geometry){ WALK_L2, 4, 3 };
}

static void like_a76(struct geometry *g)
{
	g->l1d = cache(64 << 10, 4);
	g->l2 = cache(512 << 10, 8);
	g->l2.inclusion = INCLUDE_ALL;
	g->l3 = cache(2 << 20, 16);
	g->l3.inclusion = INCLUDE_EXCLUSIVE;
	g->l1d.policy = g->l2.policy = g->l3.policy = REPLACE_TREE_PLRU;
	g->dtlb = (struct tlb_geometry){ true, 48, 48, REPLACE_LRU };
	g->l2tlb = (struct tlb_geometry){ true, 1280, 5, REPLACE_LRU };
	g->walker = (struct walker_geometry){ WALK_L1D, 4, 3 };
}

static void like_skylake(struct geometry *g)
{
	g->l1d = cache(32 << 10, 8);
	g->l1d.policy = REPLACE_TREE_PLRU;
	g->l2 = cache(256 << 10, 4);
	g->l2.policy = REPLACE_QLRU_H00_M1_R2_U1;
	g->l2.silent_clean = g->l2.loud_from_dram = true;
	g->l3 = cache(6 << 20, 12);
	g->l3.sets /= 4;
	g->l3.slices = 4;
	g->l3.policy = REPLACE_QLRU_H11_M1_R0_U0;
	g->l3.inclusion = INCLUDE_ALL;
	g->dtlb = (struct tlb_geometry){ true, 64, 4, REPLACE_LRU };
	g->l2tlb = (struct tlb_geometry){ true, 1536, 12, REPLACE_LRU };
	g->walker = (struct walker_geometry){ WALK_L1D, 4, 3 };
}

/* known: only with what the reference knows. */
static void hierarchy(struct geometry *g, int which, bool known)
{
	memset(g, 0, sizeof(*g));
	if (which >= WITH_GOALS) {
		void (*const like[])(struct geometry *) = {
			like_a72, like_a76, like_skylake
		};

		like[which - WITH_GOALS](g);
		if (!known) {
			g->page_map = (struct page_map){
				.kind = PAGE_MAP_RANDOM, .seed = 1
			};
			return;
		}
		g->l3.sets *= g->l3.slices ? g->l3.slices : 1;
		g->l3.slices = 1;
		return;
	}
	g->l1d = cache(32 << 10, 8);
	g->l2 = cache(1 << 20, 16);
	if (which >= 1)
		g->l3 = cache(32 << 20, 16);
	if (which < 2)
		return;
	g->dtlb = (struct tlb_geometry){ true, 64, 4, REPLACE_LRU };
	g->l2tlb = (struct tlb_geometry){ true, 1536, 12, REPLACE_LRU };
	g->walker = (struct walker_geometry){ WALK_L1D, 4, 3 };
	if (known)
		return;
	g->prefetchers = 1;
	g->prefetcher[0] = (struct prefetch_geometry){
		.kind = PREFETCH_STREAM, .on = true, .trains_on = 2,
		.fills = 2, .page_bounded = true, .window = 32, .degree = 1,
		.distance = 8
	};
}

static struct sim *build(const struct geometry *g, void **memory)
{
	const char *why = "";
	const size_t bytes = sim_bytes(g, &why);

	*memory = bytes ? aligned_alloc(64, (bytes + 63) & ~(size_t)63) : NULL;
	if (!*memory) {
		fprintf(stderr, "bench-sim: no simulator: %s\n", why);
		exit(1);
	}
	return sim_init(*memory, g);
}

/* measuring */

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void feed(struct sim *sim, const uint64_t *record, size_t n)
{
	for (size_t i = 0; i < n; i += ACCESS_BATCH)
		sim_feed(sim, record + i,
			 n - i < ACCESS_BATCH ? n - i : ACCESS_BATCH);
}

typedef void make_fn(uint64_t *record, uint64_t first, size_t n);

/* How a stream is taken. */
enum way {
	AS_IT_COMES,	/* what repeats itself is left out: sim/repeats.h */
	EACH		/* every access is simulated */
};

struct result {
	double rate;		/* M accesses per CPU second */
	double left_out;	/* lookups, per access */
};

static struct result take(make_fn *make, int which, uint64_t accesses,
			  enum way way)
{
	uint64_t *record = malloc(CHUNK * sizeof(*record));
	double spent = 0, begin;
	struct result result;
	struct geometry g;
	struct sim *sim;
	void *memory;

	hierarchy(&g, which, false);
	sim = build(&g, &memory);
	sim_set_fast_forward(sim, way == AS_IT_COMES);
	for (uint64_t done = 0; done < accesses; done += CHUNK) {
		make(record, done, CHUNK);
		begin = cpu_seconds();
		feed(sim, record, CHUNK);
		spent += cpu_seconds() - begin;
	}
	begin = cpu_seconds();
	sim_signals(sim);
	spent += cpu_seconds() - begin;
	result.rate = (double)accesses / spent * 1e-6;
	result.left_out = 0;
	free(memory);
	free(record);
	return result;
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* What was left out is the same each time. */
static struct result median(const struct stream *s, int which,
			    uint64_t accesses, enum way way, double *best)
{
	struct result result;
	double rates[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		result = take(s->make, which, accesses, way);
		rates[i] = result.rate;
	}
	qsort(rates, ROUNDS, sizeof(*rates), ascending);
	*best = rates[ROUNDS - 1];
	result.rate = rates[ROUNDS / 2];
	return result;
}

/* checking */

static bool equal(const uint64_t *n, const struct reference_report *r)
{
	return n[SIGNAL_l1d_load] + n[SIGNAL_l1d_walk] == r->cache[0].reads &&
	       n[SIGNAL_l1d_load_miss] + n[SIGNAL_l1d_walk_miss] ==
		       r->cache[0].read_misses &&
	       n[SIGNAL_l1d_store_miss] == r->cache[0].write_misses &&
	       n[SIGNAL_l1d_evict_dirty] == r->cache[0].writebacks &&
	       n[SIGNAL_l2_load_miss] + n[SIGNAL_l2_store_miss] +
		       n[SIGNAL_l2_walk_miss] == r->cache[1].read_misses &&
	       n[SIGNAL_l2_evict_dirty] == r->cache[1].writebacks &&
	       n[SIGNAL_dram_read] == r->memory_reads &&
	       n[SIGNAL_dram_write] == r->memory_writes &&
	       n[SIGNAL_dtlb_load_miss] + n[SIGNAL_dtlb_store_miss] ==
		       r->dtlb_misses &&
	       n[SIGNAL_walk_reads] == r->walk_reads;
}

/* Without prefetchers, page maps and slices: the reference knows none. */
static bool check(const struct stream *s, int which)
{
	uint64_t *record = malloc(CHECKED * sizeof(*record));
	struct reference *r;
	struct geometry g;
	struct sim *sim;
	void *memory;
	bool same;

	hierarchy(&g, which, true);
	sim = build(&g, &memory);
	r = reference_new(&g);
	s->make(record, 0, CHECKED);
	feed(sim, record, CHECKED);
	reference_feed(r, record, CHECKED);
	same = equal(sim_signals(sim), reference_report(r));
	reference_free(r);
	free(memory);
	free(record);
	return same;
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
	       "--D1=32768,8,64", "--LL=1048576,16,64", self, "--native",
	       stream, millions, (char *)NULL);
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

/* The median of all rounds, and of the ratios to theirs of the same round. */
static double print_ours(const char *name, const char *title, double *ours,
			 const double *theirs)
{
	double ratio[ROUNDS], times;

	for (int i = 0; i < ROUNDS; i++)
		ratio[i] = ours[i] / theirs[i];
	qsort(ours, ROUNDS, sizeof(*ours), ascending);
	qsort(ratio, ROUNDS, sizeof(*ratio), ascending);
	times = ratio[ROUNDS / 2];
	printf("%-11s %-22s  %7.0f (%.0f to %.0f): %.1f times that "
	       "(%.1f to %.1f)", name, title, ours[ROUNDS / 2], ours[0],
	       ours[ROUNDS - 1], times, ratio[0], ratio[ROUNDS - 1]);
	return times;
}

static void print_theirs(const char *name, double *theirs,
			 const struct ground *g)
{
	qsort(theirs, ROUNDS, sizeof(*theirs), ascending);
	printf("%-11s cachegrind (D refs)     %7.1f (%.1f to %.1f), %.1f s "
	       "each, %.1f instructions per reference\n", name,
	       theirs[ROUNDS / 2], theirs[0], theirs[ROUNDS - 1], g->seconds,
	       g->instructions / g->references);
}

/* By turns. */
static void ranking(const char *self, const struct stream *s,
		    uint64_t millions)
{
	make_fn *make = s->make_run ? s->make_run : s->make;
	const uint64_t n = millions * 1000000 * (s->make_run ? 2 : 1);
	double ours[ROUNDS], each[ROUNDS], theirs[ROUNDS], times;
	struct ground g;

	for (int i = 0; i < ROUNDS; i++) {
		ours[i] = take(make, 0, n, AS_IT_COMES).rate;
		each[i] = take(make, 0, n, EACH).rate;
		if (!net_cachegrind(self, s->name, millions, &g)) {
			printf("%-11s cachegrind was not run\n", s->name);
			return;
		}
		theirs[i] = g.references / g.seconds * 1e-6;
	}
	times = print_ours(s->name, "the same accesses here", ours, theirs);
	if (s->times)
		printf(", goal %.0f: %s", s->times,
		       times >= s->times ? "reached" : "missed");
	printf("\n");
	print_ours(s->name, "each of them simulated", each, theirs);
	printf("\n");
	print_theirs(s->name, theirs, &g);
}

/* callgrind */

/* What sim_feed took, by callgrind's last line; 0: it could not be run. */
static double collected(const char *self, const char *stream,
			const char *millions)
{
	char command[4096], line[256];
	double n = 0;
	FILE *out;

	snprintf(command, sizeof(command),
		 "valgrind --tool=callgrind --callgrind-out-file=/dev/null "
		 "--toggle-collect=sim_feed '%s' --each %s 0 %s 2>&1", self,
		 stream, millions);
	out = popen(command, "r");
	while (out && fgets(line, sizeof(line), out)) {
		const char *at = strstr(line, "Collected : ");

		if (at)
			n = strtod(at + strlen("Collected : "), NULL);
	}
	if (out)
		pclose(out);
	return n;
}

static uint64_t full_chunks(uint64_t accesses)
{
	return (accesses + CHUNK - 1) / CHUNK * CHUNK;
}

/* In sim_feed; 0: callgrind could not be run. */
static double instructions_per_access(const char *self, const struct stream *s)
{
	const double little = collected(self, s->name, "4");
	const double much = collected(self, s->name, "8");
	const uint64_t accesses = full_chunks(8000000) -
				  full_chunks(4000000);

	return little <= 0 || much <= little ? 0 :
	       (much - little) / (double)accesses;
}

/* Instructions per access of others. */
static const struct {
	const char *peer, *stream;
	double instructions;
} quoted[] = {
	{ "Dinero IV", "matmul", 228 }, { "Dinero IV", "sequential", 780 },
	{ "Dinero IV", "chase", 784 }, { "Dinero IV", "zipf", 651 },
	{ "pycachesim", "matmul", 110 }, { "pycachesim", "sequential", 601 },
	{ "pycachesim", "chase", 600 }, { "pycachesim", "zipf", 460 },
	{ "drcachesim", "matmul", 416 }, { "drcachesim", "sequential", 1765 },
	{ "drcachesim", "chase", 1703 }, { "drcachesim", "zipf", 1432 },
};

static void print_quoted(const struct stream *s, double ours)
{
	for (size_t i = 0; i < sizeof(quoted) / sizeof(*quoted); i++) {
		if (strcmp(quoted[i].stream, s->name) != 0)
			continue;
		printf("%-11s quoted: %-10s        %10.0f", s->name,
		       quoted[i].peer, quoted[i].instructions);
		if (strcmp(s->name, "matmul") == 0)
			printf("   of a smaller matrix");
		else if (ours > 0)
			printf(" %15.1f times ours",
			       quoted[i].instructions / ours);
		printf("\n");
	}
}

static void print_instructions(const char *self, const struct stream *s)
{
	const double ours = instructions_per_access(self, s);

	if (ours > 0) {
		printf("%-11s instructions per access %10.1f", s->name, ours);
		if (s->most)
			printf(" %15.0f at most", s->most);
		printf("\n");
	}
	print_quoted(s, ours);
}

/* the report */

/* By medians. */
static void print_rates(const struct stream *s, int which, uint64_t accesses)
{
	double best;
	const struct result r = median(s, which, accesses, AS_IT_COMES, &best);

	printf("%-11s %-23s %7.0f %7.0f ", s->name, hierarchies[which], r.rate,
	       best);
	if (which < WITH_GOALS)
		printf("%7.0f  %-7s", s->goal[which],
		       r.rate >= s->goal[which] ? "reached" : "missed");
	else
		printf("%7s  %-7s", "-", "");
	if (r.left_out > 0)
		printf(" %4.0f %% %7.0f", r.left_out * 100,
		       median(s, which, accesses, EACH, &best).rate);
	else
		printf(" %6s %7s", "-", "-");
}

static bool report(const char *self, const struct stream *s,
		   uint64_t accesses)
{
	bool right = true;

	for (int which = 0; which < HIERARCHIES; which++) {
		const bool same = check(s, which);

		print_rates(s, which, accesses);
		printf("  %s\n", same ? "equal" : "DIFFERENT");
		right &= same;
	}
	ranking(self, s, accesses / 1000000);
	print_instructions(self, s);
	fflush(stdout);
	return right;
}

static const struct stream *stream_named(const char *name)
{
	for (size_t i = 0; i < STREAMS; i++)
		if (!strcmp(streams[i].name, name))
			return &streams[i];
	fprintf(stderr, "bench-sim: no stream \"%s\"\n", name);
	exit(2);
}

static uint64_t millions(const char *text)
{
	char *end;
	const unsigned long n = strtoul(text, &end, 10);

	if (n && n <= 1000000 && !*end)
		return n;
	fprintf(stderr, "bench-sim: not a number of millions: \"%s\"\n", text);
	exit(2);
}

int main(int argc, char **argv)
{
	const uint64_t million = 1000000;
	uint64_t accesses;
	bool right = true;

	resident_order = cycle(RESIDENT_LINES);
	chase_order = cycle(CHASE_LINES);
	zipf_order = power_law();
	if (argc == 5 && (!strcmp(argv[1], "--one") ||
			  !strcmp(argv[1], "--each"))) {
		printf("%.0f\n", take(stream_named(argv[2])->make,
				      atoi(argv[3]),
				      millions(argv[4]) * million,
				      argv[1][2] == 'e' ? EACH : AS_IT_COMES)
		       .rate);
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "--native")) {
		run_native(stream_named(argv[2]), argv[3][0] == '0' ? 0 :
			   millions(argv[3]) * million);
		return 0;
	}
	if (argc >= 3 && argc <= 4 && !strcmp(argv[1], "--peer")) {
		ranking(argv[0], stream_named(argv[2]),
			argc > 3 ? millions(argv[3]) : 64);
		return 0;
	}
	accesses = (argc > 1 ? millions(argv[1]) : 64) * million;
	printf("%-11s %-23s %7s %7s %7s %10s %11s\n", "stream", "hierarchy",
	       "median", "best", "goal", "left out", "each");
	for (size_t i = 0; i < STREAMS; i++)
		right &= report(argv[0], &streams[i], accesses);
	return right ? 0 : 1;
}
