/* SPDX-License-Identifier: MIT */
/*
 * Sweeps over sizes, and the levels that they show. Two curves: near the core
 * lines are visited window by window, so that a TLB that is too small for the
 * set does not look like a cache; far from it in any order, since there a
 * prefetcher would find its way through a window.
 */
#include "timing/levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/latency/series.h"
#include "base/text.h"
#include "measure/chain.h"

#define LINE 64
#define WINDOW 2048	/* lines visited together: fewer pages than a first
			 * TLB has entries, more lines than a prefetcher
			 * can make sense of */
#define CHUNKS 1024
#define PLACES 8

const struct levels_config levels_default_config = {
	.from = 4096, .near_to = UINT64_C(8) << 20,
	.far_from = UINT64_C(512) << 10, .to = UINT64_C(64) << 20,
	.steps = 8, .places = 6, .sweeps = 3,
	.slice_ns = 2e6, .chunk_ns = 10000, .pause_ns = 1e8,
};

/* ---- sweeping ----------------------------------------------------------- */

struct slice {
	double cycles[CHUNKS], ns[CHUNKS], ghz[CHUNKS];
	unsigned chunks, torn, all;
};

static void take_slice(const struct time_clock *clock,
		       const struct levels_config *plan, struct timed *timed,
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
		  const struct levels_config *plan, const struct chain *chain,
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
		point[i].ghz = series_quantile(slice->ghz, slice->chunks, 0.5);
		sums->ghz = point[i].ghz;
	}
}

static void rest(double ns)
{
	const struct timespec wait = { .tv_nsec = (long)ns };

	if (ns > 0)
		nanosleep(&wait, NULL);
}

/* The envelope of a chain's sweeps, without what a neighbour disturbed. */
static void settle(struct level_point *point, size_t sizes, unsigned sweeps,
		   struct level_point *out)
{
	levels_calm(point, sizes * sweeps);
	levels_envelope(point, sizes, sweeps, out);
}

/*
 * One curve along each chain: envelopes at out[chain * sizes]. The sweeps of
 * one chain are spaced by those of the others.
 */
static int curves(const struct time_clock *clock,
		  const struct levels_config *plan, const struct chain *chain,
		  unsigned chains, const uint64_t *bytes, size_t sizes,
		  struct level_point *out, struct sums *sums)
{
	const size_t each = sizes * plan->sweeps;
	struct level_point *point = calloc(each * chains + 1, sizeof(*point));
	struct slice *slice = malloc(sizeof(*slice));
	const int rc = point && slice ? 0 : -ASSAY_ENOMEM;

	for (unsigned s = 0; s < plan->sweeps && rc == 0; s++) {
		rest(plan->pause_ns);
		for (unsigned c = 0; c < chains; c++) {
			struct level_point *p = point + c * each + s * sizes;

			for (size_t i = 0; i < sizes; i++)
				p[i].bytes = bytes[i];
			sweep(clock, plan, &chain[c], s * chains + c + 1, p,
			      sizes, slice, sums);
		}
	}
	for (unsigned c = 0; c < chains && rc == 0; c++)
		settle(point + c * each, sizes, plan->sweeps, out + c * sizes);
	free(point);
	free(slice);
	return rc;
}

/* Near the core: in several places; out->near is the envelope of them all. */
static int near_curves(const struct time_clock *clock,
		       const struct levels_config *plan,
		       const struct arena *arena, struct level_point *place,
		       unsigned places, struct levels *out, struct sums *sums)
{
	struct chain chain[PLACES];
	uint64_t bytes[LEVELS_SIZES];
	const size_t sizes = levels_sizes(bytes, LEVELS_SIZES, plan->from,
					  plan->near_to, plan->steps, LINE);
	int rc;

	for (unsigned p = 0; p < places; p++)
		chain[p] = (struct chain){
			.base = arena->base + p * plan->near_to,
			.step = LINE, .window = WINDOW,
		};
	rc = curves(clock, plan, chain, places, bytes, sizes, place, sums);
	if (rc < 0)
		return rc;
	out->near.sizes = sizes;
	levels_envelope(place, sizes, places, out->near.point);
	return 0;
}

static int far_curve(const struct time_clock *clock,
		     const struct levels_config *plan, const struct arena *arena,
		     struct levels *out, struct sums *sums)
{
	/* of each line a word that the near curve does not use */
	const struct chain chain = {
		.base = arena->base + sizeof(void *), .step = LINE,
	};
	uint64_t bytes[LEVELS_SIZES];

	out->far.sizes = levels_sizes(bytes, LEVELS_SIZES, plan->far_from,
				      plan->to, plan->steps, LINE);
	return curves(clock, plan, &chain, 1, bytes, out->far.sizes,
		      out->far.point, sums);
}

static unsigned places_of(const struct levels_config *plan,
			  const struct arena *arena)
{
	unsigned places = plan->places < PLACES ? plan->places : PLACES;

	while (places > 1 && places * plan->near_to > arena->bytes)
		places--;
	return places;
}

int levels_sweep(const struct time_clock *clock,
		 const struct levels_config *plan, const struct arena *arena,
		 struct levels *out)
{
	const unsigned places = places_of(plan, arena);
	struct level_point *place = malloc(sizeof(*place) * places *
					   LEVELS_SIZES);
	struct sums sums = { 0 };
	int rc = place ? 0 : -ASSAY_ENOMEM;

	*out = (struct levels){ .sweeps = plan->sweeps };
	if (rc == 0)
		rc = near_curves(clock, plan, arena, place, places, out, &sums);
	if (rc == 0)
		rc = far_curve(clock, plan, arena, out, &sums);
	if (rc == 0) {
		out->levels = levels_join(&out->near, &out->far, out->level);
		for (size_t i = 0; i < out->levels && i < 2; i++)
			levels_place(&out->level[i], place, out->near.sizes,
				     places);
		out->ghz = sums.ghz;
		out->torn = sums.slices ? sums.torn / sums.slices : 0;
	}
	free(place);
	return rc;
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

uint64_t levels_compare(const struct levels *found, size_t i,
			const struct geometry *g, char *finding, size_t room)
{
	const struct level_found *l = &found->level[i];
	const struct cache_geometry *cache = reported_cache(g, i);
	const uint64_t bytes = cache ? cache_bytes(cache) : 0;
	const bool last = i + 1 == found->levels;
	char said[32], low[32], high[32];

	text_bytes(said, sizeof(said), bytes);
	text_about_bytes(low, sizeof(low), l->low);
	text_about_bytes(high, sizeof(high), l->high);
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
