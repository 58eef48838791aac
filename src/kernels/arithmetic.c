/* SPDX-License-Identifier: MIT */
/* Set arithmetic of the caches; see arithmetic.h. Freestanding. */
#include "kernels/arithmetic.h"

/* Which lines of a set arrive at a level, after the levels above. */
enum arriving { ARRIVE_NONE, ARRIVE_SOME, ARRIVE_ALL };

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

double power_of(double x, uint64_t n)
{
	double result = 1;

	for (; n; n >>= 1, x *= x)
		if (n & 1)
			result *= x;
	return result;
}

double square_root(double x)
{
	double y = x > 1 ? x : 1;

	if (x <= 0)
		return 0;
	for (int i = 0; i < 1100 && (y - x / y) > 1e-12 * y; i++)
		y = (y + x / y) / 2;
	return y;
}

static bool holds_victims(const struct cache_geometry *c)
{
	return c->inclusion == INCLUDE_EXCLUSIVE ||
	       c->inclusion == INCLUDE_VICTIM;
}

/* The present caches, and the sets that a footprint uses in each. */
struct hierarchy {
	const struct cache_geometry *cache[LEVELS];
	enum cache_level { AT_L1D, AT_L2, AT_L3 } at[LEVELS];
	uint64_t sets[LEVELS];		/* that the footprint has lines in */
	uint64_t above[LEVELS];		/* ways of the levels above, summed */
	bool strict[LEVELS];		/* overfull sets always miss */
	bool stores;			/* the footprint is written to */
	unsigned levels;
};

static void push(struct hierarchy *h, const struct cache_geometry *c,
		 unsigned at, uint64_t step)
{
	unsigned i = h->levels;

	if (!c->present)
		return;
	h->cache[i] = c;
	h->at[i] = at;
	h->sets[i] = c->sets / common_divisor(c->sets, step);
	h->above[i] = i ? h->above[i - 1] + h->cache[i - 1]->ways : 0;
	h->levels++;
}

/* Is an invalid way always filled before a line is evicted? */
static bool fills_first(const struct cache_geometry *c)
{
	return evicts_oldest(c->policy) || c->cold == COLD_INVALID_FIRST ||
	       c->policy == REPLACE_TREE_PLRU;
}

/* Is level i filled by victims, of which the level above drops clean ones? */
static bool starved(const struct hierarchy *h, unsigned i)
{
	return i && holds_victims(h->cache[i]) && h->cache[i - 1]->silent_clean;
}

/* Do all lines of a set hit if the set has a way for each of them? */
static bool keeps(const struct hierarchy *h, unsigned i)
{
	return fills_first(h->cache[i]) && !starved(h, i);
}

/*
 * Misses per pass of k lines that cycle through one set of level i. With
 * slices, the k lines are spread over the set of every slice in an unknown way.
 * Lines that the levels above held may arrive after their access, as victims or
 * written back.
 */
static struct bounds set_misses(const struct hierarchy *h, unsigned i,
				uint64_t k, enum arriving arriving)
{
	const struct cache_geometry *c = h->cache[i];
	bool victims = i && (holds_victims(c) || h->stores);
	bool strict = h->strict[i] && arriving == ARRIVE_ALL;
	uint64_t kept = (uint64_t)c->ways * c->slices;

	if (arriving == ARRIVE_NONE || !k)
		return bounds_exactly(0);
	if (k <= c->ways && keeps(h, i))
		return bounds_exactly(0);
	if (victims || arriving == ARRIVE_SOME)
		kept += h->above[i];
	if (strict && c->slices == 1 && (!victims || k > kept))
		return bounds_exactly(k);
	if (k > kept && strict && !victims)
		kept -= c->ways;
	return bounds_between(starved(h, i) ? 0 : arithmetic_less(k, kept), k);
}

/* Misses at `level` of its set t, following the set's lines down from L1D. */
static struct bounds column_misses(const struct hierarchy *h, unsigned level,
				   uint64_t lines, uint64_t t)
{
	enum arriving arriving = ARRIVE_ALL;
	struct bounds b = bounds_exactly(0);

	for (unsigned i = 0; i <= level; i++) {
		uint64_t k = lines_in_set(lines, h->sets[i], t);

		b = set_misses(h, i, k, arriving);
		if (!b.high)
			arriving = ARRIVE_NONE;
		else if (b.low != k || arriving == ARRIVE_SOME)
			arriving = ARRIVE_SOME;
	}
	return b;
}

/* Do all lines of one set of `level` share a set in each level above? */
static bool columns(const struct hierarchy *h, unsigned level)
{
	for (unsigned i = 1; i <= level; i++)
		if (h->sets[i] % h->sets[i - 1])
			return false;
	return true;
}

/*
 * Does every set that fits into a level fit into the inclusive levels below?
 * Then an inclusive level evicts from above only lines that miss there anyway.
 */
static bool nested(const struct hierarchy *h)
{
	for (unsigned i = 1; i < h->levels; i++)
		if (h->cache[i]->inclusion == INCLUDE_ALL &&
		    (!columns(h, i) ||
		     h->cache[i]->ways < h->cache[i - 1]->ways))
			return false;
	return true;
}

/* Are all levels down to this one indexed by bits of the page offset alone? */
static bool page_sized(const struct hierarchy *h, unsigned level,
		       uint64_t lines)
{
	for (unsigned i = 0; i <= level; i++)
		if (lines % h->cache[i]->sets)
			return false;
	return true;
}

/* Is each line in the set that its virtual address gives? */
static bool sequence_holds(const struct hierarchy *h, unsigned level,
			   const struct geometry *g)
{
	switch (g->page_map.kind) {
	case PAGE_MAP_IDENTITY:
		return true;
	case PAGE_MAP_RANDOM:
		return page_sized(h, level, page_lines(g));
	default:
		return false;
	}
}

/* How many of the last used lines of a set are surely not the next victim. */
static uint64_t protected_lines(const struct cache_geometry *c)
{
	if (evicts_oldest(c->policy))
		return c->ways;
	if (c->policy == REPLACE_TREE_PLRU && !(c->ways & (c->ways - 1)))
		return (uint64_t)__builtin_ctz(c->ways);
	return 0;
}

/* The most lines that can be in one set of level i, under any page map. */
static uint64_t fullest(const struct hierarchy *h, unsigned i,
			const struct footprint *f, const struct geometry *g)
{
	if (sequence_holds(h, i, g))
		return (f->lines + h->sets[i] - 1) / h->sets[i];
	return smaller(f->lines, footprint_pages(f, LINES_PER_PAGE));
}

/*
 * Does an overfull set of level i always miss? LRU and FIFO sets do, unless an
 * inclusive level below evicts a line that is still in the set: the next fill
 * would take the invalid way, and another line would stay.
 */
static bool is_strict(const struct hierarchy *h, unsigned i,
		      const struct footprint *f, const struct geometry *g)
{
	if (!evicts_oldest(h->cache[i]->policy))
		return false;
	for (unsigned j = i + 1; j < h->levels; j++)
		if (h->cache[j]->inclusion == INCLUDE_ALL &&
		    protected_lines(h->cache[j]) < h->cache[i]->ways &&
		    fullest(h, j, f, g) > h->cache[j]->ways)
			return false;
	return true;
}

static struct bounds sum_columns(const struct hierarchy *h, unsigned level,
				 uint64_t lines)
{
	struct bounds sum = bounds_exactly(0);

	for (uint64_t t = 0; t < h->sets[level]; t++)
		bounds_add(&sum, column_misses(h, level, lines, t));
	return sum;
}

/* Pr[Bin(n, 1 / colours) >= ways] */
static double crowded(uint64_t n, uint64_t colours, uint64_t ways)
{
	double p = 1.0 / (double)colours, below = 0;
	double term = power_of(1 - p, n);

	for (uint64_t k = 0; k < ways && k <= n; k++) {
		below += term;
		term *= (double)(n - k) / (double)(k + 1) * p / (1 - p);
	}
	return below < 1 ? 1 - below : 0;
}

/* Misses of the lines at one page offset, if page colours are drawn. */
static struct bounds coloured(const struct hierarchy *h, unsigned i,
			      uint64_t pages, uint64_t colours)
{
	const struct cache_geometry *c = h->cache[i];
	bool victims = i && (holds_victims(c) || h->stores);
	uint64_t kept = c->ways * (h->strict[i] && !victims ? colours - 1 :
							      colours);
	struct bounds b;

	if (pages <= c->ways && keeps(h, i))
		return bounds_exactly(0);
	if (i && (victims || !h->strict[i - 1]))
		kept += h->above[i] * colours;
	b = bounds_between(pages > c->ways * colours ?
			   arithmetic_less(pages, kept) : 0, pages);
	b.likely = (double)pages * crowded(pages - 1, colours, c->ways);
	if (b.likely < (double)b.low)
		b.likely = (double)b.low;
	return b;
}

/* Frames drawn at random: the page offset of each line is known only. */
static struct bounds sum_coloured(const struct hierarchy *h, unsigned level,
				  const struct footprint *f, uint64_t pages)
{
	uint64_t offsets = f->step < LINES_PER_PAGE ?
			   LINES_PER_PAGE / f->step :
			   f->step % LINES_PER_PAGE ? LINES_PER_PAGE : 1;
	uint64_t colours = h->cache[level]->sets / LINES_PER_PAGE;
	struct bounds sum = bounds_exactly(0);

	for (uint64_t o = 0; o < offsets; o++) {
		uint64_t n = offsets == 1 ? pages :
			     lines_in_set(f->lines, offsets, o);

		if (n)
			bounds_add(&sum, coloured(h, level, n, colours));
	}
	return sum;
}

/* No set is known: only capacities count. */
static struct bounds unplaced(const struct hierarchy *h, unsigned level,
			      uint64_t lines)
{
	uint64_t room = 0;

	if (lines <= h->cache[level]->ways && keeps(h, level))
		return bounds_exactly(0);
	for (unsigned i = 0; i <= level; i++)
		room += cache_bytes(h->cache[i]) / LINE_BYTES;
	return bounds_between(arithmetic_less(lines, room), lines);
}

/* Does coloured() hold: L1D .. level indexed by page offset and colour? */
static bool colours_known(const struct hierarchy *h, unsigned level,
			  const struct footprint *f, const struct geometry *g)
{
	bool even = f->step < LINES_PER_PAGE ? LINES_PER_PAGE % f->step == 0 :
		    f->step % LINES_PER_PAGE == 0 ||
		    f->step == LINES_PER_PAGE + 1;

	for (unsigned i = 0; i <= level; i++)
		if (h->cache[i]->slices > 1 ||
		    h->cache[i]->sets % LINES_PER_PAGE ||
		    (i && h->cache[i]->sets % h->cache[i - 1]->sets))
			return false;
	return even && g->page_map.kind == PAGE_MAP_RANDOM &&
	       g->page_map.size == PAGE_4K;
}

static struct bounds level_misses(const struct hierarchy *h, unsigned level,
				  const struct footprint *f,
				  const struct geometry *g)
{
	if (columns(h, level) && sequence_holds(h, level, g))
		return sum_columns(h, level, f->lines);
	if (colours_known(h, level, f, g))
		return sum_coloured(h, level, f,
				    footprint_pages(f, LINES_PER_PAGE));
	return unplaced(h, level, f->lines);
}

bool prefetches(const struct geometry *g)
{
	for (uint32_t i = 0; i < g->prefetchers; i++)
		if (g->prefetcher[i].on)
			return true;
	return false;
}

static struct bounds level_resident(const struct hierarchy *h, unsigned level,
				    const struct footprint *f, uint64_t tables,
				    bool placed)
{
	uint64_t ways = h->cache[level]->ways, held = 0;

	if (!placed)
		return bounds_between(0, smaller(f->lines,
				cache_bytes(h->cache[level]) / LINE_BYTES));
	for (uint64_t t = 0; t < h->sets[level]; t++)
		held += smaller(ways, lines_in_set(f->lines, h->sets[level],
						   t));
	return bounds_between(arithmetic_less(held, tables), held);
}

/* Lines of page tables for `pages` pages `step` apart, all levels. */
static uint64_t table_lines(const struct geometry *g, uint64_t pages,
			    uint64_t step)
{
	uint64_t per_line = step >= 8 ? 1 : 8 / step;

	return pages / per_line + 2 + 2 * (uint64_t)g->walker.levels;
}

/*
 * Further misses of level i if `tables` lines of page tables arrive: each can
 * evict at most all lines of one set, and only if the set has no room. missing:
 * lines that miss anyway.
 */
static uint64_t spoiled(const struct hierarchy *h, unsigned i,
			const struct footprint *f, const struct geometry *g,
			uint64_t tables, uint64_t missing)
{
	uint64_t ways = h->cache[i]->ways;

	if (fullest(h, i, f, g) + tables <= ways)
		return 0;
	return smaller(tables * ways, f->lines - missing);
}

/* The first level that page walks look up; LEVELS: none. */
static unsigned walker_level(const struct geometry *g)
{
	return g->walker.reads_through > WALK_L3 ? LEVELS :
	       (unsigned)g->walker.reads_through;
}

/* Fills once, each, resident and settled: what page walks add. */
static void disturb(struct misses *m, const struct hierarchy *h,
		    const struct footprint *f, const struct geometry *g)
{
	uint64_t step = f->step <= page_lines(g) ? 1 :
			f->step / page_lines(g);
	uint64_t once = 0, each = 0;

	if (g->dtlb.present)
		once = table_lines(g, footprint_pages(f, page_lines(g)), step);
	if (m->tlbs ? m->l2tlb.high > 0 : g->dtlb.present)
		each = once;
	if (!each && m->wrong_path_walks)
		each = g->walker.levels ? g->walker.levels : 1;
	if (!once)
		once = each;
	for (unsigned i = 0; i < h->levels; i++) {
		uint64_t low = m->level[h->at[i]].low;
		bool walks = h->at[i] >= walker_level(g);
		bool placed = h->cache[i]->slices == 1 && columns(h, i) &&
			      sequence_holds(h, i, g) &&
			      !holds_victims(h->cache[i]);

		m->settled[h->at[i]] = placed && h->strict[i] &&
				       low == m->level[h->at[i]].high;
		m->resident[h->at[i]] = level_resident(h, i, f,
						       walks ? once : 0,
						       placed);
		if (!walks)
			continue;
		m->once[h->at[i]] = spoiled(h, i, f, g, once, low);
		/* only LRU surely evicts a line that a pass does not use */
		m->each[h->at[i]] =
			h->cache[i]->policy == REPLACE_LRU ?
			spoiled(h, i, f, g, each, low) : m->once[h->at[i]];
	}
}

/* An absent level passes on the misses of the level above. */
static void pass_down(struct misses *m, const struct geometry *g)
{
	if (!g->l2.present) {
		m->once[LEVEL_L2] = m->once[LEVEL_L1D];
		m->each[LEVEL_L2] = m->each[LEVEL_L1D];
	}
	if (!g->l3.present) {
		m->once[LEVEL_L3] = m->once[LEVEL_L2];
		m->each[LEVEL_L3] = m->each[LEVEL_L2];
	}
}

/* A line that an inclusive level evicts leaves the levels above too. */
static void add_recalls(struct misses *m, const struct geometry *g)
{
	const struct cache_geometry *cache[] = { &g->l1d, &g->l2, &g->l3 };

	for (unsigned i = LEVELS - 1; i > 0; i--) {
		if (!cache[i]->present || cache[i]->inclusion != INCLUDE_ALL)
			continue;
		for (unsigned j = 0; j < i; j++) {
			if (m->once[j] < m->once[i])
				m->once[j] = m->once[i];
			if (m->each[j] < m->each[i])
				m->each[j] = m->each[i];
		}
	}
}

/* Does a level write through, or not allocate a line for a store? */
static bool writes_elsewhere(const struct geometry *g)
{
	const struct cache_geometry *cache[] = { &g->l1d, &g->l2, &g->l3 };

	for (unsigned i = 0; i < LEVELS; i++)
		if (cache[i]->present && (cache[i]->write_through ||
					  cache[i]->no_write_allocate))
			return true;
	return false;
}

bool usable_cache(const struct cache_geometry *c)
{
	return !c->present || (c->line_bytes == LINE_BYTES && c->sets &&
			       c->ways && c->slices);
}

void cyclic_misses(const struct footprint *f, const struct geometry *g,
		   struct misses *out)
{
	struct hierarchy h = { .stores = f->stores, .levels = 0 };
	struct bounds last = bounds_exactly(f->lines);

	for (unsigned i = 0; i < LEVELS; i++) {
		out->once[i] = out->each[i] = 0;
		out->settled[i] = false;
	}
	out->wrong_path_walks = g->predictor.kind == PREDICT_NONE ? 0 :
				g->predictor.wrong_path_walks;
	cyclic_tlb_misses(f, g, out);
	out->caches = g->l1d.present && usable_cache(&g->l1d) &&
		      usable_cache(&g->l2) && usable_cache(&g->l3) &&
		      !prefetches(g) &&
		      !holds_victims(&g->l1d) &&
		      !(f->stores && writes_elsewhere(g));
	if (!out->caches)
		return;
	push(&h, &g->l1d, LEVEL_L1D, f->step);
	push(&h, &g->l2, LEVEL_L2, f->step);
	push(&h, &g->l3, LEVEL_L3, f->step);
	for (unsigned i = 0; i < h.levels; i++)
		h.strict[i] = is_strict(&h, i, f, g);
	out->caches = nested(&h);
	if (!out->caches)
		return;
	for (unsigned i = 0, at = 0; at < LEVELS; at++) {
		if (i < h.levels && h.at[i] == at) {
			struct bounds b = level_misses(&h, i++, f, g);

			b.high = smaller(b.high, last.high);
			b.low = smaller(b.low, b.high);
			if (b.likely > (double)b.high)
				b.likely = (double)b.high;
			last = b;
		}
		out->level[at] = last;
	}
	disturb(out, &h, f, g);
	pass_down(out, g);
	add_recalls(out, g);
}
