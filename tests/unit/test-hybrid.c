/* SPDX-License-Identifier: MIT */
/* CPUs with several kinds of core, as made-up /sys trees show them. */
#include <sys/stat.h>

#include "check.h"

#include "events/hybrid.h"

static char root[64];

static void put(const char *pmu, const char *file, const char *text)
{
	char path[512];
	FILE *out;

	snprintf(path, sizeof(path), "mkdir -p '%s/sys/bus/event_source/"
		 "devices/%s'", root, pmu);
	assert_int_equal(system(path), 0);
	snprintf(path, sizeof(path), "%s/sys/bus/event_source/devices/%s/%s",
		 root, pmu, file);
	out = fopen(path, "w");
	assert_non_null(out);
	fprintf(out, "%s\n", text);
	fclose(out);
}

static int make(void **ctx)
{
	(void)ctx;
	snprintf(root, sizeof(root), "/tmp/assay-hybrid-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static int clear(void **ctx)
{
	char command[128];

	(void)ctx;
	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	return system(command);
}

static void laptop(void)
{
	put("cpu_core", "type", "4");
	put("cpu_core", "cpus", "0-11");
	put("cpu_atom", "type", "10");
	put("cpu_atom", "cpus", "12-19");
	put("software", "type", "1");
	put("uncore_imc_0", "type", "20");
	put("uncore_imc_0", "cpumask", "0");
}

static void add(struct group *g, const char *name, enum encoding_family family,
		uint64_t config)
{
	struct encoding *e = &g->event[g->events++];

	*e = (struct encoding){ .family = family, .config = config };
	snprintf(e->name, sizeof(e->name), "%s", name);
}

static void each_kind_has_its_own_event(void **ctx)
{
	unsigned char core[ASSAY_EVENTS], brace[ASSAY_EVENTS] = { 7, 3 };
	struct hybrid *h = calloc(1, sizeof(*h));
	struct group *g = calloc(1, sizeof(*g));

	(void)ctx;
	laptop();
	hybrid_read(h, root);
	assert_int_equal(h->cores, 2);
	add(g, "cycles", ENCODING_HARDWARE, 0);
	add(g, "r1d1", ENCODING_RAW, 0x1d1);
	add(g, "page-faults", ENCODING_SOFTWARE, 2);
	add(g, "cpu_atom/r55/", ENCODING_PMU, 0x55);
	g->event[3].pmu_type = 10;
	assert_int_equal(hybrid_expand(h, g, core, brace, NULL), 0);
	assert_int_equal(g->events, 6);
	/* folders are read in the order of their names */
	assert_string_equal(g->event[0].name, "cpu_atom/cycles/");
	assert_int_equal(g->event[0].config, UINT64_C(10) << 32);
	assert_int_equal(g->event[0].family, ENCODING_HARDWARE);
	assert_string_equal(g->event[1].name, "cpu_core/cycles/");
	assert_int_equal(g->event[1].config, UINT64_C(4) << 32);
	assert_int_equal(g->event[2].family, ENCODING_PMU);
	assert_int_equal(g->event[2].pmu_type, 10);
	assert_int_equal(g->event[2].config, 0x1d1);
	assert_int_equal(g->event[3].pmu_type, 4);
	assert_string_equal(g->event[4].name, "page-faults");
	assert_int_equal(core[4], 0);
	assert_int_equal(core[5], 1);
	assert_int_equal(brace[0], 7);
	assert_int_equal(brace[1], 7);
	assert_int_equal(brace[3], 3);
	assert_true(cpulist_has(&h->core[core[0] - 1].cpus, 12));
	assert_false(cpulist_has(&h->core[core[0] - 1].cpus, 11));
	assert_true(cpulist_has(&h->core[core[1] - 1].cpus, 0));
	free(g);
	free(h);
}

static void too_many_events_change_nothing(void **ctx)
{
	unsigned char core[ASSAY_EVENTS];
	struct hybrid *h = calloc(1, sizeof(*h));
	struct group *g = calloc(1, sizeof(*g));

	(void)ctx;
	laptop();
	hybrid_read(h, root);
	for (int i = 0; i < 33; i++)
		add(g, "cycles", ENCODING_HARDWARE, 0);
	assert_int_equal(hybrid_expand(h, g, core, NULL, NULL),
			 -ASSAY_ENOSPC);
	assert_int_equal(g->events, 33);
	assert_string_equal(g->event[32].name, "cycles");
	free(g);
	free(h);
}

static void big_little(void **ctx)
{
	struct hybrid h;

	(void)ctx;
	put("armv8_cortex_a53", "type", "7");
	put("armv8_cortex_a53", "cpus", "0-3");
	put("armv8_cortex_a73", "type", "8");
	put("armv8_cortex_a73", "cpus", "4-7");
	hybrid_read(&h, root);
	assert_int_equal(h.cores, 2);
	assert_int_equal(h.core[1].type, 8);
}

static void one_kind_is_not_hybrid(void **ctx)
{
	unsigned char core[ASSAY_EVENTS];
	struct group g = { 0 };
	struct hybrid h;

	(void)ctx;
	put("armv8_pmuv3_0", "type", "8");
	put("armv8_pmuv3_0", "cpus", "0-3");
	hybrid_read(&h, root);
	assert_int_equal(h.cores, 1);
	add(&g, "cycles", ENCODING_HARDWARE, 0);
	assert_int_equal(hybrid_expand(&h, &g, core, NULL, NULL), 0);
	assert_int_equal(g.events, 1);
	assert_string_equal(g.event[0].name, "cycles");
}

static void damaged_trees(void **ctx)
{
	struct hybrid h;

	(void)ctx;
	put("cpu_core", "type", "x");
	put("cpu_core", "cpus", "0-3");
	put("cpu_atom", "type", "10");
	put("cpu_atom", "cpus", "3-0");
	put("cpu_lowp", "type", "99999999999");
	put("cpu_lowp", "cpus", "5");
	hybrid_read(&h, root);
	assert_int_equal(h.cores, 0);
	hybrid_read(&h, "/nonexistent");
	assert_int_equal(h.cores, 0);
}

static void lists_of_cpus(void **ctx)
{
	static const char *const bad[] = {
		"", ",", "1,", ",1", "-1", "1-", "2-1", "x", "1 2", "4096",
		"0-99999999999999999999", "1--2", "0x1",
	};
	struct cpulist list;

	(void)ctx;
	assert_int_equal(cpulist_parse(&list, "0,2-4,4095\n"), 0);
	assert_true(cpulist_has(&list, 0) && cpulist_has(&list, 3));
	assert_true(cpulist_has(&list, 4095));
	assert_false(cpulist_has(&list, 1) || cpulist_has(&list, 5));
	assert_false(cpulist_has(&list, 4096));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (cpulist_parse(&list, bad[i]) == 0)
			fail_msg("'%s' is taken", bad[i]);
}

/* Maps, and lists written: what a kernel without lists shows, in its words. */
static void maps_of_cpus(void **ctx)
{
	static const char *const bad[] = { "", "\n", "x", "0x1", "1 2", "g,1",
					   "1\n2" };
	char map[4096 / 4 + 3], text[64], tight[12];
	struct cpulist list;

	(void)ctx;
	assert_int_equal(cpulist_parse_map(&list, "1,80000000,0000000d\n"), 0);
	cpulist_text(text, sizeof(text), &list);
	assert_string_equal(text, "0,2-3,63-64");
	cpulist_text(tight, sizeof(tight), &list);
	assert_string_equal(tight, "0,2-3,...");
	assert_int_equal(cpulist_count(&list), 5);
	list.bits[0] = 0;
	assert_int_equal(cpulist_first(&list), 64);
	memset(map, '0', sizeof(map));
	map[sizeof(map) - 1] = '\0';
	assert_int_equal(cpulist_parse_map(&list, map), 0);
	assert_int_equal(cpulist_first(&list), -1);
	map[1] = '1';	/* CPU 4096 */
	assert_true(cpulist_parse_map(&list, map) < 0);
	map[1] = '0';
	map[2] = '8';	/* CPU 4095 */
	assert_int_equal(cpulist_parse_map(&list, map), 0);
	assert_int_equal(cpulist_first(&list), 4095);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (cpulist_parse_map(&list, bad[i]) == 0)
			fail_msg("'%s' is taken", bad[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_kind_has_its_own_event,
						make, clear),
		cmocka_unit_test_setup_teardown(too_many_events_change_nothing,
						make, clear),
		cmocka_unit_test_setup_teardown(big_little, make, clear),
		cmocka_unit_test_setup_teardown(one_kind_is_not_hybrid, make,
						clear),
		cmocka_unit_test_setup_teardown(damaged_trees, make, clear),
		cmocka_unit_test(lists_of_cpus),
		cmocka_unit_test(maps_of_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
