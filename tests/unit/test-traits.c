/* SPDX-License-Identifier: MIT */
/* Traits of a core from latencies that show them, or do not. */
#include "check.h"

#include <math.h>

#include "analysis/latency/cache-traits.h"
#include "timing/cache-traits.h"
#include "fake-clock.h"

static const double gap[] = { 8, 16, 32, 64, 128, 256 };

static void lines_are_where_pairs_part(void **state)
{
	static const double of_64[] = { 9, 9, 9.1, 14, 14, 14 };
	static const double of_128[] = { 9, 9, 9, 9, 14, 14 };
	static const double flat[] = { 14, 14, 14.2, 14, 14, 14.1 };
	static const double torn[] = { 9, 14, 9, 14, 9, 14 };
	static const double unseen[] = { 9, 9, 0, 14, 14, 14 };

	(void)state;
	assert_true(trait_line(gap, of_64, 6).value == 64);
	assert_int_equal(trait_line(gap, of_64, 6).trust, TRAIT_HIGH);
	assert_true(trait_line(gap, of_128, 6).value == 128);
	assert_int_equal(trait_line(gap, flat, 6).trust, TRAIT_NONE);
	assert_int_equal(trait_line(gap, torn, 6).trust, TRAIT_NONE);
	assert_int_equal(trait_line(gap, unseen, 6).trust, TRAIT_NONE);
	assert_int_equal(trait_line(gap, of_64, 0).trust, TRAIT_NONE);
}

static void ways_are_the_lines_that_are_held(void **state)
{
	double cycles[20];

	(void)state;
	for (int k = 0; k < 20; k++)
		cycles[k] = k < 12 ? 5 : 16;
	assert_true(trait_ways(cycles, 20, 5, 16).value == 12);
	assert_int_equal(trait_ways(cycles, 20, 5, 16).trust, TRAIT_HIGH);
	cycles[12] = 9;		/* a policy that keeps some of them */
	assert_int_equal(trait_ways(cycles, 20, 5, 16).trust, TRAIT_MEDIUM);
	cycles[5] = 40;		/* one disturbed point is no set */
	assert_int_equal(trait_ways(cycles, 20, 5, 16).trust, TRAIT_NONE);
	for (int k = 0; k < 20; k++)
		cycles[k] = 5;
	assert_int_equal(trait_ways(cycles, 20, 5, 16).trust, TRAIT_NONE);
	assert_int_equal(trait_ways(cycles, 20, 0, 16).trust, TRAIT_NONE);
	assert_int_equal(trait_ways(cycles, 20, 5, 5).trust, TRAIT_NONE);
}

static void ways_far_from_the_core_must_agree(void **state)
{
	struct trait t[3] = { { 8, 0, TRAIT_HIGH }, { 8, 0, TRAIT_HIGH },
			      { 8, 0, TRAIT_MEDIUM } };

	(void)state;
	assert_true(trait_agreed_ways(t, 3, 1 << 20, 64).value == 8);
	assert_int_equal(trait_agreed_ways(t, 3, 1 << 20, 64).trust,
			 TRAIT_MEDIUM);
	/* 1365 sets */
	assert_int_equal(trait_agreed_ways(t, 3, 700000, 64).trust,
			 TRAIT_NONE);
	t[1].value = 11;
	assert_int_equal(trait_agreed_ways(t, 3, 1 << 20, 64).trust,
			 TRAIT_NONE);
	t[1] = (struct trait){ 8, 0, TRAIT_NONE };
	assert_int_equal(trait_agreed_ways(t, 3, 1 << 20, 64).trust,
			 TRAIT_NONE);
	assert_int_equal(trait_agreed_ways(t, 0, 1 << 20, 64).trust,
			 TRAIT_NONE);
}

/* 48 KiB of 12 ways, 64 sets, 64 bytes, as many CPUs of today have. */
static void ways_must_multiply_out(void **state)
{
	const struct geometry g = {
		.l1d = { .present = true, .line_bytes = 64, .ways = 12,
			 .sets = 64, .slices = 1 },
	};
	struct level_found timed = { .bytes = 49152, .low = 47000,
				     .high = 52000, .bounded = true };
	struct cache_traits t = { .l1_ways = { 6, 0, TRAIT_HIGH },
			    .line = { 128, 0, TRAIT_HIGH },
			    .l2_ways = { 5, 0, TRAIT_MEDIUM } };

	(void)state;
	cache_traits_check(&t, &g, &timed, 1);
	assert_int_equal(t.l1_ways.trust, TRAIT_CONTRADICTED);
	assert_string_equal(t.l1_why, "6 ways x 64 sets x 64 bytes are 24 KiB, "
			    "but 48 KiB is reported and 45.9 KiB to 50.8 KiB "
			    "is timed");
	assert_int_equal(t.line.trust, TRAIT_CONTRADICTED);
	/* nothing is reported of the L2 */
	assert_int_equal(t.l2_ways.trust, TRAIT_MEDIUM);
	assert_string_equal(t.l2_why, "");
	t.l1_ways = (struct trait){ 12, 0, TRAIT_HIGH };
	cache_traits_check(&t, &g, &timed, 1);
	assert_int_equal(t.l1_ways.trust, TRAIT_HIGH);
	assert_string_equal(t.l1_why, "");
	/* timing agrees with itself, against what is reported */
	t.l1_ways.value = 6;
	timed.low = 23000;
	timed.high = 26000;
	cache_traits_check(&t, &g, &timed, 1);
	assert_int_equal(t.l1_ways.trust, TRAIT_HIGH);
	/* no capacity was found: what is reported remains */
	timed.bounded = false;
	cache_traits_check(&t, &g, &timed, 1);
	assert_int_equal(t.l1_ways.trust, TRAIT_CONTRADICTED);
	assert_string_equal(t.l1_why, "6 ways x 64 sets x 64 bytes are 24 KiB, "
			    "but 48 KiB is reported");
	/* other work took the CPU: nothing is held against the trait */
	t.l1_ways.trust = TRAIT_HIGH;
	t.off = 0.38;
	cache_traits_check(&t, &g, &timed, 1);
	assert_int_equal(t.l1_ways.trust, TRAIT_UNDECIDED);
	assert_string_equal(t.l1_why, "not decided: machine busy, other work "
			    "took 38 % of this CPU's time: 6 ways x 64 sets x "
			    "64 bytes are 24 KiB, but 48 KiB is reported");
	t.l1_ways.trust = TRAIT_NONE;
	cache_traits_check(&t, &g, NULL, 0);
	assert_int_equal(t.l1_ways.trust, TRAIT_NONE);
}

struct rows { char text[2048]; };

static int keep(void *ctx, const struct assay_row *row)
{
	struct rows *rows = ctx;
	const size_t used = strlen(rows->text);

	snprintf(rows->text + used, sizeof(rows->text) - used,
		 "%s=%s (%s) %s\n", row->field[0].text, row->field[1].text,
		 row->field[2].text, row->field[5].text);
	return 0;
}

static void rows_hold_what_is_reported(void **state)
{
	const struct geometry g = {
		.l1d = { .present = true, .line_bytes = 64, .ways = 12 },
		.l2 = { .present = true, .line_bytes = 64, .ways = 16 },
		.dtlb = { .present = true, .entries = 72 },
	};
	const struct cache_traits t = {
		.line = { 128, 0, TRAIT_HIGH }, .l1_ways = { 8, 0, TRAIT_HIGH },
		.tlb.first = { 64, 76, TRAIT_HIGH },
		.stream = { 1, 0, TRAIT_HIGH }, .stream_cycles = 5,
		.random_cycles = 100,
	};
	struct rows rows = { "" };

	(void)state;
	assert_int_equal(cache_traits_emit(&t, &g, keep, &rows), 0);
	assert_non_null(strstr(rows.text, "line=128 bytes (64) 64 bytes "
			       "reported, but more measured\n"));
	assert_non_null(strstr(rows.text, "L1d ways=8 ways (12) 12 ways "
			       "reported, but fewer measured\n"));
	assert_non_null(strstr(rows.text, "L2 ways=- (16) \n"));
	assert_non_null(strstr(rows.text, "TLB=64 to 76 pages (72) \n"));
	assert_non_null(strstr(rows.text, "page walk=- () \n"));
	assert_non_null(strstr(rows.text, "stream prefetcher=present"));
}

/* 64 entries, then 7 cycles; 1536 entries, then 30 more. */
static size_t make_tlbs(struct tlb_point *p, double first, double second)
{
	size_t n = 0;

	for (double pages = 16; pages <= 16384; pages *= sqrt(sqrt(2))) {
		const double packed = pages <= 512 ? 5 : 16;
		double more = 0;

		if (pages > first)
			more += 7 * fmin(1, 1.3 * (1 - first / pages) + 0.4);
		if (pages > second)
			more += 30 * fmin(1, 1.3 * (1 - second / pages) + 0.4);
		p[n++] = (struct tlb_point){ pages, packed + more, packed };
	}
	return n;
}

static void tlbs_are_steps_over_packed_lines(void **state)
{
	struct tlb_point p[64];
	struct tlb_traits t;
	size_t n = make_tlbs(p, 64.5, 1536);

	(void)state;
	trait_tlbs(p, n, &t);
	assert_true(fabs(t.first.value - 64) < 1);
	assert_true(t.second.value > 1000 && t.second.value <= 1536);
	assert_true(fabs(t.first_miss.value - 7) < 0.5);
	assert_true(fabs(t.walk.value - 30) < 4);
}

static void no_step_is_no_tlb(void **state)
{
	struct tlb_point p[64];
	struct tlb_traits t;
	size_t n = make_tlbs(p, 1e9, 1e9);

	(void)state;
	trait_tlbs(p, n, &t);
	assert_int_equal(t.first.trust, TRAIT_NONE);
	assert_int_equal(t.walk.trust, TRAIT_NONE);
	/* a first one alone */
	n = make_tlbs(p, 64.5, 1e9);
	trait_tlbs(p, n, &t);
	assert_true(fabs(t.first.value - 64) < 1);
	assert_int_equal(t.second.trust, TRAIT_NONE);
	assert_int_equal(t.walk.trust, TRAIT_NONE);
	trait_tlbs(p, 0, &t);
	assert_int_equal(t.first.trust, TRAIT_NONE);
}

static void prefetchers_make_faster(void **state)
{
	(void)state;
	assert_true(trait_prefetch(7, 500).value == 1);
	assert_int_equal(trait_prefetch(7, 500).trust, TRAIT_HIGH);
	assert_int_equal(trait_prefetch(60, 100).trust, TRAIT_MEDIUM);
	assert_true(trait_prefetch(99, 100).value == 0);
	assert_int_equal(trait_prefetch(99, 100).trust, TRAIT_MEDIUM);
	assert_int_equal(trait_prefetch(85, 100).trust, TRAIT_NONE);
	assert_int_equal(trait_prefetch(0, 100).trust, TRAIT_NONE);
	assert_int_equal(trait_prefetch(5, 0).trust, TRAIT_NONE);
}

/* ---- the kernels, on a core with sets, lines and no prefetcher ---------- */

/* LRU: 4 KiB of 4 ways take 4 cycles, 64 KiB of 16 take 14, then 50. */
#define SETS 16
#define HELD 4
#define HELD_2 16
static uint64_t first[SETS][HELD], second[64][HELD_2];

static bool look_up(uint64_t *set, int ways, uint64_t line)
{
	int way = 0;

	while (way < ways - 1 && set[way] != line)
		way++;
	const bool hit = set[way] == line;

	for (; way > 0; way--)
		set[way] = set[way - 1];
	set[0] = line;
	return hit;
}

static double tiny_caches(struct fake *f, void *at)
{
	const uint64_t line = (uintptr_t)at / 64;
	const bool one = look_up(first[line % SETS], HELD, line);
	const bool two = look_up(second[line % 64], HELD_2, line);

	(void)f;
	return one ? 4 : two ? 14 : 50;
}

static void kernels_find_the_fake(void **state)
{
	struct arena small = { .bytes = CACHE_TRAITS_BYTES }, large = small;
	const struct cache_traits_input in = {
		.small = &small, .large = &large, .l1 = 4096, .l2 = 65536,
		.l1_cycles = 4, .l2_cycles = 14, .l3_cycles = 50,
	};
	struct time_clock clock;
	struct cache_traits t;
	struct fake f;

	(void)state;
	small.base = aligned_alloc(4096, CACHE_TRAITS_BYTES);
	large.base = aligned_alloc(4096, CACHE_TRAITS_BYTES);
	assert_non_null(small.base);
	assert_non_null(large.base);
	fake_init(&f, &clock, tiny_caches);
	cache_traits_measure(&clock, &in, &t);
	assert_true(t.line.value == 64);
	assert_int_equal(t.line.trust, TRAIT_HIGH);
	assert_true(t.l1_ways.value == HELD);
	assert_true(t.l2_ways.value == HELD_2);
	assert_int_equal(t.l2_ways.trust, TRAIT_MEDIUM);
	assert_int_equal(t.tlb.first.trust, TRAIT_NONE);
	assert_true(t.stream.value == 0);
	assert_int_equal(t.stream.trust, TRAIT_MEDIUM);
	assert_true(t.stride.value == 0);
	assert_true(t.adjacent.value == 0);
	free(small.base);
	free(large.base);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_where_pairs_part),
		cmocka_unit_test(ways_are_the_lines_that_are_held),
		cmocka_unit_test(ways_far_from_the_core_must_agree),
		cmocka_unit_test(ways_must_multiply_out),
		cmocka_unit_test(rows_hold_what_is_reported),
		cmocka_unit_test(tlbs_are_steps_over_packed_lines),
		cmocka_unit_test(no_step_is_no_tlb),
		cmocka_unit_test(prefetchers_make_faster),
		cmocka_unit_test(kernels_find_the_fake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
