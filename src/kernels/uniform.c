/* SPDX-License-Identifier: MIT */
/* Chances of evenly drawn lines, per level. Freestanding. */
#include "kernels/expect-memory.h"

#define SIGMAS 6
/*
 * A warm run starts with the lines that the earlier, identical run left. These
 * are evenly drawn only if each line was drawn this often since.
 */
#define REPEATS 4

static const char drawn[] =
	"addresses as good as drawn evenly (6 standard deviations), "
	"prefetchers off";

/* The chance that an access misses a level. */
struct chance {
	double low, likely, high;
	double fill;	/* further misses, if the level is empty at first */
};

struct level {
	const struct cache_geometry *cache;
	double above;	/* lines that the levels above hold together */
};

static double positive(double x)
{
	return x > 0 ? x : 0;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

/* Lines that were drawn at least once. */
static double distinct(double lines, uint64_t accesses)
{
	return lines * (1 - power_of(1 - 1 / lines, accesses));
}

/* Further misses while a set of k lines fills its ways. */
static double filling(double k, uint32_t ways)
{
	double sum = 0;

	for (uint32_t j = 0; j < ways && j < k; j++)
		sum += (least(ways, k) - j) / (k - j);
	return sum;
}

/* Each set has lines / sets of the lines, or one more. */
static struct chance even_sets(double lines, uint64_t sets, uint32_t ways)
{
	uint64_t n = (uint64_t)lines, more = n % sets, k = n / sets;
	double beyond, fill;

	beyond = (double)more * positive((double)(k + 1) - ways) +
		 (double)(sets - more) * positive((double)k - ways);
	fill = (double)more * filling((double)(k + 1), ways) +
	       (double)(sets - more) * filling((double)k, ways);
	return (struct chance){ beyond / lines, beyond / lines, beyond / lines,
				fill };
}

/* The mean of max(0, X - ways) for X pages of one colour, over all draws. */
static double crowd(uint64_t pages, double colours, uint32_t ways)
{
	double p = 1 / colours, term = power_of(1 - p, pages);
	double mean = (double)pages * p, kept = 0, below = 0;

	if (colours <= 1)
		return positive((double)pages - ways);
	for (uint64_t x = 0; x < ways && x <= pages; x++) {
		kept += (double)x * term;
		below += term;
		term *= (double)(pages - x) / (double)(x + 1) * p / (1 - p);
	}
	return positive(mean - kept - (1 - below) * ways);
}

/* Page frames drawn at random: each page has one of `colours` colours. */
static struct chance coloured(double lines, const struct cache_geometry *c)
{
	uint64_t pages = (uint64_t)lines / LINES_PER_PAGE;
	double colours = (double)c->sets / LINES_PER_PAGE;
	double room = colours * c->ways;
	struct chance chance = { 0, 0, 0, least(room * LINES_PER_PAGE,
						lines) };

	chance.low = positive((double)pages - room) / (double)pages;
	chance.high = positive((double)pages - c->ways) / (double)pages;
	chance.likely = colours * crowd(pages, colours, c->ways) /
			(double)pages;
	return chance;
}

/* The miss chance of one level alone, by the known sets of the lines. */
static struct chance placed(double lines, const struct cache_geometry *c,
			    const struct geometry *g)
{
	double room = (double)(cache_bytes(c) / LINE_BYTES);
	struct chance chance = { positive(1 - room / lines),
				 positive(1 - room / lines), 1,
				 least(room, lines) };

	if (c->cold != COLD_INVALID_FIRST && c->policy != REPLACE_LRU &&
	    c->policy != REPLACE_FIFO && c->policy != REPLACE_TREE_PLRU)
		return chance;
	if (lines <= c->ways)
		return even_sets(lines, 1, c->ways);
	if (c->slices == 1 && (g->page_map.kind == PAGE_MAP_IDENTITY ||
			       (g->page_map.kind != PAGE_MAP_RECORDED &&
				page_lines(g) % c->sets == 0)))
		return even_sets(lines, c->sets, c->ways);
	if (c->slices == 1 && g->page_map.kind == PAGE_MAP_RANDOM &&
	    g->page_map.size == PAGE_4K && c->sets % LINES_PER_PAGE == 0)
		return coloured(lines, c);
	if (g->page_map.kind == PAGE_MAP_IDENTITY &&
	    lines <= (double)c->sets * c->ways)
		return (struct chance){ 0, 0, 0, lines };
	return chance;
}

/* Missing this level and all above it: own chance and the one above. */
static struct chance combine(double lines, const struct level *l,
			     struct chance own, struct chance upper)
{
	enum inclusion inclusion = l->cache->inclusion;

	if (inclusion != INCLUDE_ALL && l->above)
		own.low = positive(own.low - l->above / lines);
	if (inclusion == INCLUDE_EXCLUSIVE || inclusion == INCLUDE_VICTIM) {
		own.likely = positive(own.likely - l->above / lines);
		own.high = upper.high;
		own.fill += upper.fill;
	}
	own.high = least(own.high, upper.high);
	own.likely = least(own.likely, own.high);
	own.low = least(own.low, own.likely);
	return own;
}

/*
 * Raises the upper bounds: lines of page tables take room, and a line that an
 * inclusive level evicts leaves the levels above, where that costs at most one
 * more miss.
 */
static void loosen(struct chance *level, double lines, double tables,
		   const struct geometry *g)
{
	const struct cache_geometry *cache[] = { &g->l1d, &g->l2, &g->l3 };

	for (unsigned i = 0; i < LEVELS; i++)
		if (tables && i >= (unsigned)g->walker.reads_through)
			level[i].high = least(level[i].high + tables / lines,
					      1);
	for (unsigned i = LEVELS - 1; i > 0; i--) {
		if (!cache[i]->present || cache[i]->inclusion != INCLUDE_ALL)
			continue;
		for (unsigned j = 0; j < i; j++)
			level[j].high = least(1, level[j].high +
						 level[i].high);
	}
}

/* Misses of a run: likely, while filling, and their sum's band. */
struct span {
	double beyond, fill, low, high;
};

static struct span span_of(struct chance c, double n, double first,
			   double slack)
{
	double spread = SIGMAS * square_root(n * c.high * (1 - c.low));

	return (struct span){
		.beyond = n * c.likely,
		.fill = least(c.fill, first),
		.low = positive(n * c.low - spread),
		.high = least(n * c.high + spread + first + slack, n),
	};
}

static void expect_span(struct assay_expectation *out,
			enum assay_quantity quantity, const struct span *s,
			const char *formula)
{
	struct assay_expected *row = expect_row(out, quantity);

	expect_term(row, "beyond reach", formula, s->beyond,
		    "a line that is not among the kept ones is drawn");
	if (s->fill)
		expect_term(row, "first use", "while empty ways fill",
			    s->fill, "nothing is held at first");
	expect_band(row, s->low, s->high, drawn);
}

/* The accesses that arrive (from), less those that are passed on (less). */
static void expect_served(struct assay_expectation *out,
			  enum assay_quantity quantity,
			  const struct span *from, const struct span *less)
{
	struct assay_expected *row = expect_row(out, quantity);

	expect_term(row, "asked", "misses of the level above",
		    from->beyond + from->fill, "only these come here");
	expect_term(row, "passed on", "- misses",
		    -(less->beyond + less->fill),
		    "these were served further away");
	expect_band(row, positive(from->low - less->high),
		    from->high - less->low, drawn);
}

static void expect_levels(const struct span *level, double n,
			  const struct geometry *g,
			  struct assay_expectation *out)
{
	struct span all = { n, 0, n, n };
	struct span l1 = level[LEVEL_L1D], l2 = level[LEVEL_L2];
	struct span l3 = level[LEVEL_L3];

	expect_span(out, ASSAY_Q_l1d_read_misses, &l1,
		    "accesses * (1 - ways / lines per set)");
	expect_span(out, ASSAY_Q_l1d_refills, &l1,
		    "accesses * (1 - ways / lines per set)");
	expect_served(out, ASSAY_Q_served_l1, &all, &l1);
	if (g->l2.present)
		expect_served(out, ASSAY_Q_served_l2, &l1, &l2);
	if (g->l3.present)
		expect_served(out, ASSAY_Q_served_l3, &l2, &l3);
	expect_span(out, ASSAY_Q_served_dram, &l3,
		    "accesses * (1 - what all caches hold / lines)");
}

static bool usable(const struct geometry *g)
{
	return g->l1d.present && usable_cache(&g->l1d) &&
	       usable_cache(&g->l2) && usable_cache(&g->l3) && !prefetches(g);
}

/* Lines of page tables that page walks read, at most. */
static double table_lines(double pages, const struct geometry *g)
{
	if (g->dtlb.present)
		return pages / 8 + 2 + 2.0 * g->walker.levels;
	return g->predictor.kind != PREDICT_NONE &&
	       g->predictor.wrong_path_walks;
}

/* Are there page walks after the first use of each page? */
static bool keeps_walking(double pages, const struct geometry *g)
{
	double reach = g->l2tlb.present ? g->l2tlb.entries : g->dtlb.entries;

	return pages > reach || g->predictor.kind != PREDICT_NONE;
}

static void expect_caches(double lines, uint64_t accesses,
			  const struct geometry *g, bool warm,
			  struct assay_expectation *out)
{
	const struct cache_geometry *cache[] = { &g->l1d, &g->l2, &g->l3 };
	double pages = lines / LINES_PER_PAGE, tables = table_lines(pages, g);
	double above = 0, slack = 0, seen = distinct(lines, accesses) + 1;
	struct chance chance[LEVELS], last = { 1, 1, 1, 0 };
	struct span span[LEVELS];

	for (unsigned i = 0; i < LEVELS; i++) {
		struct level l = { cache[i], above };

		if (cache[i]->present) {
			last = combine(lines, &l, placed(lines, cache[i], g),
				       last);
			above += (double)(cache_bytes(cache[i]) / LINE_BYTES);
		}
		chance[i] = last;
	}
	loosen(chance, lines, keeps_walking(pages, g) ? tables : 0, g);
	for (unsigned i = 0; i < LEVELS; i++) {
		/* lines of the first page walks evict others, once */
		if (cache[i]->present && i >= (unsigned)g->walker.reads_through)
			slack += tables * cache[i]->ways;
		span[i] = span_of(chance[i], (double)accesses, warm ? 0 :
				  least(seen, lines), slack);
	}
	expect_levels(span, (double)accesses, g, out);
}

static void expect_tlbs(double pages, uint64_t accesses,
			const struct geometry *g, bool warm,
			struct assay_expectation *out)
{
	const struct tlb_geometry *a = &g->dtlb, *b = &g->l2tlb;
	double n = (double)accesses;
	double first = warm ? 0 : distinct(pages, accesses) + 1;
	struct chance one;
	struct span span;

	if (!a->present || !a->ways || a->entries < a->ways ||
	    translates_ahead(g))
		return;
	first = least(first, pages);
	one = even_sets(pages, a->entries / a->ways, a->ways);
	span = span_of(one, n, least(first, a->entries), 0);
	expect_span(out, ASSAY_Q_dtlb_misses, &span,
		    "accesses * (1 - entries / pages)");
	if (b->present && b->ways && b->entries >= b->ways) {
		one = even_sets(pages, b->entries / b->ways, b->ways);
		one.low = positive(one.low - (double)a->entries / pages);
	}
	if (g->predictor.kind != PREDICT_NONE)
		first += 2.0 * g->predictor.wrong_path_walks;
	span = span_of(one, n, first, 0);
	expect_span(out, ASSAY_Q_page_walks, &span,
		    "accesses * (1 - entries / pages)");
}

void expect_uniform(uint64_t lines, uint64_t accesses,
		    const struct geometry *g, bool warm,
		    struct assay_expectation *out)
{
	uint64_t pages = lines / page_lines(g);

	if (usable(g) && lines >= LINES_PER_PAGE &&
	    (!warm || accesses / REPEATS >= lines))
		expect_caches((double)lines, accesses, g, warm, out);
	/* each page has equally many lines */
	if (pages && lines % page_lines(g) == 0 &&
	    (!warm || accesses / REPEATS >= pages))
		expect_tlbs((double)pages, accesses, g, warm, out);
}
