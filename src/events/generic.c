/* SPDX-License-Identifier: MIT */
/*
 * perf's generic names of hardware, cache and software events, which every
 * machine has. The count of a generic hardware name differs from CPU to CPU;
 * that of a software event does not.
 */
#include <perfmon/perf_event.h>
#include <stdio.h>

#include "base/text.h"
#include "events/resolvers.h"

const char events_elapsed[] = "duration_time";

struct generic {
	const char *name, *alias;
	uint64_t config;
	const char *meaning;
	bool kernel_only;	/* reads 0 when only user code is counted */
};

static const struct generic hardware[] = {
	{ "cpu-cycles", "cycles", PERF_COUNT_HW_CPU_CYCLES,
	  "core cycles, as the clock varies", false },
	{ "instructions", NULL, PERF_COUNT_HW_INSTRUCTIONS,
	  "instructions retired", false },
	{ "cache-references", NULL, PERF_COUNT_HW_CACHE_REFERENCES,
	  "accesses to some cache; which one depends on the CPU", false },
	{ "cache-misses", NULL, PERF_COUNT_HW_CACHE_MISSES,
	  "misses of some cache; which one depends on the CPU", false },
	{ "branch-instructions", "branches",
	  PERF_COUNT_HW_BRANCH_INSTRUCTIONS, "branches retired", false },
	{ "branch-misses", NULL, PERF_COUNT_HW_BRANCH_MISSES,
	  "branches that were mispredicted", false },
	{ "bus-cycles", NULL, PERF_COUNT_HW_BUS_CYCLES,
	  "cycles of the bus clock", false },
	{ "stalled-cycles-frontend", "idle-cycles-frontend",
	  PERF_COUNT_HW_STALLED_CYCLES_FRONTEND,
	  "cycles in which nothing was issued", false },
	{ "stalled-cycles-backend", "idle-cycles-backend",
	  PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
	  "cycles in which nothing was retired", false },
	{ "ref-cycles", NULL, PERF_COUNT_HW_REF_CPU_CYCLES,
	  "cycles at a constant clock", false },
};

static const struct generic software[] = {
	{ "cpu-clock", NULL, PERF_COUNT_SW_CPU_CLOCK,
	  "ns on a CPU, by its timer", false },
	{ "task-clock", NULL, PERF_COUNT_SW_TASK_CLOCK,
	  "ns that the thread ran", false },
	{ "page-faults", "faults", PERF_COUNT_SW_PAGE_FAULTS,
	  "page faults, minor and major", false },
	{ "context-switches", "cs", PERF_COUNT_SW_CONTEXT_SWITCHES,
	  "times the thread was switched out", true },
	{ "cpu-migrations", "migrations", PERF_COUNT_SW_CPU_MIGRATIONS,
	  "times the thread moved to another CPU", true },
	{ "minor-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MIN,
	  "page faults without input or output", false },
	{ "major-faults", NULL, PERF_COUNT_SW_PAGE_FAULTS_MAJ,
	  "page faults that waited for input", false },
	{ "alignment-faults", NULL, PERF_COUNT_SW_ALIGNMENT_FAULTS,
	  "unaligned accesses that the kernel repaired", false },
	{ "emulation-faults", NULL, PERF_COUNT_SW_EMULATION_FAULTS,
	  "instructions that the kernel emulated", false },
	{ "dummy", NULL, PERF_COUNT_SW_DUMMY, "nothing: always 0", false },
	{ events_elapsed, NULL, PERF_COUNT_SW_DUMMY,
	  "elapsed time in ns; only for assay stat", false },
	{ "cgroup-switches", NULL, 11,
	  "switches to a task of another cgroup", true },
};

static const char *const caches[] = {
	[PERF_COUNT_HW_CACHE_L1D] = "L1-dcache",
	[PERF_COUNT_HW_CACHE_L1I] = "L1-icache",
	[PERF_COUNT_HW_CACHE_LL] = "LLC", [PERF_COUNT_HW_CACHE_DTLB] = "dTLB",
	[PERF_COUNT_HW_CACHE_ITLB] = "iTLB",
	[PERF_COUNT_HW_CACHE_BPU] = "branch",
	[PERF_COUNT_HW_CACHE_NODE] = "node",
};
#define CACHES (sizeof(caches) / sizeof(caches[0]))

static const struct { const char *op, *hits, *misses; } operations[] = {
	[PERF_COUNT_HW_CACHE_OP_READ] = { "load", "loads", "load-misses" },
	[PERF_COUNT_HW_CACHE_OP_WRITE] = { "store", "stores",
					   "store-misses" },
	[PERF_COUNT_HW_CACHE_OP_PREFETCH] = { "prefetch", "prefetches",
					      "prefetch-misses" },
};
#define OPERATIONS (sizeof(operations) / sizeof(operations[0]))

/* Does the kernel have this cache event? Code is not stored to; translations of
 * code and branch predictions are reads only. */
static bool sensible(unsigned cache, unsigned op)
{
	if (cache == PERF_COUNT_HW_CACHE_L1I)
		return op != PERF_COUNT_HW_CACHE_OP_WRITE;
	if (cache == PERF_COUNT_HW_CACHE_ITLB ||
	    cache == PERF_COUNT_HW_CACHE_BPU)
		return op == PERF_COUNT_HW_CACHE_OP_READ;
	return true;
}

static void cache_name(char *out, size_t room, unsigned cache, unsigned op,
		       unsigned miss)
{
	snprintf(out, room, "%s-%s", caches[cache],
		 miss ? operations[op].misses : operations[op].hits);
}

static bool is_called(const struct generic *g, const char *name)
{
	return text_equal(g->name, name) ||
	       (g->alias && text_equal(g->alias, name));
}

static int set_event(struct encoding *out, enum encoding_family family,
		     uint64_t config)
{
	out->family = family;
	out->config = config;
	snprintf(out->code, sizeof(out->code), "%s:%llu",
		 family == ENCODING_HARDWARE ? "hw" :
		 family == ENCODING_CACHE ? "cache" : "sw",
		 (unsigned long long)config);
	if (family == ENCODING_CACHE)
		snprintf(out->code, sizeof(out->code), "cache:0x%llx",
			 (unsigned long long)config);
	return FOUND;
}

static int set_software(struct encoding *out, const struct generic *g)
{
	if (g->kernel_only && out->scope == ENCODING_USER)
		snprintf(out->absent, sizeof(out->absent), "%s happen in the "
			 "kernel: with :u nothing would be counted", g->name);
	return set_event(out, ENCODING_SOFTWARE, g->config);
}

static int cache_resolve(struct encoding *out, const char *name)
{
	char known[48];

	for (unsigned i = 0; i < CACHES * OPERATIONS * 2; i++) {
		const unsigned cache = i / (OPERATIONS * 2);
		const unsigned op = i / 2 % OPERATIONS, miss = i % 2;

		cache_name(known, sizeof(known), cache, op, miss);
		if (sensible(cache, op) && text_equal(known, name))
			return set_event(out, ENCODING_CACHE,
					 cache | op << 8 | miss << 16);
	}
	return NOT_MINE;
}

const char *generic_canonical(const char *name)
{
	for (size_t i = 0; i < sizeof(hardware) / sizeof(hardware[0]); i++)
		if (is_called(&hardware[i], name))
			return hardware[i].name;
	return name;
}

/* The kernel's dummy event holds the place: the caller puts the time into the
 * count. */
static int set_elapsed(struct encoding *out, const struct events_target *target)
{
	if (!target->elapsed)
		snprintf(out->absent, sizeof(out->absent), "only assay stat "
			 "measures the elapsed time");
	set_event(out, ENCODING_SOFTWARE, PERF_COUNT_SW_DUMMY);
	snprintf(out->code, sizeof(out->code), "time");
	return FOUND;
}

int generic_resolve(struct encoding *out, const char *name,
		    const struct events_target *target,
		    struct assay_error *err)
{
	(void)err;
	if (text_equal(events_elapsed, name))
		return set_elapsed(out, target);
	for (size_t i = 0; i < sizeof(hardware) / sizeof(hardware[0]); i++)
		if (is_called(&hardware[i], name))
			return set_event(out, ENCODING_HARDWARE,
					 hardware[i].config);
	for (size_t i = 0; i < sizeof(software) / sizeof(software[0]); i++)
		if (is_called(&software[i], name))
			return set_software(out, &software[i]);
	return cache_resolve(out, name);
}

static int list(const struct generic *g, size_t n, const char *kind,
		const char *absent, event_name_fn *fn, void *ctx)
{
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++) {
		struct event_name row = { g[i].name, kind, "", g[i].meaning,
					  absent };

		rc = fn(ctx, &row);
		row.name = g[i].alias;
		if (!rc && row.name)
			rc = fn(ctx, &row);
	}
	return rc;
}

static int list_caches(const char *absent, event_name_fn *fn, void *ctx)
{
	char name[48];
	int rc = 0;

	for (unsigned i = 0; i < CACHES * OPERATIONS * 2 && !rc; i++) {
		const unsigned cache = i / (OPERATIONS * 2);
		const unsigned op = i / 2 % OPERATIONS;

		if (!sensible(cache, op))
			continue;
		cache_name(name, sizeof(name), cache, op, i % 2);
		rc = fn(ctx, &(struct event_name){
			name, "cache", "", "which event it is depends on the "
			"CPU", absent });
	}
	return rc;
}

int generic_names(const struct events_target *target, event_name_fn *fn,
		  void *ctx)
{
	const char *absent = pmu_core(target->sysroot) ? NULL :
			     pmu_core_absent;
	int rc;

	rc = list(software, sizeof(software) / sizeof(software[0]),
		  "software", NULL, fn, ctx);
	if (!rc)
		rc = list(hardware, sizeof(hardware) / sizeof(hardware[0]),
			  "hardware", absent, fn, ctx);
	return rc ? rc : list_caches(absent, fn, ctx);
}
