/* SPDX-License-Identifier: MIT */
/*
 * Counting other programs through the real kernel, with events whose true
 * counts are known. No PMU and no clock is needed.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>

#include "check.h"
#include "usable.h"

#include "stat/stat.h"
#include "counters/perf-group.h"
#include "assay/stat.h"

#define WATCHED "mem:0x10000000/8:w"

/* The last total, copied; and what came before it. */
struct seen {
	struct assay_stat_count count[ASSAY_EVENTS];
	char why[ASSAY_EVENTS][ASSAY_WHY];
	size_t counts;
	unsigned runs, sets, totals, intervals, threads;
	double by_thread[128];
};

static char folder[64];

static int see(void *ctx, const struct assay_stat_result *r)
{
	struct seen *seen = ctx;

	if (r->kind == ASSAY_STAT_INTERVAL)
		seen->intervals++;
	if (r->kind == ASSAY_STAT_THREAD && !r->count[0].value.why)
		seen->by_thread[seen->threads] = r->count[0].value.number;
	if (r->kind == ASSAY_STAT_THREAD)
		seen->threads++;
	if (r->kind != ASSAY_STAT_TOTAL)
		return 0;
	seen->totals++;
	seen->counts = r->counts;
	seen->runs = r->runs;
	seen->sets = r->sets;
	for (size_t i = 0; i < r->counts; i++) {
		seen->count[i] = r->count[i];
		snprintf(seen->why[i], ASSAY_WHY, "%s",
			 r->count[i].value.why ? r->count[i].value.why : "");
	}
	return 0;
}

static int count(const struct assay_stat *stat, struct seen *seen, int *status,
		 struct assay_error *err)
{
	struct assay *assay;
	int rc;

	memset(seen, 0, sizeof(*seen));
	assert_int_equal(assay_open(&assay, NULL, err), 0);
	rc = assay_stat(assay, stat, see, seen, status, err);
	assay_close(assay);
	return rc;
}

static const char *load(void)
{
	const char *path = getenv("STAT_LOAD");

	assert_non_null(path);
	return path;
}

static void path_in(char out[128], const char *name)
{
	snprintf(out, 128, "%s/%s", folder, name);
}

/* ---- totals --------------------------------------------------------------- */

static void one_tree(unsigned stores, unsigned threads, unsigned children,
		     unsigned grandchildren)
{
	char text[4][16];
	char *program[] = { (char *)load(), "tree", text[0], text[1], text[2],
			    text[3], NULL };
	const struct assay_stat stat = { .program = program,
					 .events = WATCHED };
	const unsigned who = 1 + threads + children +
			     children * grandchildren;
	struct assay_error err = { 0 };
	struct seen seen;
	int status;

	snprintf(text[0], 16, "%u", stores);
	snprintf(text[1], 16, "%u", threads);
	snprintf(text[2], 16, "%u", children);
	snprintf(text[3], 16, "%u", grandchildren);
	if (count(&stat, &seen, &status, &err))
		fail_msg("%s", err.text);
	assert_int_equal(status, 0);
	assert_null(seen.count[0].value.why);
	assert_false(seen.count[0].value.estimate);
	assert_int_equal((long)seen.count[0].value.number,
			 (long)stores * who);
}

static void totals_follow_threads_and_children(void **ctx)
{
	(void)ctx;
	for (unsigned i = 0; i < 30; i++)
		one_tree(10 + i, i % 4, i % 3, i % 5);
	one_tree(0, 0, 0, 0);
	one_tree(100, 8, 6, 2);
}

static void runs_have_a_mean(void **ctx)
{
	char *program[] = { (char *)load(), "tree", "20", "1", "1", "0", NULL };
	const struct assay_stat stat = { .program = program, .repeats = 5,
					 .events = WATCHED };
	struct assay_error err = { 0 };
	struct seen seen;
	int status;

	(void)ctx;
	assert_int_equal(count(&stat, &seen, &status, &err), 0);
	assert_int_equal(seen.runs, 5);
	assert_int_equal(seen.count[0].runs, 5);
	assert_true(seen.count[0].value.number == 60);
	assert_true(seen.count[0].error == 0);
}

static void means_and_errors(void **ctx)
{
	const double x[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	double mean, error;

	(void)ctx;
	stat_mean(x, 8, &mean, &error);
	assert_true(mean == 5);
	/* s = sqrt(32 / 7), over sqrt(8) */
	assert_true(error > 0.755928 && error < 0.755930);
	stat_mean(x, 1, &mean, &error);
	assert_true(mean == 2 && error == 0);
	stat_mean(x, 0, &mean, &error);
	assert_true(mean == 0 && error == 0);
}

/* ---- too many ------------------------------------------------------------- */

#ifdef __x86_64__
static const char five[] =
	WATCHED ",mem:0x10000008/8:w,mem:0x10000010/8:w,mem:0x10000018/8:w,"
	"mem:0x10000020/8:w";

static void the_fifth_breakpoint_waits_for_its_turn(void **ctx)
{
	char *program[] = { (char *)load(), "tree", "7", "0", "0", "0", NULL };
	struct assay_stat stat = { .program = program, .events = five };
	struct assay_error err = { 0 };
	struct seen seen;
	int status;

	(void)ctx;
	assert_int_equal(count(&stat, &seen, &status, &err), 0);
	assert_true(seen.count[0].value.number == 7);
	for (int i = 1; i < 4; i++) {
		assert_null(seen.count[i].value.why);
		assert_true(seen.count[i].value.number == 0);
	}
	assert_non_null(strstr(seen.why[4], "no breakpoint register"));
	assert_non_null(strstr(seen.why[4], "-r 2 counts all"));
	assert_int_equal(seen.sets, 2);
	stat.repeats = 4;
	assert_int_equal(count(&stat, &seen, &status, &err), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(seen.count[i].runs, 2);
	assert_true(seen.count[0].value.number == 7);
}

static void braces_that_cannot_fit_say_so(void **ctx)
{
	char *program[] = { (char *)load(), "tree", "7", "0", "0", "0", NULL };
	char events[256];
	const struct assay_stat stat = { .program = program,
					 .events = events };
	struct assay_error err = { 0 };
	struct seen seen;
	int status;

	(void)ctx;
	snprintf(events, sizeof(events), "{%s},page-faults", five);
	assert_int_equal(count(&stat, &seen, &status, &err), 0);
	for (int i = 0; i < 5; i++)
		assert_non_null(strstr(seen.why[i], "braces"));
	assert_null(seen.count[5].value.why);
}
#endif

static void scaled_counts_are_estimates(void **ctx)
{
	struct group group = { .events = 1 };
	struct follow_spot spot = { .cpu = -1 };
	const struct follow_setup setup = { .events = &group, .spot = &spot,
					    .spots = 1, .sysroot = "/" };
	struct follow_value value;
	struct assay_count counted;
	cpu_set_t old, one;
	struct follow *f;
	int cpu[2] = { -1, -1 }, n = 0;

	(void)ctx;
	sched_getaffinity(0, sizeof(old), &old);
	for (int c = 0; c < CPU_SETSIZE && n < 2; c++)
		if (CPU_ISSET(c, &old))
			cpu[n++] = c;
	if (n < 2)
		skip_since("this test may use one CPU only");
	/* A software event, counted on the second CPU only. */
	group.event[0] = (struct encoding){ .family = ENCODING_SOFTWARE,
					    .config = 1, .scope = 3 };
	spot.cpu = cpu[1];
	CPU_ZERO(&one);
	CPU_SET(cpu[0], &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	assert_int_equal(follow_open(&f, &setup, NULL), 0);
	if (!f->open[0]) {
		follow_close(f);
		sched_setaffinity(0, sizeof(old), &old);
		skip_since("the kernel lets no software event be counted");
	}
	assert_int_equal(follow_enable(f), 0);
	for (volatile int i = 0; i < 1000000; i++)
		;
	assert_true(follow_read(f, 0, &value));
	counted = stat_count_of(&value);
	assert_int_equal(counted.state, ASSAY_COUNT_ABSENT);
	CPU_ZERO(&one);
	CPU_SET(cpu[1], &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	for (volatile int i = 0; i < 1000000; i++)
		;
	assert_true(follow_read(f, 0, &value));
	counted = stat_count_of(&value);
	assert_int_equal(counted.state, ASSAY_COUNT_SCALED);
	assert_true(value.running < value.enabled && value.running > 0);
	assert_true(assay_count_estimate(&counted) > counted.value);
	follow_close(f);
	sched_setaffinity(0, sizeof(old), &old);
}

/*
 * One program on two kinds of core: what one PMU misses, the other one has.
 * Numbers as a kernel would give them; no such CPU is needed.
 */
static void kinds_of_core_complete_each_other(void **ctx)
{
	static const struct follow_value values[] = {
		{ 300, 1000, 600 }, { 100, 1000, 400 },	/* 1000 together */
		{ 300, 1000, 600 }, { 100, 1000, 100 },	/* 300 are missing */
		{ 900, 1000, 1000 }, { 0, 1000, 0 },	/* never on the second */
	};
	static const char *const names[] = {
		"cpu_core/cycles/", "cpu_atom/cycles/", "cpu_core/r1/",
		"cpu_atom/r1/", "cpu_core/r2/", "cpu_atom/r2/",
	};
	const bool have[ASSAY_EVENTS] = { true, true, true, true, true, true };
	const struct assay_stat stat = { .cpus = NULL };
	struct assay_count count[ASSAY_EVENTS];
	struct stat_job *job = calloc(1, sizeof(*job));
	struct hybrid hybrid = { .cores = 2 };

	(void)ctx;
	assert_non_null(job);
	job->stat = &stat;
	job->schedule.hybrid = &hybrid;
	job->schedule.run.group.events = 6;
	for (unsigned e = 0; e < 6; e++) {
		snprintf(job->schedule.run.group.event[e].name, ASSAY_NAME, "%s",
			 names[e]);
		job->schedule.core[e] = (unsigned char)(1 + e % 2);
	}
	stat_fill_counts(job, values, have, count);
	assert_int_equal(count[0].state, ASSAY_COUNT_PRESENT);
	assert_int_equal(count[1].state, ASSAY_COUNT_PRESENT);
	assert_int_equal(count[1].value, 100);
	assert_int_equal(count[2].state, ASSAY_COUNT_SCALED);
	assert_int_equal(count[3].state, ASSAY_COUNT_SCALED);
	assert_int_equal(count[4].state, ASSAY_COUNT_PRESENT);
	assert_int_equal(count[5].state, ASSAY_COUNT_ABSENT);
	assert_non_null(strstr(count[5].why, "core of this kind"));
	free(job);
}

/* ---- ends ----------------------------------------------------------------- */

static int status_of(char *const *program, const char *events, int *rc)
{
	const struct assay_stat stat = { .program = program,
					 .events = events };
	struct assay_error err = { 0 };
	struct seen seen;
	int status;

	*rc = count(&stat, &seen, &status, &err);
	return status;
}

static void the_program_s_status_is_passed_on(void **ctx)
{
	char *seven[] = { "sh", "-c", "exit 7", NULL };
	char *killed[] = { "sh", "-c", "kill -9 $$", NULL };
	char *missing[] = { "/nonexistent/program", NULL };
	char *data[] = { "/etc/passwd", NULL };
	int rc;

	(void)ctx;
	assert_int_equal(status_of(seven, "page-faults", &rc), 7);
	assert_int_equal(rc, 0);
	assert_int_equal(status_of(killed, "page-faults", &rc), 137);
	assert_int_equal(rc, 0);
	assert_int_equal(status_of(missing, "page-faults", &rc), 127);
	assert_int_equal(rc, -ASSAY_ENOENT);
	assert_int_equal(status_of(data, "page-faults", &rc), 126);
	assert_int_equal(rc, -ASSAY_EPERM);
}

static void nothing_to_count_starts_nothing(void **ctx)
{
	char mark[128];
	char *program[] = { "touch", mark, NULL };
	int rc;

	(void)ctx;
	path_in(mark, "mark");
	/* No CPU has a breakpoint of 3 bytes. */
	assert_int_equal(status_of(program, "mem:0x10000001/8:w", &rc), 125);
	assert_int_equal(rc, -ASSAY_EUNAVAIL);
	assert_int_equal(access(mark, F_OK), -1);
	assert_int_equal(status_of(program, "page-faults", &rc), 0);
	assert_int_equal(access(mark, F_OK), 0);
}

/* The signal comes when the program has said that it is ready for it. */
static void signals_reach_the_program(void **ctx)
{
	char fifo[128], script[300], byte;
	char *program[] = { "sh", "-c", script, NULL };
	int fd, status;
	pid_t pid;

	(void)ctx;
	path_in(fifo, "ready");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	snprintf(script, sizeof(script), "trap 'exit 9' TERM; echo >'%s'; "
		 "while :; do sleep 0.02; done", fifo);
	fd = open(fifo, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		int rc;

		_exit(status_of(program, "page-faults", &rc));
	}
	assert_int_equal(read(fd, &byte, 1), 1);
	kill(pid, SIGTERM);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 9);
	close(fd);
}

/* ---- phases and threads --------------------------------------------------- */

static void only_the_enabled_phase_is_counted(void **ctx)
{
	char control[128], ack[128], both[300];
	char *program[] = { (char *)load(), "phases", control, ack, "50",
			    "300", NULL };
	const struct assay_stat stat = {
		.program = program, .events = WATCHED ",page-faults:u",
		.delay_ms = ASSAY_STAT_WAIT, .control = both,
	};
	struct assay_error err = { 0 };
	struct seen seen;
	int status;

	(void)ctx;
	path_in(control, "control");
	path_in(ack, "ack");
	snprintf(both, sizeof(both), "fifo:%s,%s", control, ack);
	assert_int_equal(mkfifo(control, 0600), 0);
	assert_int_equal(mkfifo(ack, 0600), 0);
	if (count(&stat, &seen, &status, &err))
		fail_msg("%s", err.text);
	assert_int_equal(status, 0);
	assert_true(seen.count[0].value.number == 50);
	assert_true(seen.count[1].value.number >= 300);
	assert_true(seen.count[1].value.number <= 302);
}

static void threads_are_told_apart(void **ctx)
{
	char go[128], done[128], pid_text[16], byte;
	char *program[] = { (char *)load(), "poke", go, done, NULL };
	const struct assay_stat stat = {
		.program = program, .pids = pid_text, .per_thread = true,
		.events = WATCHED,
	};
	struct assay_error err = { 0 };
	struct seen seen;
	double sum = 0;
	int fd, status;
	pid_t pid;

	(void)ctx;
	path_in(go, "go");
	path_in(done, "done");
	assert_int_equal(mkfifo(go, 0600), 0);
	assert_int_equal(mkfifo(done, 0600), 0);
	fd = open(done, O_RDWR | O_CLOEXEC);
	pid = fork();
	if (pid == 0) {
		execl(load(), load(), "threads", go, done, "10", "3", NULL);
		_exit(98);
	}
	assert_int_equal(read(fd, &byte, 1), 1);
	snprintf(pid_text, sizeof(pid_text), "%d", (int)pid);
	if (count(&stat, &seen, &status, &err))
		fail_msg("%s", err.text);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	close(fd);
	assert_int_equal(seen.threads, 4);
	for (int i = 0; i < 4; i++)
		sum += seen.by_thread[i];
	assert_true(sum == 10 + 20 + 30);
	assert_true(seen.count[0].value.number == 60);
}

/* ---- mistakes ------------------------------------------------------------- */

static void mistakes_are_refused(void **ctx)
{
	char *program[] = { "true", NULL };
	static const struct { struct assay_stat stat; const char *says; } t[] = {
		{ { .events = "page-faults" }, "what is to be counted" },
		{ { .cpus = "0", .pids = "1" }, "exclude each other" },
		{ { .cgroup = "x", .tids = "1" }, "exclude each other" },
		{ { .cpus = "0-" }, "no list of CPUs" },
		{ { .cpus = "4095" }, "not online" },
		{ { .pids = "0" }, "no list of processes" },
		{ { .pids = "2147483647" }, "no process" },
		{ { .pids = "1x" }, "no list of processes" },
		{ { .cpus = "0", .repeats = 2 }, "several times" },
		{ { .cpus = "0", .per_thread = true }, "needs a program, -p or -t" },
		{ { .cpus = "0", .delay_ms = -1 }, "needs a control FIFO" },
		{ { .cpus = "0", .delay_ms = -2 }, "a delay is" },
		{ { .cpus = "0", .control = "/dev/null" }, "is no FIFO" },
		{ { .cpus = "0", .control = "/nonexistent" }, "mkfifo" },
		{ { .cpus = "0", .control = "fd:77" }, "no open file" },
		{ { .cpus = "0", .events = "{page-faults" }, "not closed" },
		{ { .cpus = "0", .events = "{page-faults}:u" }, "comma" },
		{ { .cpus = "0", .events = "page-faults{x}" }, "missing" },
		{ { .cpus = "0", .events = "{page-faults}," }, "ends with" },
		{ { .cpus = "0", .events = "" }, "no events" },
		{ { .cpus = "0", .events = "{}" }, "no events" },
		{ { .cpus = "0", .groups = "l9" }, "unknown group" },
		{ { .cpus = "0", .on = "sim:cortex-a72" }, "assay sim" },
		{ { .cpus = "0", .pin = "0" }, "only a program" },
	};

	(void)ctx;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct assay_error err = { 0 };
		struct seen seen;
		int status = -7;

		if (!count(&t[i].stat, &seen, &status, &err))
			fail_msg("case %zu is taken", i);
		assert_int_equal(status, 125);
		if (!strstr(err.text, t[i].says))
			fail_msg("case %zu says: %s", i, err.text);
		assert_int_equal(seen.totals, 0);
	}
	(void)program;
}

static int make_folder(void **ctx)
{
	snprintf(folder, sizeof(folder), "/tmp/assay-stat-XXXXXX");
	return mkdtemp(folder) ? usable_perf(ctx) : -1;
}

static int remove_folder(void **ctx)
{
	static const char *const names[] = {
		"mark", "ready", "control", "ack", "go", "done",
	};
	char path[128];

	(void)ctx;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		path_in(path, names[i]);
		unlink(path);
	}
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_follow_threads_and_children),
		cmocka_unit_test(runs_have_a_mean),
		cmocka_unit_test(means_and_errors),
#ifdef __x86_64__
		cmocka_unit_test(the_fifth_breakpoint_waits_for_its_turn),
		cmocka_unit_test(braces_that_cannot_fit_say_so),
#endif
		cmocka_unit_test(scaled_counts_are_estimates),
		cmocka_unit_test(kinds_of_core_complete_each_other),
		cmocka_unit_test(the_program_s_status_is_passed_on),
		cmocka_unit_test(nothing_to_count_starts_nothing),
		cmocka_unit_test(signals_reach_the_program),
		cmocka_unit_test(only_the_enabled_phase_is_counted),
		cmocka_unit_test(threads_are_told_apart),
		cmocka_unit_test(mistakes_are_refused),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
