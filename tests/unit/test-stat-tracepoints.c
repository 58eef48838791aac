/* SPDX-License-Identifier: MIT */
/*
 * Tracepoints through the real kernel: system calls of a program that makes a
 * known number of them. Where no tracefs is mounted, one is, in a mount
 * namespace of this test; where that is not allowed, the test is skipped.
 */
#define _GNU_SOURCE	/* unshare */
#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include "check.h"

#include "stat/stat.h"

#define EVENT "syscalls:sys_enter_getppid"

struct seen {
	double number[3];
	char why[3][ASSAY_WHY];
};

static int see(void *ctx, const struct assay_stat_result *r)
{
	struct seen *seen = ctx;

	for (size_t i = 0; i < r->counts && i < 3; i++) {
		const struct assay_value v = r->count[i].value;

		seen->number[i] = v.why ? -1 : v.number;
		snprintf(seen->why[i], ASSAY_WHY, "%s", v.why ? v.why : "");
	}
	return 0;
}

static int count(const char *events, const char *calls, const char *children,
		 struct seen *seen, struct assay_error *err)
{
	char *program[] = { getenv("STAT_LOAD"), "getppid", (char *)calls,
			    (char *)children, NULL };
	const struct assay_stat stat = { .program = program,
					 .events = events };
	struct assay *assay;
	int rc, status;

	assert_non_null(program[0]);
	assert_int_equal(assay_open(&assay, NULL, err), 0);
	rc = assay_stat(assay, &stat, see, seen, &status, err);
	assay_close(assay);
	return rc;
}

static void system_calls_are_exact(void **ctx)
{
	struct assay_error err = { 0 };
	struct seen seen = { .number = { 0 } };

	(void)ctx;
	assert_int_equal(count(EVENT ",syscalls:sys_exit_getppid," EVENT ":k",
			       "1000", "0", &seen, &err), 0);
	assert_true(seen.number[0] == 1000);
	assert_true(seen.number[1] == 1000);
	assert_true(seen.number[2] == 1000);
	assert_int_equal(count(EVENT, "1000", "5", &seen, &err), 0);
	assert_true(seen.number[0] == 6000);
	assert_int_equal(count(EVENT, "0", "3", &seen, &err), 0);
	assert_true(seen.number[0] == 0);
}

static void a_typo_is_one(void **ctx)
{
	struct assay_error err = { 0 };
	struct seen seen;

	(void)ctx;
	assert_int_equal(count("syscalls:sys_entr_getppid", "1", "0", &seen,
			       &err), -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "did you mean '" EVENT "'?"));
}

/* ---- */

static const char folder[] = "/sys/kernel/tracing";

static bool mounted(void)
{
	return access("/sys/kernel/tracing/events/syscalls/sys_enter_getppid/"
		      "id", R_OK) == 0;
}

/* Why it cannot be had here; NULL: it is there. */
static const char *mount_tracefs(void)
{
	if (mounted())
		return NULL;
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("tracefs", folder, "tracefs", 0, NULL))
		return strerror(errno);
	return mounted() ? NULL : "this kernel traces no system calls";
}

static const char *no_right(void)
{
	struct assay_error err = { 0 };
	struct seen seen;
	static char why[ASSAY_WHY];

	if (count(EVENT, "1", "0", &seen, &err) != -ASSAY_EUNAVAIL)
		return NULL;
	snprintf(why, sizeof(why), "%.150s", err.text);
	return why;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(system_calls_are_exact),
		cmocka_unit_test(a_typo_is_one),
	};
	const char *why = mount_tracefs();

	if (!why)
		why = no_right();
	if (why) {
		printf("1..0 # SKIP no tracepoints here: %s\n", why);
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
