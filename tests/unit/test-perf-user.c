/* SPDX-License-Identifier: MIT */
/*
 * Reading counters from user space, on a page and a counter of our own; and
 * how many CPUID says there are.
 */
#include "check.h"
#include "usable.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counters/perf-group.h"
#include "counters/perf-user.h"
#include "counters/provider.h"

static struct perf_event_mmap_page page;
static uint64_t hardware_value;
static unsigned disturbances, asked;

static uint64_t counter(uint32_t index)
{
	asked++;
	assert_int_equal(index, 2);
	if (disturbances) {	/* the kernel wrote meanwhile */
		disturbances--;
		page.lock += 2;
		page.offset += 1000;
	}
	return hardware_value;
}

static void reset_page(void)
{
	memset(&page, 0, sizeof(page));
	page.lock = 8;
	page.index = 3;
	page.cap_user_rdpmc = 1;
	page.pmc_width = 48;
	page.offset = 500;
	page.time_enabled = 70;
	page.time_running = 60;
	hardware_value = 7;
	disturbances = asked = 0;
}

static void user_reads_extend_the_sign(void **ctx)
{
	struct perf_user_value v;

	(void)ctx;
	reset_page();
	assert_true(perf_user_read(&v, &page, counter));
	assert_int_equal(v.value, 507);
	assert_int_equal(v.enabled, 70);
	assert_int_equal(v.running, 60);
	/* Counters start below zero, to overflow at the period's end. */
	hardware_value = (UINT64_C(1) << 48) - 100;
	assert_true(perf_user_read(&v, &page, counter));
	assert_int_equal(v.value, 400);
	page.pmc_width = 64;
	hardware_value = UINT64_MAX;
	assert_true(perf_user_read(&v, &page, counter));
	assert_int_equal(v.value, 499);
	page.pmc_width = 32;
	hardware_value = 0x80000000u;
	page.offset = 0x80000000ll;
	assert_true(perf_user_read(&v, &page, counter));
	assert_int_equal(v.value, 0);
}

static void user_reads_wait_for_the_kernel(void **ctx)
{
	struct perf_user_value v;

	(void)ctx;
	reset_page();
	disturbances = 2;
	assert_true(perf_user_read(&v, &page, counter));
	assert_int_equal(asked, 3);
	assert_int_equal(v.value, 2507);
	/* A writer that never ends: read(2) has to do. */
	reset_page();
	v.value = 99;
	disturbances = 1000000;
	assert_false(perf_user_read(&v, &page, counter));
	assert_int_equal(v.value, 99);
	reset_page();
	page.lock = 9;
	assert_false(perf_user_read(&v, &page, counter));
}

static void user_reads_fall_back(void **ctx)
{
	struct perf_user_value v;

	(void)ctx;
	reset_page();
	page.index = 0;
	assert_false(perf_user_read(&v, &page, counter));
	reset_page();
	page.cap_user_rdpmc = 0;
	assert_false(perf_user_read(&v, &page, counter));
	assert_int_equal(asked, 0);	/* the instruction would fault */
}

static void user_judgement(void **ctx)
{
	struct assay_count c = perf_count_user(5, 0, 0);

	(void)ctx;
	assert_int_equal(c.state, ASSAY_COUNT_PRESENT);
	assert_int_equal(c.value, 5);
	c = perf_count_user(5, 100, 100);
	assert_int_equal(c.state, ASSAY_COUNT_PRESENT);
	c = perf_count_user(5, 100, 60);
	assert_int_equal(c.state, ASSAY_COUNT_SCALED);
	assert_int_equal(c.running, 60);
	c = perf_count_user(5, 100, 0);
	assert_int_equal(c.state, ASSAY_COUNT_ABSENT);
}

/* Software events have a page, too, but a stale one: it must not be used. */
static void the_stale_page_of_software_is_refused(void **ctx)
{
	struct perf_user_value v;
	struct perf_event_mmap_page *stale;
	struct perf_group *pg = calloc(1, sizeof(*pg));
	const struct perf_target self = { .cpu = -1, .sysroot = "/" };
	struct group g = { 0 };

	(void)ctx;
	g.event[g.events++] = (struct encoding){
		.name = "page-faults", .family = ENCODING_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
	};
	perf_group_open(pg, &g, &self);
	assert_false(pg->user);
	stale = perf_user_map(pg->slot[0].fd);
	assert_non_null(stale);
	assert_false(perf_user_read(&v, stale, counter));
	perf_user_unmap(stale);
	perf_group_close(pg);
	free(pg);
}

static void leaf_a_is_decoded(void **ctx)
{
	struct perf_leaf_a leaf;

	(void)ctx;
	/* version 4, 4 counters of 48 bits, 7 events; 3 fixed of 48 bits */
	perf_leaf_a_decode(&leaf, 0x07300404, 0, 0x603);
	assert_int_equal(leaf.version, 4);
	assert_int_equal(leaf.general, 4);
	assert_int_equal(leaf.general_bits, 48);
	assert_int_equal(leaf.fixed, 3);
	assert_int_equal(leaf.fixed_bits, 48);
	assert_int_equal(leaf.missing, 0);
	/* no counters, whatever else is there */
	perf_leaf_a_decode(&leaf, 0xffffff00, ~0u, ~0u);
	assert_int_equal(leaf.general, 0);
	assert_int_equal(leaf.fixed, 0);
	/* version 1: no fixed ones; bits beyond the 3 events mean nothing */
	perf_leaf_a_decode(&leaf, 0x03280201, 0xfd, 0x603);
	assert_int_equal(leaf.general, 2);
	assert_int_equal(leaf.general_bits, 40);
	assert_int_equal(leaf.fixed, 0);
	assert_int_equal(leaf.missing, 5);
	/* a full bit vector */
	perf_leaf_a_decode(&leaf, 0xff300805, ~0u, 0);
	assert_true(leaf.missing == ~0u);
}

/* Only the cycle counter, open to user space and at rest, may be read. */
static void the_cycle_counter_is_proven(void **ctx)
{
	struct perf_cycles cycles = { .fd = -1, .page = &page };

	(void)ctx;
	reset_page();
	page.index = 32;
	assert_null(perf_cycles_refuses(&page));
	assert_true(perf_cycles_ready(&cycles));
	page.lock++;	/* the kernel is writing */
	assert_non_null(perf_cycles_refuses(&page));
	page.lock++;
	page.index = 0;	/* not on a counter at this moment */
	assert_false(perf_cycles_ready(&cycles));
	page.index = 1;	/* on one of the others */
	assert_false(perf_cycles_ready(&cycles));
	page.index = 31;
	assert_false(perf_cycles_ready(&cycles));
	page.index = 32;
	page.cap_user_rdpmc = 0;
	assert_non_null(perf_cycles_refuses(&page));
	assert_false(perf_cycles_ready(&cycles));
	cycles.page = NULL;
	assert_false(perf_cycles_ready(&cycles));
}

static bool access_says(const char *root, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/sys/kernel/perf_user_access",
		 root);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	return perf_user_access(root);
}

static void the_setting_is_read(void **ctx)
{
	static const char *const folders[] = { "/proc/sys/kernel", "/proc/sys",
					       "/proc", "" };
	char root[] = "/tmp/assay-user-XXXXXX", path[128];
	struct perf_cycles cycles;

	(void)ctx;
	assert_non_null(mkdtemp(root));
	assert_false(perf_user_access(root));
	assert_non_null(perf_cycles_open(&cycles, root));
	assert_int_equal(cycles.fd, -1);
	assert_null(cycles.page);
	perf_cycles_close(&cycles);
	for (int i = 2; i >= 0; i--) {
		snprintf(path, sizeof(path), "%s%s", root, folders[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	assert_true(access_says(root, "1\n"));
	assert_false(access_says(root, "0\n"));
	assert_false(access_says(root, ""));
	assert_false(access_says(root, "yes\n"));
	snprintf(path, sizeof(path), "%s/proc/sys/kernel/perf_user_access",
		 root);
	unlink(path);
	for (int i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s%s", root, folders[i]);
		rmdir(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leaf_a_is_decoded),
		cmocka_unit_test(user_reads_extend_the_sign),
		cmocka_unit_test(user_reads_wait_for_the_kernel),
		cmocka_unit_test(user_reads_fall_back),
		cmocka_unit_test(user_judgement),
		cmocka_unit_test(the_cycle_counter_is_proven),
		cmocka_unit_test(the_setting_is_read),
		cmocka_unit_test(the_stale_page_of_software_is_refused),
	};

	return cmocka_run_group_tests(tests, usable_perf, NULL);
}
