/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a geometry lets the filter work, and its rarer steps. */
#include <string.h>

#include "filter.h"

/* ---- what the geometry allows ------------------------------------------- */

/* Does a hit right after any access of the same line change nothing? */
static bool settled_policy(enum replacement policy)
{
	return policy == REPLACE_LRU || policy == REPLACE_TREE_PLRU ||
	       policy == REPLACE_BIT_PLRU || policy == REPLACE_FIFO ||
	       policy == REPLACE_RANDOM;
}

/* Are the last two lines of a set kept, and is their order all they leave? */
static bool keeps_two(const struct cache_geometry *l1)
{
	return l1->ways > 1 && (l1->policy == REPLACE_LRU ||
				l1->policy == REPLACE_TREE_PLRU);
}

static bool even(const struct cache_geometry *c)
{
	return c->slices <= 1 && !(c->sets & (c->sets - 1));
}

static bool evicts_above(const struct cache_geometry *c)
{
	return c->present && c->inclusion == INCLUDE_ALL;
}

static bool works_for(const struct cache_geometry *l1)
{
	return l1->present && settled_policy(l1->policy) && even(l1) &&
	       l1->line_bytes >= 4096 / FILTER_CLASSES &&
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
		if (evicts_above(lower[i]) && !even(lower[i]))
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

static uint64_t choose_mask(const struct geometry *g)
{
	uint64_t classes = 4096 / g->l1d.line_bytes;

	narrow(&classes, &g->l1d);
	narrow(&classes, &g->l1i);
	if (evicts_above(&g->l2))
		narrow(&classes, &g->l2);
	if (evicts_above(&g->l3))
		narrow(&classes, &g->l3);
	return classes - 1;
}

void filter_init(struct filter *f, const struct geometry *g)
{
	const bool any_tlb = g->dtlb.present || g->itlb.present;
	const bool works = works_at_all(g);

	memset(f, 0, sizeof(*f));
	f->line_shift = (unsigned)__builtin_ctz(g->l1d.line_bytes);
	f->data.on = works && works_for(&g->l1d) && !g->l1d.write_through &&
		     !g->l1d.no_write_allocate &&
		     (!g->dtlb.present || settled_policy(g->dtlb.policy));
	f->code.on = works && works_for(&g->l1i) &&
		     (!g->itlb.present || settled_policy(g->itlb.policy));
	f->data.two = keeps_two(&g->l1d);
	f->code.two = keeps_two(&g->l1i);
	f->code.code = true;
	f->shared = evicts_above(&g->l2) || evicts_above(&g->l3);
	f->walks = any_tlb &&
		   (f->shared || g->walker.reads_through == WALK_L1D);
	f->strays = g->predictor.kind != PREDICT_NONE &&
		    g->predictor.wrong_path_walks &&
		    (f->shared || g->walker.reads_through == WALK_L1D);
	f->mask = choose_mask(g);
	recent_init(&f->data_pages, &g->dtlb, g->page_map.kind, false);
	recent_init(&f->code_pages, &g->itlb, g->page_map.kind, true);
	filter_reset(f);
}

static void reset_lines(struct filter_lines *l)
{
	memset(l->newest, 0xff, sizeof(l->newest));
	memset(l->before, 0xff, sizeof(l->before));
	memset(l->told, 0xff, sizeof(l->told));
}

void filter_reset(struct filter *f)
{
	reset_lines(&f->data);
	reset_lines(&f->code);
	recent_reset(&f->data_pages);
	recent_reset(&f->code_pages);
}

/* ---- at work ------------------------------------------------------------ */

/*
 * A walk reads descriptors of 8 bytes at places that follow from the page, but
 * for those of the upper levels, which are the first of their tables or any.
 */
void filter_walk(struct filter *f, uint64_t page, uint64_t **out)
{
	const unsigned shift = f->line_shift;

	filter_forget(f, (page & 511) * 8 >> shift, out);
	filter_forget(f, (page >> 9 & 511) * 8 >> shift, out);
}

void filter_tell(struct filter *f, uint64_t **out)
{
	for (uint64_t class = 0; class <= f->mask; class++) {
		filter_tell_class(f, &f->data, class, out);
		filter_tell_class(f, &f->code, class, out);
	}
	recent_tell(&f->data_pages, out);
	recent_tell(&f->code_pages, out);
}
