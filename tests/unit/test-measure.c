/* SPDX-License-Identifier: MIT */
/*
 * The measuring loop against a provider that writes down the order of calls,
 * and against one that fails on its n-th call.
 */
#include "check.h"

#include <signal.h>

#include "assay.h"
#include "base/record.h"
#include "measure/measure.h"
#include "run/ending.h"

struct log {
	char calls[64];
	unsigned fail_at;	/* 0: never */
	unsigned n;
	struct assay_record *record;
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

/* ---- stopping ----------------------------------------------------------- */

#define BATCHES 4	/* of one traced run */

struct traced {
	struct access_sink sink;
	unsigned asked, enough;	/* times; at this one it is */
	unsigned fed, passes;
};

static bool enough(void *ctx)
{
	struct traced *t = ctx;

	return ++t->asked >= t->enough;
}

static void feed(void *ctx, const uint64_t *record, size_t records)
{
	struct traced *t = ctx;

	(void)record;
	assert_int_equal(records, 1);
	t->fed++;
}

static uint64_t pass(void *ctx, uint64_t left)
{
	struct traced *t = ctx;

	(void)left;
	t->passes++;
	return 0;
}

static const struct access_sink *sink(void *state)
{
	struct traced *t = state;

	t->sink = (struct access_sink){
		.ctx = t, .feed = feed, .pass = pass
	};
	return &t->sink;
}

static int do_nothing(void *state)
{
	(void)state;
	return 0;
}

static int read_fed(void *state, struct assay_count *counts,
		    struct assay_quantities *truth)
{
	(void)truth;
	counts[0] = (struct assay_count){
		.value = ((struct traced *)state)->fed
	};
	return 0;
}

/* Two passes of two batches of one record. */
static void trace_kernel(const struct assay_shape *shape, struct arena *arena,
			 enum isa isa, struct access_trace *port)
{
	(void)shape;
	(void)arena;
	(void)isa;
	for (uint64_t left = 2; left > 0;) {
		for (unsigned i = 0; i < BATCHES / 2; i++) {
			access_put(port, 0);
			access_flush(port);
		}
		left--;
		left -= access_pass(port, left);
	}
}

static int measure_traced(struct traced *t, struct assay_record *r,
			  unsigned warmup, struct assay_error *err)
{
	static const struct provider provider = {
		.name = "traced", .drive = DRIVE_TRACED, .start = do_nothing,
		.stop = do_nothing, .read = read_fed, .sink = sink,
	};
	static const struct kernel kernel = { .name = "two passes",
					      .trace = trace_kernel };
	static const struct assay_shape shape = { .kernel = "two passes" };
	static struct group group = { .events = 1,
				      .event[0].name = "event" };
	struct arena arena = { 0 };
	const struct measure_job job = {
		.provider = &provider, .state = t, .group = &group,
		.kernel = &kernel, .shape = &shape, .arena = &arena,
		.repeats = r->repeats, .warmup = warmup,
		.stopped = t->enough ? enough : NULL, .stopped_ctx = t,
	};

	return measure_run(&job, r, err);
}

/*
 * Wherever it is stopped: nothing is fed from then on, what counts is whole
 * repetitions, and there are as many as were fed in full.
 */
static void stops_anywhere(void **state)
{
	unsigned complete = 0;

	(void)state;
	for (unsigned at = 1; complete < 3; at++) {
		struct assay_record *r = record_new(1, 3);
		struct traced t = { .enough = at };
		struct assay_error err = { 0 };
		int rc = measure_traced(&t, r, 1, &err);

		complete = t.passes / 2;
		complete -= complete > 0;	/* the warm-up */
		assert_true(t.fed < at);
		assert_int_equal(rc, complete ? 0 : -ASSAY_ESTOP);
		assert_int_equal(err.code, rc);
		assert_int_equal(r->repeats, complete);
		for (unsigned i = 0; i < complete; i++)
			assert_int_equal(r->counts[i].value, (i + 2) * BATCHES);
		/* not asked again and again behind it */
		assert_true(t.asked <= at + BATCHES + 2);
		record_free(r);
	}
}

/* A native repetition that nobody ends counts. */
static void native_repetitions_are_kept(void **state)
{
	static const struct assay_shape shape = { .kernel = "noting" };
	static struct group group = { .events = 1,
				      .event[0].name = "event" };
	struct assay_record *r = record_new(1, 5);
	struct traced t = { .enough = 4 };	/* warm-up, 1, 2, then */
	struct log log = { .fail_at = 0 };
	struct arena arena = { 0 };
	const struct measure_job job = {
		.provider = &logging_provider, .state = &log, .group = &group,
		.kernel = &noting_kernel, .shape = &shape, .arena = &arena,
		.repeats = 5, .warmup = 1, .stopped = enough, .stopped_ctx = &t,
	};

	(void)state;
	current = &log;
	assert_int_equal(measure_run(&job, r, NULL), 0);
	assert_string_equal(log.calls, "kskerske" "r");
	assert_int_equal(r->repeats, 2);
	record_free(r);
}

static void end_kernel(int number)
{
	(void)number;
	assay_end_kernel();
}

/* The third repetition after the warm-up gets a signal. */
static void run_signalled(const struct assay_shape *shape, struct arena *arena)
{
	(void)shape;
	(void)arena;
	note(current, 'k');
	if (current->n < 11)
		return;
	raise(SIGUSR1);
	note(current, 'x');
}

static int measure_job(void *job)
{
	return measure_run(job, current->record, NULL);
}

/* The two repetitions before are complete, and signals are as they were. */
static void native_repetitions_are_ended(void **state)
{
	static const struct assay_shape shape = { .kernel = "signalled" };
	static struct group group = { .events = 1,
				      .event[0].name = "event" };
	const struct kernel kernel = ending_kernel(&(struct kernel){
		.run = run_signalled });
	struct log log = { .record = record_new(1, 5) };
	struct arena arena = { 0 };
	struct measure_job job = {
		.provider = &logging_provider, .state = &log, .group = &group,
		.kernel = &kernel, .shape = &shape, .arena = &arena,
		.repeats = 5, .warmup = 1,
	};
	sigset_t blocked;

	(void)state;
	current = &log;
	signal(SIGUSR1, end_kernel);
	assert_int_equal(ending_call(measure_job, &job), -ASSAY_ESTOP);
	assert_string_equal(log.calls, "kskerskersk");
	assert_int_equal(log.record->repeats, 2);
	sigprocmask(SIG_SETMASK, NULL, &blocked);
	assert_false(sigismember(&blocked, SIGUSR1));
	raise(SIGUSR1);		/* nothing runs: no jump */
	record_free(log.record);
}

static void step(void *ctx)
{
	note(ctx, 's');
	raise(SIGUSR1);
	note(ctx, 'x');
}

static void prepare_signalled(const struct assay_shape *shape,
			      struct arena *arena)
{
	(void)shape;
	(void)arena;
	step(current);
}

static void preparations_are_ended(void **state)
{
	const struct kernel kernel = { .prepare = prepare_signalled };
	struct assay_error err = { 0 };
	struct log log = { 0 };

	(void)state;
	current = &log;
	signal(SIGUSR1, end_kernel);
	assert_int_equal(ending_step(step, &log, &err), -ASSAY_ESTOP);
	assert_int_equal(ending_prepare(&kernel, NULL, NULL, &err),
			 -ASSAY_ESTOP);
	assert_string_equal(log.calls, "ss");
	assert_string_equal(err.text, "stopped");
	raise(SIGUSR1);		/* nothing runs: no jump */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(native_repetitions_are_ended),
		cmocka_unit_test(preparations_are_ended),
		cmocka_unit_test(stops_anywhere),
		cmocka_unit_test(native_repetitions_are_kept),
		cmocka_unit_test(calls_in_order),
		cmocka_unit_test(failures_end_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
