/* SPDX-License-Identifier: MIT */
/* Core cycles beside counters: what the settings say of the clock. */
#include "check.h"

#include <math.h>

#include "run/core-clock.h"

static struct assay_value cycles(const char *options, double ns)
{
	static struct assay_record record;

	snprintf(record.settings.options, sizeof(record.settings.options),
		 "%s", options);
	return core_clock_cycles(&record, (struct assay_value){ .number = ns });
}

static void cycles_follow_the_clock(void **state)
{
	(void)state;
	assert_true(fabs(cycles("core-mhz=2500..2500", 2).number - 5) < 1e-9);
	assert_null(cycles("core-mhz=2500..2500", 2).why);
	assert_false(cycles("core-mhz=2500..2550", 2).estimate);
	assert_true(cycles("core-mhz=2000..3000", 2).estimate);
	assert_true(cycles("nice=-5 core-mhz=2000..2000", 2).number == 4);
	assert_non_null(cycles("", 2).why);
	assert_non_null(cycles("core-mhz=x..3", 2).why);
	assert_non_null(cycles("core-mhz=0..0", 2).why);
	assert_non_null(cycles("core-mhz=2500", 2).why);
}

static void notes_are_read_again(void **state)
{
	struct assay_settings s = { .options = "nice=-5" };
	char full[sizeof(s.options)];

	(void)state;
	core_clock_note(&s, 0, 2.5);
	assert_string_equal(s.options, "nice=-5");
	core_clock_note(&s, 2.5, 2.6);
	assert_string_equal(s.options, "nice=-5 core-mhz=2500..2600");
	/* no room: left out as a whole */
	memset(full, 'x', sizeof(full) - 20);
	full[sizeof(full) - 20] = '\0';
	memcpy(s.options, full, sizeof(full));
	core_clock_note(&s, 2.5, 2.6);
	assert_string_equal(s.options, full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cycles_follow_the_clock),
		cmocka_unit_test(notes_are_read_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
