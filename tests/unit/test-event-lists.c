/* SPDX-License-Identifier: MIT */
/*
 * What is listed is what can be asked for, and a tracepoint that was found by
 * its name counts what it says. PMUs come from a tree made here.
 */
#define _GNU_SOURCE	/* unshare */
#include "event-tree.h"

#include <errno.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counters/provider.h"

/* ---- lists -------------------------------------------------------------- */

struct seen { unsigned rows, absent, found; const char *name; };

static int see(void *ctx, const struct assay_row *row)
{
	struct seen *s = ctx;

	assert_string_equal(row->type, "event");
	s->rows++;
	s->absent += row->field[3].kind == ASSAY_FIELD_ABSENT;
	s->found += s->name && !strcmp(row->field[0].text, s->name);
	return 0;
}

static struct seen listed(enum events_for target, const char *pattern,
			  const char *name)
{
	const struct events_target t = { .target = target, .sysroot = tree_root,
					 .cpu = &tree_cpu };
	struct seen seen = { .name = name };

	assert_int_equal(events_list(&t, pattern, see, &seen, NULL), 0);
	return seen;
}

static int stop(void *ctx, const struct assay_row *row)
{
	(void)ctx;
	(void)row;
	return 1;
}

static void lists(void **ctx)
{
	const struct events_target t = { .target = EVENTS_PERF,
					 .sysroot = tree_root };
	struct seen s;

	(void)ctx;
	assert_int_equal(listed(EVENTS_PERF, NULL, "page-faults").found, 1);
	assert_int_equal(listed(EVENTS_PERF, "PAGE-F", "page-faults").rows, 1);
	assert_true(listed(EVENTS_PERF, "sched:", "sched:sched_switch").found);
	assert_true(listed(EVENTS_PERF, "mem-l", "cpu/mem-loads/").found);
	assert_int_equal(listed(EVENTS_PERF, "xyzzy", NULL).rows, 0);
	s = listed(EVENTS_SIM, NULL, "L1D_CACHE_LD");
	assert_int_equal(s.rows, 8);
	assert_int_equal(s.absent, 4);
	assert_int_equal(s.found, 1);
	assert_int_equal(listed(EVENTS_NAMES, NULL, NULL).rows, 0);
	assert_int_equal(events_list(&t, NULL, stop, NULL, &err),
			 -ASSAY_ESTOP);
}

/* Everything that is listed with a plain name must be accepted back. */
static int accept_back(void *ctx, const struct assay_row *row)
{
	const struct events_target t = { .target = EVENTS_PERF,
					 .sysroot = tree_root };
	unsigned *n = ctx;
	const char *name = row->field[0].text;

	if (!strcmp(name, "rNNN") || strstr(name, "ADDRESS") ||
	    strstr(name, "TERM") || !strcmp(name, "cpu/wants/"))
		return 0;
	memset(&group, 0, sizeof(group));
	if (!strcmp(row->field[1].text, "vendor"))
		return 0;	/* some need a umask, as their lists show */
	if (events_parse(&group, name, &t, &err))
		fail_msg("%s: %s", name, err.text);
	++*n;
	return 0;
}

static void listed_names_are_accepted(void **ctx)
{
	const struct events_target t = { .target = EVENTS_PERF,
					 .sysroot = tree_root };
	unsigned n = 0;

	(void)ctx;
	assert_int_equal(events_list(&t, NULL, accept_back, &n, NULL), 0);
	assert_true(n > 50);
}

static void the_environment_is_left_alone(void **ctx)
{
	(void)ctx;
	assert_int_equal(parse("wsm::L2_RQSTS:LD_HIT", EVENTS_PERF), 0);
	assert_null(getenv("LIBPFM_ENCODE_INACTIVE"));
}

/* ---- from the name to the count ----------------------------------------- */

/* tracefs in a mount namespace of our own; false where that is not allowed. */
static bool mount_tracefs(void)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/live/sys/kernel/tracing", tree_root);
	tree_put("/live/sys/kernel/tracing/x", "");
	return unshare(CLONE_NEWNS) == 0 &&
	       mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("tracefs", path, "tracefs", 0, NULL) == 0;
}

static void a_tracepoint_is_exact(void **ctx)
{
	char live[96];
	const struct events_target t = { .target = EVENTS_PERF,
					 .sysroot = live };
	struct assay_count count;
	void *state;

	(void)ctx;
	if (!mount_tracefs())
		skip_since("tracefs cannot be mounted: %s", strerror(errno));
	snprintf(live, sizeof(live), "%s/live", tree_root);
	memset(&group, 0, sizeof(group));
	assert_int_equal(events_parse(&group, "syscalls:sys_enter_getppid",
				      &t, &err), 0);
	assert_string_equal(group.event[0].absent, "");
	state = calloc(1, perf_provider.state_size);
	perf_provider.open(state, &(struct provider_config){ 0 }, &group,
			   &err);
	perf_provider.start(state);
	for (int i = 0; i < 777; i++)
		syscall(SYS_getppid);
	perf_provider.stop(state);
	perf_provider.read(state, &count, NULL);
	perf_provider.close(state);
	free(state);
	snprintf(live, sizeof(live), "%s/live/sys/kernel/tracing", tree_root);
	umount(live);
	if (count.state == ASSAY_COUNT_ABSENT)
		skip_since("no tracepoints here: %s", count.why);
	assert_int_equal(count.value, 777);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists),
		cmocka_unit_test(listed_names_are_accepted),
		cmocka_unit_test(the_environment_is_left_alone),
		cmocka_unit_test(a_tracepoint_is_exact),
	};

	return cmocka_run_group_tests(tests, tree_plant, tree_fell);
}
