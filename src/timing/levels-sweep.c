/* SPDX-License-Identifier: MIT */
/*
 * Latency over sizes, and the levels in it. Two curves: for sizes near the core
 * lines are chased window by window, so that an exceeded TLB does not look like
 * an exceeded cache. For large sizes they are chased in random order, because a
 * prefetcher would follow the windows.
 */
#include "timing/levels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/latency/series.h"
#include "base/text.h"
#include "env/env.h"
#include "measure/chain.h"

#define LINE 64
#define WINDOW 2048	/* lines chased together: fewer pages than a first TLB
			 * has entries, more lines than a prefetcher follows */
#define CHUNKS 1024	/* of one slice, at most */
#define PLACES 8	/* at most */

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

static void time_slice(const struct time_clock *clock,
		       const struct levels_config *config, struct timed *timed,
		       struct slice *out)
{
	const double end = config->slice_ns * clock->ticks_per_ns;
	uint64_t steps, from;
	double core = 0;

	out->chunks = out->torn = out->all = 0;
	time_warm(clock, timed);
	steps = time_steps(clock, timed, config->chunk_ns);
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

struct sums {
	double ghz, torn;
	unsigned slices;
	double wall, off;	/* ns of all sweeps; of these, off the CPU */
};

/* One sweep: the cycle along the chain grows from size to size. */
static void sweep(const struct time_clock *clock,
		  const struct levels_config *config, const struct chain *chain,
		  uint64_t seed, struct level_point *point, size_t sizes,
		  struct slice *slice, struct sums *sums)
{
	struct timed timed = { .chains = 1, .head = { chain->base } };

	for (size_t i = 0; i < sizes; i++) {
		const uint64_t lines = point[i].bytes / LINE;

		chain_extend(chain, timed.lines, lines, &seed);
		timed.lines = lines;
		time_slice(clock, config, &timed, slice);
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

/* The envelope of a chain's sweeps, without points that a sibling disturbed. */
static void settle(struct level_point *point, size_t sizes, unsigned sweeps,
		   struct level_point *out)
{
	levels_drop_disturbed(point, sizes * sweeps);
	levels_envelope(point, sizes, sweeps, out);
}

static void add_off(struct sums *sums, const struct env_thread_usage *from)
{
	struct env_thread_usage to;
	double wall, ran;

	env_thread_usage(&to, false);
	wall = (double)(to.wall_ns - from->wall_ns);
	ran = (double)(to.cpu_ns - from->cpu_ns);
	sums->wall += wall;
	sums->off += fmax(wall - ran, 0);
}

/*
 * One curve along each chain: envelopes at out[chain * sizes]. The sweeps of
 * one chain are spaced by those of the others.
 */
static int curves(const struct time_clock *clock,
		  const struct levels_config *config, const struct chain *chain,
		  unsigned chains, const uint64_t *bytes, size_t sizes,
		  struct level_point *out, struct sums *sums)
{
	const size_t each = sizes * config->sweeps;
	struct level_point *point = calloc(each * chains + 1, sizeof(*point));
	struct slice *slice = malloc(sizeof(*slice));
	const int rc = point && slice ? 0 : -ASSAY_ENOMEM;

	for (unsigned s = 0; s < config->sweeps && rc == 0; s++) {
		struct env_thread_usage from;

		rest(config->pause_ns);
		env_thread_usage(&from, true);
		for (unsigned c = 0; c < chains; c++) {
			struct level_point *p = point + c * each + s * sizes;

			for (size_t i = 0; i < sizes; i++)
				p[i].bytes = bytes[i];
			sweep(clock, config, &chain[c], s * chains + c + 1, p,
			      sizes, slice, sums);
		}
		add_off(sums, &from);
	}
	for (unsigned c = 0; c < chains && rc == 0; c++)
		settle(point + c * each, sizes, config->sweeps,
		       out + c * sizes);
	free(point);
	free(slice);
	return rc;
}

/* Near the core, in several places; out->near is the envelope of all. */
static int near_curves(const struct time_clock *clock,
		       const struct levels_config *config,
		       const struct arena *arena, struct level_point *place,
		       unsigned places, struct levels *out, struct sums *sums)
{
	struct chain chain[PLACES];
	uint64_t bytes[LEVELS_SIZES];
	const size_t sizes = levels_sizes(bytes, LEVELS_SIZES, config->from,
					  config->near_to, config->steps, LINE);
	int rc;

	for (unsigned p = 0; p < places; p++)
		chain[p] = (struct chain){
			.base = arena->base + p * config->near_to,
			.step = LINE, .window = WINDOW,
		};
	rc = curves(clock, config, chain, places, bytes, sizes, place, sums);
	if (rc < 0)
		return rc;
	out->near.sizes = sizes;
	levels_envelope(place, sizes, places, out->near.point);
	return 0;
}

static int far_curve(const struct time_clock *clock,
		     const struct levels_config *config,
		     const struct arena *arena, struct levels *out,
		     struct sums *sums)
{
	/* the second word of each line: the near curve uses the first */
	const struct chain chain = {
		.base = arena->base + sizeof(void *), .step = LINE,
	};
	uint64_t bytes[LEVELS_SIZES];

	out->far.sizes = levels_sizes(bytes, LEVELS_SIZES, config->far_from,
				      config->to, config->steps, LINE);
	return curves(clock, config, &chain, 1, bytes, out->far.sizes,
		      out->far.point, sums);
}

static unsigned places_of(const struct levels_config *config,
			  const struct arena *arena)
{
	unsigned places = config->places < PLACES ? config->places : PLACES;

	while (places > 1 && places * config->near_to > arena->bytes)
		places--;
	return places;
}

int levels_sweep(const struct time_clock *clock,
		 const struct levels_config *config, const struct arena *arena,
		 struct levels *out)
{
	const unsigned places = places_of(config, arena);
	struct level_point *place = malloc(sizeof(*place) * places *
					   LEVELS_SIZES);
	struct sums sums = { 0 };
	int rc = place ? 0 : -ASSAY_ENOMEM;

	*out = (struct levels){ .sweeps = config->sweeps };
	if (rc == 0)
		rc = near_curves(clock, config, arena, place, places, out,
				 &sums);
	if (rc == 0)
		rc = far_curve(clock, config, arena, out, &sums);
	if (rc == 0) {
		out->levels = levels_join(&out->near, &out->far, out->level);
		for (size_t i = 0; i < out->levels && i < 2; i++)
			levels_place(&out->level[i], place, out->near.sizes,
				     places);
		out->ghz = sums.ghz;
		out->torn = sums.slices ? sums.torn / sums.slices : 0;
		out->off = sums.wall > 0 ? sums.off / sums.wall : 0;
	}
	free(place);
	return rc;
}

/* ---- compared with the reported caches ----------------------------------- */

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
	char said[32], low[32], high[32], busy[120];

	levels_busy(busy, sizeof(busy), found->off);
	text_bytes(said, sizeof(said), bytes);
	text_about_bytes(low, sizeof(low), l->low);
	text_about_bytes(high, sizeof(high), l->high);
	text_copy(finding, room, "");
	if (last && bytes)
		snprintf(finding, room, "%s%s reported, but no plateau of this "
			 "size%s", busy, said, *busy ? "" : ": other tenants "
			 "use most of it");
	if (last)
		return 0;
	if (!bytes)
		snprintf(finding, room, "the operating system reports none");
	else if (l->high < 0.85 * (double)bytes)
		snprintf(finding, room, "%s%s reported, %s to %s effective%s",
			 busy, said, low, high, *busy ? "" : ": other tenants, "
			 "a partition or page placement");
	else if (l->low > 1.15 * (double)bytes)
		snprintf(finding, room, "%s%s reported, but %s to %s measured",
			 busy, said, low, high);
	return bytes;
}
