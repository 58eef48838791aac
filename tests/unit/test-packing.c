/* SPDX-License-Identifier: MIT */
/* Packing events into sets, for made-up PMUs. */
#include "check.h"

#include "events/packing.h"

/* A PMU with so many counters, of which one event may need a certain one. */
struct pmu {
	unsigned counters, breakpoints;
	int picky;		/* two events with this config exclude each
				 * other; -1: none */
	unsigned asked;
};

static bool fits(void *ctx, const struct group *group, const unsigned *event,
		 unsigned n)
{
	struct pmu *pmu = ctx;
	unsigned hardware = 0, breakpoints = 0, picky = 0;

	pmu->asked++;
	for (unsigned i = 0; i < n; i++) {
		const struct encoding *e = &group->event[event[i]];

		if (e->absent[0])
			return false;
		breakpoints += e->family == ENCODING_BREAKPOINT;
		hardware += e->family == ENCODING_RAW;
		picky += e->family == ENCODING_RAW &&
			 (int)e->config == pmu->picky;
	}
	return hardware <= pmu->counters && picky <= 1 &&
	       breakpoints <= pmu->breakpoints;
}

static void add(struct group *g, enum encoding_family family, uint64_t config)
{
	g->event[g->events++] = (struct encoding){ .family = family,
						   .config = config };
}

static void all_fit(void **ctx)
{
	struct pmu pmu = { 4, 4, -1, 0 };
	struct group g = { 0 };
	struct packing p;

	(void)ctx;
	for (int i = 0; i < 4; i++)
		add(&g, ENCODING_RAW, (uint64_t)i);
	add(&g, ENCODING_SOFTWARE, 0);
	add(&g, ENCODING_TRACEPOINT, 0);
	packing_make(&p, &g, NULL, fits, &pmu);
	assert_int_equal(p.sets, 1);
	for (int i = 0; i < 4; i++)
		assert_int_equal(p.set[i], 0);
	assert_int_equal(p.set[4], PACKING_ALWAYS);
	assert_int_equal(p.set[5], PACKING_ALWAYS);
}

/* Every event is in one set, and no set is too big. */
static void many_take_turns(void **ctx)
{
	(void)ctx;
	for (unsigned counters = 1; counters <= 8; counters++)
		for (unsigned n = 1; n <= ASSAY_EVENTS; n += 7) {
			struct pmu pmu = { counters, 4, 0, 0 };
			struct group *g = calloc(1, sizeof(*g));
			unsigned in[ASSAY_EVENTS] = { 0 };
			struct packing p;

			for (unsigned i = 0; i < n; i++)
				add(g, ENCODING_RAW, i);
			packing_make(&p, g, NULL, fits, &pmu);
			assert_int_equal(p.sets,
					 (n + counters - 1) / counters);
			for (unsigned i = 0; i < n; i++) {
				assert_true(p.set[i] < p.sets);
				in[p.set[i]]++;
			}
			for (unsigned s = 0; s < p.sets; s++)
				assert_true(in[s] >= 1 && in[s] <= counters);
			free(g);
		}
}

static void a_pmu_s_own_rules_hold(void **ctx)
{
	struct pmu pmu = { 4, 4, 9, 0 };
	struct group g = { 0 };
	struct packing p;

	(void)ctx;
	add(&g, ENCODING_RAW, 9);
	add(&g, ENCODING_RAW, 9);
	add(&g, ENCODING_RAW, 1);
	packing_make(&p, &g, NULL, fits, &pmu);
	assert_int_equal(p.sets, 2);
	assert_int_equal(p.set[0], 0);
	assert_int_equal(p.set[1], 1);
	assert_int_equal(p.set[2], 0);
}

static void braces_stay_together(void **ctx)
{
	const unsigned char brace[ASSAY_EVENTS] = {
		PACKING_LOOSE, PACKING_LOOSE, PACKING_LOOSE, 0, 0,
		1, 1, 1, 1, 1,
	};
	struct pmu pmu = { 4, 4, -1, 0 };
	struct group g = { 0 };
	struct packing p;

	(void)ctx;
	for (unsigned i = 0; i < 10; i++)
		add(&g, ENCODING_RAW, i);
	packing_make(&p, &g, brace, fits, &pmu);
	assert_int_equal(p.set[0], 0);
	assert_int_equal(p.set[3], 1);
	assert_int_equal(p.set[4], 1);
	for (unsigned i = 5; i < 10; i++) {
		assert_int_equal(p.set[i], PACKING_NEVER);
		assert_true(p.together[i]);
	}
	assert_int_equal(p.sets, 2);
}

static void what_never_counts_takes_no_set(void **ctx)
{
	struct pmu pmu = { 0, 4, -1, 0 };
	struct group g = { 0 };
	struct packing p;

	(void)ctx;
	add(&g, ENCODING_RAW, 1);
	add(&g, ENCODING_BREAKPOINT, 1);
	packing_make(&p, &g, NULL, fits, &pmu);
	assert_int_equal(p.set[0], PACKING_NEVER);
	assert_false(p.together[0]);
	assert_int_equal(p.set[1], 0);
	assert_int_equal(p.sets, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_fit),
		cmocka_unit_test(many_take_turns),
		cmocka_unit_test(a_pmu_s_own_rules_hold),
		cmocka_unit_test(braces_stay_together),
		cmocka_unit_test(what_never_counts_takes_no_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
