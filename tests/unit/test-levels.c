/* SPDX-License-Identifier: MIT */
/* Levels from curves whose caches are known. */
#include "check.h"

#include <math.h>

#include "analysis/latency/levels.h"
#include "timing/levels.h"
#include "fake-clock.h"

#define KIB 1024.0
#define MIB (1024.0 * 1024)

/* Latency of a random cycle through `bytes`: LRU caches of those sizes. */
struct machine { double l1, l2, l3, cycles[4]; };
static const struct machine server = {
	48 * KIB, 2 * MIB, 8 * MIB, { 5, 16, 120, 340 }
};

static double latency(const struct machine *m, double bytes)
{
	return m->cycles[bytes <= m->l1 ? 0 : bytes <= m->l2 ? 1 :
			 bytes <= m->l3 ? 2 : 3];
}

static uint64_t seed = 1;
static double random_share(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (double)(seed >> 33) / 2147483648.0;
}

static void make_sweep(struct level_point *p, size_t sizes,
		       const uint64_t *bytes, const struct machine *m,
		       double noise)
{
	for (size_t i = 0; i < sizes; i++) {
		const double cycles = latency(m, (double)bytes[i]) *
				      (1 + noise * random_share());

		p[i] = (struct level_point){
			.bytes = bytes[i], .cycles = cycles, .ns = cycles / 2.5,
			.ghz = 2.5,
		};
	}
}

static size_t sizes_of(uint64_t *bytes)
{
	return levels_sizes(bytes, LEVELS_SIZES, 4096, 64 << 20, 8, 64);
}

static void sizes_ascend(void **state)
{
	uint64_t bytes[LEVELS_SIZES];
	size_t n = sizes_of(bytes);

	(void)state;
	assert_int_equal(n, 14 * 8 + 1);
	assert_int_equal(bytes[0], 4096);
	assert_int_equal(bytes[8], 8192);
	assert_int_equal(bytes[n - 1], 64 << 20);
	for (size_t i = 1; i < n; i++)
		assert_true(bytes[i] > bytes[i - 1] && bytes[i] % 64 == 0);
	assert_int_equal(levels_sizes(bytes, 3, 64, 1 << 20, 8, 64), 3);
	assert_int_equal(bytes[2], 192);
}

static void plateaus_are_caches(void **state)
{
	static struct level_point p[LEVELS_SIZES];
	struct level_found f[LEVELS_MOST];
	uint64_t bytes[LEVELS_SIZES];
	size_t n = sizes_of(bytes);

	(void)state;
	make_sweep(p, n, bytes, &server, 0);
	assert_int_equal(levels_find(p, n, f), 4);
	assert_true(f[0].bounded && f[1].bounded && f[2].bounded);
	assert_false(f[3].bounded);
	assert_true(f[0].bytes == 48 * KIB && f[0].snapped);
	assert_true(f[1].bytes == 2 * MIB);
	assert_true(f[2].bytes == 8 * MIB);
	assert_true(f[0].cycles == 5 && f[3].cycles == 340);
	assert_true(f[0].low <= 48 * KIB && f[0].high >= 48 * KIB);
	assert_true(f[0].low > 44 * KIB && f[0].high < 54 * KIB);
}

/*
 * A sibling halves the L1 and slides the L2 in half of the sweeps, and one
 * size in twenty is disturbed; the envelope of four sees through it. 200 machines.
 */
static void the_envelope_sees_through_siblings(void **state)
{
	static struct level_point p[4 * LEVELS_SIZES], out[LEVELS_SIZES];
	struct level_found f[LEVELS_MOST];
	uint64_t bytes[LEVELS_SIZES];
	size_t n = sizes_of(bytes);
	unsigned good = 0;

	(void)state;
	for (unsigned run = 0; run < 200; run++) {
		for (unsigned s = 0; s < 4; s++) {
			struct machine m = server;

			if (s % 2 != run % 2) {
				m.l1 *= 0.5 + 0.5 * random_share();
				m.l2 *= 0.7 + 0.3 * random_share();
				m.l3 *= 0.4 + 0.6 * random_share();
			}
			make_sweep(p + s * n, n, bytes, &m, 0.02);
			for (size_t i = 0; i < n; i++)
				if (random_share() < 0.05)
					p[s * n + i].cycles *= 3;
		}
		levels_envelope(p, n, 4, out);
		good += levels_find(out, n, f) == 4 &&
			f[0].bytes >= 45 * KIB && f[0].bytes <= 54 * KIB &&
			fabs(log2(f[1].bytes / (2 * MIB))) <= 0.125;
	}
	assert_true(good >= 190);
}

static void a_level_that_is_squeezed_out_is_not_there(void **state)
{
	static struct level_point p[LEVELS_SIZES];
	const struct machine small = { 32 * KIB, MIB, MIB,
				       { 4, 14, 50, 400 } };
	struct level_found f[LEVELS_MOST];
	uint64_t bytes[LEVELS_SIZES];
	size_t n = sizes_of(bytes);

	(void)state;
	make_sweep(p, n, bytes, &small, 0);
	assert_int_equal(levels_find(p, n, f), 3);
	assert_true(f[1].bytes == MIB);
	/* nothing at all */
	for (size_t i = 0; i < n; i++)
		p[i].cycles = 0;
	assert_int_equal(levels_find(p, n, f), 0);
	assert_int_equal(levels_find(p, 2, f), 0);
}

/* A bend of a TLB within the L2 is no level. */
static void bends_are_not_levels(void **state)
{
	static struct level_point p[LEVELS_SIZES];
	struct level_found f[LEVELS_MOST];
	uint64_t bytes[LEVELS_SIZES];
	size_t n = sizes_of(bytes);

	(void)state;
	make_sweep(p, n, bytes, &server, 0);
	for (size_t i = 0; i < n; i++)
		if (bytes[i] > 470 * 1024 && bytes[i] <= 2 << 20)
			p[i].cycles = 21;
	assert_int_equal(levels_find(p, n, f), 4);
	assert_true(f[1].bytes == 2 * MIB);
}

static void snapping_stays_within_reach(void **state)
{
	(void)state;
	assert_true(levels_snap(46 * KIB, 40 * KIB, 50 * KIB) == 48 * KIB);
	assert_true(levels_snap(46 * KIB, 40 * KIB, 47 * KIB) == 0);
	assert_true(levels_snap(1000 * KIB, 900 * KIB, MIB) == MIB);
	assert_true(levels_snap(1900 * KIB, 1800 * KIB, 3 * MIB) == 2 * MIB ||
		    levels_snap(1900 * KIB, 1800 * KIB, 3 * MIB) ==
		    1792 * KIB);
}

/* While a neighbour delays the clock's adds, a hit takes 2.4 cycles. */
static void a_delayed_clock_is_seen_through(void **state)
{
	static struct level_point p[4 * LEVELS_SIZES], out[LEVELS_SIZES];
	struct level_found f[LEVELS_MOST];
	uint64_t bytes[LEVELS_SIZES];
	size_t n = sizes_of(bytes), delayed = 0;

	(void)state;
	for (unsigned s = 0; s < 4; s++) {
		make_sweep(p + s * n, n, bytes, &server, 0);
		for (size_t i = 0; i < n; i++) {
			if ((s * n + i) / 7 % 8)
				continue;
			p[s * n + i].cycles *= 0.6;
			p[s * n + i].ghz *= 0.6;
			delayed++;
		}
	}
	assert_int_equal(levels_drop_disturbed(p, 4 * n), delayed);
	levels_envelope(p, n, 4, out);
	assert_int_equal(levels_find(out, n, f), 4);
	assert_true(f[0].cycles == 5 && f[1].cycles == 16);
	assert_true(f[1].bytes == 2 * MIB);
	/* a clock that is not known is not judged */
	for (size_t i = 0; i < n; i++)
		p[i].ghz = 0;
	assert_int_equal(levels_drop_disturbed(p, n), 0);
}

/* ---- pages that lie where they will ------------------------------------- */

#define COLOURS 32

/* Lines that hit, of so many pages dropped into an LRU cache at random. */
static double share_of_hits(unsigned pages, unsigned ways)
{
	unsigned in[COLOURS] = { 0 }, hit = 0;

	for (unsigned i = 0; i < pages; i++)
		in[(unsigned)(random_share() * COLOURS)]++;
	for (unsigned c = 0; c < COLOURS; c++)
		hit += in[c] <= ways ? in[c] : 0;
	return (double)hit / pages;
}

/* A 1 MiB L2 of 8 ways behind 32 KiB: the curve of one place. */
static void make_place(struct level_point *p, size_t n, const uint64_t *bytes)
{
	static const struct machine first = { 32 * KIB, 64 * MIB, 64 * MIB,
					      { 4, 14, 14, 14 } };

	make_sweep(p, n, bytes, &first, 0.01);
	for (size_t i = 0; i < n; i++) {
		const unsigned pages = (unsigned)(bytes[i] / 4096);

		if (bytes[i] > 65536)
			p[i].cycles += 22 * (1 - share_of_hits(pages, 8));
	}
}

/* 200 machines: within an eighth of a doubling in at least 11 of 12. */
static void places_even_out_the_pages(void **state)
{
	static struct level_point raw[6 * LEVELS_SIZES];
	static struct level_point p[6 * LEVELS_SIZES], all[LEVELS_SIZES];
	struct level_found f[LEVELS_MOST];
	uint64_t bytes[LEVELS_SIZES];
	const size_t n = levels_sizes(bytes, LEVELS_SIZES, 4096, 8 << 20, 8,
				      64);
	unsigned good = 0;

	(void)state;
	for (unsigned run = 0; run < 200; run++) {
		for (unsigned s = 0; s < 6; s++)
			make_place(raw + s * n, n, bytes);
		for (unsigned s = 0; s < 6; s++)
			levels_envelope(raw + s * n, n, 1, p + s * n);
		levels_envelope(p, n, 6, all);
		assert_int_equal(levels_find(all, n, f), 3);
		levels_place(&f[1], p, n, 6);
		good += fabs(log2(f[1].bytes / MIB)) <= 0.125;
		assert_true(f[1].low < f[1].bytes && f[1].bytes < f[1].high);
		assert_true(f[1].low > 0.5 * MIB && f[1].high < 1.5 * MIB);
	}
	assert_true(good >= 190);
	/* nothing to go by: as it was */
	f[1].bounded = false;
	f[1].bytes = 3;
	levels_place(&f[1], p, n, 6);
	assert_true(f[1].bytes == 3);
}

/* The two curves of a machine, as the default plan has them. */
static struct levels_curve near, far;

static void make_curves(const struct machine *close, const struct machine *m)
{
	uint64_t bytes[LEVELS_SIZES];

	near.sizes = levels_sizes(bytes, LEVELS_SIZES, 4096, 8 << 20, 8, 64);
	make_sweep(near.point, near.sizes, bytes, close, 0);
	far.sizes = levels_sizes(bytes, LEVELS_SIZES, 512 << 10, 64 << 20, 8,
				 64);
	make_sweep(far.point, far.sizes, bytes, m, 0);
}

/* Sizes between, in KiB, take so many cycles on the far curve. */
static void rest_far(uint64_t low, uint64_t high, double cycles)
{
	for (size_t i = 0; i < far.sizes; i++)
		if (far.point[i].bytes > low << 10 &&
		    far.point[i].bytes < high << 10)
			far.point[i].cycles = cycles;
}

/* A short rest of the curve on its way from L3 to memory is no L4. */
static void rests_are_not_levels(void **state)
{
	struct level_found f[LEVELS_MOST];

	(void)state;
	make_curves(&server, &server);
	rest_far(8 << 10, 16 << 10, 215);
	assert_int_equal(levels_join(&near, &far, f), 4);
	assert_true(f[2].cycles == 120 && f[3].cycles == 340);
	/* one that goes on for more than a doubling is */
	rest_far(8 << 10, 25 << 10, 215);
	assert_int_equal(levels_join(&near, &far, f), 5);
	assert_true(f[3].cycles == 215 && f[3].bytes > 23 * MIB &&
		    f[3].bytes < 27 * MIB);
}

/* Nor is a long one just behind the L2, where it is no longer whole. */
static void a_cache_is_larger_than_the_one_before(void **state)
{
	struct level_found f[LEVELS_MOST];

	(void)state;
	make_curves(&server, &server);
	rest_far(1200, 2700, 40);
	assert_int_equal(levels_join(&near, &far, f), 4);
	assert_true(f[1].bytes == 2 * MIB && f[2].cycles == 120);
}

static const struct machine shared = {
	32 * KIB, 1 * MIB, 6 * MIB, { 4, 14, 50, 450 }
};

/* Nor one that is less than twice as quick as what it leads to. */
static void narrow_levels_are_twice_apart(void **state)
{
	struct machine little = shared;
	struct level_found f[LEVELS_MOST];

	(void)state;
	make_curves(&shared, &shared);
	rest_far(1100, 2100, 32);
	assert_int_equal(levels_join(&near, &far, f), 4);
	assert_true(f[2].cycles == 50 && f[2].bytes == 6 * MIB);
	assert_true(f[2].cycles_low == 32 && f[2].cycles_high == 50);
	/* nor just beyond it: the longer stretch says what it costs */
	little.l3 = 2.5 * MIB;
	make_curves(&little, &little);
	rest_far(2500, 4600, 90);
	assert_int_equal(levels_join(&near, &far, f), 4);
	assert_true(f[2].cycles == 50 && f[2].cycles_high == 90);
	/* of three the longest, too */
	little.l3 = 3.75 * MIB;
	make_curves(&little, &little);
	rest_far(1100, 1500, 32);
	rest_far(2500, 3840, 64);
	assert_int_equal(levels_join(&near, &far, f), 4);
	assert_true(f[2].cycles == 50);
	/* one and a half doublings are a cache */
	make_curves(&shared, &shared);
	rest_far(1100, 3300, 32);
	assert_int_equal(levels_join(&near, &far, f), 5);
	assert_true(f[2].cycles == 32 && f[3].cycles == 50);
}

/*
 * In one of three sweeps, at one size, the neighbours were quiet: the curve is
 * lowered from there to the L3, where nothing was as quick as that.
 */
static void one_quick_size_is_no_level(void **state)
{
	static struct level_point p[3 * LEVELS_SIZES];
	struct level_found f[LEVELS_MOST];
	size_t quick = 0, lent = 0;

	(void)state;
	make_curves(&shared, &shared);
	while (far.point[quick].bytes < 11 << 20)
		quick++;
	for (unsigned s = 0; s < 3; s++)
		memcpy(p + s * far.sizes, far.point,
		       far.sizes * sizeof(*far.point));
	p[far.sizes + quick].cycles = 120;
	levels_envelope(p, far.sizes, 3, far.point);
	for (size_t i = 0; i < far.sizes; i++)
		lent += far.point[i].lowered;
	assert_true(lent == 7 && !far.point[quick].lowered);
	assert_int_equal(levels_join(&near, &far, f), 4);
	assert_true(f[2].cycles == 50);
	/* had they all been, it would be one */
	for (size_t i = quick - 7; i < quick; i++)
		p[i].cycles = 120;
	levels_envelope(p, far.sizes, 3, far.point);
	assert_int_equal(levels_join(&near, &far, f), 5);
	assert_true(f[3].cycles == 120);
}

static void two_curves_are_joined(void **state)
{
	const struct machine close = { 48 * KIB, 2 * MIB, 8 * MIB,
				       { 5, 16, 60, 60 } };
	struct level_found f[LEVELS_MOST];

	(void)state;
	make_curves(&close, &server);
	assert_int_equal(levels_join(&near, &far, f), 4);
	assert_true(f[0].bytes == 48 * KIB);
	assert_true(f[1].bytes == 2 * MIB);
	assert_true(f[2].cycles == 120 && f[2].bytes == 8 * MIB);
	assert_true(f[3].cycles == 340);
}

/* ---- the sweep itself, on an LRU machine -------------------------------- */

#define LINES 8192
static _Alignas(4096) unsigned char memory[LINES * 64];
static uint64_t last[LINES];

/* By reuse distance: 4 KiB of 4 cycles, 64 KiB of 14, then 100. */
static double lru(struct fake *f, void *at)
{
	const size_t line = (size_t)((unsigned char *)at - memory) / 64;
	const uint64_t distance = f->loads - last[line];

	last[line] = f->loads;
	return distance <= 64 ? 4 : distance <= 1024 ? 14 : 100;
}

static void sweeps_find_the_fake(void **state)
{
	static struct levels found;
	const struct levels_config plan = {
		.from = 1024, .near_to = 256 << 10, .far_from = 32 << 10,
		.to = sizeof(memory), .steps = 8, .places = 2, .sweeps = 2,
		.slice_ns = 60000, .chunk_ns = 10000,
	};
	const struct arena arena = { .base = memory, .bytes = sizeof(memory) };
	struct time_clock clock;
	struct fake f;

	(void)state;
	fake_init(&f, &clock, lru);
	assert_int_equal(levels_sweep(&clock, &plan, &arena, &found), 0);
	assert_int_equal(found.levels, 3);
	assert_true(found.level[0].bytes == 4096);
	assert_true(found.level[1].bytes == 65536);
	assert_true(fabs(found.level[0].cycles - 4) < 0.1);
	assert_true(fabs(found.level[2].cycles - 100) < 0.5);
	assert_true(fabs(found.ghz - 2.5) < 0.01);
	assert_string_equal(levels_name(&found, 0), "L1d");
	assert_string_equal(levels_name(&found, 2), "memory");
}

static void findings_compare_with_what_is_reported(void **state)
{
	static struct levels found = { .levels = 4 };
	struct geometry g = {
		.l1d = { .present = true, .line_bytes = 64, .sets = 64,
			 .ways = 12, .slices = 1 },
		.l3 = { .present = true, .line_bytes = 64, .sets = 114688,
			.ways = 15, .slices = 1 },
	};
	char text[200];

	(void)state;
	found.level[0] = (struct level_found){ .bounded = true,
		.bytes = 48 * KIB, .low = 45 * KIB, .high = 49 * KIB };
	found.level[1] = (struct level_found){ .bounded = true };
	found.level[2] = (struct level_found){ .bounded = true,
		.bytes = 7 * MIB, .low = 5 * MIB, .high = 8 * MIB };
	assert_int_equal(levels_compare(&found, 0, &g, text, sizeof(text)),
			 48 << 10);
	assert_string_equal(text, "");
	levels_compare(&found, 1, &g, text, sizeof(text));
	assert_non_null(strstr(text, "reports none"));
	levels_compare(&found, 2, &g, text, sizeof(text));
	assert_string_equal(text, "105 MiB reported, 5 MiB to 8 MiB "
		"effective: other tenants, a partition or page placement");
	assert_int_equal(levels_compare(&found, 3, &g, text, sizeof(text)),
			 0);
	found.off = 0.5;
	levels_compare(&found, 2, &g, text, sizeof(text));
	assert_string_equal(text, "not decided: machine busy, other work took "
		"50 % of this CPU's time: 105 MiB reported, 5 MiB to 8 MiB "
		"effective");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_ascend),
		cmocka_unit_test(plateaus_are_caches),
		cmocka_unit_test(the_envelope_sees_through_siblings),
		cmocka_unit_test(a_level_that_is_squeezed_out_is_not_there),
		cmocka_unit_test(bends_are_not_levels),
		cmocka_unit_test(snapping_stays_within_reach),
		cmocka_unit_test(a_delayed_clock_is_seen_through),
		cmocka_unit_test(places_even_out_the_pages),
		cmocka_unit_test(rests_are_not_levels),
		cmocka_unit_test(a_cache_is_larger_than_the_one_before),
		cmocka_unit_test(narrow_levels_are_twice_apart),
		cmocka_unit_test(one_quick_size_is_no_level),
		cmocka_unit_test(two_curves_are_joined),
		cmocka_unit_test(sweeps_find_the_fake),
		cmocka_unit_test(findings_compare_with_what_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
