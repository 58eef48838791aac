/* SPDX-License-Identifier: MIT */
/*
 * The perf provider against the real kernel, with events whose true counts
 * are known: page faults, breakpoint hits. No PMU is needed.
 */
#define _GNU_SOURCE
#include "check.h"
#include "usable.h"

#include <dirent.h>
#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "counters/perf-group.h"
#include "counters/provider.h"

#define PAGES 1000

static uint64_t word[8] __attribute__((aligned(64)));

static struct encoding software(uint64_t config)
{
	struct encoding e = { .family = ENCODING_SOFTWARE, .config = config };

	snprintf(e.name, sizeof(e.name), "software-%u", (unsigned)config);
	return e;
}

static struct encoding breakpoint(unsigned index, unsigned type)
{
	struct encoding e = {
		.family = ENCODING_BREAKPOINT, .bp_type = type, .bp_len = 8,
		.bp_addr = (uintptr_t)&word[index],
	};

	snprintf(e.name, sizeof(e.name), "mem:%u", index);
	return e;
}

/* Instrumented stores would fault shadow pages in as well. */
__attribute__((no_sanitize("address", "undefined"), noinline))
static void touch(volatile char *pages, size_t count)
{
	for (size_t i = 0; i < count; i++)
		pages[i * 4096] = 1;
}

__attribute__((no_sanitize("address", "undefined"), noinline))
static void store(unsigned index, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		*(volatile uint64_t *)&word[index] = i;
}

static char *map_pages(void)
{
	char *p = mmap(NULL, PAGES * 4096, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(p != MAP_FAILED);
	madvise(p, PAGES * 4096, MADV_NOHUGEPAGE);
	return p;
}

static unsigned open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static void add(struct group *g, struct encoding e)
{
	g->event[g->events++] = e;
}

/* A provider, opened; closed and freed by finish(). */
static void *begin(const struct group *g, const char *watched)
{
	const struct provider_config config = { .watched = watched };
	void *state = calloc(1, perf_provider.state_size);

	assert_non_null(state);
	assert_int_equal(perf_provider.open(state, &config, g, NULL), 0);
	return state;
}

static void finish(void *state)
{
	perf_provider.close(state);
	free(state);
}

static void count_faults(void *state, struct assay_count *counts)
{
	char *p = map_pages();

	assert_int_equal(perf_provider.start(state), 0);
	touch(p, PAGES);
	assert_int_equal(perf_provider.stop(state), 0);
	assert_int_equal(perf_provider.read(state, counts, NULL), 0);
	munmap(p, PAGES * 4096);
}

static void page_faults_are_exact(void **ctx)
{
	struct group g = { 0 };
	struct assay_count counts[2];
	void *state;

	(void)ctx;
	add(&g, software(PERF_COUNT_SW_PAGE_FAULTS));
	add(&g, software(PERF_COUNT_SW_PAGE_FAULTS_MIN));
	state = begin(&g, NULL);
	for (int run = 0; run < 5; run++) {
		count_faults(state, counts);
		for (int e = 0; e < 2; e++) {
			assert_int_equal(counts[e].state, ASSAY_COUNT_PRESENT);
			assert_int_equal(counts[e].value, PAGES);
			assert_true(counts[e].running > 0);
		}
	}
	finish(state);
}

static void breakpoints_are_exact(void **ctx)
{
	struct group g = { 0 };
	struct assay_count counts[4];
	void *state;

	(void)ctx;
	add(&g, software(PERF_COUNT_SW_PAGE_FAULTS));
	add(&g, breakpoint(0, HW_BREAKPOINT_W));
	add(&g, breakpoint(1, HW_BREAKPOINT_RW));
	add(&g, breakpoint(0, HW_BREAKPOINT_W));
	g.event[3].bp_addr = 0;
	strcpy(g.event[3].bp_symbol, "watched");
	state = begin(&g, (const char *)&word[2]);
	for (unsigned run = 1; run <= 2; run++) {
		store(0, 77);	/* outside: must not be counted */
		assert_int_equal(perf_provider.start(state), 0);
		store(0, 1000 * run);
		store(1, 500);
		store(2, 250);
		assert_int_equal(perf_provider.stop(state), 0);
		store(0, 77);
		perf_provider.read(state, counts, NULL);
		assert_int_equal(counts[1].state, ASSAY_COUNT_PRESENT);
		assert_int_equal(counts[1].value, 1000 * run);
		assert_int_equal(counts[2].value, 500);
		assert_int_equal(counts[3].value, 250);
	}
	finish(state);
}

static void the_fifth_breakpoint_leaves_four(void **ctx)
{
	struct group g = { 0 };
	struct assay_count counts[5];
	unsigned open = 0;
	void *state;

	(void)ctx;
	for (unsigned i = 0; i < 5; i++)
		add(&g, breakpoint(i, HW_BREAKPOINT_W));
	state = begin(&g, NULL);
	assert_int_equal(perf_provider.start(state), 0);
	for (unsigned i = 0; i < 5; i++)
		store(i, 100 + i);
	assert_int_equal(perf_provider.stop(state), 0);
	perf_provider.read(state, counts, NULL);
	for (unsigned i = 0; i < 5; i++) {
		if (counts[i].state == ASSAY_COUNT_PRESENT) {
			assert_int_equal(counts[i].value, 100 + i);
			open++;
		}
	}
#ifdef __x86_64__
	assert_int_equal(open, 4);
	assert_int_equal(counts[4].state, ASSAY_COUNT_ABSENT);
	assert_non_null(strstr(counts[4].why, "no breakpoint register"));
	assert_non_null(strstr(counts[4].why, "4 are taken"));
#endif
	finish(state);
}

static void a_bad_member_disturbs_nobody(void **ctx)
{
	struct group g = { 0 };
	struct assay_count counts[5];
	void *state;

	(void)ctx;
	add(&g, software(999));
	add(&g, software(PERF_COUNT_SW_PAGE_FAULTS));
	add(&g, (struct encoding){ .family = ENCODING_NAME, .name = "x" });
	add(&g, software(PERF_COUNT_SW_PAGE_FAULTS));
	strcpy(g.event[3].absent, "not on this CPU");
	add(&g, (struct encoding){ .family = ENCODING_BREAKPOINT,
				   .bp_symbol = "watched", .bp_len = 8,
				   .bp_type = HW_BREAKPOINT_W });
	state = begin(&g, NULL);
	count_faults(state, counts);
	assert_int_equal(counts[1].value, PAGES);
	assert_int_equal(counts[1].state, ASSAY_COUNT_PRESENT);
	for (int e = 0; e < 5; e++) {
		if (e == 1)
			continue;
		assert_int_equal(counts[e].state, ASSAY_COUNT_ABSENT);
		assert_true(counts[e].why && counts[e].why[0]);
	}
	assert_non_null(strstr(counts[0].why, "does not have the event"));
	assert_string_equal(counts[3].why, "not on this CPU");
	assert_non_null(strstr(counts[4].why, "no watched word"));
	finish(state);
}

static void nothing_open_is_all_absent(void **ctx)
{
	struct group g = { 0 };
	struct assay_count counts[1] = { { 0 } };
	void *state;

	(void)ctx;
	add(&g, software(999));
	state = begin(&g, NULL);
	count_faults(state, counts);
	assert_int_equal(counts[0].state, ASSAY_COUNT_ABSENT);
	finish(state);
}

static void hardware_is_a_number_or_a_reason(void **ctx)
{
	struct group g = { 0 };
	struct assay_count counts[2];
	void *state;

	(void)ctx;
	add(&g, (struct encoding){ .name = "cycles" });
	add(&g, software(PERF_COUNT_SW_PAGE_FAULTS));
	state = begin(&g, NULL);
	count_faults(state, counts);
	if (counts[0].state == ASSAY_COUNT_ABSENT)
		assert_true(strlen(counts[0].why) > 20);
	else
		assert_true(counts[0].value > PAGES);
	assert_int_equal(counts[1].value, PAGES);
	finish(state);
}

/* Answers each byte; ends with the pipe. */
static void echo(int from, int to)
{
	char byte;

	while (read(from, &byte, 1) == 1)
		if (write(to, &byte, 1) != 1)
			break;
	_exit(0);
}

/*
 * An echo on the same CPU can only answer when we have made way for it. (A short
 * sleep may be over before it begins.) Returns the child.
 */
static pid_t start_echo(int *to, int *from)
{
	int there[2], back[2];
	cpu_set_t one;
	pid_t child;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(pipe(there), 0);
	assert_int_equal(pipe(back), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		close(there[1]);
		echo(there[0], back[1]);
	}
	close(there[0]);
	close(back[1]);
	*to = there[1];
	*from = back[0];
	return child;
}

static void context_switches_count_in_the_kernel(void **ctx)
{
	struct group g = { 0 };
	struct assay_count counts[1];
	cpu_set_t old;
	pid_t child;
	int to, from;
	void *state;
	char byte = 'x';

	(void)ctx;
	sched_getaffinity(0, sizeof(old), &old);
	child = start_echo(&to, &from);
	add(&g, software(PERF_COUNT_SW_CONTEXT_SWITCHES));
	state = begin(&g, NULL);
	perf_provider.start(state);
	for (int i = 0; i < 50; i++) {
		assert_int_equal(write(to, &byte, 1), 1);
		assert_int_equal(read(from, &byte, 1), 1);
	}
	perf_provider.stop(state);
	close(to);
	close(from);
	waitpid(child, NULL, 0);
	sched_setaffinity(0, sizeof(old), &old);
	perf_provider.read(state, counts, NULL);
	if (counts[0].state == ASSAY_COUNT_ABSENT)
		assert_non_null(strstr(counts[0].why, "perf_event_paranoid"));
	else
		assert_true(counts[0].value >= 50);
	finish(state);
}

static bool run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) == 0;
}

/* A counter of cpu 1 does not run while we are on cpu 0: no PMU needed. */
static void a_counter_that_never_ran_is_absent(void **ctx)
{
	const struct perf_target other = { .cpu = 1, .sysroot = "/" };
	struct perf_group *pg = calloc(1, sizeof(*pg));
	struct assay_count count;
	struct group g = { 0 };
	cpu_set_t old;
	char *p;

	(void)ctx;
	sched_getaffinity(0, sizeof(old), &old);
	if (!CPU_ISSET(0, &old) || !CPU_ISSET(1, &old)) {
		free(pg);
		skip_since("this test may not use both CPU 0 and CPU 1");
	}
	add(&g, software(PERF_COUNT_SW_PAGE_FAULTS));
	assert_true(run_on(0));
	p = map_pages();
	perf_group_open(pg, &g, &other);
	perf_group_start(pg);
	touch(p, PAGES / 2);
	perf_group_stop(pg);
	perf_group_counts(pg, &count);
	assert_int_equal(count.state, ASSAY_COUNT_ABSENT);
	assert_true(count.enabled > 0);
	assert_non_null(strstr(count.why, "never ran"));

	perf_group_start(pg);
	touch(p + PAGES / 2 * 4096, 100);
	assert_true(run_on(1));
	touch(p + (PAGES / 2 + 100) * 4096, 300);
	assert_true(run_on(0));
	perf_group_stop(pg);
	perf_group_counts(pg, &count);
	assert_int_equal(count.state, ASSAY_COUNT_SCALED);
	assert_int_equal(count.value, 300);
	assert_true(count.running > 0 && count.running < count.enabled);

	perf_group_close(pg);
	munmap(p, PAGES * 4096);
	sched_setaffinity(0, sizeof(old), &old);
	free(pg);
}

static void sixty_four_events_and_no_leak(void **ctx)
{
	static struct assay_count counts[ASSAY_EVENTS];
	static struct group g;
	const unsigned before = open_fds();
	void *state;

	(void)ctx;
	while (g.events < ASSAY_EVENTS)
		add(&g, software(PERF_COUNT_SW_PAGE_FAULTS));
	for (int run = 0; run < 3; run++) {
		state = begin(&g, NULL);
		assert_int_equal(open_fds(), before + ASSAY_EVENTS);
		count_faults(state, counts);
		for (int e = 0; e < ASSAY_EVENTS; e++)
			assert_int_equal(counts[e].value, PAGES);
		finish(state);
		assert_int_equal(open_fds(), before);
	}
}

static void counts_have_states(void **ctx)
{
	struct assay_count c;

	(void)ctx;
	c = perf_count(5, 100, 100);
	assert_int_equal(c.state, ASSAY_COUNT_PRESENT);
	assert_int_equal(c.value, 5);
	c = perf_count(5, 100, 99);
	assert_int_equal(c.state, ASSAY_COUNT_SCALED);
	c = perf_count(5, 100, 0);
	assert_int_equal(c.state, ASSAY_COUNT_ABSENT);
	assert_non_null(strstr(c.why, "never ran"));
	c = perf_count(0, 0, 0);
	assert_int_equal(c.state, ASSAY_COUNT_ABSENT);
	assert_non_null(strstr(c.why, "never enabled"));
}

/* What a refusal means, in every place that we know of. */
static const struct {
	enum encoding_family family;
	int error, paranoid, claimed;
	bool pmu, filtered, kernel, alone;
	const char *expected;
} refusals[] = {
	{ ENCODING_HARDWARE, ENOENT, 2, 0, false, false, false, false,
	  "CPUID leaf 0xA reports none" },
	{ ENCODING_RAW, ENOENT, 2, 8, false, false, false, false,
	  "claims 8" },
	{ ENCODING_CACHE, EACCES, 3, -1, false, false, false, false,
	  "no hardware counters" },
	{ ENCODING_RAW, EPERM, 2, 0, false, true, false, false,
	  "no hardware counters" },
	{ ENCODING_HARDWARE, ENOENT, 2, 8, true, false, false, false,
	  "no such event" },
	{ ENCODING_RAW, ENOENT, 2, 8, true, false, false, false,
	  "refuses code 0x42" },
	{ ENCODING_RAW, EINVAL, 2, 8, true, false, false, true,
	  "too few counters" },
	{ ENCODING_RAW, EINVAL, 2, 8, true, false, false, false,
	  "EINVAL" },
	{ ENCODING_SOFTWARE, EACCES, 2, 0, false, false, true, false,
	  "kernel.perf_event_paranoid=1" },
	{ ENCODING_SOFTWARE, EACCES, 4, 0, false, false, false, false,
	  "kernel.perf_event_paranoid=2" },
	{ ENCODING_TRACEPOINT, EACCES, 2, 0, false, false, true, false,
	  "kernel.perf_event_paranoid=-1" },
	{ ENCODING_TRACEPOINT, EINVAL, 2, 0, false, false, true, false,
	  "no tracepoint" },
	{ ENCODING_SOFTWARE, EPERM, 2, 0, false, true, false, false,
	  "--cap-add PERFMON" },
	{ ENCODING_PMU, EINVAL, 2, 8, true, false, false, false,
	  "per socket" },
	{ ENCODING_PMU, EACCES, 2, 8, true, false, false, false,
	  "all programs" },
	{ ENCODING_SOFTWARE, ENOSYS, 2, 0, false, false, false, false,
	  "ENOSYS" },
	{ ENCODING_SOFTWARE, EMFILE, 2, 0, false, false, false, false,
	  "ulimit" },
	{ ENCODING_BREAKPOINT, ENOSPC, 2, 0, false, false, false, false,
	  "breakpoint register" },
	{ ENCODING_BREAKPOINT, EINVAL, 2, 0, false, false, false, false,
	  "breakpoint" },
	{ ENCODING_BREAKPOINT, EOPNOTSUPP, 2, 0, false, false, false, false,
	  "EOPNOTSUPP" },
	{ ENCODING_HARDWARE, EBUSY, 2, 4, true, false, false, false,
	  "another program" },
};

static void refusals_have_reasons(void **ctx)
{
	char out[ASSAY_WHY];

	(void)ctx;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const struct encoding event = {
			.family = refusals[i].family, .code = "0x42",
			.bp_type = 2, .bp_addr = ~0ull, .bp_len = ~0ull,
			.pmu_type = ~0u,
		};
		const struct perf_limits place = {
			.sysfs = true, .core_pmu = refusals[i].pmu,
			.claimed = refusals[i].claimed,
			.paranoid = refusals[i].paranoid,
			.filtered = refusals[i].filtered,
		};
		const struct perf_try tried = {
			.event = &event, .error = refusals[i].error,
			.kernel = refusals[i].kernel,
			.alone = refusals[i].alone, .members = 63,
			.breakpoints = 4,
		};

		perf_why(out, &place, &tried);
		if (!strstr(out, refusals[i].expected))
			fail_msg("row %zu: '%s' lacks '%s'", i, out,
				 refusals[i].expected);
		if (strlen(out) >= ASSAY_WHY - 1)
			fail_msg("row %zu is cut off: '%s'", i, out);
	}
}

/* Of other programs: whose it is decides, and how much of them is asked. */
static void others_have_reasons_of_their_own(void **ctx)
{
	static const struct {
		int error, paranoid;
		bool all;
		const char *expected;
	} rows[] = {
		{ EACCES, 1, true, "paranoid=0" },
		{ EACCES, 2, true, "all programs of a CPU" },
		{ EACCES, 3, true, "nothing may be counted" },
		{ EACCES, 0, false, "another user's" },
		{ EACCES, 2, false, "another user's" },
		{ ESRCH, 2, false, "no such process" },
		{ E2BIG, 2, false, "older" },
	};
	const struct encoding event = { .family = ENCODING_SOFTWARE };
	char out[ASSAY_WHY];

	(void)ctx;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct perf_limits place = {
			.sysfs = true, .core_pmu = true,
			.paranoid = rows[i].paranoid,
		};
		const struct perf_try tried = {
			.event = &event, .error = rows[i].error,
			.other = true, .all = rows[i].all,
		};

		perf_why(out, &place, &tried);
		if (!strstr(out, rows[i].expected))
			fail_msg("row %zu: '%s' lacks '%s'", i, out,
				 rows[i].expected);
		if (strlen(out) >= ASSAY_WHY - 1)
			fail_msg("row %zu is cut off: '%s'", i, out);
	}
}

static void another_place(void **ctx)
{
	struct perf_limits place;

	(void)ctx;
	perf_limits_read(&place, "/nonexistent");
	assert_false(place.sysfs);
	assert_false(place.core_pmu);
	assert_int_equal(place.paranoid, -9);
	perf_limits_read(&place, "/");
	assert_true(place.paranoid >= -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(page_faults_are_exact),
		cmocka_unit_test(breakpoints_are_exact),
		cmocka_unit_test(the_fifth_breakpoint_leaves_four),
		cmocka_unit_test(a_bad_member_disturbs_nobody),
		cmocka_unit_test(nothing_open_is_all_absent),
		cmocka_unit_test(hardware_is_a_number_or_a_reason),
		cmocka_unit_test(context_switches_count_in_the_kernel),
		cmocka_unit_test(a_counter_that_never_ran_is_absent),
		cmocka_unit_test(sixty_four_events_and_no_leak),
		cmocka_unit_test(counts_have_states),
		cmocka_unit_test(refusals_have_reasons),
		cmocka_unit_test(others_have_reasons_of_their_own),
		cmocka_unit_test(another_place),
	};

	return cmocka_run_group_tests(tests, usable_perf, NULL);
}
