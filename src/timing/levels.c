/* SPDX-License-Identifier: MIT */
/* Measures the levels and cache traits of this machine, and emits rows. */
#define _GNU_SOURCE	/* sched_getcpu */
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "timing/levels.h"
#include "timing/clock.h"
#include "timing/cache-traits.h"
#include "base/row.h"
#include "base/text.h"
#include "run/noise.h"
#include "env/env.h"
#include "env/idle.h"

#define LEAST_BYTES (UINT64_C(64) << 20)
#define MOST_BYTES (UINT64_C(256) << 20)

/* Twice the reported L3, within limits, and at most 1/8 of the memory. */
static uint64_t most_bytes(const struct geometry *g)
{
	const long pages = sysconf(_SC_PHYS_PAGES);
	const long page = sysconf(_SC_PAGESIZE);
	uint64_t most = 2 * cache_bytes(&g->l3);

	if (most < LEAST_BYTES)
		most = LEAST_BYTES;
	if (most > MOST_BYTES)
		most = MOST_BYTES;
	while (pages > 0 && page > 0 && most > LEAST_BYTES / 4 &&
	       most > (uint64_t)pages * (uint64_t)page / 8)
		most /= 2;
	return most;
}

int levels_measure(const struct assay *assay, int cpu, struct levels *out,
		   struct assay_error *err)
{
	struct levels_config config = levels_default_config;
	struct env_affinity old = { .changed = false };
	struct geometry reported;
	struct time_clock clock;
	struct arena arena;
	int idle, rc = timing_clock(&clock, err);

	if (rc < 0)
		return rc;
	if (env_geometry(&reported, assay->sysroot, NULL) < 0)
		reported = (struct geometry){ 0 };
	config.to = most_bytes(&reported);
	rc = env_arena_map(&arena, config.to, ARENA_THP, NULL);
	if (rc < 0)
		rc = env_arena_map(&arena, config.to, ARENA_4K, err);
	if (rc < 0)
		return rc;
	idle = cpu >= 0 ? cpu : env_idle_cpu(assay->sysroot);
	rc = env_pin(idle >= 0 ? idle : sched_getcpu(), &old,
		     cpu >= 0 ? err : NULL);
	if (rc == 0 || cpu < 0)
		rc = levels_sweep(&clock, &config, &arena, out);
	if (rc == -ASSAY_ENOMEM)
		error_set(err, rc, "out of memory");
	if (rc == 0)
		env_arena_pages(&arena, out->pages, sizeof(out->pages), NULL);
	env_unpin(&old);
	env_arena_unmap(&arena);
	return rc;
}

/* Sizes are measured in steps of 1/8 of a doubling: full KiB are enough. */
static struct assay_field rough_bytes(const char *name, double bytes)
{
	return (struct assay_field){
		.name = name, .kind = ASSAY_FIELD_REAL, .unit = "B",
		.real = bytes > 65536 ? round(bytes / 1024) * 1024 :
			round(bytes), .flags = ASSAY_FIELD_BYTES,
	};
}

static struct assay_field cpuid_bytes(const struct geometry *g, size_t i)
{
	const struct cache_geometry *const cache[] = { &g->l1d, &g->l2,
						       &g->l3 };
	struct assay_field f = field_count("CPUID", i < 3 ?
					   cache_bytes(cache[i]) : 0);

	f.flags = ASSAY_FIELD_BYTES;
	return f.count ? f : (struct assay_field){
		.name = f.name, .kind = ASSAY_FIELD_ABSENT,
		.text = i < 3 ? "CPUID does not tell" : "it is no cache",
	};
}

static int emit(const struct levels *found, size_t i,
		const struct geometry *g, const struct geometry *cpuid,
		assay_row_fn *fn, void *ctx)
{
	static const char none[] = "no next level was seen";
	const struct level_found *l = &found->level[i];
	const struct assay_value unknown = { .why = none };
	char finding[240];
	const uint64_t bytes = levels_compare(found, i, g, finding,
					      sizeof(finding));
	const struct assay_value said = {
		.number = (double)bytes,
		.why = bytes ? NULL : "nothing is reported",
	};
	struct assay_field field[] = {
		field_text("level", levels_name(found, i)),
		rough_bytes("capacity", l->bytes),
		rough_bytes("low", l->low),
		rough_bytes("high", l->high),
		field_value("reported", said),
		cpuid_bytes(cpuid, i + 1 < found->levels ? i : 3),
		{ .name = "cycles", .kind = ASSAY_FIELD_REAL,
		  .real = l->cycles, .decimals = 1 },
		{ .name = "ns", .kind = ASSAY_FIELD_REAL, .real = l->ns,
		  .decimals = 2 },
		field_text("finding", finding),
		field_detail("pages", found->pages),
	};

	for (int k = 1; k <= 3 && !l->bounded; k++)
		field[k] = field_value(field[k].name, unknown);
	if (bytes)
		field[4].flags = ASSAY_FIELD_BYTES;
	return ROW_EMIT(fn, ctx, "measured-level", field);
}

/* Cache traits need the L1 and L2 found, and two arenas. */
static int emit_traits(int cpu, const struct levels *found,
		       const struct geometry *reported, assay_row_fn *fn,
		       void *ctx, struct assay_error *err)
{
	struct env_affinity old = { .changed = false };
	struct arena small = { 0 }, large = { 0 };
	struct cache_traits_input in = { .small = &small, .large = &large };
	struct env_thread_usage from, to;
	struct assay_noise noise;
	struct time_clock clock;
	struct cache_traits traits;
	int rc = timing_clock(&clock, err);

	if (found->levels > 2) {
		in.l1 = (uint64_t)found->level[0].bytes;
		in.l2 = (uint64_t)found->level[1].bytes;
		in.l1_cycles = found->level[0].cycles;
		in.l2_cycles = found->level[1].cycles;
		in.l3_cycles = found->level[2].cycles;
	}
	if (rc == 0)
		rc = env_arena_map(&small, CACHE_TRAITS_BYTES, ARENA_4K, err);
	if (rc == 0 &&
	    env_arena_map(&large, CACHE_TRAITS_BYTES, ARENA_THP, NULL))
		rc = env_arena_map(&large, CACHE_TRAITS_BYTES, ARENA_4K, err);
	if (rc == 0) {
		env_pin(cpu >= 0 ? cpu : sched_getcpu(), &old, NULL);
		env_thread_usage(&from, true);
		cache_traits_measure(&clock, &in, &traits);
		env_thread_usage(&to, false);
		noise_between(&noise, &from, &to);
		traits.off = noise.part[ASSAY_NOISE_OFF].share;
		env_unpin(&old);
		cache_traits_check(&traits, reported, found->level,
				   found->levels ? found->levels - 1 : 0);
		rc = cache_traits_emit(&traits, reported, fn, ctx);
	}
	env_arena_unmap(&small);
	env_arena_unmap(&large);
	return rc;
}

int assay_levels(struct assay *assay, int cpu, assay_row_fn *fn, void *ctx,
		 struct assay_error *err)
{
	struct levels *found = malloc(sizeof(*found));
	struct geometry reported, cpuid = { 0 };
	int rc = found ? levels_measure(assay, cpu, found, err) :
		 error_memory(err);

	if (env_geometry(&reported, assay->sysroot, NULL) < 0)
		reported = (struct geometry){ 0 };
	env_cpuid_geometry(&cpuid, assay->sysroot);
	reported.dtlb = cpuid.dtlb;
	reported.l2tlb = cpuid.l2tlb;
	if (rc == 0 && !found->levels)
		rc = error_set(err, -ASSAY_EUNAVAIL, "no level could be seen: "
			       "the core's clock was disturbed all the time");
	for (size_t i = 0; rc == 0 && i < found->levels; i++)
		rc = emit(found, i, &reported, &cpuid, fn, ctx);
	if (rc == 0)
		rc = emit_traits(cpu, found, &reported, fn, ctx, err);
	free(found);
	return rc;
}
