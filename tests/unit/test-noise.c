/* SPDX-License-Identifier: MIT */
/*
 * Which repetitions are done again, and which records are marked, on a made-up
 * machine: what each repetition is like is a row of a script.
 */
#include "check.h"
#include "remove-tree.h"

#include <math.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/doctor-now.h"
#include "run/noise.h"
#include "measure/time.h"
#include "base/record.h"

#define MS UINT64_C(1000000)

/* What happens in one repetition. */
struct row {
	uint64_t wall, cpu;	/* ns */
	unsigned preempted, waited;
	int cpu_after;
	double ghz_after;
	uint64_t stolen;	/* ns more */
};

struct machine {
	const struct row *row;
	unsigned rows, at;
	struct env_thread_usage now;
	double ghz, adds;
	uint64_t stolen;
	bool tells;		/* of stolen time */
	bool busy;		/* at the next look at the clock: a sibling */
	unsigned kernels;	/* runs */
};

static struct machine *current;

static void usage(void *ctx, struct env_thread_usage *out, bool begin)
{
	(void)begin;
	*out = ((struct machine *)ctx)->now;
}

static double clock_now(void *ctx, double *adds)
{
	const struct machine *m = ctx;

	*adds = m->busy ? m->adds / 2 : m->adds;
	return m->ghz;
}

static bool stolen(void *ctx, uint64_t *ns, int cpu)
{
	const struct machine *m = ctx;

	(void)cpu;
	*ns = m->stolen;
	return m->tells;
}

static int nothing(void *state)
{
	(void)state;
	return 0;
}

static int read_counts(void *state, struct assay_count *counts,
		       struct assay_quantities *truth)
{
	(void)state, (void)truth;
	counts[0] = (struct assay_count){ .value = current->kernels };
	return 0;
}

/* A kernel's run is the next row of the script. */
static void run_kernel(const struct assay_shape *shape, struct arena *arena)
{
	struct machine *m = current;
	const struct row *r = &m->row[m->at < m->rows ? m->at : m->rows - 1];

	(void)shape, (void)arena;
	m->kernels++;
	m->at++;
	m->now.wall_ns += r->wall;
	m->now.cpu_ns += r->cpu;
	m->now.preempted += r->preempted;
	m->now.waited += r->waited;
	m->now.cpu = r->cpu_after;
	m->ghz = r->ghz_after;
	m->stolen += r->stolen;
}

static struct assay_record *measure(struct machine *m, unsigned repeats,
				    bool warm)
{
	static const struct provider provider = {
		.name = "fake", .drive = DRIVE_NATIVE, .start = nothing,
		.stop = nothing, .read = read_counts,
	};
	static const struct kernel kernel = { .name = "row",
					      .run = run_kernel };
	static const struct assay_shape shape = { .kernel = "row" };
	static const struct group group = { .events = 1,
					    .event[0].name = "e" };
	struct arena arena = { 0 };
	struct assay_record *r = record_new(1, repeats);
	const struct noise_port port = { usage, clock_now, stolen, m };
	struct noise_watch noise;
	const struct measure_watch watch = {
		noise_before, noise_after, &noise
	};

	current = m;
	m->now.wall_ns = 1000 * MS;
	m->ghz = 3;
	m->adds = 4;
	noise_begin(&noise, &port, &r->noise, 0, warm, 0);
	assert_int_equal(measure_run(&(struct measure_job){
		.provider = &provider, .group = &group, .kernel = &kernel,
		.shape = &shape, .arena = &arena, .repeats = repeats,
		.watch = &watch }, r, NULL), 0);
	return r;
}

#define SCRIPT(...) { .row = (const struct row[]){ __VA_ARGS__ }, \
	.rows = sizeof((const struct row[]){ __VA_ARGS__ }) / \
		sizeof(struct row) }

#define QUIET { 10 * MS, 10 * MS, 0, 0, 0, 3, 0 }
#define PREEMPTED { 10 * MS, 6 * MS, 3, 0, 0, 3, 0 }

static void a_quiet_run_stands(void **state)
{
	struct machine m = SCRIPT({ 10 * MS, 10 * MS, 0, 0, 0, 3, 0 },
				  { 10 * MS, 9800000, 1, 0, 0, 3.06, 0 });
	struct assay_record *r = measure(&m, 2, true);
	const struct assay_noise *n = &r->noise;
	char text[400];

	(void)state;
	assert_int_equal(m.kernels, 2);
	assert_true(n->seen && !n->disturbed);
	assert_int_equal(n->repeated, 0);
	assert_int_equal(n->preempted, 1);
	assert_true(fabs(n->part[ASSAY_NOISE_OFF].share - 0.02) < 1e-9);
	assert_true(n->part[ASSAY_NOISE_OFF].limit == 0.05);
	assert_true(fabs(n->part[ASSAY_NOISE_DRIFT].share - 0.0198) < 1e-4);
	assert_true(n->part[ASSAY_NOISE_STEAL].share < 0);
	assert_true(n->part[ASSAY_NOISE_TORN].share < 0);
	assert_true(n->part[ASSAY_NOISE_SIBLING].share == 0);
	assert_string_equal(assay_noise_text(n, text, sizeof(text)),
			    "off the CPU 2.0 %, the core's clock moved by "
			    "2.0 %, the core was shared 0.0 %, 1 preemption");
	record_free(r);
}

static void a_disturbed_repetition_is_done_again(void **state)
{
	struct machine m = SCRIPT(QUIET, PREEMPTED, PREEMPTED, QUIET, QUIET);
	struct assay_record *r = measure(&m, 3, true);

	(void)state;
	assert_int_equal(m.kernels, 5);
	assert_int_equal(r->noise.repeated, 2);
	assert_false(r->noise.disturbed);
	/* nothing of the disturbed ones is left */
	assert_int_equal(r->noise.preempted, 0);
	assert_true(r->noise.part[ASSAY_NOISE_OFF].share == 0);
	assert_int_equal(r->counts[0].value, 1);
	assert_int_equal(r->counts[1].value, 4);
	assert_int_equal(r->counts[2].value, 5);
	record_free(r);
}

static void in_vain_it_is_marked(void **state)
{
	struct machine m = SCRIPT(PREEMPTED);
	struct assay_record *r = measure(&m, 2, true);
	char text[400];

	(void)state;
	assert_int_equal(m.kernels, 2 + NOISE_REPEATS);
	assert_int_equal(r->noise.repeated, NOISE_REPEATS);
	assert_true(r->noise.disturbed);
	assert_int_equal(r->noise.preempted, 6);
	assert_string_equal(assay_noise_text(&r->noise, text, sizeof(text)),
			    "off the CPU 40.0 % (limit 5 %); 3 repetitions "
			    "were done again");
	record_free(r);
}

static void a_cold_first_run_is_only_marked(void **state)
{
	struct machine m = SCRIPT(PREEMPTED, QUIET);
	struct assay_record *r = measure(&m, 2, false);

	(void)state;
	assert_int_equal(m.kernels, 2);
	assert_int_equal(r->noise.repeated, 0);
	assert_true(r->noise.disturbed);
	record_free(r);
}

static void a_long_run_is_only_marked(void **state)
{
	struct machine m = SCRIPT({ 20000 * MS, 10000 * MS, 9, 0, 0, 3, 0 });
	struct assay_record *r = measure(&m, 1, true);

	(void)state;
	assert_int_equal(m.kernels, 1);
	assert_true(r->noise.disturbed);
	record_free(r);
}

static void a_clock_that_moves_disturbs(void **state)
{
	struct machine m = SCRIPT({ 10 * MS, 10 * MS, 0, 0, 0, 2, 0 },
				  { 10 * MS, 10 * MS, 0, 0, 0, 2, 0 });
	struct assay_record *r = measure(&m, 1, true);

	(void)state;
	assert_int_equal(m.kernels, 2);
	assert_int_equal(r->noise.repeated, 1);
	assert_false(r->noise.disturbed);
	record_free(r);
}

static void a_change_of_cpu_disturbs(void **state)
{
	struct machine m = SCRIPT({ 10 * MS, 10 * MS, 0, 0, 1, 3, 0 },
				  { 10 * MS, 10 * MS, 0, 0, 0, 3, 0 },
				  { 10 * MS, 10 * MS, 0, 0, 1, 3, 0 },
				  { 10 * MS, 10 * MS, 0, 0, 0, 3, 0 });
	struct assay_record *r = measure(&m, 1, true);
	char text[400];

	(void)state;
	assert_true(r->noise.disturbed);
	assert_int_equal(r->noise.moved, 1);
	assert_string_equal(assay_noise_text(&r->noise, text, sizeof(text)),
			    "1 repetition changed the CPU; 3 repetitions "
			    "were done again");
	record_free(r);
}

static void waiting_is_its_own_doing(void **state)
{
	struct machine m = SCRIPT({ 10 * MS, 1 * MS, 0, 1, 0, 3, 0 });
	struct assay_record *r = measure(&m, 1, true);

	(void)state;
	assert_int_equal(m.kernels, 1);
	assert_false(r->noise.disturbed);
	assert_true(r->noise.part[ASSAY_NOISE_OFF].share < 0);
	record_free(r);
}

/* Ticks of 10 ms say nothing of 10 ms: the share is of 100 ms and more. */
static void stolen_time_disturbs(void **state)
{
	struct machine m = SCRIPT({ 40 * MS, 40 * MS, 0, 0, 0, 3, 20 * MS });
	struct machine trace_gap = m, little = m;
	struct machine long_one = SCRIPT({ 200 * MS, 200 * MS, 0, 0, 0, 3,
					   40 * MS });
	struct assay_record *r;

	(void)state;
	m.tells = little.tells = true;
	r = measure(&m, 3, true);
	/* only the third looks, and does not know which it was */
	assert_true(fabs(r->noise.part[ASSAY_NOISE_STEAL].share - 50.0 / 120) <
		    1e-9);	/* 60 ms less the tick that may be old */
	assert_true(r->noise.disturbed);
	assert_int_equal(r->noise.repeated, 0);
	record_free(r);
	long_one.tells = true;
	r = measure(&long_one, 1, true);
	assert_int_equal(r->noise.repeated, NOISE_REPEATS);
	assert_true(r->noise.disturbed);
	record_free(r);
	r = measure(&little, 2, true);
	assert_true(r->noise.part[ASSAY_NOISE_STEAL].share < 0);
	record_free(r);
	r = measure(&trace_gap, 6, true);
	assert_true(r->noise.part[ASSAY_NOISE_STEAL].share < 0);
	assert_false(r->noise.disturbed);
	record_free(r);
}

static void a_shared_core_is_seen(void **state)
{
	struct machine m = SCRIPT(QUIET);
	const struct noise_port port = { usage, clock_now, stolen, &m };
	struct assay_noise noise;
	struct noise_watch watch;

	(void)state;
	m.ghz = 3;
	m.adds = 4;
	noise_begin(&watch, &port, &noise, 0, true, 0);
	for (unsigned i = 0; i < 3; i++) {
		noise_before(&watch);
		m.busy = i < 2;
		assert_false(noise_after(&watch, i));
	}
	assert_true(noise.part[ASSAY_NOISE_SIBLING].share == 0.5);
	/* how fast a core alone is, is known from an earlier record */
	m.busy = true;
	noise_begin(&watch, &port, &noise, 0, true, watch.most_adds);
	noise_before(&watch);
	noise_after(&watch, 0);
	assert_true(noise.part[ASSAY_NOISE_SIBLING].share == 1);
	assert_false(noise.disturbed);
}

static void two_parts_have_the_worse_of_each(void **state)
{
	struct assay_noise a, b;

	(void)state;
	noise_init(&a);
	noise_init(&b);
	a.part[ASSAY_NOISE_OFF].share = 0.5;
	a.disturbed = true;
	b.part[ASSAY_NOISE_OFF].share = 0.1;
	b.part[ASSAY_NOISE_DRIFT].share = 0.02;
	b.repeated = 2;
	noise_join(&b, &a);
	assert_true(b.part[ASSAY_NOISE_OFF].share == 0.5);
	assert_true(b.part[ASSAY_NOISE_DRIFT].share == 0.02);
	assert_true(b.part[ASSAY_NOISE_STEAL].share < 0);
	assert_true(b.disturbed && b.repeated == 2);
}

static void what_chunks_say_is_kept(void **state)
{
	const struct assay_timing t = { .ghz = 3, .drift = 0.01, .torn = 0.6,
		.sibling = 0.2, .repeated = 3, .disturbed = true };
	struct assay_noise noise;

	(void)state;
	noise_of_timing(&noise, &t);
	assert_true(noise_beyond(&noise.part[ASSAY_NOISE_TORN]));
	assert_false(noise_beyond(&noise.part[ASSAY_NOISE_DRIFT]));
	assert_true(noise.disturbed && noise.repeated == 3);
}

/* ---- the doctor's look ---------------------------------------------------- */

struct told {
	char state[8][8], what[8][32], effect[8][160];
	unsigned rows;
};

static int tell(void *ctx, const struct assay_row *row)
{
	struct told *t = ctx;

	assert_string_equal(row->type, "finding");
	assert_true(t->rows < 8);
	snprintf(t->what[t->rows], sizeof(t->what[0]), "%s",
		 row->field[1].text);
	snprintf(t->effect[t->rows], sizeof(t->effect[0]), "%s",
		 row->field[4].text);
	snprintf(t->state[t->rows++], sizeof(t->state[0]), "%s",
		 row->field[2].text);
	return 0;
}

/* Each look at the clock takes 1 ms; n of ten are disturbed. */
struct looked { struct machine m; unsigned looks, moving, busy, lost; };

static double clock_takes(void *ctx, double *adds)
{
	struct looked *l = ctx;
	const unsigned i = l->looks++ % 10;

	l->m.now.wall_ns += MS;
	l->m.now.cpu_ns += i < l->lost ? 0 : MS;
	l->m.now.preempted += i < l->lost;
	*adds = i < l->busy ? 2 : 4;
	return l->m.ghz > 0 && i < l->moving ? 0.8 * l->m.ghz : l->m.ghz;
}

static void told_of(struct told *out, double ghz, unsigned moving,
		    unsigned busy, unsigned lost)
{
	struct looked l = { .moving = moving, .busy = busy, .lost = lost };
	const struct noise_port port = { usage, clock_takes, stolen, &l };

	memset(out, 0, sizeof(*out));
	l.m.now.wall_ns = 1000 * MS;
	l.m.ghz = ghz;
	assert_int_equal(doctor_noise_now(&port, tell, out, NULL), 0);
}

static void the_doctor_looks_at_noise(void **state)
{
	struct told t;

	(void)state;
	told_of(&t, 3, 0, 0, 0);
	assert_int_equal(t.rows, 3);
	assert_string_equal(t.what[0], "core clock now");
	assert_string_equal(t.state[0], "ok");
	assert_string_equal(t.state[1], "ok");
	assert_string_equal(t.state[2], "ok");
	told_of(&t, 3, 3, 0, 0);
	assert_string_equal(t.state[0], "warn");
	assert_string_equal(t.state[1], "ok");
	told_of(&t, 3, 0, 3, 0);
	assert_string_equal(t.state[0], "ok");
	assert_string_equal(t.state[1], "warn");
	assert_string_equal(t.state[2], "ok");
	told_of(&t, 3, 0, 0, 3);
	assert_string_equal(t.what[2], "CPU for itself now");
	assert_string_equal(t.state[2], "warn");
	/* no clock: said, and no endless looking */
	told_of(&t, 0, 0, 0, 0);
	assert_string_equal(t.state[0], "warn");
	assert_int_equal(t.rows, 2);
}

static void stolen_ticks_are_read(void **state)
{
	char root[] = "/tmp/noise-XXXXXX", path[64];
	uint64_t ns = 7;
	FILE *out;

	(void)state;
	assert_non_null(mkdtemp(root));
	assert_false(env_stolen(&ns, root, -1));
	snprintf(path, sizeof(path), "%s/proc", root);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/proc/stat", root);
	out = fopen(path, "w");
	assert_non_null(out);
	fputs("cpu  9 9 9 9 9 9 9 30 0 0\ncpu0 1 1 1 1 1 1 1 12 0 0\n"
	      "cpu10 1 1 1 1 1 1 1 18 0 0\ncpu2 1 1\nintr 5\ncpu3 1 1 1 1 1 "
	      "1 1 1\n", out);
	fclose(out);
	assert_true(env_stolen(&ns, root, -1) && ns == 300 * MS);
	assert_true(env_stolen(&ns, root, 0) && ns == 120 * MS);
	assert_true(env_stolen(&ns, root, 10) && ns == 180 * MS);
	assert_false(env_stolen(&ns, root, 1));
	assert_false(env_stolen(&ns, root, 2));
	assert_false(env_stolen(&ns, root, 3));	/* behind the CPUs' lines */
	assert_true(ns == 180 * MS);
	unlink(path);
	snprintf(path, sizeof(path), "%s/proc", root);
	rmdir(path);
	rmdir(root);
}

static void put(const char *root, const char *path, const char *text)
{
	char all[256];
	FILE *out;

	snprintf(all, sizeof(all), "%s/%s", root, path);
	for (char *c = all + strlen(root) + 1; (c = strchr(c, '/')); c++) {
		*c = '\0';
		mkdir(all, 0700);
		*c = '/';
	}
	out = fopen(all, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static void what_a_run_finds_is_kept(void **state)
{
	static const char folder[] = "sys/devices/system/cpu";
	char root[] = "/tmp/noise-XXXXXX", path[96], text[96], small[24];

	(void)state;
	assert_non_null(mkdtemp(root));
	env_conditions(text, sizeof(text), root, 0, "");
	assert_string_equal(text, " sysroot=yes");
	snprintf(path, sizeof(path), "%s/cpu3/cpufreq/scaling_governor",
		 folder);
	put(root, path, "powersave\n");
	snprintf(path, sizeof(path), "%s/cpufreq/boost", folder);
	put(root, path, "0\n");
	snprintf(path, sizeof(path), "%s/smt/active", folder);
	put(root, path, "1\n");
	env_conditions(text, sizeof(text), root, 3, "nice=-5");
	assert_string_equal(text, " governor=powersave turbo=off smt=on "
			    "sysroot=yes");
	env_conditions(text, sizeof(text), root, 3, "governor=performance");
	assert_string_equal(text, " turbo=off smt=on sysroot=yes");
	/* whole ones, or none */
	env_conditions(small, sizeof(small), root, 3, "");
	assert_string_equal(small, " governor=powersave");
	snprintf(path, sizeof(path), "%s/cpu3/cpufreq/scaling_governor",
		 folder);
	put(root, path, "power save=\"x\n");
	env_conditions(text, sizeof(text), root, 3, "");
	assert_string_equal(text, " turbo=off smt=on sysroot=yes");
	remove_tree(root);
}

/* The same on equal kernels and CPUs, another one where a text differs. */
static void mitigations_are_kept(void **state)
{
	static const char v[] = "sys/devices/system/cpu/vulnerabilities";
	char root[] = "/tmp/noise-XXXXXX", path[96], first[96], text[96];

	(void)state;
	assert_non_null(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/l1tf", v);
	put(root, path, "Not affected\n");
	snprintf(path, sizeof(path), "%s/mds", v);
	put(root, path, "Vulnerable: no microcode\n");
	snprintf(path, sizeof(path), "%s/meltdown", v);
	put(root, path, "Mitigation: PTI\n");
	env_conditions(first, sizeof(first), root, 0, "");
	assert_memory_equal(first, " mitigations=1+1-", 17);
	assert_string_equal(first + 25, " sysroot=yes");
	env_conditions(text, sizeof(text), root, 0, "");
	assert_string_equal(text, first);
	put(root, path, "Mitigation: PTI 2\n");
	env_conditions(text, sizeof(text), root, 0, "");
	assert_memory_equal(text, " mitigations=1+1-", 17);
	assert_string_not_equal(text, first);
	put(root, path, "Vulnerable\n");
	env_conditions(text, sizeof(text), root, 0, "");
	assert_memory_equal(text, " mitigations=0+2-", 17);
	remove_tree(root);
}

static void times_ascend(void **state)
{
	struct env_thread_usage from = { 0 }, to = { 0 };

	(void)state;
	env_thread_usage(&from, true);
	env_thread_usage(&to, false);
	assert_true(from.wall_ns > 0 && to.wall_ns >= from.wall_ns);
	assert_true(from.cpu_ns > 0 && to.cpu_ns >= from.cpu_ns);
	assert_true(to.preempted >= from.preempted);
}

/* Ticks of 1 ns, and what the doctor says of so many at once. */
static const char *said_of_clock(const char *name, unsigned granule)
{
	const struct time_port port = { .stamp_name = name };
	const struct time_clock clock = {
		.port = &port, .loads = { 1, granule },
	};
	static struct told t;

	memset(&t, 0, sizeof(t));
	assert_int_equal(doctor_clock(&clock, tell, &t), 0);
	assert_int_equal(t.rows, 1);
	assert_string_equal(t.what[0], "clock of single loads");
	assert_int_equal(!*t.effect[0], !strcmp(t.state[0], "ok"));
	return t.effect[0];
}

static void the_doctor_says_what_the_clock_resolves(void **state)
{
	(void)state;
	assert_string_equal(said_of_clock(NULL, 1), "");
	assert_non_null(strstr(said_of_clock(NULL, 5), "L1 looks like"));
	assert_non_null(strstr(said_of_clock("x", 20), "L1, L2 and L3"));
	assert_non_null(strstr(said_of_clock("x", 52), "only memory"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quiet_run_stands),
		cmocka_unit_test(a_disturbed_repetition_is_done_again),
		cmocka_unit_test(in_vain_it_is_marked),
		cmocka_unit_test(a_cold_first_run_is_only_marked),
		cmocka_unit_test(a_long_run_is_only_marked),
		cmocka_unit_test(a_clock_that_moves_disturbs),
		cmocka_unit_test(a_change_of_cpu_disturbs),
		cmocka_unit_test(waiting_is_its_own_doing),
		cmocka_unit_test(stolen_time_disturbs),
		cmocka_unit_test(a_shared_core_is_seen),
		cmocka_unit_test(two_parts_have_the_worse_of_each),
		cmocka_unit_test(what_chunks_say_is_kept),
		cmocka_unit_test(the_doctor_looks_at_noise),
		cmocka_unit_test(the_doctor_says_what_the_clock_resolves),
		cmocka_unit_test(stolen_ticks_are_read),
		cmocka_unit_test(what_a_run_finds_is_kept),
		cmocka_unit_test(mitigations_are_kept),
		cmocka_unit_test(times_ascend),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
