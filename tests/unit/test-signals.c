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

/* Two bits of `how` for each level; from 64 on no L3, from 80 on one again,
 * and an L2 that takes what L1D loses. */
static struct geometry geometry(unsigned how)
{
	struct geometry g = {
		.l1d = cache(8, 2, how), .l2 = cache(32, 4, how >> 2),
		.l3 = cache(128, 4, how >> 4),
	};

	g.l3.present = how < 64 || how >= 80;
	if (how >= 80)
		g.l2.inclusion = how & 1 ? INCLUDE_VICTIM : INCLUDE_EXCLUSIVE;
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
		{ ASSAY_Q_rfos, r->reads_to_write },
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
	for (unsigned how = 0; how < 96; how++)
		one(how);
}

/* What else is added up; where no level writes through. */
static void quantities_are_sums(void **state)
{
#define S(name) 1 + SIGNAL_##name
	static const struct { enum assay_quantity q; int sum[6]; } rows[] = {
		{ ASSAY_Q_mispredicts, { S(mispredicts) } },
		{ ASSAY_Q_returns, { S(returns) } },
		{ ASSAY_Q_return_mispredicts, { S(return_mispredicts) } },
		{ ASSAY_Q_served_l1, { S(served_l1) } },
		{ ASSAY_Q_served_l2, { S(served_l2) } },
		{ ASSAY_Q_served_l3, { S(served_l3) } },
		{ ASSAY_Q_served_dram, { S(served_dram) } },
		{ ASSAY_Q_split_lines, { S(split_lines) } },
		{ ASSAY_Q_l1d_writebacks,
		  { S(l1d_evict_dirty), S(l1d_flush_dirty) } },
		{ ASSAY_Q_l1i_fetches, { S(l1i_fetch) } },
		{ ASSAY_Q_l1i_refills, { S(l1i_miss) } },
		{ ASSAY_Q_l2_reads, { S(l2_load), S(l2_store), S(l2_walk),
				      S(l2_fetch), S(l2_prefetch) } },
		{ ASSAY_Q_l2_read_misses,
		  { S(l2_load_miss), S(l2_store_miss), S(l2_walk_miss),
		    S(l2_fetch_miss), S(l2_prefetch_miss) } },
		{ ASSAY_Q_l2_refills, { S(l2_fill) } },
		{ ASSAY_Q_l2_evict_clean, { S(l2_evict_clean) } },
		{ ASSAY_Q_l2_evict_dirty,
		  { S(l2_evict_dirty), S(l2_flush_dirty) } },
		{ ASSAY_Q_l3_writebacks,
		  { S(l3_evict_dirty), S(l3_flush_dirty) } },
		{ ASSAY_Q_l3_reads, { S(l3_load), S(l3_store), S(l3_walk),
				      S(l3_fetch), S(l3_prefetch) } },
		{ ASSAY_Q_l3_read_misses,
		  { S(l3_load_miss), S(l3_store_miss), S(l3_walk_miss),
		    S(l3_fetch_miss), S(l3_prefetch_miss) } },
		{ ASSAY_Q_dtlb_misses,
		  { S(dtlb_load_miss), S(dtlb_store_miss) } },
		{ ASSAY_Q_itlb_misses, { S(itlb_miss) } },
		{ ASSAY_Q_l2tlb_misses,
		  { S(l2tlb_data_miss), S(l2tlb_code_miss) } },
		{ ASSAY_Q_page_walks, { S(walks_load), S(walks_store),
					S(walks_code), S(walks_wrong_path) } },
	};
#undef S
	static struct assay_quantities q;
	struct geometry g = geometry(0);
	uint64_t signal[SIGNALS], seed = 1;

	(void)state;
	g.l1i = g.l1d;
	g.dtlb.present = g.itlb.present = g.l2tlb.present = true;
	g.predictor.kind = PREDICT_BIMODAL;
	for (int i = 0; i < SIGNALS; i++)
		signal[i] = draw_next(&seed) >> 20;
	signals_truth(&g, signal, &q);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t sum = 0;

		for (int k = 0; rows[i].sum[k]; k++)
			sum += signal[rows[i].sum[k] - 1];
		assert_true(q.of[rows[i].q].number == (double)sum);
	}
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

/* Second levels of data and code, of which one may be missing. */
static void second_levels_are_added_up(void **state)
{
	static const struct { bool split, data, code; double sum; }
	rows[] = {
		{ false, true, false, 11 }, { true, true, true, 11 },
		{ true, true, false, 11 }, { true, false, true, 8 },
	};
	uint64_t signal[SIGNALS] = { [SIGNAL_l2tlb_data_miss] = 3,
				     [SIGNAL_l2tlb_code_miss] = 8 };
	static struct assay_quantities q;
	struct geometry g = geometry(0);

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		g.split_l2tlb = rows[i].split;
		g.l2tlb.present = rows[i].data;
		g.l2itlb.present = rows[i].code;
		signals_truth(&g, signal, &q);
		assert_null(q.of[ASSAY_Q_l2tlb_misses].why);
		assert_true(q.of[ASSAY_Q_l2tlb_misses].number == rows[i].sum);
		assert_int_equal(!geometry_lacks(&g, "l2tlb_data"),
				 rows[i].data);
		assert_int_equal(!geometry_lacks(&g, "l2tlb_code_miss"),
				 rows[i].code || !rows[i].split);
	}
	g.l2itlb.present = false;
	signals_truth(&g, signal, &q);
	assert_string_equal(q.of[ASSAY_Q_l2tlb_misses].why,
			    "this model has no second-level TLB for data");
	assert_string_equal(geometry_lacks(&g, "l2tlb_code"),
			    "this model has no second-level TLB for code");
}

static int find(void *ctx, const char *name)
{
	(void)ctx;
	return strcmp(name, "loads") == 0 ? SIGNAL_loads :
	       strcmp(name, "stores") == 0 ? SIGNAL_stores : -1;
}

static struct encoding event(struct expr *e, const char *text)
{
	assert_int_equal(expr_parse(e, text, find, NULL, NULL, NULL), 0);
	return (struct encoding){ .counts = e };
}

/* Fewer than none is none. */
static void counts_are_what_the_file_says(void **state)
{
	const uint64_t signal[SIGNALS] = {
		[SIGNAL_loads] = 5, [SIGNAL_stores] = 7
	};
	const uint64_t other[SIGNALS] = { [SIGNAL_loads] = 7 };
	const uint64_t *const both[] = { signal, other };
	struct assay_count count;
	struct encoding e;
	struct expr expr;

	(void)state;
	e = event(&expr, "loads - stores");
	assert_int_equal(signals_count(&e, signal).value, 0);
	e = event(&expr, "stores - loads / 2");
	count = signals_count(&e, signal);
	assert_int_equal(count.value, 5);	/* 4.5 */
	e = event(&expr, "loads / (loads - 5)");
	count = signals_count(&e, signal);
	assert_int_equal(count.state, ASSAY_COUNT_ABSENT);
	assert_non_null(count.why);
	e = event(&expr, "loads");
	snprintf(e.absent, sizeof(e.absent), "not here");
	count = signals_count(&e, signal);
	assert_int_equal(count.state, ASSAY_COUNT_ABSENT);
	assert_string_equal(count.why, "not here");
	assert_int_equal(signals_terms(&e, signal, NULL), 0);
	e = event(&expr, "loads");
	count = signals_count(&e, signal);
	signals_count_spread(both, 2, &e, &count);
	assert_true(count.error > 1.4 && count.error < 1.5);
	count = (struct assay_count){ .state = ASSAY_COUNT_ABSENT };
	signals_count_spread(both, 2, &e, &count);
	assert_true(count.error == 0);
}

/* Sums of signals, each with its sign; at most ASSAY_EVENT_TERMS. */
static void terms_are_those_of_a_sum(void **state)
{
	const uint64_t signal[SIGNALS] = {
		[SIGNAL_loads] = 5, [SIGNAL_stores] = 7
	};
	struct assay_event_term term[ASSAY_EVENT_TERMS + 1];
	struct encoding e;
	struct expr expr;

	(void)state;
	e = event(&expr, "loads - (stores - loads)");
	assert_int_equal(signals_terms(&e, signal, term), 3);
	assert_string_equal(term[1].name, "stores");
	assert_true(term[0].value == 5 && term[1].value == -7 &&
		    term[2].value == 5);
	e = event(&expr, "loads + 2 * stores");
	assert_int_equal(signals_terms(&e, signal, term), 0);
	e = event(&expr, "loads + loads + loads + loads + "
		  "loads + loads + loads + loads");
	assert_int_equal(signals_terms(&e, signal, term), 8);
	e = event(&expr, "loads + loads + loads + loads + loads + "
		  "loads + loads + loads + loads");
	assert_int_equal(signals_terms(&e, signal, term), 0);
}

/* Only what was not simulated to its end is an estimate. */
static void errors_make_no_estimates(void **state)
{
	static struct assay_quantities q;
	const struct geometry g = geometry(0);
	struct draws d = {
		.periodic = true, .passes = 100, .length = 1,
		.batches = DRAWS_BATCHES,
	};

	(void)state;
	d.batch[0][SIGNAL_l1d_load_miss] = 1;
	signals_errors(&g, &d, &q);
	assert_true(q.of[ASSAY_Q_l1d_read_misses].error > 0);
	assert_false(q.of[ASSAY_Q_l1d_read_misses].estimate);
	d.left_out = 1;
	signals_errors(&g, &d, &q);
	assert_true(q.of[ASSAY_Q_l1d_read_misses].estimate);
	assert_false(q.of[ASSAY_Q_dram_reads].estimate);
	q.of[ASSAY_Q_l1d_read_misses].why = "not here";
	signals_errors(&g, &d, &q);
	assert_true(q.of[ASSAY_Q_l1d_read_misses].error == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantities_are_the_references),
		cmocka_unit_test(quantities_are_sums),
		cmocka_unit_test(what_is_not_there_is_absent),
		cmocka_unit_test(second_levels_are_added_up),
		cmocka_unit_test(counts_are_what_the_file_says),
		cmocka_unit_test(terms_are_those_of_a_sum),
		cmocka_unit_test(errors_make_no_estimates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
