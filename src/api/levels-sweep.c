/* SPDX-License-Identifier: MIT */
/*
 * Sweeps over sizes, and the levels that they show. Two curves: near the core
 * lines are visited window by window, so that a TLB that is too small for the
 * set does not look like a cache; far from it in any order, since there a
 * prefetcher would find its way through a window.
 */
#include "api/levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/series.h"
#include "base/text.h"
#include "measure/chain.h"

#define LINE 64
#define WINDOW 2048	/* lines visited together: fewer pages than a first
			 * TLB has entries, more lines than a prefetcher
			 * can make sense of */
#define CHUNKS 1024

const struct levels_plan levels_default_plan = {
	.from = 4096, .near_to = UINT64_C(8) << 20,
	.far_from = UINT64_C(512) << 10, .to = UINT64_C(64) << 20,
	.steps = 8, .sweeps = 4,
	.slice_ns = 2e6, .chunk_ns = 10000, .pause_ns = 1e8,
};

/* ---- sweeping ----------------------------------------------------------- */

struct slice {
	double cycles[CHUNKS], ns[CHUNKS], ghz[CHUNKS];
	unsigned chunks, torn, all;
};

static void take_slice(const struct time_clock *clock,
		       const struct levels_plan *plan, struct timed *timed,
		       struct slice *out)
{
	const double end = plan->slice_ns * clock->ticks_per_ns;
	uint64_t steps, from;
	double core = 0;

	out->chunks = out->torn = out->all = 0;
	time_warm(clock, timed);
	steps = time_steps(clock, timed, plan->chunk_ns);
	from = clock->port->begin(clock->ctx);
	do {
		struct time_sample s;

		time_chunk(clock, timed, steps, &core, &s);
		out->all++;
		out->torn += s.torn;
		if (s.torn || s.cycles <= 0)
			continue;
		out->cycles[out->chunks] = s.cycles;
		out->ghz[out->chunks] = s.ghz;
		out->ns[out->chunks++] = s.ns;
	} while (out->all < CHUNKS &&
		 (double)(clock->port->end(clock->ctx) - from) < end);
}

struct sums { double ghz, torn; unsigned slices; };

/* One growing cycle; word: which word of its lines it uses. */
static void sweep(const struct time_clock *clock,
		  const struct levels_plan *plan, const struct chain *chain,
		  uint64_t seed, struct level_point *point, size_t sizes,
		  struct slice *slice, struct sums *sums)
{
	struct timed timed = { .chains = 1, .head = { chain->base } };

	for (size_t i = 0; i < sizes; i++) {
		const uint64_t lines = point[i].bytes / LINE;

		chain_extend(chain, timed.lines, lines, &seed);
		timed.lines = lines;
		take_slice(clock, plan, &timed, slice);
		sums->torn += (double)slice->torn / slice->all;
		sums->slices++;
		if (!slice->chunks)
			continue;
		point[i].cycles = series_quantile(slice->cycles, slice->chunks,
						  0.1);
		point[i].ns = series_quantile(slice->ns, slice->chunks, 0.1);
		sums->ghz = series_quantile(slice->ghz, slice->chunks, 0.5);
	}
}

static void rest(double ns)
{
	const struct timespec wait = { .tv_nsec = (long)ns };

	if (ns > 0)
		nanosleep(&wait, NULL);
}

/* All sweeps of one curve: its envelope. */
static int curve(const struct time_clock *clock,
		 const struct levels_plan *plan, const struct chain *chain,
		 uint64_t from, uint64_t to, struct levels_curve *out,
		 struct sums *sums)
{
	uint64_t bytes[LEVELS_SIZES];
	const size_t sizes = levels_sizes(bytes, LEVELS_SIZES, from, to,
					  plan->steps, LINE);
	struct level_point *point = calloc(sizes * plan->sweeps + 1,
					   sizeof(*point));
	struct slice *slice = malloc(sizeof(*slice));
	const int rc = point && slice ? 0 : -ASSAY_ENOMEM;

	for (unsigned s = 0; s < plan->sweeps && rc == 0; s++) {
		struct level_point *p = point + s * sizes;

		for (size_t i = 0; i < sizes; i++)
			p[i].bytes = bytes[i];
		rest(plan->pause_ns);
		sweep(clock, plan, chain, s + 1, p, sizes, slice, sums);
	}
	out->sizes = sizes;
	if (rc == 0)
		levels_envelope(point, sizes, plan->sweeps, out->point);
	free(point);
	free(slice);
	return rc;
}

int levels_sweep(const struct time_clock *clock,
		 const struct levels_plan *plan, const struct arena *arena,
		 struct levels *out)
{
	const struct chain near = {
		.base = arena->base, .step = LINE, .window = WINDOW,
	};
	const struct chain far = {
		.base = arena->base + sizeof(void *), .step = LINE,
	};
	struct sums sums = { 0 };
	int rc;

	*out = (struct levels){ .sweeps = plan->sweeps };
	rc = curve(clock, plan, &near, plan->from, plan->near_to, &out->near,
		   &sums);
	if (rc == 0)
		rc = curve(clock, plan, &far, plan->far_from, plan->to,
			   &out->far, &sums);
	if (rc < 0)
		return rc;
	out->levels = levels_join(&out->near, &out->far, out->level);
	out->ghz = sums.ghz;
	out->torn = sums.slices ? sums.torn / sums.slices : 0;
	return 0;
}

/* ---- beside what is reported -------------------------------------------- */

const char *levels_name(const struct levels *found, size_t i)
{
	static const char *const names[] = { "L1d", "L2", "L3", "L4", "L5" };

	if (i && i + 1 == found->levels)
		return "memory";
	return i < sizeof(names) / sizeof(*names) ? names[i] : "?";
}

static const struct cache_geometry *reported_cache(const struct geometry *g,
						   size_t i)
{
	const struct cache_geometry *const caches[] = { &g->l1d, &g->l2,
							&g->l3 };

	return i < 3 && caches[i]->present ? caches[i] : NULL;
}

/* "2.2 MiB" */
static void about(char *out, size_t room, double bytes)
{
	if (bytes >= 1 << 20)
		snprintf(out, room, "%.3g MiB", bytes / (1 << 20));
	else
		snprintf(out, room, "%.3g KiB", bytes / 1024);
}

uint64_t levels_compare(const struct levels *found, size_t i,
			const struct geometry *g, char *finding, size_t room)
{
	const struct level_found *l = &found->level[i];
	const struct cache_geometry *cache = reported_cache(g, i);
	const uint64_t bytes = cache ? cache_bytes(cache) : 0;
	const bool last = i + 1 == found->levels;
	char said[32], low[32], high[32];

	text_bytes(said, sizeof(said), bytes);
	about(low, sizeof(low), l->low);
	about(high, sizeof(high), l->high);
	text_copy(finding, room, "");
	if (last && bytes)
		snprintf(finding, room, "%s reported, but no plateau of its "
			 "own was seen: other tenants leave too little of it, "
			 "or this machine was busy", said);
	if (last)
		return 0;
	if (!bytes)
		snprintf(finding, room, "the operating system reports none");
	else if (l->high < 0.85 * (double)bytes)
		snprintf(finding, room, "%s reported, %s to %s effective: "
			 "other tenants, a partition or page placement", said,
			 low, high);
	else if (l->low > 1.15 * (double)bytes)
		snprintf(finding, room, "%s reported, but %s to %s is held",
			 said, low, high);
	return bytes;
}
