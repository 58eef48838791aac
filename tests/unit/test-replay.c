/* SPDX-License-Identifier: MIT */
/* Saved counts are given out once each, in turn; nothing else is invented. */

#include "check.h"

#include "counters/provider.h"

static struct assay_count saved_counts[] = {
	{ .value = 10 },
	{ .value = 7, .enabled = 10, .running = 5,
	  .state = ASSAY_COUNT_SCALED },
	{ .state = ASSAY_COUNT_ABSENT },
	{ .value = 11 },
	{ .value = 8, .enabled = 10, .running = 5,
	  .state = ASSAY_COUNT_SCALED },
	{ .state = ASSAY_COUNT_ABSENT, .why = "not this time" },
};

static struct assay_record saved = {
	.events = 3, .repeats = 2, .counts = saved_counts,
	.event = { { .name = "a" }, { .name = "b" },
		   { .name = "c", .why = "never counted" } },
};

static struct group group = {
	.events = 5,
	.event = { { .name = "B" }, { .name = "a" }, { .name = "c" },
		   { .name = "d" }, { .name = "a", .absent = "no" } },
};

static void counts_come_in_turn(void **ctx)
{
	const struct provider_config config = { .saved = &saved };
	struct assay_quantities truth = { 0 };
	struct assay_count c[5];
	void *state = calloc(1, replay_provider.state_size);

	(void)ctx;
	for (int q = 0; q < ASSAY_QUANTITIES; q++) {
		saved.truth.of[q] = (struct assay_value){ .why = "unknown" };
		truth.of[q] = (struct assay_value){ .why = "left" };
	}
	saved.truth.of[1] = (struct assay_value){ .number = 42 };
	assert_int_equal(replay_provider.drive, DRIVE_NOTHING);
	assert_int_equal(replay_provider.open(state, &config, &group, NULL),
			 0);

	replay_provider.start(state);
	replay_provider.stop(state);
	replay_provider.read(state, c, &truth);
	assert_int_equal(c[0].value, 7);
	assert_int_equal(c[0].state, ASSAY_COUNT_SCALED);
	assert_int_equal(c[0].running, 5);
	assert_int_equal(c[1].value, 10);
	assert_int_equal(c[1].state, ASSAY_COUNT_PRESENT);
	assert_string_equal(c[2].why, "never counted");
	assert_int_equal(c[3].state, ASSAY_COUNT_ABSENT);
	assert_non_null(strstr(c[3].why, "no event 'd'"));
	assert_string_equal(c[4].why, "no");
	assert_true(truth.of[1].number == 42 && !truth.of[1].why);
	assert_string_equal(truth.of[0].why, "left");

	replay_provider.read(state, c, NULL);
	assert_int_equal(c[0].value, 8);
	assert_int_equal(c[1].value, 11);
	assert_string_equal(c[2].why, "not this time");

	replay_provider.read(state, c, NULL);
	for (int e = 0; e < 5; e++) {
		assert_int_equal(c[e].state, ASSAY_COUNT_ABSENT);
		assert_non_null(c[e].why);
	}
	assert_non_null(strstr(c[1].why, "fewer repetitions"));
	replay_provider.close(state);
	free(state);
}

static void nothing_saved_is_unavailable(void **ctx)
{
	const struct provider_config config = { 0 };
	struct assay_error err = { 0 };
	void *state = calloc(1, replay_provider.state_size);

	(void)ctx;
	assert_int_equal(replay_provider.probe(&config, &err),
			 -ASSAY_EUNAVAIL);
	assert_non_null(strstr(err.text, "no saved record"));
	assert_int_equal(replay_provider.open(state, &config, &group, &err),
			 -ASSAY_EUNAVAIL);
	free(state);
}

static void null_counts_nothing(void **ctx)
{
	struct assay_count c[5] = { { .value = 1 } };
	void *state = calloc(1, null_provider.state_size);

	(void)ctx;
	assert_int_equal(null_provider.drive, DRIVE_NATIVE);
	assert_int_equal(null_provider.probe(NULL, NULL), 0);
	assert_int_equal(null_provider.open(state, NULL, &group, NULL), 0);
	null_provider.start(state);
	null_provider.stop(state);
	null_provider.read(state, c, NULL);
	for (int e = 0; e < 5; e++) {
		assert_int_equal(c[e].state, ASSAY_COUNT_ABSENT);
		assert_string_equal(c[e].why,
				    "nothing is counted here, only timed");
	}
	null_provider.close(state);
	free(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_come_in_turn),
		cmocka_unit_test(nothing_saved_is_unavailable),
		cmocka_unit_test(null_counts_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
