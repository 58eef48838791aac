/* SPDX-License-Identifier: MIT */
/* Records: what is absent stays absent; one number per event. */
#include "check.h"

#include "base/record.h"

static void set(struct assay_record *r, unsigned repeat, unsigned event,
		uint64_t value)
{
	r->counts[repeat * r->events + event] =
		(struct assay_count){ .value = value };
}

static void new_records_know_nothing(void **state)
{
	struct assay_record *r = record_new(3, 2);

	(void)state;
	assert_non_null(r);
	for (unsigned e = 0; e < 3; e++)
		assert_string_equal(assay_record_value(r, e).why, "not read");
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		assert_non_null(r->truth.of[q].why);
	assert_null(record_new(ASSAY_EVENTS + 1, 1));
	record_free(r);
	record_free(NULL);
}

static void medians_over_repetitions(void **state)
{
	struct assay_record *r = record_new(1, 4);

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		set(r, i, 0, (uint64_t[]){ 9, 1, 5, 100 }[i]);
	assert_true(assay_record_value(r, 0).number == 7);
	r->counts[2].state = ASSAY_COUNT_ABSENT;
	r->counts[2].why = "gone";
	assert_string_equal(assay_record_value(r, 0).why, "gone");
	record_free(r);
}

static void scaled_counts_are_estimates(void **state)
{
	struct assay_record *r = record_new(1, 1);

	(void)state;
	r->counts[0] = (struct assay_count){
		.value = 1000, .enabled = 300, .running = 100,
		.state = ASSAY_COUNT_SCALED, .error = 7,
	};
	assert_true(assay_record_value(r, 0).number == 3000);
	assert_true(assay_record_value(r, 0).estimate);
	assert_true(assay_record_value(r, 0).error == 7);
	record_free(r);
}

/* The mean of 9, 1, 5, 9 has the standard error sqrt(44 / 3 / 4). */
static void draws_have_the_error_of_their_spread(void **state)
{
	struct assay_record *r = record_new(1, 4);
	double error;

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		r->counts[i] = (struct assay_count){
			.value = (uint64_t[]){ 9, 1, 5, 9 }[i],
		};
	assert_true(assay_record_value(r, 0).error == 0);
	r->random_replacement = true;
	error = assay_record_value(r, 0).error;
	assert_true(error > 1.9148 && error < 1.9149);
	record_free(r);
}

static void strings_are_shared(void **state)
{
	struct assay_record *r = record_new(0, 0);
	const char *a = record_own_string(r, "why");

	(void)state;
	assert_ptr_equal(a, record_own_string(r, "why"));
	assert_ptr_not_equal(a, record_own_string(r, "other"));
	record_free(r);
}

static void reasons_outlive_their_giver(void **state)
{
	struct assay_record *r = record_new(1, 1);
	char why[] = "because";

	(void)state;
	r->counts[0].why = why;
	r->truth.of[ASSAY_Q_loads].why = why;
	assert_int_equal(record_own_reasons(r), 0);
	why[0] = 'X';
	assert_string_equal(r->counts[0].why, "because");
	assert_string_equal(r->truth.of[ASSAY_Q_loads].why, "because");
	assert_ptr_equal(r->truth.of[ASSAY_Q_stores].why, record_not_known);
	record_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_records_know_nothing),
		cmocka_unit_test(medians_over_repetitions),
		cmocka_unit_test(scaled_counts_are_estimates),
		cmocka_unit_test(draws_have_the_error_of_their_spread),
		cmocka_unit_test(strings_are_shared),
		cmocka_unit_test(reasons_outlive_their_giver),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
