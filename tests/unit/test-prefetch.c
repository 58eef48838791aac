/* SPDX-License-Identifier: MIT */
/* Prefetchers against the reference's, with streams that they follow. */
#include "check.h"
#include "draw.h"

#include "base/access.h"
#include "reference-sim.h"
#include "same-signals.h"
#include "sim/state.h"

#define RECORDS 3000

static uint64_t state;

static uint64_t draw(uint64_t below)
{
	return (draw_next(&state) >> 11) % below;
}

static void draw_prefetcher(struct prefetch_geometry *g)
{
	*g = (struct prefetch_geometry){
		.kind = (enum prefetch_kind)draw(PREFETCH_KINDS),
		.on = draw(8) > 0, .trains_on = 1 + (uint8_t)draw(2),
		.page_bounded = draw(2), .upward_only = draw(2),
		.window = 1 + (uint32_t)draw(draw(2) ? 64 : 4),
		.degree = (uint32_t)draw(5),
		.distance = (uint32_t)draw(6),
		.longest_stride = draw(2) ? 64 << draw(6) : 0,
	};
	g->fills = g->trains_on + (uint8_t)draw(3 - g->trains_on);
}

static struct cache_geometry draw_cache(unsigned sets)
{
	return (struct cache_geometry){
		.present = true, .line_bytes = 64, .slices = 1,
		.sets = 1 + (uint32_t)draw(sets), .ways = 1 + (uint32_t)draw(8),
	};
}

/* A few instructions, each with its stride for a while. */
static void feed(struct sim *sim, struct reference *r)
{
	const uint64_t lines = UINT64_C(16) << draw(10);
	uint64_t record[RECORDS], at[16] = { 0 }, step[16] = { 0 };

	for (unsigned i = 0; i < RECORDS; i++) {
		const unsigned site = (unsigned)draw(16);
		const bool store = draw(4) == 0;

		if (draw(10) == 0)
			step[site] = draw(9) - 4;
		at[site] = (draw(30) ? at[site] + step[site] : draw(lines)) %
			   lines;
		record[i] = access_pack(store ? ACCESS_STORE : ACCESS_LOAD, 3,
					site, at[site] * 64);
	}
	sim_feed(sim, record, RECORDS);
	reference_feed(r, record, RECORDS);
}

static void compare(unsigned n)
{
	struct geometry g = { .prefetchers = 0 };
	struct reference *r;
	struct sim *sim;
	size_t bytes;
	void *memory;

	state = (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
	g.l1d = draw_cache(16);
	g.l2 = draw_cache(128);
	if (draw(2))
		g.l2.inclusion = (enum inclusion)draw(INCLUSIONS);
	g.dtlb = (struct tlb_geometry){ draw(2), 4, 4, REPLACE_LRU };
	g.walker = (struct walker_geometry){ WALK_L2, 2, 0 };
	g.prefetchers = 1 + (uint32_t)draw(3);
	for (unsigned i = 0; i < g.prefetchers; i++)
		draw_prefetcher(&g.prefetcher[i]);
	bytes = (sim_bytes(&g, NULL) + 63) & ~(size_t)63;
	memory = aligned_alloc(64, bytes);
	assert_non_null(memory);
	/* nothing of it is to be seen; an instruction may be at 0 */
	memset(memory, n % 2 ? (int)n : 0, bytes);
	sim = sim_init(memory, &g);
	r = reference_new(&g);
	feed(sim, r);
	same_signals(n, sim_signals(sim), reference_report(r)->signal);
	reference_free(r);
	free(memory);
}

static void equals_the_reference(void **unused)
{
	(void)unused;
	for (unsigned n = 0; n < 1000; n++)
		compare(n);
}

/*
 * Prefetchers of L1D that ask for as many lines, each in a page of its own, and
 * of L2, which every descriptor that is read trains.
 */
static void draw_askers(struct geometry *g, uint32_t of_l1d)
{
	g->prefetchers = GEOMETRY_PREFETCHERS;
	for (uint32_t i = 0; i < g->prefetchers; i++)
		g->prefetcher[i] = (struct prefetch_geometry){
			.kind = i < of_l1d ? PREFETCH_IP_STRIDE :
					     PREFETCH_NEXT_LINE,
			.on = true, .trains_on = i < of_l1d ? 1 : 2,
			.fills = i < of_l1d ? 1 : 2, .window = 4,
			.degree = 32, .distance = 1 + 32 * i,
		};
}

/* None of them is lost, of however many. */
static void all_requests_are_issued(void **unused)
{
	enum { LOADS = 12 };
	struct geometry g = {
		.dtlb = { true, 4, 4, REPLACE_LRU },
		.walker = { WALK_L2, 5, 0 },
	};

	(void)unused;
	for (uint32_t of_l1d = 1; of_l1d < GEOMETRY_PREFETCHERS; of_l1d++) {
		struct reference *r;
		uint64_t record;
		struct sim *sim;

		g.l1d = (struct cache_geometry){
			.present = true, .line_bytes = 64, .slices = 1,
			.sets = 64, .ways = 8
		};
		g.l2 = g.l1d;
		g.l2.sets = 4096;
		draw_askers(&g, of_l1d);
		sim = sim_init(aligned_alloc(64, (sim_bytes(&g, NULL) + 63) &
						 ~(size_t)63), &g);
		r = reference_new(&g);
		for (uint64_t i = 0; i < LOADS; i++) {
			record = access_pack(ACCESS_LOAD, 3, 0,
					     i * (3 << 20));
			sim_feed(sim, &record, 1);
			reference_feed(r, &record, 1);
		}
		same_signals(of_l1d, sim_signals(sim),
			     reference_report(r)->signal);
		reference_free(r);
		free(sim);
	}
}

/* Prefetches of one prefetcher, at loads of every second line, or of each. */
static uint64_t prefetches(const struct prefetch_geometry *p, uint64_t first,
			   uint64_t step)
{
	enum { LOADS = 20000 };
	struct geometry g = {
		.l1d = { .present = true, .line_bytes = 64, .slices = 1,
			 .sets = 16, .ways = 4 },
		.prefetchers = 1, .prefetcher = { *p },
	};
	uint64_t record, out;
	struct sim *sim;
	void *memory;

	g.l2 = g.l1d;
	memory = aligned_alloc(64, (sim_bytes(&g, NULL) + 63) & ~(size_t)63);
	assert_non_null(memory);
	sim = sim_init(memory, &g);
	for (uint64_t i = 0; i < LOADS; i++) {
		record = access_pack(ACCESS_LOAD, 3, 0,
				     ACCESS_ARENA_BASE +
				     64 * (first + step * i));
		sim_feed(sim, &record, 1);
	}
	out = sim_signals(sim)[p->fills == 1 ? SIGNAL_l1d_prefetch :
					       SIGNAL_l2_prefetch_fill];
	free(memory);
	return out;
}

/* Within five standard deviations; pairs are chosen, not lines. */
static void a_percentage_is_one(void **unused)
{
	struct prefetch_geometry p = {
		.kind = PREFETCH_ADJACENT_PAIR, .on = true, .trains_on = 1,
		.fills = 1, .percent = 1,
	};
	const uint64_t even = prefetches(&p, 0, 2);

	(void)unused;
	assert_in_range(even, 130, 270);
	assert_int_equal(prefetches(&p, 1, 2), even);
	p.percent = 100;
	assert_int_equal(prefetches(&p, 0, 2), 20000);
	p = (struct prefetch_geometry){
		.kind = PREFETCH_STREAM, .on = true, .trains_on = 2,
		.fills = 2, .percent = 1, .window = 16,
	};
	/* the second line of a chosen pair finds the first one */
	assert_in_range(prefetches(&p, 0, 1), 50, 150);
}

/* The hash of what two prefetchers know after these lines. */
static uint64_t known_after(enum prefetch_kind kind, const uint64_t *line,
			    unsigned lines)
{
	struct geometry g = {
		.l1d = { .present = true, .line_bytes = 64, .slices = 1,
			 .sets = 16, .ways = 4 },
		.prefetchers = 2, .prefetcher = {
			{ PREFETCH_NEXT_LINE, .on = true, .trains_on = 1,
			  .fills = 1, .distance = 40 },
			{ kind, .on = true, .trains_on = 1, .fills = 1,
			  .window = 2 },
		},
	};
	uint64_t record, out;
	struct sim *sim;
	void *memory;

	memory = aligned_alloc(64, (sim_bytes(&g, NULL) + 63) & ~(size_t)63);
	assert_non_null(memory);
	sim = sim_init(memory, &g);
	for (unsigned i = 0; i < lines; i++) {
		record = access_pack(ACCESS_LOAD, 3, 1,
				     ACCESS_ARENA_BASE + 64 * line[i]);
		sim_feed(sim, &record, 1);
	}
	out = prefetchers_hash(sim->prefetchers);
	free(memory);
	return out;
}

/* Of a stride prefetcher line, stride and how sure it is; all of a window. */
static void all_that_is_known_is_hashed(void **unused)
{
	static const uint64_t base[] = { 1, 2 }, line[] = { 2, 3 };
	static const uint64_t stride[] = { 0, 2 }, sure[] = { 0, 1, 2 };
	static const uint64_t oldest[] = { 4, 9 }, other[] = { 6, 9 };
	static const uint64_t newest[] = { 6, 8 }, before[] = { 30, 6, 9 };
	const enum prefetch_kind ip = PREFETCH_IP_STRIDE;
	const uint64_t known = known_after(ip, base, 2);

	(void)unused;
	assert_true(known == known_after(ip, base, 2));
	assert_true(known != known_after(ip, line, 2));
	assert_true(known != known_after(ip, stride, 2));
	assert_true(known != known_after(ip, sure, 3));
	assert_true(known_after(PREFETCH_STREAM, oldest, 2) !=
		    known_after(PREFETCH_STREAM, other, 2));
	assert_true(known_after(PREFETCH_STREAM, newest, 2) !=
		    known_after(PREFETCH_STREAM, other, 2));
	assert_true(known_after(PREFETCH_STREAM, before, 3) ==
		    known_after(PREFETCH_STREAM, other, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equals_the_reference),
		cmocka_unit_test(all_requests_are_issued),
		cmocka_unit_test(a_percentage_is_one),
		cmocka_unit_test(all_that_is_known_is_hashed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
