/* SPDX-License-Identifier: MIT */
/*
 * touch and watch, counted by the real perf provider: page faults and
 * breakpoint hits equal their closed form in every repetition. No PMU needed.
 */
#include "check.h"

#include <sys/mman.h>

#include "kernel-shape.h"
#include "measure/measure.h"

#define REPEATS 5
#define PAGE_FAULTS 2		/* PERF_COUNT_SW_PAGE_FAULTS */
#define READ_OR_WRITE 3

static void skip_unless(int rc, const struct assay_error *err)
{
	if (rc >= 0)
		return;
	printf("skipped: %s\n", err->text);
	exit(77);
}

/* Every repetition of the one event that is counted while the kernel runs. */
static void count(const char *text, const struct encoding *event,
		  uint64_t *value)
{
	struct assay_count counts[REPEATS];
	uint64_t ns[REPEATS];
	static struct assay_record record;
	struct group group = { .events = 1, .event = { *event } };
	struct assay_error err = { .code = 0 };
	struct provider_config config = { .watched = NULL };
	struct assay_shape shape;
	struct arena arena;
	const struct kernel *kernel = shape_text(&shape, text, &err);
	void *state = calloc(1, perf_provider.state_size);

	assert_non_null(kernel);
	assert_non_null(state);
	shape_arena(&arena, kernel, &shape);
	madvise(arena.base, arena.bytes, MADV_NOHUGEPAGE);
	if (event->family == ENCODING_BREAKPOINT)
		group.event[0].bp_addr = (uintptr_t)arena.base;
	config.watched = (const char *)arena.base;
	skip_unless(perf_provider.open(state, &config, &group, &err), &err);
	record.counts = counts;
	record.ns = ns;
	assert_int_equal(measure_run(&(struct measure_job){
		.provider = &perf_provider, .state = state, .group = &group,
		.kernel = kernel, .shape = &shape, .arena = &arena,
		.isa = ISA_X86_64, .warmup = 1, .repeats = REPEATS }, &record, &err), 0);
	for (int i = 0; i < REPEATS; i++) {
		if (counts[i].state == ASSAY_COUNT_ABSENT) {
			printf("skipped: %s\n", counts[i].why);
			exit(77);
		}
		value[i] = counts[i].value;
	}
	perf_provider.close(state);
	free(state);
	shape_arena_free(&arena);
}

/*
 * No repetition counts less, and one counts no more: a busy machine may take
 * away a page of code, whose coming back is a fault more.
 */
static void compare(const char *text, const uint64_t *value, double expected,
		    bool outside_adds)
{
	uint64_t least = value[0];

	for (int i = 1; i < REPEATS; i++)
		least = value[i] < least ? value[i] : least;
	for (int i = 0; i < REPEATS; i++) {
		if (value[i] == least)
			continue;
		print_message("%s: %llu once\n", text,
			      (unsigned long long)value[i]);
		assert_true(outside_adds);
	}
	if ((double)least != expected)
		fail_msg("%s: %llu, expected %.0f", text,
			 (unsigned long long)least, expected);
}

static void expect_each(const char *text, const struct encoding *event,
			enum assay_quantity quantity)
{
	struct assay_expectation e = { .rows = 0 };
	const struct assay_expected *row;
	const struct kernel *kernel;
	struct assay_shape shape;
	uint64_t value[REPEATS];

	count(text, event, value);
	kernel = shape_text(&shape, text, NULL);
	kernel->expect(&shape, ISA_X86_64, NULL, false, &e);
	row = assay_expectation_find(&e, quantity);
	assert_true(row && row->exact);
	compare(text, value, row->value, quantity == ASSAY_Q_page_faults);
}

static void pages_fault_once_each(void **state)
{
	const struct encoding faults = {
		.name = "page-faults", .family = ENCODING_SOFTWARE,
		.config = PAGE_FAULTS,
	};

	(void)state;
	expect_each("touch pages=1", &faults, ASSAY_Q_page_faults);
	expect_each("touch pages=1000", &faults, ASSAY_Q_page_faults);
	expect_each("touch pages=777", &faults, ASSAY_Q_page_faults);
	expect_each("empty", &faults, ASSAY_Q_page_faults);
}

static void every_access_is_a_hit(void **state)
{
	const struct encoding watched = {
		.name = "mem", .family = ENCODING_BREAKPOINT,
		.bp_type = READ_OR_WRITE, .bp_len = 8,
	};

	(void)state;
	expect_each("watch accesses=1", &watched, ASSAY_Q_watch_hits);
	expect_each("watch accesses=1000 op=store", &watched,
		    ASSAY_Q_watch_hits);
	expect_each("watch accesses=333 op=load", &watched,
		    ASSAY_Q_watch_hits);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_fault_once_each),
		cmocka_unit_test(every_access_is_a_hit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
