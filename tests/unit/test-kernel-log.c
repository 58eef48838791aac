/* SPDX-License-Identifier: MIT */
/* The lines of the kernel's log that matter, in logs of every form. */
#include "check.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "env/doctor/kernel-log.h"

static struct log_seen seen[LOG_KINDS];

static int scan(const char *text, size_t bytes)
{
	FILE *file = tmpfile();
	int n;

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, bytes, file), bytes);
	rewind(file);
	n = kernel_log_scan(seen, fileno(file));
	fclose(file);
	return n;
}

static void kinds_are_told_apart(void **state)
{
	static const char log[] =
		"5,1,0,-;Linux version 6.1\n"
		"6,2,1,-;Performance Events: PMU not available due to "
		"virtualization, using software events only.\n"
		"4,3,2,-;perf: interrupt took too long (2510 > 2500), lowering "
		"kernel.perf_event_max_sample_rate to 79500\n"
		" SUBSYSTEM=x\n"
		"4,4,3,-;perf: interrupt took too long (3142 > 3137), lowering "
		"kernel.perf_event_max_sample_rate to 63500\n"
		"0,5,4,-;watchdog: BUG: soft lockup - CPU#1 stuck for 26s!";

	(void)state;
	assert_int_equal(scan(log, sizeof(log) - 1), 3);
	assert_string_equal(seen[0].kind->what, "no PMU");
	assert_string_equal(seen[0].text, "Performance Events: PMU not "
			    "available due to virtualization, using software "
			    "events only.");
	assert_string_equal(seen[1].kind->what, "slow interrupts");
	assert_int_equal(seen[1].times, 2);
	assert_non_null(strstr(seen[1].text, "63500"));
	assert_non_null(strstr(seen[1].line, "4,4,3,-;perf"));
	/* the last line has no end */
	assert_string_equal(seen[2].kind->what, "stalls");
	assert_int_equal(scan("", 0), 0);
}

/* Lines across two readings, and one that is longer than the room. */
static void long_logs_are_read_in_full(void **state)
{
	const size_t room = 200000;
	char *log = malloc(room + 1);
	size_t used = 0;
	unsigned lines = 0;

	(void)state;
	assert_non_null(log);
	while (used + 100 < room / 2) {
		used += (size_t)sprintf(log + used, "4,%u,1,-;hrtimer: "
					"interrupt took %u ns\n", lines,
					lines * 7919);
		lines++;
	}
	memset(log + used, 'x', room / 4);
	used += room / 4;
	used += (size_t)sprintf(log + used, "\n3,9,9,-;soft lockup\033[2J\n");
	assert_int_equal(scan(log, used), 2);
	assert_int_equal(seen[0].times, lines);
	assert_string_equal(seen[1].text, "soft lockup [2J");
	free(log);
}

static void what_cannot_be_read(void **state)
{
	char root[] = "/tmp/kernel-log-XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(root));
	assert_int_equal(kernel_log_read(seen, root), -ENOENT);
	rmdir(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds_are_told_apart),
		cmocka_unit_test(long_logs_are_read_in_full),
		cmocka_unit_test(what_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
