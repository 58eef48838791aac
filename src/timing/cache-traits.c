/* SPDX-License-Identifier: MIT */
/* Measures line size, ways, TLBs and prefetchers by pointer chases. */
#include "timing/cache-traits.h"

#include <math.h>
#include <stdio.h>

#include "analysis/latency/series.h"
#include "base/row.h"
#include "base/text.h"
#include "measure/chain.h"

#define LINE 64
#define PAGE 4096
#define CHUNKS 24	/* of each try */
#define TRIES 3
#define CHUNK_NS 10000
#define WAYS 33		/* lines of one set, at most: finds up to 32 ways */
#define TLB_POINTS 48	/* numbers of pages that are tried */
#define PLACES 3	/* parts of the arena in which L2 ways are measured */
#define MIB (UINT64_C(1) << 20)

/*
 * Cycles per access of a chase through a cyclic list of `lines` lines: the
 * least of TRIES medians, because disturbance only adds. 0: the core's clock
 * was not seen.
 */
static double chase_cycles(const struct time_clock *clock, void *head,
			   uint64_t lines)
{
	struct timed t = { .chains = 1, .lines = lines, .head = { head } };
	double least = 0;

	for (int try = 0; try < TRIES; try++) {
		double cycles[CHUNKS], core = 0, median;
		uint64_t steps;
		size_t n = 0;

		time_warm(clock, &t);
		steps = time_steps(clock, &t, CHUNK_NS);
		for (int i = 0; i < CHUNKS; i++) {
			struct time_sample s;

			time_chunk(clock, &t, steps, &core, &s);
			if (!s.torn && s.cycles > 0)
				cycles[n++] = s.cycles;
		}
		if (n < CHUNKS / 4)
			continue;
		median = series_quantile(cycles, n, 0.4);
		if (!(least > 0) || median < least)
			least = median;
	}
	return least;
}

static double random_cycles(const struct time_clock *clock,
			    const struct chain *chain, uint64_t elements)
{
	uint64_t seed = 11;

	chain_extend(chain, 0, elements, &seed);
	return chase_cycles(clock, chain_at(chain, 0), elements);
}

static double linear_cycles(const struct time_clock *clock,
			    const struct chain *chain, uint64_t elements)
{
	chain_linear(chain, elements);
	return chase_cycles(clock, chain_at(chain, 0), elements);
}

/*
 * Blocks of `step` bytes in random order, two accesses in each: the second one
 * `gap` bytes below the first. The first one is the last word of a line,
 * whatever the line size is (up to 256 bytes).
 */
static double pair_cycles(const struct time_clock *clock,
			  const struct arena *arena, uint64_t step,
			  uint64_t bytes, uint64_t gap)
{
	const struct chain chain = { .base = arena->base + step / 2 + 248,
				     .step = step };
	const uint64_t blocks = bytes / step - 1;
	uint64_t seed = 5;

	chain_extend(&chain, 0, blocks, &seed);
	chain_double(&chain, blocks, -gap);
	return chase_cycles(clock, chain_at(&chain, 0), 2 * blocks);
}

/* ---- line and ways ------------------------------------------------------ */

/* Descending pairs in the L2, so that no next-line prefetcher helps. */
static struct trait find_line(const struct time_clock *clock,
			      const struct cache_traits_input *in)
{
	static const double gap[] = { 8, 16, 32, 64, 128, 256 };
	double cycles[sizeof(gap) / sizeof(*gap)];
	uint64_t bytes = 8 * in->l1;

	if (bytes > in->l2 / 2)
		bytes = in->l2 / 2;
	if (bytes < 4 * in->l1)
		return (struct trait){ 0, 0, TRAIT_NONE };
	for (size_t i = 0; i < sizeof(gap) / sizeof(*gap); i++)
		cycles[i] = pair_cycles(clock, in->large, 1024, bytes,
					(uint64_t)gap[i]);
	return trait_line(gap, cycles, sizeof(gap) / sizeof(*gap));
}

/* Lines 64 KiB apart, a multiple of any L1D's way size, are in one set. */
static struct trait find_l1_ways(const struct time_clock *clock,
				 const struct cache_traits_input *in)
{
	const struct chain chain = { .base = in->small->base,
				     .step = 16 * PAGE };
	double cycles[WAYS];

	for (uint64_t k = 0; k < WAYS; k++)
		cycles[k] = random_cycles(clock, &chain, k + 1);
	return trait_ways(cycles, WAYS, in->l1_cycles, in->l2_cycles);
}

/*
 * Lines 1 MiB apart, a multiple of any L2's way size, in huge pages. Under a
 * hypervisor a huge page need not be contiguous in the host's memory, so
 * several places must agree.
 */
static struct trait find_l2_ways(const struct time_clock *clock,
				 const struct cache_traits_input *in,
				 double line)
{
	struct chain chain = { .step = MIB };
	struct trait found[PLACES];
	double cycles[WAYS];

	for (uint64_t p = 0; p < PLACES; p++) {
		chain.base = in->large->base +
			     p * (CACHE_TRAITS_BYTES - WAYS * MIB) / PLACES /
			     LINE * LINE;
		for (uint64_t k = 0; k < WAYS; k++)
			cycles[k] = random_cycles(clock, &chain, k + 1);
		found[p] = trait_ways(cycles, WAYS, in->l2_cycles,
				      in->l3_cycles);
	}
	return trait_agreed_ways(found, PLACES, (double)in->l2, line);
}

/* ---- TLBs --------------------------------------------------------------- */

/*
 * One line in each of n pages, evenly over the cache's sets; compared with n
 * adjacent lines.
 */
static void find_tlbs(const struct time_clock *clock,
		      const struct cache_traits_input *in,
		      struct tlb_traits *out)
{
	const struct chain spread = { .base = in->small->base, .step = PAGE,
				      .skew = LINE, .wrap = PAGE };
	const struct chain packed = { .base = in->large->base, .step = LINE };
	struct tlb_point p[TLB_POINTS];
	uint64_t pages[TLB_POINTS];
	const size_t n = levels_sizes(pages, TLB_POINTS, 16,
				      CACHE_TRAITS_BYTES / PAGE, 4, 4);

	for (size_t i = 0; i < n; i++) {
		p[i].pages = (double)pages[i];
		p[i].spread = random_cycles(clock, &spread, pages[i]);
		p[i].packed = random_cycles(clock, &packed, pages[i]);
	}
	trait_tlbs(p, n, out);
}

/* ---- prefetchers -------------------------------------------------------- */

static void keep_least(double *sofar, double cycles)
{
	if (cycles > 0 && (!(*sofar > 0) || cycles < *sofar))
		*sofar = cycles;
}

static void find_prefetchers(const struct time_clock *clock,
			     const struct cache_traits_input *in,
			     struct cache_traits *out)
{
	const struct chain lines = { .base = in->large->base, .step = LINE };
	const struct chain strided = { .base = in->large->base,
				       .step = 5 * LINE };
	const uint64_t few = in->l2 / 2 / (5 * LINE);

	out->stream_cycles = linear_cycles(clock, &lines,
					   CACHE_TRAITS_BYTES / LINE);
	out->random_cycles = random_cycles(clock, &lines,
					   CACHE_TRAITS_BYTES / LINE);
	out->stream = trait_prefetch(out->stream_cycles, out->random_cycles);
	/* alternating, because a disturbance outlasts one measurement */
	for (int try = 0; try < TRIES; try++) {
		keep_least(&out->pair_cycles,
			   pair_cycles(clock, in->large, 2048,
				       CACHE_TRAITS_BYTES, LINE));
		keep_least(&out->apart_cycles,
			   pair_cycles(clock, in->large, 2048,
				       CACHE_TRAITS_BYTES, 12 * LINE));
	}
	out->adjacent = trait_prefetch(out->pair_cycles, out->apart_cycles);
	if (few < 2 * in->l1 / LINE)
		return;
	out->stride_cycles = linear_cycles(clock, &strided, few);
	out->shuffled_cycles = random_cycles(clock, &strided, few);
	out->stride = trait_prefetch(out->stride_cycles,
				     out->shuffled_cycles);
}

void cache_traits_measure(const struct time_clock *clock,
			  const struct cache_traits_input *in,
			  struct cache_traits *out)
{
	*out = (struct cache_traits){ .line = { .trust = TRAIT_NONE } };
	if (in->l1 && in->l2) {
		out->line = find_line(clock, in);
		out->l1_ways = find_l1_ways(clock, in);
		out->l2_ways = find_l2_ways(clock, in, out->line.trust ?
					    out->line.value : LINE);
	}
	find_tlbs(clock, in, &out->tlb);
	find_prefetchers(clock, in, out);
}

/* ---- arithmetic --------------------------------------------------------- */

/* The reported sizes of a cache, and the bounds of its size by timing. */
static struct trait_cache facts_of(const struct cache_geometry *c,
				   const struct level_found *level)
{
	struct trait_cache cache = {
		.ways = c->ways, .sets = c->sets * c->slices,
		.line = c->line_bytes,
	};

	if (level && level->bounded) {
		cache.low = level->low;
		cache.high = level->high;
	}
	return cache;
}

/* On a busy CPU nothing is held against a trait. */
static void excuse(struct trait *t, double off, char *why, size_t room)
{
	char busy[120], all[240];

	levels_busy(busy, sizeof(busy), off);
	if (t->trust != TRAIT_CONTRADICTED || !*busy)
		return;
	t->trust = TRAIT_UNDECIDED;
	snprintf(all, sizeof(all), "%s%.119s", busy, why);
	text_copy(why, room, all);
}

void cache_traits_check(struct cache_traits *t,
			const struct geometry *reported,
			const struct level_found *level, size_t levels)
{
	const struct trait_cache l1 = facts_of(&reported->l1d,
					       levels > 0 ? &level[0] : NULL);
	const struct trait_cache l2 = facts_of(&reported->l2,
					       levels > 1 ? &level[1] : NULL);

	trait_check_line(&t->line, &l1, t->line_why, sizeof(t->line_why));
	trait_check_ways(&t->l1_ways, &l1, t->l1_why, sizeof(t->l1_why));
	trait_check_ways(&t->l2_ways, &l2, t->l2_why, sizeof(t->l2_why));
	excuse(&t->line, t->off, t->line_why, sizeof(t->line_why));
	excuse(&t->l1_ways, t->off, t->l1_why, sizeof(t->l1_why));
	excuse(&t->l2_ways, t->off, t->l2_why, sizeof(t->l2_why));
}

/* ---- rows --------------------------------------------------------------- */

/* How a trait is shown, and the reported value that it is compared with. */
struct words {
	const char *name, *unit, *evidence;
	uint32_t reported;	/* 0: nothing is reported */
	double slack;		/* beyond this factor there is a finding */
	const char *why;	/* what contradicts the trait; NULL, "": none */
};

static void value_text(char *out, size_t room, const struct trait *t,
		       const char *unit)
{
	if (t->trust == TRAIT_NONE)
		snprintf(out, room, "-");
	else if (t->to > 0)
		snprintf(out, room, "%.0f to %.0f %s", t->value, t->to, unit);
	else
		snprintf(out, room, "%.0f %s", t->value, unit);
}

static void find(char *out, size_t room, const struct trait *t,
		 const struct words *w)
{
	const double to = t->to > 0 ? t->to : t->value;
	const double reported = w->reported;

	text_copy(out, room, w->why ? w->why : "");
	if (*out || t->trust == TRAIT_NONE || !w->reported ||
	    (reported >= t->value / w->slack && reported <= to * w->slack))
		return;
	snprintf(out, room, "%u %s reported, but %s measured", w->reported,
		 w->unit, reported > to ? "fewer" : "more");
}

static int emit(const struct trait *t, const struct words *w,
		assay_row_fn *fn, void *ctx)
{
	char value[64], reported[32] = "", finding[240];

	value_text(value, sizeof(value), t, w->unit);
	if (w->reported)
		snprintf(reported, sizeof(reported), "%u", w->reported);
	find(finding, sizeof(finding), t, w);
	const struct assay_field field[] = {
		field_text("trait", w->name),
		field_text("value", value),
		field_text("reported", reported),
		field_text("trust", trait_trust_words[t->trust]),
		field_detail("evidence", w->evidence),
		field_text("finding", finding),
	};

	return row_emit(fn, ctx, "trait", field, 6);
}

static int emit_prefetcher(const char *name, const struct trait *t,
			   double with, double without, const char *words,
			   assay_row_fn *fn, void *ctx)
{
	char evidence[160];

	snprintf(evidence, sizeof(evidence), words, with, without);
	const struct assay_field field[] = {
		field_text("trait", name),
		field_text("value", t->trust == TRAIT_NONE ? "-" :
			   t->value > 0 ? "present" : "not seen"),
		field_text("reported", ""),
		field_text("trust", trait_trust_words[t->trust]),
		field_detail("evidence", with > 0 ? evidence : "not measured"),
		field_text("finding", ""),
	};

	return row_emit(fn, ctx, "trait", field, 6);
}

static int emit_numbers(const struct cache_traits *t, const struct geometry *g,
			assay_row_fn *fn, void *ctx)
{
	const struct { const struct trait *trait; struct words words; }
	row[] = {
		{ &t->line, { "line", "bytes", "the second access of a pair "
			"hits up to this gap", g->l1d.line_bytes, 1,
			t->line_why } },
		{ &t->l1_ways, { "L1d ways", "ways", "lines of one set that "
			"stay in the L1d together", g->l1d.ways, 1,
			t->l1_why } },
		{ &t->l2_ways, { "L2 ways", "ways", t->l2_ways.trust ?
			"lines of one set that stay in the L2 together, in "
			"three places" :
			"no lines of one set were found: huge pages may be "
			"scattered in the host's memory", g->l2.ways, 1,
			t->l2_why } },
		{ &t->tlb.first, { "first data TLB", "pages", "4 KiB pages "
			"that cost nothing extra", g->dtlb.entries, 1.1,
			NULL } },
		{ &t->tlb.first_miss, { "its miss", "cycles", "extra cost of "
			"an access beyond its reach", 0, 1, NULL } },
		{ &t->tlb.second, { "second TLB", "pages", "pages before "
			"page walks begin", g->l2tlb.entries, 2, NULL } },
		{ &t->tlb.walk, { "page walk", "cycles", "extra cost at twice "
			"that reach, over a first-TLB miss", 0, 1, NULL } },
	};
	int rc = 0;

	for (size_t i = 0; i < sizeof(row) / sizeof(*row) && !rc; i++)
		rc = emit(row[i].trait, &row[i].words, fn, ctx);
	return rc;
}

int cache_traits_emit(const struct cache_traits *t,
		      const struct geometry *reported, assay_row_fn *fn,
		      void *ctx)
{
	int rc = emit_numbers(t, reported, fn, ctx);

	if (!rc)
		rc = emit_prefetcher("stream prefetcher", &t->stream,
				     t->stream_cycles, t->random_cycles,
				     "%.1f cycles in order, %.1f at random",
				     fn, ctx);
	if (!rc)
		rc = emit_prefetcher("adjacent-line prefetcher", &t->adjacent,
				     t->pair_cycles, t->apart_cycles,
				     "%.1f cycles in pairs of neighbours, "
				     "%.1f in pairs apart", fn, ctx);
	if (!rc)
		rc = emit_prefetcher("stride prefetcher", &t->stride,
				     t->stride_cycles, t->shuffled_cycles,
				     "%.1f cycles at a constant stride in the "
				     "L2, %.1f shuffled", fn, ctx);
	return rc;
}
