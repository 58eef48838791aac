/* SPDX-License-Identifier: MIT */
/*
 * The measuring loop against a provider that writes down the order of calls,
 * and against one that fails on its n-th call.
 */
#include "check.h"

#include "base/record.h"
#include "measure/measure.h"

struct log {
	char calls[64];
	unsigned fail_at;	/* 0: never */
	unsigned n;
};

static int note(struct log *log, char call)
{
	size_t used = strlen(log->calls);

	if (used + 1 < sizeof(log->calls))
		log->calls[used] = call;
	return ++log->n == log->fail_at ? -ASSAY_EIO : 0;
}

static int start(void *state)
{
	return note(state, 's');
}

static int stop(void *state)
{
	return note(state, 'e');
}

static int read_counts(void *state, struct assay_count *counts,
		       struct assay_quantities *truth)
{
	struct log *log = state;

	counts[0] = (struct assay_count){ .value = log->n };
	truth->of[ASSAY_Q_loads] = (struct assay_value){ .number = 5 };
	return note(state, 'r');
}

static const struct provider logging_provider = {
	.name = "logging", .drive = DRIVE_NATIVE, .start = start,
	.stop = stop, .read = read_counts,
};

static struct log *current;

static void run_kernel(const struct assay_shape *shape, struct arena *arena)
{
	(void)shape;
	(void)arena;
	note(current, 'k');
}

static const struct kernel noting_kernel = { .name = "noting",
					     .run = run_kernel };

static uint64_t tick(void)
{
	static uint64_t now;

	return now += 10;
}

static int measure(struct log *log, struct assay_record *r, unsigned warmup)
{
	static const struct assay_shape shape = { .kernel = "noting" };
	static struct group group = { .events = 1,
				      .event[0].name = "event" };
	struct arena arena = { 0 };
	const struct measure_job job = {
		.provider = &logging_provider, .state = log, .group = &group,
		.kernel = &noting_kernel, .shape = &shape, .arena = &arena,
		.repeats = r->repeats, .warmup = warmup, .now_ns = tick,
	};

	current = log;
	return measure_run(&job, r, NULL);
}

static void calls_in_order(void **state)
{
	struct assay_record *r = record_new(1, 2);
	struct log log = { .fail_at = 0 };

	(void)state;
	assert_int_equal(measure(&log, r, 1), 0);
	assert_string_equal(log.calls, "kskerske" "r");
	assert_string_equal(r->provider, "logging");
	assert_string_equal(r->event[0].name, "event");
	assert_int_equal(r->counts[0].value, 4);
	assert_int_equal(r->counts[1].value, 8);
	assert_int_equal(r->ns[0], 10);
	assert_int_equal(r->settings.warmup, 1);
	assert_true(r->truth.of[ASSAY_Q_loads].number == 5);
	record_free(r);
}

static void failures_end_it(void **state)
{
	(void)state;
	/* calls: k s k e r s k e r; the kernel itself cannot fail */
	for (unsigned n = 2; n <= 9; n++) {
		struct assay_record *r = record_new(1, 2);
		struct log log = { .fail_at = n };
		int kernel = n == 3 || n == 7;

		assert_int_equal(measure(&log, r, 1),
				 kernel ? 0 : -ASSAY_EIO);
		assert_int_equal(strlen(log.calls), kernel ? 9 : n);
		record_free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_in_order),
		cmocka_unit_test(failures_end_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
