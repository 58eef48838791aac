/* SPDX-License-Identifier: MIT */
/*
 * The image's main program: writes a line about core and PMU, checks the plan
 * to its end, runs the plan, and writes a record per run. All output is lines
 * of JSON on the UART (line.h).
 */
#include <stdio.h>
#include <string.h>

#include "baseline.h"
#include "base/text.h"
#include "board.h"
#include "counters/pmuv3-sysreg.h"
#include "line.h"
#include "measure/measure.h"
#include "plan.h"

#define ARENA_ALIGNMENT UINT64_C(0x200000)
#define EVENT_INST_RETIRED 0x08
#define STATE_BYTES 4096

/* The plan; the build writes plan.inc, a string literal. */
static const char image_plan[] __attribute__((section(".plan"))) =
#include "plan.inc"
;

/* The memory of a run; the image has no heap. */
static struct {
	struct group group;
	struct assay_record record;
	struct assay_count counts[PLAN_REPEATS * ASSAY_EVENTS];
	uint64_t ns[PLAN_REPEATS];
	_Alignas(16) unsigned char state[STATE_BYTES];
	struct assay_error err;
} work;

/*
 * Words that are only stored to: they show a watching simulator where runs and
 * counted regions begin and end. They have a value and so are not in .bss,
 * which start.S clears.
 */
volatile uint64_t image_mark_run = 1, image_mark_begin = 1, image_mark_end = 1;

static int marked_start(void *state)
{
	int rc = pmuv3_provider.start(state);

	image_mark_begin = 1;
	return rc;
}

static int marked_stop(void *state)
{
	image_mark_end = 1;
	return pmuv3_provider.stop(state);
}

static uint64_t ticks_per_second(void)
{
	return read_sysreg(cntfrq_el0);
}

static uint64_t now_ns(void)
{
	uint64_t ticks, hz = ticks_per_second();

	sysreg_sync();
	ticks = read_sysreg(cntpct_el0);
	return ticks / hz * 1000000000 + ticks % hz * 1000000000 / hz;
}

/* Cores by implementer and part number, from their reference manuals. */
static const struct { uint64_t implementer, part; const char *name; }
cores[] = {
	{ 0x41, 0xd03, "cortex-a53" }, { 0x41, 0xd04, "cortex-a35" },
	{ 0x41, 0xd05, "cortex-a55" }, { 0x41, 0xd07, "cortex-a57" },
	{ 0x41, 0xd08, "cortex-a72" }, { 0x41, 0xd09, "cortex-a73" },
	{ 0x41, 0xd0a, "cortex-a75" }, { 0x41, 0xd0b, "cortex-a76" },
	{ 0x41, 0xd0c, "neoverse-n1" }, { 0x41, 0xd40, "neoverse-v1" },
	{ 0x41, 0xd4f, "neoverse-v2" }, { 0x46, 0x001, "a64fx" },
};

/* The name that CPU files have for the core of this MIDR_EL1, or its number. */
static void name_core(char *out, size_t room, uint64_t midr)
{
	for (size_t i = 0; i < sizeof(cores) / sizeof(*cores); i++) {
		if (cores[i].implementer != (midr >> 24 & 0xff) ||
		    cores[i].part != (midr >> 4 & 0xfff))
			continue;
		snprintf(out, room, "%s", cores[i].name);
		return;
	}
	snprintf(out, room, "midr-0x%08x", (unsigned)midr);
}

static void introduce(void)
{
	struct pmuv3_identity id;
	char cpu[ASSAY_NAME];

	pmuv3_identify(&id);
	name_core(cpu, sizeof(cpu), read_sysreg(midr_el1));
	line_begin("bare");
	line_number("schema", 1);
	line_text("board", BOARD_NAME);
	line_text("cpu", cpu);
	line_hex("midr", read_sysreg(midr_el1));
	line_number("level", id.level);
	line_number("pmu_version", id.version);
	line_number("counters", id.counters);
	line_hex("pmceid0", id.exists[0]);
	line_hex("pmceid1", id.exists[1]);
	line_number("cpu_hz", BOARD_CPU_CLOCK);
	line_number("timer_hz", ticks_per_second());
	line_end();
}

static void report_error(const char *text)
{
	line_begin("error");
	line_text("text", text);
	line_end();
}

static _Noreturn void end(unsigned status, unsigned records)
{
	line_begin("end");
	line_number("status", status);
	line_number("records", records);
	line_end();
	image_exit(status);
}

/* ---- one run ------------------------------------------------------------ */

static int find_arena(struct arena *arena, uint64_t bytes)
{
	uint64_t base = ((uintptr_t)image_end + ARENA_ALIGNMENT - 1) &
			~(ARENA_ALIGNMENT - 1);
	uint64_t end = (uint64_t)BOARD_RAM + BOARD_RAM_BYTES;

	*arena = (struct arena){ .base = (unsigned char *)base,
				 .bytes = bytes };
	if (bytes <= end - base)
		return 0;
	return error_set(&work.err, -ASSAY_ENOSPC, "the run needs %lu bytes "
			 "of memory, and the board has %lu", bytes, end - base);
}

/* The event INST_RETIRED if it has a count, or -1. */
static int find_instructions(const struct assay_record *r)
{
	for (unsigned e = 0; e < r->events; e++)
		if (work.group.event[e].config == EVENT_INST_RETIRED &&
		    r->counts[e].state == ASSAY_COUNT_PRESENT)
			return (int)e;
	return -1;
}

/*
 * The instructions around the loop (baseline.h), or -1: not known. A kernel
 * without options has no loop: all that is counted is around it.
 */
static int64_t measure_baseline(const struct measure_job *job,
				struct assay_record *r)
{
	struct measure_job once = *job;
	int e, rc;

	once.repeats = 1;
	once.warmup = 0;
	baseline_install();
	rc = measure_run(&once, r, NULL);
	baseline_remove();
	e = find_instructions(r);
	if (rc < 0 || e < 0 || (!baseline_calls && job->kernel->options))
		return -1;
	return (int64_t)r->counts[e].value -
	       (int64_t)(baseline_calls * BASELINE_STUB);
}

static void describe(struct assay_record *r, int64_t around)
{
	size_t used;

	text_copy(r->machine.host, sizeof(r->machine.host), BOARD_NAME);
	text_copy(r->machine.isa, sizeof(r->machine.isa), "aarch64");
	name_core(r->machine.cpu, sizeof(r->machine.cpu),
		      read_sysreg(midr_el1));
	r->settings.cpu = 0;
	text_copy(r->settings.page_map, sizeof(r->settings.page_map),
		  "identity");
	text_copy(r->settings.pages, sizeof(r->settings.pages), "2M");
	snprintf(r->settings.options, sizeof(r->settings.options), "el=%u",
		 pmuv3_level());
	used = strlen(r->settings.options);
	if (around >= 0)
		snprintf(r->settings.options + used,
			 sizeof(r->settings.options) - used, " around=%lu",
			 (uint64_t)around);
}

static int measure(const struct plan *plan, const struct kernel *kernel,
		   const struct assay_shape *shape)
{
	const struct provider_config config = { .pmuv3 = &plan->setup };
	struct provider p = pmuv3_provider;
	struct assay_record *r = &work.record;
	struct arena arena;
	struct measure_job job = {
		.provider = &p, .state = work.state, .group = &work.group,
		.kernel = kernel, .shape = shape, .arena = &arena,
		.isa = ISA_AARCH64, .repeats = plan->repeats,
		.warmup = plan->warmup,
		.now_ns = ticks_per_second() ? now_ns : NULL,
	};
	int64_t around;
	int rc = find_arena(&arena, kernel->arena_bytes(shape));

	if (rc < 0)
		return rc;
	image_mark_run = 1;
	p.start = marked_start;
	p.stop = marked_stop;
	kernel->prepare(shape, &arena);
	*r = (struct assay_record){ .counts = work.counts, .ns = work.ns };
	memset(work.state, 0, sizeof(work.state));
	rc = p.open(work.state, &config, &work.group, &work.err);
	if (rc < 0)
		return rc;
	around = measure_baseline(&job, r);
	rc = measure_run(&job, r, &work.err);
	p.close(work.state);
	describe(r, around);
	if (rc == 0)
		record_line(r);
	return rc;
}

/* ---- the plan ----------------------------------------------------------- */

static unsigned check_plan(void)
{
	const struct kernel *kernel;
	struct assay_shape shape;
	struct plan plan;
	unsigned runs = 0;
	int rc;

	plan_begin(&plan, image_plan, &work.group);
	while ((rc = plan_next(&plan, &kernel, &shape, &work.err)) > 0)
		runs++;
	if (rc < 0) {
		report_error(work.err.text);
		end(PLAN_STATUS, 0);
	}
	return runs;
}

/* Stores to an unmapped address, to test that a fault is printed. */
static void touch_nothing(void)
{
	uintptr_t nowhere = 16;

	__asm__ volatile("str xzr, [%0]" :: "r"(nowhere) : "memory");
}

static void run_plan(unsigned runs)
{
	const struct kernel *kernel;
	struct assay_shape shape;
	struct plan plan;
	unsigned records = 0, failed = 0;

	plan_begin(&plan, image_plan, &work.group);
	while (plan_next(&plan, &kernel, &shape, &work.err) > 0) {
		line_begin("run");
		line_number("number", records + failed + 1);
		line_number("of", runs);
		line_text("kernel", kernel->name);
		line_end();
		if (plan.fault)
			touch_nothing();
		if (measure(&plan, kernel, &shape) == 0) {
			records++;
			continue;
		}
		failed++;
		report_error(work.err.text);
	}
	end(failed ? FAILED_STATUS : DONE_STATUS, records);
}

_Noreturn void image_main(void)
{
	_Static_assert(sizeof(uintptr_t) == 8, "");
	mmu_enable();
	uart_init();
	if (pmuv3_level() != (uintptr_t)image_level) {
		report_error("the board starts below the level that the image "
			     "was built for");
		end(FAILED_STATUS, 0);
	}
	if (pmuv3_provider.state_size > sizeof(work.state))
		__builtin_trap();
	if (pmuv3_provider.probe(NULL, &work.err) < 0) {
		report_error(work.err.text);
		end(FAILED_STATUS, 0);
	}
	introduce();
	run_plan(check_plan());
	__builtin_unreachable();
}
