/* SPDX-License-Identifier: MIT */
/* Regions of one's own code, with events whose true counts are known. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "check.h"

#include "api/region.h"
#include "assay.h"
#include "assay/region.h"

#define PAGES 100

static uint64_t word[8] __attribute__((aligned(64)));
static struct assay *assay;

/* Instrumented stores would fault shadow pages in as well. */
__attribute__((no_sanitize("address", "undefined"), noinline))
static void touch(volatile char *pages, size_t count)
{
	for (size_t i = 0; i < count; i++)
		pages[i * 4096] = 1;
}

__attribute__((no_sanitize("address", "undefined"), noinline))
static void store(unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		*(volatile uint64_t *)&word[0] = i;
}

static struct assay_region *open_region(const char *events)
{
	struct assay_region *region = NULL;
	struct assay_error err = { 0 };

	if (assay_region_open(&region, assay, events, &err))
		fail_msg("%s", err.text);
	return region;
}

/*
 * Faults of three entered regions. The kernel may add one of its own, by moving
 * a page of the program or of its stack at that moment.
 */
static void count_faults(struct assay_region_count c[2])
{
	struct assay_region *r = open_region("page-faults,minor-faults");
	char *p = mmap(NULL, 6 * PAGES * 4096, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(p != MAP_FAILED);
	madvise(p, 6 * PAGES * 4096, MADV_NOHUGEPAGE);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(assay_region_begin(r), 0);
		touch(p + (size_t)i * 2 * PAGES * 4096, PAGES);
		assert_int_equal(assay_region_end(r), 0);
		touch(p + (size_t)(i * 2 + 1) * PAGES * 4096, PAGES);
	}
	assert_int_equal(assay_region_counts(r, c, 2), 2);
	assert_string_equal(c[0].name, "page-faults");
	assert_null(c[0].total.why);
	assert_true(c[0].total.number >= 3 * PAGES);
	assert_true(c[1].total.number == c[0].total.number);
	assert_true(c[0].overhead.number == 0);
	assert_int_equal(c[0].entered, 3);
	munmap(p, 6 * PAGES * 4096);
	assay_region_close(r);
}

static void page_faults_add_up(void **ctx)
{
	struct assay_region_count c[2];
	bool exact = false;

	(void)ctx;
	for (int i = 0; i < 5 && !exact; i++) {
		count_faults(c);
		exact = c[0].total.number == 3 * PAGES;
	}
	assert_true(exact);
}

static void breakpoints_are_off_outside(void **ctx)
{
	struct assay_region_count c[2];
	struct assay_region *r;
	char events[64];

	(void)ctx;
	snprintf(events, sizeof(events), "mem:%p/8:w,page-faults",
		 (void *)&word[0]);
	r = open_region(events);
	for (int i = 0; i < 10; i++) {
		store(7);
		assert_int_equal(assay_region_begin(r), 0);
		store(20);
		assert_int_equal(assay_region_end(r), 0);
		store(7);
	}
	assert_int_equal(assay_region_counts(r, c, 2), 2);
	assert_true(c[0].total.number == 200);
	assert_int_equal(c[0].raw, 200);
	assay_region_close(r);
}

static void two_regions_overlap(void **ctx)
{
	struct assay_region *a, *b;
	struct assay_region_count c;
	char events[64];

	(void)ctx;
	snprintf(events, sizeof(events), "mem:%p/8:w", (void *)&word[0]);
	a = open_region(events);
	b = open_region(events);
	assay_region_begin(a);
	store(5);
	assay_region_begin(b);
	store(6);
	assay_region_end(a);
	store(8);
	assay_region_end(b);
	assay_region_counts(a, &c, 1);
	assert_true(c.total.number == 11);
	assay_region_counts(b, &c, 1);
	assert_true(c.total.number == 14);
	assay_region_close(a);
	assay_region_close(b);
}

static void order_matters(void **ctx)
{
	struct assay_region *r = open_region("page-faults");
	struct assay_region_count c;

	(void)ctx;
	assay_region_counts(r, &c, 1);
	assert_non_null(strstr(c.total.why, "not entered"));
	assert_int_equal(assay_region_end(r), -ASSAY_EINVAL);
	assert_int_equal(assay_region_begin(r), 0);
	assert_int_equal(assay_region_begin(r), -ASSAY_EINVAL);
	assert_int_equal(assay_region_end(r), 0);
	assert_int_equal(assay_region_end(r), -ASSAY_EINVAL);
	assay_region_counts(r, &c, 1);
	assert_int_equal(c.entered, 1);
	assert_null(c.total.why);
	assay_region_close(r);
	assay_region_close(NULL);
}

static void what_cannot_be_counted_says_why(void **ctx)
{
	struct assay_region *r = NULL;
	struct assay_region_count c[2];
	struct assay_error err = { 0 };

	(void)ctx;
	assert_int_equal(assay_region_open(&r, assay, "page-falts", &err),
			 -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "page-faults"));
	assert_int_equal(assay_region_open(&r, assay, "mem:0x10001/8:w", &err),
			 -ASSAY_EUNAVAIL);
	assert_null(r);
	r = open_region("mem:0x10001/8:w,page-faults");
	assay_region_begin(r);
	assay_region_end(r);
	assert_int_equal(assay_region_counts(r, c, 2), 2);
	assert_non_null(c[0].total.why);
	assert_null(c[1].total.why);
	assay_region_close(r);
}

/* By numbers that no machine has to give. */
static void sums(void **ctx)
{
	const struct assay_value overhead = { .number = 12 };
	const struct assay_value unknown = { .why = "no" };
	struct region_sum sum = { 0 };

	(void)ctx;
	for (int i = 0; i < 10; i++)
		region_add(&sum, &(struct assay_count){ .value = 112 });
	assert_true(region_total(&sum, &overhead).number == 1000);
	assert_true(region_total(&sum, &unknown).number == 1120);
	assert_false(region_total(&sum, &overhead).estimate);
	region_add(&sum, &(struct assay_count){
		.value = 56, .enabled = 20, .running = 10,
		.state = ASSAY_COUNT_SCALED });
	assert_true(region_total(&sum, &overhead).number == 1100);
	assert_true(region_total(&sum, &overhead).estimate);
	region_add(&sum, &(struct assay_count){
		.state = ASSAY_COUNT_ABSENT, .why = "lost" });
	assert_string_equal(region_total(&sum, &overhead).why, "lost");
}

static int open_library(void **ctx)
{
	(void)ctx;
	return assay_open(&assay, NULL, NULL);
}

static int close_library(void **ctx)
{
	(void)ctx;
	assay_close(assay);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page_faults_add_up),
		cmocka_unit_test(breakpoints_are_off_outside),
		cmocka_unit_test(two_regions_overlap),
		cmocka_unit_test(order_matters),
		cmocka_unit_test(what_cannot_be_counted_says_why),
		cmocka_unit_test(sums),
	};

	return cmocka_run_group_tests(tests, open_library, close_library);
}
