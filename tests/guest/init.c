/* SPDX-License-Identifier: MIT */
/*
 * The first and only program of the guest: assay's own perf provider, kernels
 * and measuring loop on an arm64 kernel, statically linked. What the kernel's
 * command line names (assay.suite=exact ...) is done; each line that begins
 * with '@' is a JSON object for the host, which judges; records go out as the
 * bare-metal image writes them.
 */
#define _GNU_SOURCE	/* sched_setaffinity */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "assay/count.h"
#include "base/text.h"
#include "board.h"
#include "counters/provider.h"
#include "cycles.h"
#include "events/resolvers.h"
#include "follow.h"
#include "kernel-shape.h"
#include "measure/measure.h"
#include "line.h"

enum { REPEATS = 21, SHAPES = 32 };

static const char *const shapes[] = {
	"chase elements=1 passes=1", "chase elements=64 passes=1",
	"chase elements=64 passes=100", "chase elements=1 passes=100000",
	"flush lines=3 iterations=20", "flush lines=1 iterations=1",
	"iflush lines=3 iterations=20", "random bytes=4096 accesses=1000",
	"random bytes=4096 accesses=1", "stream ints=1024",
	"matmul n=8", "branch chars=1000", "branch chars=20",
	"icode lines=300 passes=2", "icode lines=1 passes=1",
	"callret depth=8", "store bytes=16384", "empty", NULL
};

/* bare/line.c writes its lines with this. */
void uart_put(char c)
{
	if (c != '\r')
		putchar(c);
}

/* ---- the guest ------------------------------------------------------------ */

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		printf("@{\"t\":\"note\",\"cannot\":\"%s\"}\n", path);
	if (fd >= 0)
		close(fd);
}

static bool asked_for(const char *suite)
{
	static char line[2048];
	char word[64];
	FILE *in = fopen("/proc/cmdline", "re");

	if (!in || !fgets(line, sizeof(line), in))
		line[0] = '\0';
	if (in)
		fclose(in);
	snprintf(word, sizeof(word), "assay.suite=%s", suite);
	return strstr(line, word);
}

/* ---- one run -------------------------------------------------------------- */

static struct {
	struct group group;
	struct assay_record record;
	struct assay_count counts[REPEATS * ASSAY_EVENTS];
	uint64_t ns[REPEATS];
	struct assay_expectation expected;
	unsigned char state[1 << 16];
} work;

static void add(const char *name, enum encoding_family family,
		uint32_t type, uint64_t config)
{
	struct encoding *e = &work.group.event[work.group.events++];

	*e = (struct encoding){ .family = family, .pmu_type = type,
				.config = config, .scope = ENCODING_USER };
	text_copy(e->name, sizeof(e->name), name);
	snprintf(e->code, sizeof(e->code), "0x%02llx",
		 (unsigned long long)config);
}

static void add_named(const char *name)
{
	const struct events_target target = {
		.target = EVENTS_PERF, .sysroot = "/",
	};
	struct encoding *e = &work.group.event[work.group.events];

	*e = (struct encoding){ .scope = 0 };
	if (pmu_resolve(e, name, &target, NULL) != FOUND)
		text_copy(e->absent, sizeof(e->absent), "no such name");
	text_copy(e->name, sizeof(e->name), name);
	e->scope = ENCODING_USER;
	work.group.events++;
}

static double wanted(const struct kernel *kernel,
		     const struct assay_shape *shape)
{
	const struct assay_expected *row;

	work.expected.rows = 0;
	kernel->expect(shape, ISA_AARCH64, NULL, true, &work.expected);
	row = assay_expectation_find(&work.expected, ASSAY_Q_instructions);
	return row && row->exact ? row->value : -1;
}

static void tell_count(const struct assay_count *c)
{
	if (c->state == ASSAY_COUNT_ABSENT)
		printf("\"%s\"", c->why ? c->why : "no reason");
	else
		printf("%llu", (unsigned long long)c->value);
}

/* {"t":"run","group":..,"shape":..,"want":..,"event":..,"counts":[..]} */
static void tell(const char *group, const char *shape, double want)
{
	const struct assay_record *r = &work.record;

	for (unsigned e = 0; e < r->events; e++) {
		printf("@{\"t\":\"run\",\"group\":\"%s\",\"shape\":\"%s\","
		       "\"want\":%.0f,\"event\":\"%s\",\"counts\":[", group,
		       shape, want, r->event[e].name);
		for (unsigned n = 0; n < r->repeats; n++) {
			printf("%s", n ? "," : "");
			tell_count(&r->counts[n * r->events + e]);
		}
		printf("]}\n");
	}
}

static void run_shape(const char *group, const char *text, unsigned repeats)
{
	const struct provider *p = &perf_provider;
	const struct provider_config config = { .geometry = NULL };
	struct assay_error err = { 0 };
	struct assay_shape shape;
	const struct kernel *kernel = shape_text(&shape, text, &err);
	struct arena arena = { 0 };
	struct measure_job job = {
		.provider = p, .state = work.state, .group = &work.group,
		.kernel = kernel, .shape = &shape, .arena = &arena,
		.isa = ISA_AARCH64, .repeats = repeats, .warmup = 1,
	};

	if (!kernel || p->state_size > sizeof(work.state)) {
		printf("@{\"t\":\"broken\",\"what\":\"%s\"}\n", text);
		return;
	}
	shape_arena(&arena, kernel, &shape);
	memset(work.state, 0, p->state_size);
	work.record = (struct assay_record){ .counts = work.counts,
					     .ns = work.ns };
	if (p->open(work.state, &config, &work.group, &err) == 0 &&
	    measure_run(&job, &work.record, &err) == 0)
		tell(group, text, wanted(kernel, &shape));
	else
		printf("@{\"t\":\"broken\",\"what\":\"%s\"}\n", err.text);
	p->close(work.state);
	shape_arena_free(&arena);
}

static void run_shapes(const char *group, unsigned repeats)
{
	for (int i = 0; shapes[i]; i++)
		run_shape(group, shapes[i], repeats);
}

static void start_group(void)
{
	work.group.events = 0;
}

/* ---- suites --------------------------------------------------------------- */

static void every_way_to_ask(const char *access)
{
	char group[64];

	start_group();
	add("instructions", ENCODING_HARDWARE, 0,
	    PERF_COUNT_HW_INSTRUCTIONS);
	snprintf(group, sizeof(group), "%s generic", access);
	run_shapes(group, REPEATS);

	start_group();
	add("r08", ENCODING_RAW, 0, 0x08);
	snprintf(group, sizeof(group), "%s raw", access);
	run_shapes(group, REPEATS);

	start_group();
	add("cycles", ENCODING_HARDWARE, 0, PERF_COUNT_HW_CPU_CYCLES);
	add("r08", ENCODING_RAW, 0, 0x08);
	add("instructions", ENCODING_HARDWARE, 0, PERF_COUNT_HW_INSTRUCTIONS);
	snprintf(group, sizeof(group), "%s group", access);
	run_shapes(group, REPEATS);

	start_group();
	add_named("inst_retired");
	snprintf(group, sizeof(group), "%s name", access);
	run_shapes(group, REPEATS);
}

static void suite_exact(void)
{
	every_way_to_ask("kernel");
	write_file("/proc/sys/kernel/perf_user_access", "1");
	every_way_to_ask("user");
	write_file("/proc/sys/kernel/perf_user_access", "0");
}

static void suite_cycles(void)
{
	cycles_try("kernel");
	write_file("/proc/sys/kernel/perf_user_access", "1");
	cycles_try("user");
	write_file("/proc/sys/kernel/perf_user_access", "0");
	cycles_try("kernel again");
}

/* Six counters and the one for cycles: the ninth member cannot be. */
static void suite_large(void)
{
	char name[16];

	for (unsigned members = 6; members <= 10; members += 2) {
		start_group();
		for (unsigned i = 0; i < members; i++) {
			snprintf(name, sizeof(name), "r08-%u", i);
			add(name, ENCODING_RAW, 0, 0x08);
		}
		snprintf(name, sizeof(name), "%u", members);
		run_shape(name, "chase elements=64 passes=100", 3);
	}
}

static void as_user(unsigned scope, const char *level)
{
	char group[32];
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child > 0)
		waitpid(child, NULL, 0);
	if (child)
		return;
	if (setgid(1000) || setuid(1000))
		_exit(1);
	start_group();
	add("r08", ENCODING_RAW, 0, 0x08);
	work.group.event[0].scope = scope;
	snprintf(group, sizeof(group), "%s %s", level,
		 scope & ENCODING_KERNEL ? "all" : "user");
	run_shape(group, "chase elements=64 passes=100", 3);
	fflush(stdout);
	_exit(0);
}

static void suite_paranoid(void)
{
	static const char *const levels[] = { "3", "2", "1", "0", "-1" };

	for (int i = 0; i < 5; i++) {
		write_file("/proc/sys/kernel/perf_event_paranoid", levels[i]);
		as_user(ENCODING_USER, levels[i]);
		as_user(ENCODING_USER | ENCODING_KERNEL, levels[i]);
	}
}

static void ask_for_zeros(void)
{
	start_group();
	add("L1D_CACHE_REFILL", ENCODING_RAW, 0, 0x03);
	add("L1D_CACHE", ENCODING_RAW, 0, 0x04);
	add("INST_RETIRED", ENCODING_RAW, 0, 0x08);
	add("l1d-loads", ENCODING_CACHE, 0, PERF_COUNT_HW_CACHE_L1D |
	    PERF_COUNT_HW_CACHE_OP_READ << 8 |
	    PERF_COUNT_HW_CACHE_RESULT_ACCESS << 16);
}

/* As bare metal says it: what is counted around a loop, by the shortest. */
static void tell_record(uint64_t around)
{
	struct assay_record *r = &work.record;

	text_copy(r->machine.cpu, sizeof(r->machine.cpu), "cortex-a72");
	text_copy(r->machine.isa, sizeof(r->machine.isa), "aarch64");
	text_copy(r->machine.host, sizeof(r->machine.host), "guest");
	r->settings.cpu = 0;
	snprintf(r->settings.options, sizeof(r->settings.options),
		 "around=%llu", (unsigned long long)around);
	record_line(r);
}

/* Raw codes that open, schedule and read 0; as records for `verify`, too. */
static void suite_zero(void)
{
	static const char *const sizes[] = {
		"chase elements=64 passes=10", "chase elements=4096 passes=8",
		"chase elements=65536 passes=4",
	};
	uint64_t around;

	ask_for_zeros();
	run_shape("around", "chase elements=1 passes=1", 1);
	around = work.counts[2].value -
		 (uint64_t)assay_expectation_find(&work.expected,
						  ASSAY_Q_instructions)->value;
	printf("@{\"t\":\"implements\",\"r03\":%d,\"r08\":%d}\n",
	       pmu_implements("/", 0x03), pmu_implements("/", 0x08));
	for (int i = 0; i < 3; i++) {
		ask_for_zeros();
		run_shape("zero", sizes[i], 3);
		tell_record(around);
	}
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		printf("@{\"t\":\"broken\",\"what\":\"cpu %d\"}\n", cpu);
}

/* Each core type has a PMU of its own; a raw code means the first one. */
static void suite_biglittle(void)
{
	char group[32];

	for (int cpu = 0; cpu < 2; cpu++) {
		pin(cpu);
		start_group();
		add("raw", ENCODING_RAW, 0, 0x08);
		snprintf(group, sizeof(group), "cpu%d raw", cpu);
		run_shape(group, "chase elements=64 passes=100", 3);
		start_group();
		add_named("armv8_cortex_a53/inst_retired/");
		snprintf(group, sizeof(group), "cpu%d a53", cpu);
		run_shape(group, "chase elements=64 passes=100", 3);
		start_group();
		add_named("armv8_cortex_a72/inst_retired/");
		snprintf(group, sizeof(group), "cpu%d a72", cpu);
		run_shape(group, "chase elements=64 passes=100", 3);
	}
}

static void suite_nopmu(void)
{
	start_group();
	add("instructions", ENCODING_HARDWARE, 0, PERF_COUNT_HW_INSTRUCTIONS);
	add("r08", ENCODING_RAW, 0, 0x08);
	add("page-faults", ENCODING_SOFTWARE, 0, PERF_COUNT_SW_PAGE_FAULTS);
	run_shape("nopmu", "touch pages=100", 3);
}

int main(int argc, char **argv)
{
	static const struct { const char *name; void (*run)(void); } suites[] = {
		{ "exact", suite_exact }, { "large", suite_large },
		{ "cycles", suite_cycles },
		{ "paranoid", suite_paranoid }, { "zero", suite_zero },
		{ "biglittle", suite_biglittle }, { "nopmu", suite_nopmu },
		{ "follow", suite_follow }, { "kinds", suite_kinds },
	};

	if (argc == 3 && !strcmp(argv[1], "burn"))
		return follow_program(argv[2]);
	mount("proc", "/proc", "proc", 0, NULL);
	mount("sysfs", "/sys", "sysfs", 0, NULL);
	for (size_t i = 0; i < sizeof(suites) / sizeof(*suites); i++)
		if (asked_for(suites[i].name))
			suites[i].run();
	printf("@{\"t\":\"end\"}\n");
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return 0;
}
