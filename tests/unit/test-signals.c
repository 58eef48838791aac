/* SPDX-License-Identifier: MIT */
/*
 * Quantities, as a record has them, are the slow reference's counts: whatever
 * becomes of stores, in each level.
 */
#include "check.h"
#include "draw.h"

#include "base/access.h"
#include "counters/signals.h"
#include "reference-sim.h"
#include "sim/sim.h"

#define RECORDS 4000

static struct cache_geometry cache(uint32_t sets, uint32_t ways, unsigned how)
{
	return (struct cache_geometry){
		.present = true, .line_bytes = 64, .sets = sets, .ways = ways,
		.slices = 1, .policy = REPLACE_LRU,
		.write_through = how & 1, .no_write_allocate = how >> 1 & 1,
	};
}

/* Two bits of `how` for each level; the last two: no L3. */
static struct geometry geometry(unsigned how)
{
	struct geometry g = {
		.l1d = cache(8, 2, how), .l2 = cache(32, 4, how >> 2),
		.l3 = cache(128, 4, how >> 4),
	};

	g.l3.present = how < 64;
	return g;
}

static void draw_stream(uint64_t *record, uint64_t seed)
{
	for (unsigned i = 0; i < RECORDS; i++) {
		const uint64_t near = draw_next(&seed) >> 40 & 1;
		const uint64_t line = (draw_next(&seed) >> 11) %
				      (near ? 24 : 1500);

		record[i] = access_pack(draw_next(&seed) >> 20 & 1 ?
					ACCESS_STORE : ACCESS_LOAD, 3, 0,
					ACCESS_ARENA_BASE + 64 * line);
	}
}

static void compare(const struct geometry *g, const struct reference_report *r,
		    const struct assay_quantities *q)
{
	const struct reference_counts *c = r->cache;
	const uint64_t stores = g->l1d.no_write_allocate ? 0 :
							   c[0].write_misses;
	const struct { enum assay_quantity quantity; uint64_t want; } rows[] = {
		{ ASSAY_Q_l1d_reads, c[0].reads },
		{ ASSAY_Q_l1d_writes, c[0].writes },
		{ ASSAY_Q_l1d_read_misses, c[0].read_misses },
		{ ASSAY_Q_l1d_write_misses, c[0].write_misses },
		{ ASSAY_Q_l1d_writebacks, c[0].writebacks },
		{ ASSAY_Q_l1d_refills, c[0].read_misses + stores },
		{ ASSAY_Q_rfos, stores },
		{ ASSAY_Q_l2_reads, c[1].reads },
		{ ASSAY_Q_l2_writes, c[1].writes },
		{ ASSAY_Q_l2_read_misses, c[1].read_misses },
		{ ASSAY_Q_l2_write_misses, c[1].write_misses },
		{ ASSAY_Q_l2_evict_dirty, c[1].writebacks },
		{ ASSAY_Q_l3_reads, c[2].reads },
		{ ASSAY_Q_l3_writes, c[2].writes },
		{ ASSAY_Q_l3_read_misses, c[2].read_misses },
		{ ASSAY_Q_l3_write_misses, c[2].write_misses },
		{ ASSAY_Q_l3_writebacks, c[2].writebacks },
		{ ASSAY_Q_dram_reads, r->memory_reads },
		{ ASSAY_Q_dram_writes, r->memory_writes },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const enum assay_quantity what = rows[i].quantity;
		const struct assay_value *v = &q->of[what];

		if (!g->l3.present && what >= ASSAY_Q_l3_reads &&
		    what <= ASSAY_Q_l3_writebacks) {
			assert_non_null(v->why);
			continue;
		}
		assert_null(v->why);
		assert_true(v->number == (double)rows[i].want);
	}
}

static void one(unsigned how)
{
	static uint64_t record[RECORDS];
	static struct assay_quantities q;
	const struct geometry g = geometry(how);
	const size_t bytes = sim_bytes(&g, NULL);
	void *memory = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
	struct sim *sim = sim_init(memory, &g);
	struct reference *r = reference_new(&g);

	draw_stream(record, how + 1);
	sim_feed(sim, record, RECORDS);
	reference_feed(r, record, RECORDS);
	signals_truth(&g, sim_signals(sim), &q);
	compare(&g, reference_report(r), &q);
	reference_free(r);
	free(memory);
}

static void quantities_are_the_references(void **state)
{
	(void)state;
	for (unsigned how = 0; how < 80; how++)
		one(how);
}

/* What the model does not have, it does not count as 0. */
static void what_is_not_there_is_absent(void **state)
{
	const struct geometry none = geometry(0);
	static struct assay_quantities q;
	static const uint64_t signal[SIGNALS];
	struct geometry all = none;

	(void)state;
	signals_truth(&none, signal, &q);
	assert_string_equal(q.of[ASSAY_Q_page_walks].why,
			    "this model has no TLB");
	assert_string_equal(q.of[ASSAY_Q_l2tlb_misses].why,
			    "this model has no second-level TLB");
	all.l2.present = all.l3.present = false;
	signals_truth(&all, signal, &q);
	assert_string_equal(q.of[ASSAY_Q_l2_evict_dirty].why,
			    "this model has no L2");
	assert_string_equal(q.of[ASSAY_Q_l3_writebacks].why,
			    "this model has no L3");
	assert_null(q.of[ASSAY_Q_dram_reads].why);
	all.dtlb.present = all.l2.present = all.l3.present = true;
	signals_truth(&all, signal, &q);
	assert_null(q.of[ASSAY_Q_l2_reads].why);
	assert_null(q.of[ASSAY_Q_l3_read_misses].why);
	assert_null(q.of[ASSAY_Q_page_walks].why);
	assert_non_null(q.of[ASSAY_Q_l2tlb_misses].why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantities_are_the_references),
		cmocka_unit_test(what_is_not_there_is_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
