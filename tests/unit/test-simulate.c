/* SPDX-License-Identifier: MIT */
/* Traces on the software PMU, as a program of the library asks for them. */
#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "assay.h"
#include "program/program.h"

static struct assay *assay;
static struct assay_error err;
static char trace[] = "/tmp/assay-test-XXXXXX";

struct seen {
	unsigned results, rows;
	double reads, writes, misses, count;
};

static int see(void *ctx, const struct assay_result *result)
{
	const struct assay_record *r = result->record;
	struct seen *seen = ctx;

	seen->results++;
	assert_string_equal(r->provider, "sim");
	assert_string_equal(r->shape.kernel, "trace");
	assert_null(r->truth.of[ASSAY_Q_l1d_reads].why);
	seen->reads = r->truth.of[ASSAY_Q_l1d_reads].number;
	seen->writes = r->truth.of[ASSAY_Q_l1d_writes].number;
	seen->misses = r->truth.of[ASSAY_Q_l1d_read_misses].number;
	if (r->events)
		seen->count = assay_record_value(r, 0).number;
	return 0;
}

static int see_row(void *ctx, const struct assay_row *row)
{
	(void)row;
	((struct seen *)ctx)->rows++;
	return 0;
}

static int stop(void *ctx, const struct assay_result *result)
{
	(void)ctx, (void)result;
	return 1;
}

/* Refused: nothing is handed out, and *status stays; with or without err. */
static int refused(const struct assay_simulation *what)
{
	struct seen seen = { 0 };
	int status = 77;
	int rc = assay_simulate(assay, what, see, see_row, &seen, &status,
				&err);

	assert_int_equal(err.code, rc);
	assert_int_equal(assay_simulate(assay, what, see, see_row, &seen,
					&status, NULL), rc);
	assert_int_equal(status, 77);
	assert_int_equal(seen.results + seen.rows, 0);
	return rc;
}

static int refused_for(const struct assay_simulation *what, const char *why)
{
	const int rc = refused(what);

	if (!strstr(err.text, why))
		fail_msg("\"%s\" is not in: %s", why, err.text);
	return rc;
}

static void a_trace_is_counted(void **state)
{
	const struct assay_simulation what = {
		.cpu = "cortex-a72", .trace = trace, .events = "L1D_CACHE_ST"
	};
	struct seen seen = { 0 };
	int status = 77;

	(void)state;
	assert_int_equal(assay_simulate(assay, &what, see, see_row, &seen,
					&status, &err), 0);
	assert_int_equal(status, 0);
	assert_int_equal(seen.results, 1);
	assert_int_equal(seen.rows, 0);
	assert_true(seen.reads == 3 && seen.writes == 1 && seen.misses == 2);
	assert_true(seen.count == 1);
	assert_int_equal(assay_simulate(assay, &what, stop, see_row, NULL,
					&status, &err), -ASSAY_ESTOP);
}

static void names_are_looked_up(void **state)
{
	(void)state;
	assert_int_equal(refused_for(&(struct assay_simulation){
		.trace = trace }, "name a CPU"), -ASSAY_EINVAL);
	assert_int_equal(refused_for(&(struct assay_simulation){
		.trace = trace, .cpu = "cortexa72" },
		"did you mean 'cortex-a72'?"), -ASSAY_ENOENT);
	assert_int_equal(refused_for(&(struct assay_simulation){
		.trace = trace, .cpu = "cortex-a72", .events = "L1D_CACH" },
		"did you mean 'L1D_CACHE'?"), -ASSAY_ENOENT);
	assert_int_equal(refused_for(&(struct assay_simulation){
		.trace = trace, .cpu = "cortex-a72", .format = "dinn" },
		"did you mean 'din'?"), -ASSAY_EINVAL);
	assert_int_equal(refused_for(&(struct assay_simulation){
		.trace = trace, .cpu = "cortex-a72", .page_map = "randm" },
		"random[:SEED]"), -ASSAY_EINVAL);
	assert_int_equal(refused_for(&(struct assay_simulation){
		.trace = "/nowhere", .cpu = "cortex-a72" },
		"No such file"), -ASSAY_ENOENT);
}

/* Of what is set, all does something. */
static void nothing_is_ignored(void **state)
{
	char *program[] = { (char *)"/nowhere", NULL }, *none[] = { NULL };
	const struct assay_simulation of_trace[] = {
		{ .plain = true }, { .no_inherit = true },
		{ .per_process = true }, { .by = ASSAY_BY_LINE },
		{ .program = program },
	}, of_program[] = {
		{ .format = "din" }, { .no_fast_forward = true },
		{ .by = (enum assay_by)(ASSAY_BY_DATA + 1) },
		{ .plain = true, .events = "L1D_CACHE" },
		{ .plain = true, .page_map = "identity" },
		{ .plain = true, .by = ASSAY_BY_LINE },
		{ .why = true }, { .why = true, .by = ASSAY_BY_DATA },
		{ .program = none },
	};
	struct assay_simulation what;

	(void)state;
	for (size_t i = 0; i < sizeof(of_trace) / sizeof(*of_trace); i++) {
		what = of_trace[i];
		what.cpu = "cortex-a72";
		what.trace = trace;
		assert_int_equal(refused(&what), -ASSAY_EINVAL);
	}
	for (size_t i = 0; i < sizeof(of_program) / sizeof(*of_program); i++) {
		what = of_program[i];
		what.cpu = "cortex-a72";
		what.program = what.program ? what.program : program;
		assert_int_equal(refused(&what), -ASSAY_EINVAL);
	}
	what = (struct assay_simulation){ .cpu = "cortex-a72",
					  .program = program };
	assert_int_equal(refused(&what), -ASSAY_ENOENT);
	what = (struct assay_simulation){ .cpu = "cortex-a72" };
	assert_int_equal(refused(&what), -ASSAY_EINVAL);
}

/* Asked where a signal can no longer come unseen. */
static bool is_stopped(void *ctx)
{
	sigset_t blocked;

	sigprocmask(SIG_SETMASK, NULL, &blocked);
	assert_true(sigismember(&blocked, SIGTERM));
	return *(bool *)ctx;
}

/* After a signal that came before, no program is started; else this one is. */
static void no_program_after_a_signal(void **state)
{
	for (int stopped = 0; stopped < 2; stopped++) {
		bool yes = stopped;
		struct program program = { .qemu = "/bin/false", .cpu = "max",
			.path = "program", .stopped = is_stopped,
			.stopped_ctx = &yes };
		struct merged_tally merged;
		struct child_tally_file file;
		int status = 77;

		assert_int_equal(merged_tally_init(&merged, &err), 0);
		assert_int_equal(child_tally_create(&file, CHILD_TALLY_SLOTS,
						    &err), 0);
		assert_int_equal(program_run(&program,
			(char *[]){ "program", NULL }, &file, &merged, &status,
			&err), yes ? -ASSAY_ESTOP : -ASSAY_EUNAVAIL);
		assert_int_equal(status, yes ? 77 : 1);
		merged_tally_fini(&merged);
		child_tally_free(&file);
	}
	(void)state;
}

/* Two reads of one line, one of another, a write of a third. */
static int open_all(void **state)
{
	static const char text[] = "0 1000\n0 1008\n0 2000\n1 3000\n";
	const int fd = mkstemp(trace);
	const bool written = fd >= 0 &&
		write(fd, text, sizeof(text) - 1) == sizeof(text) - 1;

	(void)state;
	if (fd >= 0)
		close(fd);
	return !written || assay_open(&assay, NULL, &err);
}

static int close_all(void **state)
{
	(void)state;
	assay_close(assay);
	return unlink(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_trace_is_counted),
		cmocka_unit_test(no_program_after_a_signal),
		cmocka_unit_test(names_are_looked_up),
		cmocka_unit_test(nothing_is_ignored),
	};

	return cmocka_run_group_tests(tests, open_all, close_all);
}
