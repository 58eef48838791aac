/* SPDX-License-Identifier: MIT */
/*
 * A stream through the plugin's filter and a simulator, and the same one
 * through a simulator alone: equal signals, whatever the geometry.
 */

#include "check.h"
#include "draw.h"

#include "cpus/cpu.h"
#include "plugin/filter/filter.h"
#include "sim/sim.h"

#define RECORDS 6000
#define GEOMETRIES 2000
#define LIST 700

static uint64_t seed;

static uint64_t draw(uint64_t below)
{
	return (draw_next(&seed) >> 20) % below;
}

static struct cache_geometry draw_cache(uint32_t most_sets, bool lower)
{
	static const enum inclusion inclusions[] = {
		INCLUDE_NON, INCLUDE_ALL, INCLUDE_ALL, INCLUDE_EXCLUSIVE
	};
	struct cache_geometry c = {
		.present = true, .line_bytes = 64,
		.sets = 1u << draw(9), .ways = 1u << draw(4), .slices = 1,
		.policy = (enum replacement)draw(REPLACEMENTS),
	};

	while (c.sets > most_sets)
		c.sets /= 2;
	if (draw(3))
		c.policy = draw(2) ? REPLACE_LRU : REPLACE_TREE_PLRU;
	if (lower)
		c.inclusion = inclusions[draw(4)];
	else
		c.no_write_allocate = !draw(8);
	return c;
}

static struct tlb_geometry draw_tlb(uint32_t sets)
{
	struct tlb_geometry t = { .present = draw(4) != 0,
				  .ways = 1u << draw(7) };

	if (!draw(5))
		t.policy = (enum replacement)draw(REPLACEMENTS);
	if (!draw(6))
		t.ways = 160;
	t.entries = t.ways * (sets ? 1u << draw(sets) : 1);
	return t;
}

static struct geometry draw_geometry(void)
{
	struct geometry g = {
		.l1d = draw_cache(256, false), .l1i = draw_cache(256, false),
		.l2 = draw_cache(1024, true), .l3 = draw_cache(4096, true),
		.dtlb = draw_tlb(2), .itlb = draw_tlb(2), .l2tlb = draw_tlb(3),
		.split_l2tlb = !draw(3),
		.walker = { (enum walk_level)draw(3), 4,
			    (uint32_t)(2 + draw(3)) },
		.predictor = { .kind = PREDICT_BIMODAL, .entries = 64,
			       .wrong_path_walks = (uint32_t)draw(3) },
		.page_map = { .kind = draw(3) ? PAGE_MAP_RANDOM :
						PAGE_MAP_IDENTITY,
			      .size = draw(2) ? (enum page_size)draw(PAGE_SIZES)
					      : PAGE_4K,
			      .seed = draw(50) },
	};

	g.l1i.no_write_allocate = false;
	g.l3.present = draw(2);
	g.l2.line_bytes <<= draw(6) / 4;
	g.l3.line_bytes = g.l2.line_bytes << draw(6) / 4;
	if (!draw(4))
		g.l2.sets = 3 * 32;
	if (draw(2))
		g.l3.slices = 1 + (uint32_t)draw(4);
	if (!g.dtlb.present && (g.split_l2tlb || !g.itlb.present))
		g.l2tlb.present = false;
	if (g.split_l2tlb && g.itlb.present)
		g.l2itlb = draw_tlb(3);
	if (g.dtlb.present && !draw(3))
		g.store_dtlb = draw_tlb(2);
	return g;
}

/* ---- the stream --------------------------------------------------------- */

/* Some have low bits in common, and some no frame that is known. */
static uint64_t page_at(uint64_t page)
{
	return (page % 3 ? page : page * FILTER_FRAMES) +
	       (page % 7 == 5 ? UINT64_C(40) << 18 : 0);
}

static bool crowded;

/* Lines whose low bits are the same, or almost; their frames are not. */
static uint64_t draw_crowded(void)
{
	return UINT64_C(0x10000000) + 8 * draw(draw(3) ? 6 : 40) * 4096 +
	       draw(4) / 3 * 64 + draw(2) * 4096;
}

/* Few pages and lines, again and again, and now and then another one. */
static uint64_t draw_address(void)
{
	const uint64_t page = draw(12) ? draw(6) : draw(draw(9) ? 40 : 600);
	const uint64_t line = draw(9) ? page * 9 + draw(9) / 8 : draw(64);

	if (crowded)
		return draw_crowded();
	if (!draw(60))	/* in two pages, perhaps */
		return UINT64_C(0x10000000) + page_at(page) * 4096 + 4095;
	return UINT64_C(0x10000000) + page_at(page) * 4096 + line % 64 * 64 +
	       draw(64);
}

static uint64_t draw_record(void)
{
	switch (draw(16)) {
	case 0:
		return access_pack(ACCESS_STORE_NT, 3, 0,
				   draw_address() & ~UINT64_C(7));
	case 1: case 2: case 3: case 4:
		return access_pack(ACCESS_FETCH, 0, 0,
				   draw_address() & ~UINT64_C(63));
	case 5: case 6:
		return access_pack(ACCESS_BRANCH, draw(12) ? ACCESS_TAKEN : 0,
				   0, 1 + draw(10));
	default:
		return access_pack(draw(3) ? ACCESS_LOAD : ACCESS_STORE,
				   (unsigned)draw(5), 0, draw_address());
	}
}

/* ---- the two ways ------------------------------------------------------- */

struct filtered {
	struct filter filter;
	struct sim *sim;
	uint64_t dropped[3];	/* loads, stores, fetches */
	size_t waiting, most;
	uint64_t list[LIST];	/* what waits is fed when there is so much */
};

static void feed_list(struct filtered *s)
{
	if (s->waiting)
		sim_feed(s->sim, s->list, s->waiting);
	s->waiting = 0;
}

static void feed(struct filtered *s, uint64_t record)
{
	s->list[s->waiting++] = record;
	if (s->waiting == s->most)
		feed_list(s);
}

/* What comes first, then the record. */
static void feed_after(struct filtered *s, const uint64_t *before,
		       const uint64_t *end, uint64_t record)
{
	assert_true(end - before <= FILTER_MOST_BEFORE);
	for (; before < end; before++)
		feed(s, *before);
	feed(s, record);
}

static void take_access(struct filtered *s, uint64_t record)
{
	const uint64_t from = access_operand(record);
	const uint64_t bytes = UINT64_C(1) << access_log2_bytes(record);
	const bool store = access_kind(record) == ACCESS_STORE;
	const uint64_t last = from + bytes - 1;
	uint64_t before[FILTER_MOST_BEFORE], *end = before;

	if ((from >> 6 == last >> 6 &&
	     filter_l0_hit(&s->filter, FILTER_DATA, from, 6, !store)) ||
	    filter_data(&s->filter, from, last, store, &end)) {
		assert_ptr_equal(end, before);
		s->dropped[store]++;
		return;
	}
	feed_after(s, before, end, record);
}

static void take_streaming(struct filtered *s, uint64_t record)
{
	uint64_t before[FILTER_MOST_BEFORE], *end = before;

	filter_streamed(&s->filter, access_operand(record),
			access_operand(record) + 7, &end);
	feed_after(s, before, end, record);
}

static void take_fetch(struct filtered *s, uint64_t record)
{
	const uint64_t from = access_operand(record);
	uint64_t before[FILTER_MOST_BEFORE], *end = before;

	if (filter_l0_hit(&s->filter, FILTER_CODE, from, 6, true) ||
	    filter_code(&s->filter, from >> 6, &end)) {
		assert_ptr_equal(end, before);
		s->dropped[2]++;
		return;
	}
	feed_after(s, before, end, record);
}

static void take(struct filtered *s, uint64_t record)
{
	uint32_t walks;

	switch (access_kind(record)) {
	case ACCESS_FETCH:
		take_fetch(s, record);
		break;
	case ACCESS_STORE_NT:
		take_streaming(s, record);
		break;
	case ACCESS_BRANCH:
		walks = sim_flow(s->sim, ACCESS_CODE_BASE, record);
		if (walks)
			feed(s, access_pack(ACCESS_WRONG_PATH, 0, 0, walks));
		break;
	default:
		take_access(s, record);
		break;
	}
}

/* Of another class, but found at the same place. */
static struct geometry draw_wide_geometry(void)
{
	struct geometry g = draw_geometry();

	g.l1d.sets = g.l1i.sets = 128 << draw(2);
	g.l1d.ways = g.l1i.ways = 2 << draw(2);
	g.l2 = draw_cache(256, true);
	g.l2.inclusion = INCLUDE_NON;
	g.l3.present = false;
	g.page_map.size = PAGE_4K;
	return g;
}

static struct sim *new_sim(const struct geometry *g)
{
	const char *why = NULL;
	const size_t bytes = sim_bytes(g, &why);

	if (!bytes)
		return NULL;
	return sim_init(aligned_alloc(64, (bytes + 63) & ~(size_t)63), g);
}

/* Returns how many were dropped. */
static uint64_t compare(const struct geometry *g, const uint64_t *record,
			struct sim *alone, struct sim *behind)
{
	static struct filtered s;
	const bool dtlb = g->dtlb.present, itlb = g->itlb.present;
	uint64_t sum[SIGNALS];

	s = (struct filtered){ .sim = behind,
			       .most = draw(2) ? 1 : 1 + draw(LIST) };
	filter_init(&s.filter, g, false, NULL);
	sim_feed(alone, record, RECORDS);
	for (int i = 0; i < RECORDS; i++)
		take(&s, record[i]);
	feed_list(&s);
	memcpy(sum, sim_signals(behind), sizeof(sum));
	for (int store = 0; store < 2; store++) {
		sum[SIGNAL_loads + store] += s.dropped[store];
		sum[SIGNAL_l1d_load + store] += s.dropped[store];
		sum[SIGNAL_served_l1] += s.dropped[store];
		sum[SIGNAL_dtlb_load + store] += dtlb ? s.dropped[store] : 0;
	}
	sum[SIGNAL_l1i_fetch] += s.dropped[2];
	sum[SIGNAL_itlb_fetch] += itlb ? s.dropped[2] : 0;
	assert_memory_equal(sum, sim_signals(alone), sizeof(sum));
	return s.dropped[0] + s.dropped[1] + s.dropped[2];
}

/* One in so many must be dropped. */
static void compare_many(struct geometry (*of)(void), int geometries,
			 uint64_t every)
{
	static uint64_t record[RECORDS];
	uint64_t dropped = 0;
	int dropping = 0;

	for (int i = 0; i < geometries; i++) {
		struct geometry g;
		struct sim *alone, *behind;
		uint64_t some;

		seed = (uint64_t)(i + 1) * UINT64_C(0x9e3779b97f4a7c15);
		g = of();
		alone = new_sim(&g);
		behind = new_sim(&g);
		for (int k = 0; k < RECORDS; k++)
			record[k] = draw_record();
		if (!alone)
			continue;
		some = compare(&g, record, alone, behind);
		dropping += some > 0;
		dropped += some;
		free(alone);
		free(behind);
	}
	assert_true(dropping > geometries / 4);
	assert_true(dropped > (uint64_t)geometries * RECORDS / every);
}

static void drops_only_what_changes_nothing(void **state)
{
	(void)state;
	crowded = false;
	compare_many(draw_geometry, GEOMETRIES, 100);
}

static void gives_way_to_other_classes(void **state)
{
	(void)state;
	crowded = true;
	compare_many(draw_wide_geometry, GEOMETRIES / 8, 100);
}

static int compare_file(void *ctx, const struct cpu *cpu)
{
	static uint64_t record[RECORDS];
	struct sim *alone = new_sim(&cpu->geometry);
	struct sim *behind = new_sim(&cpu->geometry);
	struct filter f;

	filter_init(&f, &cpu->geometry, false, NULL);
	if (!f.data.on || !f.code.on)
		fail_msg("%s: nothing is filtered", cpu->name);
	seed = 1;
	for (int i = 0; i < RECORDS; i++)
		record[i] = draw_record();
	assert_true(compare(&cpu->geometry, record, alone, behind) >
		    RECORDS / 10);
	free(alone);
	free(behind);
	++*(int *)ctx;
	return 0;
}

static void every_cpu_file_has_one(void **state)
{
	int files = 0;

	(void)state;
	crowded = false;
	assert_int_equal(cpu_each(NULL, compare_file, &files, NULL), 0);
	assert_true(files > 10);
}

/* Of two lines side by side, which one access can be in, either may be the
 * newest. */
static void keeps_two_of_several_classes(void **state)
{
	static struct filter f;
	struct geometry g = draw_wide_geometry();

	(void)state;
	g.l1d.policy = REPLACE_LRU;
	filter_init(&f, &g, false, NULL);
	assert_true(f.data.two);
	g.l1d.sets = 1;
	filter_init(&f, &g, false, NULL);
	assert_false(f.data.two);
}

/* Pages with equal low bits, of which only the last two stay: that some are
 * there is known by their number. Once each: all are forgotten each time. */
static void counts_pages_that_are_alike(void **state)
{
	enum { MANY = 3 * TLB_ORDER_ALIKE };
	static struct tlb_order r;
	const struct tlb_geometry two = { .present = true, .entries = 2,
					  .ways = 2, .policy = REPLACE_LRU };
	uint64_t told[TLB_ORDER_PAGES], *end = told, left;

	(void)state;
	tlb_order_init(&r, &two, PAGE_4K, 0);
	for (uint64_t i = 1; i <= MANY; i++) {
		const uint64_t page = i * TLB_ORDER_ALIKE;
		const uint8_t slot = tlb_order_enter(&r, page, i, &left, &end);

		assert_int_equal(tlb_order_slot(&r, page), slot);
		if (i > 1)
			assert_int_equal(tlb_order_slot(&r, page - TLB_ORDER_ALIKE),
					 1 - slot);
		assert_int_equal(tlb_order_slot(&r, page + TLB_ORDER_ALIKE),
				 TLB_ORDER_NOWHERE);
		assert_true(left == (i > 2 ? page - 2 * TLB_ORDER_ALIKE :
					     TLB_ORDER_NONE));
	}
	for (int i = 0; i < MANY; i++) {
		uint8_t slot;

		tlb_order_reset(&r);
		assert_int_equal(tlb_order_slot(&r, 0), TLB_ORDER_NOWHERE);
		slot = tlb_order_enter(&r, 0, 1, &left, &end);
		assert_int_equal(tlb_order_slot(&r, 0), slot);
	}
	assert_ptr_equal(end, told);	/* none was out of order */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drops_only_what_changes_nothing),
		cmocka_unit_test(gives_way_to_other_classes),
		cmocka_unit_test(every_cpu_file_has_one),
		cmocka_unit_test(keeps_two_of_several_classes),
		cmocka_unit_test(counts_pages_that_are_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
