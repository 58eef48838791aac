/* SPDX-License-Identifier: MIT */
/* What the simulator takes up to a limit, and refuses beyond. */
#include "check.h"

#include "sim/sim.h"

static struct geometry plain(void)
{
	const struct cache_geometry cache = {
		.present = true, .line_bytes = 64, .sets = 16, .ways = 4,
		.slices = 1,
	};

	return (struct geometry){ .l1d = cache, .l2 = cache };
}

/* why: NULL: it is taken. */
static void expect(const struct geometry *g, const char *why)
{
	const char *said = NULL;

	if (why) {
		assert_int_equal(sim_bytes(g, &said), 0);
		assert_string_equal(said, why);
	} else {
		assert_true(sim_bytes(g, &said) > 0);
	}
}

static void ways_of_policies(void **state)
{
	static const char trees[] = "tree-plru needs an odd number of trees "
				    "that is at most 15";
	static const struct {
		enum replacement policy;
		uint32_t ways;
		const char *why;
	} rows[] = {
		{ REPLACE_LRU, 4096, NULL },
		{ REPLACE_LRU, 4097, "lru is simulated up to 4096 ways" },
		{ REPLACE_TREE_PLRU, 60, NULL },
		{ REPLACE_TREE_PLRU, 64, NULL },
		{ REPLACE_TREE_PLRU, 34, trees },
		{ REPLACE_TREE_PLRU, 72,
		  "tree-plru is simulated up to 64 ways" },
		{ REPLACE_BIT_PLRU, 64, NULL },
		{ REPLACE_BIT_PLRU, 65,
		  "bit-plru is simulated up to 64 ways" },
		{ REPLACE_SRRIP, 32, NULL },
		{ REPLACE_SRRIP, 33,
		  "srrip is simulated up to 32 ways" },
		{ REPLACEMENTS, 4, "its replacement policy is unknown" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct geometry g = plain();

		g.l2.policy = rows[i].policy;
		g.l2.ways = rows[i].ways;
		expect(&g, rows[i].why);
	}
}

static void entries(void **state)
{
	static const char none[] = "it has no entries";
	static const char many[] = "it has more than 2^27 entries";
	static const struct {
		uint32_t sets, slices, ways;
		const char *why;
	} rows[] = {
		{ 1u << 20, 8, 16, NULL },
		{ 1u << 20, 8, 17, many },
		{ 1u << 31, 1u << 31, 4, many },
		{ 0, 1, 4, none }, { 16, 1, 0, none },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct geometry g = plain();

		g.l2.sets = rows[i].sets;
		g.l2.slices = rows[i].slices;
		g.l2.ways = rows[i].ways;
		expect(&g, rows[i].why);
	}
}

static void prefetchers(void **state)
{
	static const char levels[] = "a prefetcher trains on or fills a level "
				     "that is not 1 or 2, or one above";
	static const char window[] =
		"a prefetcher's window is not 1 to 4096 entries";
	static const char far[] = "a prefetcher's degree is above 32 or its "
				  "distance above 4096 lines";
	static const struct {
		struct prefetch_geometry p;
		const char *why;
	} rows[] = {
		{ { PREFETCH_STREAM, .trains_on = 1, .fills = 2,
		    .window = 4096, .degree = 32, .distance = 4096,
		    .percent = 100 }, NULL },
		{ { PREFETCH_KINDS, .trains_on = 1, .fills = 1 },
		  "a prefetcher's kind is unknown" },
		{ { .trains_on = 2, .fills = 1 }, levels },
		{ { .trains_on = 0, .fills = 1 }, levels },
		{ { .trains_on = 1, .fills = 3 }, levels },
		{ { PREFETCH_STREAM, .trains_on = 1, .fills = 1 }, window },
		{ { PREFETCH_IP_STRIDE, .trains_on = 1, .fills = 1,
		    .window = 4097 }, window },
		{ { .trains_on = 1, .fills = 1, .degree = 33 }, far },
		{ { .trains_on = 1, .fills = 1, .distance = 4097 }, far },
		{ { .trains_on = 1, .fills = 1, .percent = 101 },
		  "a prefetcher's percentage is above 100" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct geometry g = plain();

		g.prefetchers = 1;
		g.prefetcher[0] = rows[i].p;
		expect(&g, rows[i].why);
	}
}

static void prefetchers_of_l2_need_one(void **state)
{
	static const char none[] = "a prefetcher of L2 needs an L2";
	struct geometry g = plain();

	(void)state;
	g.l2.present = false;
	g.prefetchers = 1;
	g.prefetcher[0] = (struct prefetch_geometry){
		.trains_on = 1, .fills = 1
	};
	expect(&g, NULL);
	g.prefetcher[0].fills = 2;
	expect(&g, none);
	g.prefetcher[0].trains_on = 2;
	expect(&g, none);
	g.prefetchers = GEOMETRY_PREFETCHERS + 1;
	expect(&g, "there are more than 8 prefetchers");
}

/* Frames of GiB each: 30 of them, anywhere below 256. */
static void recorded_frames(void **state)
{
	enum { ROOM = 30, GIB = 18 };
	uint64_t frame[ROOM + 1];
	struct geometry g = plain();

	(void)state;
	for (uint64_t i = 0; i <= ROOM; i++)
		frame[i] = (255 - 8 * i) << GIB;
	g.page_map = (struct page_map){
		.kind = PAGE_MAP_RECORDED, .frame = frame, .frames = ROOM
	};
	expect(&g, NULL);
	g.page_map.frames = ROOM + 1;
	expect(&g, "the recorded page map spans more of memory than is "
		   "simulated");
	frame[ROOM] = frame[0];
	expect(&g, NULL);
	frame[0] = (UINT64_C(1) << 40) - 1;
	frame[ROOM] = frame[0];
	expect(&g, NULL);
	frame[0]++;
	expect(&g, "the recorded page map has frames beyond 52 bits of address");
	g.page_map.frame = NULL;
	expect(&g, "the recorded page map has no frames");
	g.page_map.kind = PAGE_MAP_RECORDED + 1;
	expect(&g, "the page map is unknown");
}

static void lengths_of_lines(void **state)
{
	static const char shorter[] = "a cache's lines are shorter than those "
		"of the level above, or no power of two up to 4096 bytes";
	static const char victims[] = "an exclusive or victim cache must have "
		"lines as long as those of the level above";
	static const struct {
		uint32_t l1i, l2, l3;
		enum inclusion inclusion;	/* of L3 */
		bool prefetches;
		const char *why;
	} rows[] = {
		{ 64, 64, 64, INCLUDE_VICTIM, true, NULL },
		{ 64, 128, 128, INCLUDE_VICTIM, false, NULL },
		{ 64, 128, 256, INCLUDE_ALL, false, NULL },
		{ 128, 128, 128, INCLUDE_NON, false,
		  "L1D and L1I must have lines of one size" },
		{ 64, 32, 64, INCLUDE_NON, false, shorter },
		{ 64, 128, 64, INCLUDE_NON, false, shorter },
		{ 64, 192, 256, INCLUDE_NON, false, shorter },
		{ 64, 64, 128, INCLUDE_VICTIM, false, victims },
		{ 64, 64, 128, INCLUDE_EXCLUSIVE, false, victims },
		{ 64, 64, 128, INCLUDE_NON, true,
		  "a prefetcher of L2 needs lines of one size in all caches" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct geometry g = plain();

		g.l1i = g.l3 = g.l2 = g.l1d;
		g.l1i.line_bytes = rows[i].l1i;
		g.l2.line_bytes = rows[i].l2;
		g.l3.line_bytes = rows[i].l3;
		g.l3.inclusion = rows[i].inclusion;
		g.prefetchers = 1;
		g.prefetcher[0] = (struct prefetch_geometry){
			.kind = PREFETCH_NEXT_LINE, .on = rows[i].prefetches,
			.trains_on = 2, .fills = 2
		};
		expect(&g, rows[i].why);
	}
}

/* A second level is behind a first one; code's own, beside that of data. */
static void second_levels_of_tlbs(void **state)
{
	static const char alone[] = "there is a second-level TLB but no "
				    "first-level one";
	static const struct {
		bool dtlb, itlb, split, l2tlb, l2itlb;
		const char *why;
	} rows[] = {
		{ true, true, true, true, true, NULL },
		{ true, true, true, true, false, NULL },
		{ false, true, false, true, false, NULL },
		{ true, false, true, true, false, NULL },
		{ false, true, true, false, true, NULL },
		{ false, true, true, true, true, alone },
		{ true, false, true, true, true, alone },
		{ false, false, false, true, false, alone },
		{ true, true, false, true, true,
		  "the second-level TLB is not for data only" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct geometry g = plain();
		const struct tlb_geometry tlb = { true, 16, 4, REPLACE_LRU };

		g.dtlb = g.itlb = g.l2tlb = g.l2itlb = tlb;
		g.dtlb.present = rows[i].dtlb;
		g.itlb.present = rows[i].itlb;
		g.split_l2tlb = rows[i].split;
		g.l2tlb.present = rows[i].l2tlb;
		g.l2itlb.present = rows[i].l2itlb;
		expect(&g, rows[i].why);
		g.l2tlb.present = g.l2itlb.present = false;
		g.store_dtlb = tlb;
		expect(&g, rows[i].dtlb ? NULL : "there is a TLB for stores "
		       "but none for loads");
		g.store_dtlb.ways = 3;
		expect(&g, "a TLB's entries are not a multiple of its ways");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(second_levels_of_tlbs),
		cmocka_unit_test(ways_of_policies),
		cmocka_unit_test(entries),
		cmocka_unit_test(prefetchers),
		cmocka_unit_test(prefetchers_of_l2_need_one),
		cmocka_unit_test(recorded_frames),
		cmocka_unit_test(lengths_of_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
