/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a geometry lets the filter work, and what it begins with. */
#include <string.h>

#include "base/policies.h"
#include "plugin/filter/filter.h"

/* ---- what the geometry allows ------------------------------------------- */

/* Are the last two lines of a set kept, and is their order all they leave? */
static bool keeps_two(const struct cache_geometry *l1)
{
	return l1->ways > 1 && (l1->policy == REPLACE_LRU ||
				l1->policy == REPLACE_TREE_PLRU);
}

/* Do the lines of a set agree in low bits? In slices, each set has those of
 * the same bits that a hash sends to its slice. */
static bool by_low_bits(const struct cache_geometry *c)
{
	return !(c->sets & (c->sets - 1));
}

static bool evicts_above(const struct cache_geometry *c)
{
	return c->present && c->inclusion == INCLUDE_ALL;
}

static bool works_for(const struct cache_geometry *l1)
{
	return l1->present && policies[l1->policy].settling && by_low_bits(l1) &&
	       l1->slices <= 1 && l1->line_bytes >= 64 &&
	       l1->line_bytes <= 4096;
}

static bool prefetches(const struct geometry *g, bool harmless)
{
	for (uint32_t i = 0; i < g->prefetchers; i++)
		if (g->prefetcher[i].on &&
		    (!harmless || g->prefetcher[i].fills == 1 ||
		     g->prefetcher[i].trains_on == 1 ||
		     !g->prefetcher[i].page_bounded))
			return true;
	return false;
}

static bool works_at_all(const struct geometry *g)
{
	const struct cache_geometry *lower[] = { &g->l2, &g->l3 };
	bool shared = false;

	for (int i = 0; i < 2; i++) {
		shared |= evicts_above(lower[i]);
		if (evicts_above(lower[i]) &&
		    (!by_low_bits(lower[i]) ||
		     lower[i]->line_bytes != g->l1d.line_bytes))
			return false;
	}
	/* the upper levels of a walk are not followed */
	return !prefetches(g, !shared) &&
	       g->walker.levels - g->walker.cached_levels <= 2;
}

static void narrow(uint64_t *classes, const struct cache_geometry *c)
{
	if (c->present && c->sets < *classes)
		*classes = c->sets;
}

static uint64_t choose_mask(const struct geometry *g, bool blind)
{
	uint64_t classes = blind ? 4096 / g->l1d.line_bytes : FILTER_CLASSES;

	narrow(&classes, &g->l1d);
	narrow(&classes, &g->l1i);
	if (evicts_above(&g->l2))
		narrow(&classes, &g->l2);
	if (evicts_above(&g->l3))
		narrow(&classes, &g->l3);
	return classes - 1;
}

/* Sets of lower levels that evict from L1: the fewest. */
static uint64_t choose_set_mask(const struct geometry *g, bool blind)
{
	uint64_t sets = blind ? 4096 / g->l1d.line_bytes : UINT32_MAX + 1ull;

	if (evicts_above(&g->l2))
		narrow(&sets, &g->l2);
	if (evicts_above(&g->l3))
		narrow(&sets, &g->l3);
	return sets > UINT32_MAX ? 0 : sets - 1;
}

/* log2 of how many of L1's lines the longest line of a lower level has. */
static unsigned longer_below(const struct geometry *g)
{
	const struct cache_geometry *lower[] = { &g->l2, &g->l3 };
	uint32_t most = g->l1d.line_bytes;

	for (int i = 0; i < 2; i++)
		if (lower[i]->present && lower[i]->line_bytes > most)
			most = lower[i]->line_bytes;
	return (unsigned)__builtin_ctz(most / g->l1d.line_bytes);
}

/* ---- beginning ----------------------------------------------------------- */

static void init_lines(struct filter *f, const struct geometry *g, bool blind)
{
	const bool works = works_at_all(g);

	f->line_shift = (unsigned)__builtin_ctz(g->l1d.line_bytes);
	f->data.line_shift = f->code.line_shift = f->line_shift;
	f->data.on = works && works_for(&g->l1d) && !g->l1d.write_through &&
		     !g->l1d.no_write_allocate &&
		     (!g->dtlb.present ||
		      policies[g->dtlb.policy].repeatable) &&
		     policies[g->store_dtlb.policy].repeatable;
	f->code.on = works && works_for(&g->l1i) &&
		     g->l1i.line_bytes == g->l1d.line_bytes &&
		     (!g->itlb.present ||
		      policies[g->itlb.policy].repeatable);
	f->data.after_hit = !policies[g->l1d.policy].repeatable;
	f->code.after_hit = !policies[g->l1i.policy].repeatable;
	f->code.code = true;
	f->shared = evicts_above(&g->l2) || evicts_above(&g->l3);
	f->longer = longer_below(g);
	f->mask = choose_mask(g, blind);
	f->set_mask = choose_set_mask(g, blind);
	/* of two lines side by side either may be the newest */
	f->data.two = f->mask && keeps_two(&g->l1d);
	f->code.two = f->mask && keeps_two(&g->l1i);
}

static void init_walks(struct filter *f, const struct geometry *g)
{
	const struct walker_geometry *w = &g->walker;
	const bool changes = f->shared || w->reads_through == WALK_L1D;
	const unsigned last = walk_from(g);

	f->walks = (g->dtlb.present || g->itlb.present) && changes;
	f->data.walked = w->reads_through == WALK_L1D;
	f->walk_from = page_shape(g->page_map.size).level;
	f->walk_to = last;
	if (g->predictor.kind == PREDICT_NONE ||
	    !g->predictor.wrong_path_walks)
		return;
	f->wrong_path = filter_descriptor(f, last ? last : f->walk_from, 0);
	f->data.wrong_path_walks = changes;
	f->code.wrong_path_walks = f->shared;
}

void filter_init(struct filter *f, const struct geometry *g, bool several,
		 filter_move *move)
{
	memset(f, 0, sizeof(*f));
	f->move = move;
	pages_key(&f->map, &g->page_map, g->l1d.line_bytes);
	memset(f->table, 0xff, sizeof(f->table));
	memset(f->frame, 0xff, sizeof(f->frame));
	f->map.table = f->table;
	init_lines(f, g, several || g->page_map.kind == PAGE_MAP_RECORDED);
	init_walks(f, g);
	tlb_order_init(&f->data_pages, &g->dtlb, g->page_map.size, 0);
	tlb_order_init(&f->code_pages, &g->itlb, g->page_map.size, ACCESS_CODE);
	tlb_order_init(&f->store_pages, &g->store_dtlb, g->page_map.size,
		    ACCESS_STORED);
	f->stores = g->store_dtlb.present ? FILTER_STORES : FILTER_DATA;
	f->framed = !filter_within_pages(f) || f->data_pages.ways ||
		    f->code_pages.ways;
	filter_reset(f);
}
