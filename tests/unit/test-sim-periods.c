/* SPDX-License-Identifier: MIT */
/*
 * Fast-forward against full simulation: equal signals after any number of
 * passes, and an equal state, which a further stream would show.
 */
#include "check.h"
#include "draw.h"

#include "base/access.h"
#include "same-signals.h"

#define CONFIGURATIONS (480u / one_of(3))
#define STEADY (300u / one_of(3))
#define ABANDONED (40u / one_of(3))
#define FOLLOWED (400u / one_of(3))
#define MOST_RECORDS 3000

static uint64_t seed;

static uint64_t draw(uint64_t below)
{
	return (draw_next(&seed) >> 11) % below;
}

static bool chance(unsigned percent)
{
	return draw(100) < percent;
}

static enum replacement draw_policy(void)
{
	static const enum replacement policies[] = {
		REPLACE_LRU, REPLACE_LRU, REPLACE_TREE_PLRU,
		REPLACE_TREE_PLRU, REPLACE_BIT_PLRU, REPLACE_FIFO,
		REPLACE_SRRIP, REPLACE_DRRIP, REPLACE_QLRU_H00_M1_R2_U1,
	};

	return policies[draw(9)];
}

static struct cache_geometry draw_cache(uint32_t sets, uint32_t ways)
{
	return (struct cache_geometry){
		.present = true, .line_bytes = 64,
		.sets = sets >> draw(3), .ways = ways >> draw(2), .slices = 1,
		.policy = draw_policy(), .silent_clean = chance(20),
		.loud_from_dram = chance(20),
	};
}

static void draw_prefetcher(struct geometry *g)
{
	struct prefetch_geometry *p = &g->prefetcher[g->prefetchers++];

	*p = (struct prefetch_geometry){
		.kind = (enum prefetch_kind)draw(PREFETCH_KINDS), .on = true,
		.trains_on = (uint8_t)(1 + draw(2)), .page_bounded = chance(50),
		.window = 1 + (uint32_t)draw(16), .degree = (uint32_t)draw(3),
		.distance = (uint32_t)draw(5),
		.percent = chance(30) ? (uint32_t)draw(100) : 0,
		.upward_only = chance(30),
		.longest_stride = chance(30) ? 64 << draw(4) : 0,
	};
	p->fills = p->trains_on == 2 ? 2 : (uint8_t)(1 + draw(2));
}

static void draw_core(struct geometry *g)
{
	if (chance(60))
		g->dtlb = (struct tlb_geometry){ true, 8, 8, draw_policy() };
	if (g->dtlb.present && chance(60))
		g->l2tlb = (struct tlb_geometry){ true, 64, 4, draw_policy() };
	if (g->dtlb.present && chance(40))
		g->store_dtlb = (struct tlb_geometry){ true, 4, 4,
						       draw_policy() };
	if (chance(40))
		g->itlb = (struct tlb_geometry){ true, 8, 8, draw_policy() };
	g->split_l2tlb = chance(40);
	if (g->itlb.present && g->split_l2tlb && chance(80))
		g->l2itlb = (struct tlb_geometry){ true, 16, 4, draw_policy() };
	g->walker = (struct walker_geometry){
		(enum walk_level)draw(3), 4, (uint32_t)draw(5)
	};
	if (chance(40))
		g->predictor = (struct predictor_geometry){
			(enum predictor_kind)draw(3), 64, 12, 4,
			(uint32_t)draw(3), 0
		};
	while (chance(20))
		draw_prefetcher(g);
	g->page_map.kind = chance(60) ? PAGE_MAP_RANDOM :
					PAGE_MAP_IDENTITY;
	g->page_map.seed = seed;
}

static void draw_geometry(struct geometry *g)
{
	memset(g, 0, sizeof(*g));
	g->l1d = draw_cache(32, 8);
	g->l2 = draw_cache(128, 16);
	g->l2.inclusion = (enum inclusion)draw(INCLUSIONS);
	if (chance(40)) {
		g->l3 = draw_cache(256, 16);
		g->l3.inclusion = (enum inclusion)draw(INCLUSIONS);
		g->l3.slices = 1 + (uint32_t)draw(3);
		if (chance(30))
			g->l3.sets = g->l3.sets * 3 / 4;
	}
	if (chance(20))
		g->l1i = draw_cache(32, 4);
	if (chance(15))
		g->l2.policy = REPLACE_RANDOM;
	draw_core(g);
}

static uint64_t draw_record(uint64_t lines, uint64_t i, bool regular,
			    unsigned stores, unsigned transfers)
{
	const uint64_t at = regular ? i % lines : draw(lines);
	const uint64_t address = ACCESS_ARENA_BASE + at * 64;

	if (chance(3))
		return access_pack(ACCESS_BRANCH, (unsigned)draw(2),
				   (unsigned)draw(3), 1 + draw(20));
	if (chance(transfers))
		return access_pack((enum access_kind)(ACCESS_CALL + draw(3)), 0,
				   (unsigned)draw(3), 16 * draw(4));
	if (chance(1))
		return access_pack((enum access_kind)(ACCESS_STORE_NT +
						      draw(4)), 3, 0, address);
	return access_pack(chance(stores) ? ACCESS_STORE : ACCESS_LOAD, 3,
			   (unsigned)draw(4), address);
}

static size_t draw_stream(uint64_t *record)
{
	const size_t records = 1 + draw(MOST_RECORDS);
	const uint64_t lines = 1 + draw(UINT64_C(16) << draw(9));
	const unsigned stores = (unsigned)draw(50);
	const unsigned transfers = chance(30) ? 1 + (unsigned)draw(20) : 0;
	const bool regular = chance(60);

	for (size_t i = 0; i < records; i++)
		record[i] = draw_record(lines, i, regular, stores,
					transfers);
	return records;
}

/* Lines of code in place of some, of so many pages that TLBs lose them. */
static void draw_code(uint64_t *record, size_t records)
{
	const uint64_t lines = 1 + draw(UINT64_C(4096));
	const unsigned percent = 1 + (unsigned)draw(60);

	for (size_t i = 0; i < records; i++)
		if (chance(percent))
			record[i] = access_pack(ACCESS_FETCH, 6, 0,
				ACCESS_CODE_BASE + draw(lines) * 64);
}

/* Some loads and stores go elsewhere. */
static void move_some(uint64_t *record, size_t records)
{
	for (uint64_t left = 1 + draw(8); left; left--) {
		uint64_t *one = &record[draw(records)];

		if (access_kind(*one) <= ACCESS_STORE)
			*one += draw(16) * 64;
	}
}

static struct sim *build(const struct geometry *g, void **memory)
{
	const char *why = NULL;
	const size_t bytes = sim_bytes(g, &why);

	if (!bytes)
		fail_msg("refused: %s", why);
	*memory = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
	assert_non_null(*memory);
	return sim_init(*memory, g);
}

/* Not always told that a run begins: that the last one has ended will do. */
static void run(struct sim *sim, const uint64_t *record, size_t records,
		uint64_t passes)
{
	if (chance(50))
		sim_new_run(sim);
	for (uint64_t left = passes; left;) {
		sim_feed(sim, record, records);
		left--;
		left -= sim_pass(sim, left);
	}
}

/* Accesses before a run's first pass, so that it takes some to settle. */
static void disturb(struct sim *fast, struct sim *full)
{
	const uint64_t lines = 1 + draw(512);

	for (uint64_t left = draw(200); left; left--) {
		const uint64_t one = draw_record(lines, left, false, 30, 0);

		sim_feed(fast, &one, 1);
		sim_feed(full, &one, 1);
	}
}

static uint64_t compare_one(unsigned n, uint64_t *record)
{
	void *fast_memory, *full_memory;
	struct sim *fast, *full;
	uint64_t passes, skipped;
	struct geometry g;
	size_t records = 0;

	seed = (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
	draw_geometry(&g);
	fast = build(&g, &fast_memory);
	full = build(&g, &full_memory);
	sim_set_fast_forward(full, 0);
	/* the third run repeats the second: its periods may be tried first;
	 * the fourth nearly does: they may be wrong */
	for (int again = 0; again < 4; again++) {
		if (again < 2)
			records = draw_stream(record);
		if (again < 2 && chance(25))
			draw_code(record, records);
		if (again == 3)
			move_some(record, records);
		passes = 1 + draw(600);
		if (chance(30))
			disturb(fast, full);
		run(fast, record, records, passes);
		run(full, record, records, passes);
		same_signals(n, sim_signals(fast), sim_signals(full));
	}
	skipped = sim_fast_forwarded(fast);
	assert_int_equal(sim_fast_forwarded(full), 0);
	free(fast_memory);
	free(full_memory);
	return skipped > 0;
}

static void equals_full_simulation(void **state)
{
	uint64_t *record = malloc(MOST_RECORDS * sizeof(*record));
	uint64_t skipped = 0;

	(void)state;
	assert_non_null(record);
	for (unsigned i = 0; i < CONFIGURATIONS; i++)
		skipped += compare_one(i, record);
	free(record);
	print_message("%llu of %u configurations were fast-forwarded\n",
		      (unsigned long long)skipped, CONFIGURATIONS);
	assert_true(skipped > CONFIGURATIONS / 2);
}

/* Small caches of any policy that keeps lines in their ways. */
static void draw_small(struct geometry *g)
{
	static const enum replacement policies[] = {
		REPLACE_TREE_PLRU, REPLACE_BIT_PLRU, REPLACE_SRRIP,
		REPLACE_QLRU_H00_M1_R2_U1, REPLACE_QLRU_H11_M1_R0_U0,
		REPLACE_QLRU_H11_M1_R1_U2, REPLACE_LRU,
	};
	struct cache_geometry *const caches[] = { &g->l1d, &g->l2, &g->l3 };

	memset(g, 0, sizeof(*g));
	for (uint32_t i = 0; i < 3; i++) {
		*caches[i] = draw_cache(4u << i, 4 + 4 * i);
		caches[i]->policy = policies[draw(7)];
		if (caches[i]->policy == REPLACE_TREE_PLRU && chance(20))
			caches[i]->ways = 12;
		if (chance(10))
			caches[i]->cold = COLD_POLICY_VICTIM;
	}
	g->l2.inclusion = (enum inclusion)draw(INCLUSIONS);
	g->l3.inclusion = chance(50) ? INCLUDE_ALL :
			  (enum inclusion)draw(INCLUSIONS);
	if (chance(30))
		g->copy_back = COPY_VICTIM_FIRST;
	g->dtlb = (struct tlb_geometry){ true, 4, 4, REPLACE_LRU };
	g->walker = (struct walker_geometry){ (enum walk_level)draw(3), 4, 3 };
	g->predictor = (struct predictor_geometry){
		(enum predictor_kind)draw(3), 64, 12, 4, (uint32_t)draw(3),
		chance(10)
	};
	if (chance(20))
		draw_prefetcher(g);
}

/* Lines in order, more than all caches hold; some twice. */
static size_t draw_walk(uint64_t *record)
{
	const size_t records = 500 + draw(500);
	const unsigned stores = (unsigned)draw(3) * 40, again = chance(50) ?
				(unsigned)draw(20) : 0;
	uint64_t line = 0;

	for (size_t i = 0; i < records - 3; i++) {
		line += !chance(again);
		record[i] = access_pack(chance(stores) ? ACCESS_STORE :
					ACCESS_LOAD, 3, (unsigned)draw(4),
					ACCESS_ARENA_BASE + line * 64);
	}
	for (size_t i = records - 3; i < records; i++)
		record[i] = access_pack(ACCESS_BRANCH, (unsigned)draw(2),
					(unsigned)draw(2), 1 + draw(20));
	return records;
}

/* Too few passes for the search of periods. */
static uint64_t compare_steady(unsigned n, uint64_t *record)
{
	void *fast_memory, *full_memory;
	struct sim *fast, *full;
	struct geometry g;
	uint64_t skipped;
	size_t records;

	seed = (n + 1) * UINT64_C(0xd1342543de82ef95);
	draw_small(&g);
	fast = build(&g, &fast_memory);
	full = build(&g, &full_memory);
	sim_set_fast_forward(full, 0);
	records = draw_walk(record);
	for (int again = 0; again < 4; again++) {
		const uint64_t passes = 8 + draw(20);

		if (again == 3)	/* shows the state that the others left */
			records = draw_stream(record);
		run(fast, record, records, passes);
		run(full, record, records, passes);
		same_signals(n, sim_signals(fast), sim_signals(full));
	}
	skipped = sim_fast_forwarded(fast);
	free(fast_memory);
	free(full_memory);
	return skipped > 0;
}

static void steady_passes_equal_full_simulation(void **state)
{
	uint64_t *record = malloc(MOST_RECORDS * sizeof(*record));
	uint64_t skipped = 0;

	(void)state;
	assert_non_null(record);
	for (unsigned i = 0; i < STEADY; i++)
		skipped += compare_steady(i, record);
	free(record);
	print_message("%llu of %u steady configurations were fast-forwarded\n",
		      (unsigned long long)skipped, STEADY);
	assert_true(skipped > STEADY / 2);
}

/* A run that is given up in the middle counts what it has done. */
static void abandon(unsigned n, uint64_t *record)
{
	void *fast_memory, *full_memory;
	struct sim *fast, *full;
	struct geometry g;
	uint64_t done = 0;
	size_t records;

	seed = (n + 1) * UINT64_C(0xa0761d6478bd642f);
	draw_geometry(&g);
	fast = build(&g, &fast_memory);
	full = build(&g, &full_memory);
	sim_set_fast_forward(full, 0);
	records = draw_stream(record);
	for (uint64_t feeds = 1 + draw(60); feeds && done < 200; feeds--) {
		sim_feed(fast, record, records);
		done += 1 + sim_pass(fast, 199 - done);
	}
	run(full, record, records, done);
	sim_feed(fast, record, records);	/* no pass: it did not end */
	sim_feed(full, record, records);
	sim_new_run(fast);
	sim_new_run(full);
	run(fast, record, records, 20);
	run(full, record, records, 20);
	same_signals(n, sim_signals(fast), sim_signals(full));
	free(fast_memory);
	free(full_memory);
}

static void abandoned_runs_count(void **state)
{
	uint64_t *record = malloc(MOST_RECORDS * sizeof(*record));

	(void)state;
	assert_non_null(record);
	for (unsigned i = 0; i < ABANDONED; i++)
		abandon(i, record);
	free(record);
}

/* Few records, most of them for the predictor; it has what was before. */
static size_t draw_course(uint64_t *record)
{
	const size_t records = 1 + draw(12);

	for (size_t i = 0; i < records; i++)
		record[i] = draw_record(4, i, true, 0, chance(80) ? 90 : 0);
	return records;
}

static uint64_t follow(unsigned n, uint64_t *record)
{
	void *fast_memory, *full_memory;
	struct geometry g = { .l2 = { .present = false } };
	struct sim *fast, *full;
	uint64_t skipped;

	seed = (n + 1) * UINT64_C(0x589965cc75374cc3);
	g.l1d = draw_cache(4, 4);
	g.predictor = (struct predictor_geometry){
		chance(50) ? PREDICT_BIMODAL : PREDICT_TAGE, 64, 12, 4, 0, 0
	};
	fast = build(&g, &fast_memory);
	full = build(&g, &full_memory);
	sim_set_fast_forward(full, 0);
	for (int again = 0; again < 8; again++) {
		const size_t records = draw_course(record);
		const uint64_t passes = 1 + draw(300);

		run(fast, record, records, passes);
		run(full, record, records, passes);
		same_signals(n, sim_signals(fast), sim_signals(full));
	}
	skipped = sim_fast_forwarded(fast);
	free(fast_memory);
	free(full_memory);
	return skipped > 0;
}

static void predictors_state_is_kept(void **state)
{
	uint64_t record[12], skipped = 0;

	(void)state;
	for (unsigned i = 0; i < FOLLOWED; i++)
		skipped += follow(i, record);
	assert_true(skipped > FOLLOWED / 2);
}

/* One branch, taken in each pass: the run behind is the end of a loop, or not,
 * by how many they were. */
static void loops_are_as_long(void **state)
{
	const uint64_t taken[] = {
		access_pack(ACCESS_BRANCH, ACCESS_TAKEN, 0, 1),
		access_pack(ACCESS_RETIRE, 0, 0, 1000)
	};
	const uint64_t not = access_pack(ACCESS_BRANCH, 0, 0, 1);
	const struct geometry g = {
		.l1d = { .present = true, .line_bytes = 64, .sets = 1,
			 .ways = 1, .slices = 1 },
		.predictor = { PREDICT_BIMODAL, 64, 0, 0, 2, 0 },
	};

	(void)state;
	for (unsigned passes = 1; passes < 20; passes++) {
		void *fast_memory, *full_memory;
		struct sim *fast = build(&g, &fast_memory);
		struct sim *full = build(&g, &full_memory);

		sim_set_fast_forward(full, 0);
		run(fast, taken, 2, passes);
		run(full, taken, 2, passes);
		run(fast, &not, 1, 1);
		run(full, &not, 1, 1);
		same_signals(passes, sim_signals(fast), sim_signals(full));
		assert_int_equal(sim_signals(fast)[SIGNAL_walks_wrong_path],
				 passes < 8 ? 0 : 2);
		free(fast_memory);
		free(full_memory);
	}
}

/* One set of a large cache, over and over: `passes` that were left out. */
static uint64_t left_out(uint64_t passes)
{
	const struct geometry g = {
		.l1d = { .present = true, .line_bytes = 64, .sets = 64,
			 .ways = 8, .slices = 1 },
		.l3 = { .present = true, .line_bytes = 64, .sets = 1 << 16,
			.ways = 16, .slices = 1 },
	};
	const uint64_t load = access_pack(ACCESS_LOAD, 3, 0,
					  ACCESS_ARENA_BASE);
	void *memory;
	struct sim *sim = build(&g, &memory);
	uint64_t skipped;

	run(sim, &load, 1, passes);
	assert_int_equal(sim_signals(sim)[SIGNAL_loads], passes);
	skipped = sim_fast_forwarded(sim);
	free(memory);
	return skipped;
}

/* Looking at 65536 sets costs more than some accesses. */
static void searches_where_it_pays(void **state)
{
	(void)state;
	assert_int_equal(left_out(1000), 0);
	assert_true(left_out(UINT64_C(1) << 32) > UINT64_C(1) << 31);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(searches_where_it_pays),
		cmocka_unit_test(loops_are_as_long),
		cmocka_unit_test(equals_full_simulation),
		cmocka_unit_test(abandoned_runs_count),
		cmocka_unit_test(predictors_state_is_kept),
		cmocka_unit_test(steady_passes_equal_full_simulation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
