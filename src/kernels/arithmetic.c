/* SPDX-License-Identifier: MIT */
/* Set arithmetic of periodic walks. Freestanding. */
#include "kernels/arithmetic.h"

#include <stddef.h>

/* How much of a set's lines the level above lets through. */
enum reach { REACH_NONE, REACH_SOME, REACH_ALL };

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
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

static bool takes_victims(const struct cache_geometry *c)
{
	return c->inclusion == INCLUDE_EXCLUSIVE ||
	       c->inclusion == INCLUDE_VICTIM;
}

/* The hierarchy as seen from a walk; absent levels are left out. */
struct stack {
	const struct cache_geometry *cache[LEVELS];
	enum cache_level { AT_L1D, AT_L2, AT_L3 } at[LEVELS];
	uint64_t sets[LEVELS];		/* that the walk can reach */
	uint64_t above[LEVELS];		/* ways of the levels above */
	bool strict[LEVELS];		/* overfull sets miss always */
	bool stores;
	unsigned levels;
};

static void push(struct stack *s, const struct cache_geometry *c, unsigned at,
		 uint64_t step)
{
	unsigned i = s->levels;

	if (!c->present)
		return;
	s->cache[i] = c;
	s->at[i] = at;
	s->sets[i] = c->sets / common_divisor(c->sets, step);
	s->above[i] = i ? s->above[i - 1] + s->cache[i - 1]->ways : 0;
	s->levels++;
}

/* Is an empty way always taken before a line is replaced? */
static bool fills_first(const struct cache_geometry *c)
{
	return is_stack(c->policy) || c->cold == COLD_INVALID_FIRST ||
	       c->policy == REPLACE_TREE_PLRU;
}

/* Victims arrive at level i only if the level above passes clean ones on. */
static bool starved(const struct stack *s, unsigned i)
{
	return i && takes_victims(s->cache[i]) && s->cache[i - 1]->silent_clean;
}

/* Does everything hit if no set gets more lines than it has ways? */
static bool keeps(const struct stack *s, unsigned i)
{
	return fills_first(s->cache[i]) && !starved(s, i);
}

/*
 * k lines cycle through one set of level i, or of one of its slices: which
 * slice a line is in is not known. What the levels above held may arrive here
 * later than it was asked for, as a victim or written back.
 */
static struct bounds set_misses(const struct stack *s, unsigned i, uint64_t k,
				enum reach reach)
{
	const struct cache_geometry *c = s->cache[i];
	bool victims = i && (takes_victims(c) || s->stores);
	bool strict = s->strict[i] && reach == REACH_ALL;
	uint64_t kept = (uint64_t)c->ways * c->slices;

	if (reach == REACH_NONE || !k)
		return bounds_exactly(0);
	if (k <= c->ways && keeps(s, i))
		return bounds_exactly(0);
	if (victims || reach == REACH_SOME)
		kept += s->above[i];
	if (strict && c->slices == 1 && (!victims || k > kept))
		return bounds_exactly(k);
	if (k > kept && strict && !victims)
		kept -= c->ways;
	return bounds_between(starved(s, i) ? 0 : arithmetic_less(k, kept), k);
}

static struct bounds column_misses(const struct stack *s, unsigned level,
				   uint64_t lines, uint64_t t)
{
	enum reach reach = REACH_ALL;
	struct bounds b = bounds_exactly(0);

	for (unsigned i = 0; i <= level; i++) {
		uint64_t k = lines_in_set(lines, s->sets[i], t);

		b = set_misses(s, i, k, reach);
		if (!b.high)
			reach = REACH_NONE;
		else if (b.low != k || reach == REACH_SOME)
			reach = REACH_SOME;
	}
	return b;
}

/* Is set number t of level i decided by t alone, down to this level? */
static bool columns(const struct stack *s, unsigned level)
{
	for (unsigned i = 1; i <= level; i++)
		if (s->sets[i] % s->sets[i - 1])
			return false;
	return true;
}

/*
 * An inclusive level takes from above only what the levels above would lose
 * anyway, if what fits above fits here.
 */
static bool nested(const struct stack *s)
{
	for (unsigned i = 1; i < s->levels; i++)
		if (s->cache[i]->inclusion == INCLUDE_ALL &&
		    (!columns(s, i) ||
		     s->cache[i]->ways < s->cache[i - 1]->ways))
			return false;
	return true;
}

static bool page_sized(const struct stack *s, unsigned level, uint64_t lines)
{
	for (unsigned i = 0; i <= level; i++)
		if (lines % s->cache[i]->sets)
			return false;
	return true;
}

/* Does the page map leave the set of every line as the address says? */
static bool sequence_holds(const struct stack *s, unsigned level,
			   const struct geometry *g)
{
	switch (g->page_map.kind) {
	case PAGE_MAP_IDENTITY:
		return true;
	case PAGE_MAP_RANDOM:
		return page_sized(s, level, page_lines(g));
	default:
		return false;
	}
}

/* How many of the newest lines of a set are surely not the next to go. */
static uint64_t spared(const struct cache_geometry *c)
{
	if (is_stack(c->policy))
		return c->ways;
	if (c->policy == REPLACE_TREE_PLRU && !(c->ways & (c->ways - 1)))
		return (uint64_t)__builtin_ctz(c->ways);
	return 0;
}

/* Lines that can meet in one set of level i, whatever the page map. */
static uint64_t fullest(const struct stack *s, unsigned i,
			const struct footprint *f, const struct geometry *g)
{
	if (sequence_holds(s, i, g))
		return (f->lines + s->sets[i] - 1) / s->sets[i];
	return smaller(f->lines, footprint_pages(f, LINES_PER_PAGE));
}

/*
 * LRU and FIFO miss always in an overfull set, unless an inclusive level below
 * evicts a line that is still here: the hole would let another line stay.
 */
static bool is_strict(const struct stack *s, unsigned i,
		      const struct footprint *f, const struct geometry *g)
{
	if (!is_stack(s->cache[i]->policy))
		return false;
	for (unsigned j = i + 1; j < s->levels; j++)
		if (s->cache[j]->inclusion == INCLUDE_ALL &&
		    spared(s->cache[j]) < s->cache[i]->ways &&
		    fullest(s, j, f, g) > s->cache[j]->ways)
			return false;
	return true;
}

static struct bounds sum_columns(const struct stack *s, unsigned level,
				 uint64_t lines)
{
	struct bounds sum = bounds_exactly(0);

	for (uint64_t t = 0; t < s->sets[level]; t++)
		bounds_add(&sum, column_misses(s, level, lines, t));
	return sum;
}

/* Pr[Bin(n, 1 / colours) >= ways] */
static double crowded(uint64_t n, uint64_t colours, uint64_t ways)
{
	double p = 1.0 / (double)colours, term = 1, power = 1 - p, below = 0;

	for (uint64_t e = n; e; e >>= 1, power *= power)
		if (e & 1)
			term *= power;
	for (uint64_t k = 0; k < ways && k <= n; k++) {
		below += term;
		term *= (double)(n - k) / (double)(k + 1) * p / (1 - p);
	}
	return below < 1 ? 1 - below : 0;
}

/* Pages at one offset, each of an unknown colour. */
static struct bounds coloured(const struct stack *s, unsigned i, uint64_t pages,
			      uint64_t colours)
{
	const struct cache_geometry *c = s->cache[i];
	bool victims = i && (takes_victims(c) || s->stores);
	uint64_t kept = c->ways * (s->strict[i] && !victims ? colours - 1 :
							      colours);
	struct bounds b;

	if (pages <= c->ways && keeps(s, i))
		return bounds_exactly(0);
	if (i && (victims || !s->strict[i - 1]))
		kept += s->above[i] * colours;
	b = bounds_between(pages > c->ways * colours ?
			   arithmetic_less(pages, kept) : 0, pages);
	b.likely = (double)pages * crowded(pages - 1, colours, c->ways);
	if (b.likely < (double)b.low)
		b.likely = (double)b.low;
	return b;
}

/* Frames drawn at random: offsets are kept, colours are not known. */
static struct bounds sum_coloured(const struct stack *s, unsigned level,
				  const struct footprint *f, uint64_t pages)
{
	uint64_t offsets = f->step < LINES_PER_PAGE ?
			   LINES_PER_PAGE / f->step :
			   f->step % LINES_PER_PAGE ? LINES_PER_PAGE : 1;
	uint64_t colours = s->cache[level]->sets / LINES_PER_PAGE;
	struct bounds sum = bounds_exactly(0);

	for (uint64_t o = 0; o < offsets; o++) {
		uint64_t n = offsets == 1 ? pages :
			     lines_in_set(f->lines, offsets, o);

		if (n)
			bounds_add(&sum, coloured(s, level, n, colours));
	}
	return sum;
}

/* No index is known: capacities only. */
static struct bounds unplaced(const struct stack *s, unsigned level,
			      uint64_t lines)
{
	uint64_t room = 0;

	if (lines <= s->cache[level]->ways && keeps(s, level))
		return bounds_exactly(0);
	for (unsigned i = 0; i <= level; i++)
		room += cache_bytes(s->cache[i]) / LINE_BYTES;
	return bounds_between(arithmetic_less(lines, room), lines);
}

static bool colours_known(const struct stack *s, unsigned level,
			  const struct footprint *f, const struct geometry *g)
{
	bool even = f->step < LINES_PER_PAGE ? LINES_PER_PAGE % f->step == 0 :
		    f->step % LINES_PER_PAGE == 0 ||
		    f->step == LINES_PER_PAGE + 1;

	for (unsigned i = 0; i <= level; i++)
		if (s->cache[i]->slices > 1 ||
		    s->cache[i]->sets % LINES_PER_PAGE ||
		    (i && s->cache[i]->sets % s->cache[i - 1]->sets))
			return false;
	return even && g->page_map.kind == PAGE_MAP_RANDOM &&
	       g->page_map.size == PAGE_4K;
}

static struct bounds level_misses(const struct stack *s, unsigned level,
				  const struct footprint *f,
				  const struct geometry *g)
{
	if (columns(s, level) && sequence_holds(s, level, g))
		return sum_columns(s, level, f->lines);
	if (colours_known(s, level, f, g))
		return sum_coloured(s, level, f,
				    footprint_pages(f, LINES_PER_PAGE));
	return unplaced(s, level, f->lines);
}

static bool prefetching(const struct geometry *g)
{
	for (uint32_t i = 0; i < g->prefetchers; i++)
		if (g->prefetcher[i].on)
			return true;
	return false;
}

static struct bounds level_resident(const struct stack *s, unsigned level,
				    const struct footprint *f, uint64_t tables,
				    bool placed)
{
	uint64_t ways = s->cache[level]->ways, held = 0;

	if (!placed)
		return bounds_between(0, smaller(f->lines,
				cache_bytes(s->cache[level]) / LINE_BYTES));
	for (uint64_t t = 0; t < s->sets[level]; t++)
		held += smaller(ways, lines_in_set(f->lines, s->sets[level],
						   t));
	return bounds_between(arithmetic_less(held, tables), held);
}

/* Lines of page-table entries for so many pages, upper levels included. */
static uint64_t table_lines(const struct geometry *g, uint64_t pages,
			    uint64_t step)
{
	uint64_t per_line = step >= 8 ? 1 : 8 / step;

	return pages / per_line + 2 + 2 * (uint64_t)g->walker.levels;
}

/*
 * What `tables` page-table lines can do to level i: each can spoil at most one
 * set's worth of hits, and only a set without room for it.
 */
static uint64_t spoiled(const struct stack *s, unsigned i,
			const struct footprint *f, const struct geometry *g,
			uint64_t tables, uint64_t missing)
{
	uint64_t ways = s->cache[i]->ways;

	if (fullest(s, i, f, g) + tables <= ways)
		return 0;
	return smaller(tables * ways, f->lines - missing);
}

static unsigned walker_level(const struct geometry *g)
{
	return g->walker.reads_through > WALK_L3 ? LEVELS :
	       (unsigned)g->walker.reads_through;
}

static void disturb(struct misses *m, const struct stack *s,
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
	for (unsigned i = 0; i < s->levels; i++) {
		uint64_t low = m->level[s->at[i]].low;
		bool walks = s->at[i] >= walker_level(g);
		bool placed = s->cache[i]->slices == 1 && columns(s, i) &&
			      sequence_holds(s, i, g) &&
			      !takes_victims(s->cache[i]);

		m->settled[s->at[i]] = placed && s->strict[i] &&
				       low == m->level[s->at[i]].high;
		m->resident[s->at[i]] = level_resident(s, i, f,
						       walks ? once : 0,
						       placed);
		if (!walks)
			continue;
		m->once[s->at[i]] = spoiled(s, i, f, g, once, low);
		/* only LRU is sure to drop what is not used in a pass */
		m->each[s->at[i]] =
			s->cache[i]->policy == REPLACE_LRU ?
			spoiled(s, i, f, g, each, low) : m->once[s->at[i]];
	}
}

/* An absent level passes on what the one before it did. */
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

/* What an inclusive level loses, the levels above lose too. */
static void include(struct misses *m, const struct geometry *g)
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

static bool writes_elsewhere(const struct geometry *g)
{
	const struct cache_geometry *cache[] = { &g->l1d, &g->l2, &g->l3 };

	for (unsigned i = 0; i < LEVELS; i++)
		if (cache[i]->present && (cache[i]->write_through ||
					  cache[i]->no_write_allocate))
			return true;
	return false;
}

static bool usable(const struct cache_geometry *c)
{
	return !c->present || (c->line_bytes == LINE_BYTES && c->sets &&
			       c->ways && c->slices);
}

void cyclic_misses(const struct footprint *f, const struct geometry *g,
		   struct misses *out)
{
	struct stack s = { .stores = f->stores, .levels = 0 };
	struct bounds last = bounds_exactly(f->lines);

	for (unsigned i = 0; i < LEVELS; i++) {
		out->once[i] = out->each[i] = 0;
		out->settled[i] = false;
	}
	out->wrong_path_walks = g->predictor.kind == PREDICT_NONE ? 0 :
				g->predictor.wrong_path_walks;
	cyclic_tlb_misses(f, g, out);
	out->caches = g->l1d.present && usable(&g->l1d) && usable(&g->l2) &&
		      usable(&g->l3) && !prefetching(g) &&
		      !takes_victims(&g->l1d) &&
		      !(f->stores && writes_elsewhere(g));
	if (!out->caches)
		return;
	push(&s, &g->l1d, LEVEL_L1D, f->step);
	push(&s, &g->l2, LEVEL_L2, f->step);
	push(&s, &g->l3, LEVEL_L3, f->step);
	for (unsigned i = 0; i < s.levels; i++)
		s.strict[i] = is_strict(&s, i, f, g);
	out->caches = nested(&s);
	if (!out->caches)
		return;
	for (unsigned i = 0, at = 0; at < LEVELS; at++) {
		if (i < s.levels && s.at[i] == at) {
			struct bounds b = level_misses(&s, i++, f, g);

			b.high = smaller(b.high, last.high);
			b.low = smaller(b.low, b.high);
			if (b.likely > (double)b.high)
				b.likely = (double)b.high;
			last = b;
		}
		out->level[at] = last;
	}
	disturb(out, &s, f, g);
	pass_down(out, g);
	include(out, g);
}
