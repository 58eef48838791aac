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

/* 0: there is none; else how many pages it surely keeps. */
static uint32_t pages_kept(const struct tlb_geometry *t)
{
	if (!t->present)
		return 0;
	return t->ways < FILTER_WAITING ? t->ways : FILTER_WAITING;
}

static void reset_pages(struct filter_pages *pages, uint32_t most)
{
	memset(pages, 0, sizeof(*pages));
	pages->last = FILTER_NONE;
	pages->epoch = 1;
	pages->most = most;
}

void filter_init(struct filter *f, const struct geometry *g)
{
	const bool any_tlb = g->dtlb.present || g->itlb.present;
	const bool works = works_at_all(g);

	memset(f, 0, sizeof(*f));
	f->line_shift = (unsigned)__builtin_ctz(g->l1d.line_bytes);
	f->data_on = works && works_for(&g->l1d) && !g->l1d.write_through &&
		     !g->l1d.no_write_allocate &&
		     (!g->dtlb.present || g->dtlb.policy == REPLACE_LRU);
	f->code_on = works && works_for(&g->l1i) &&
		     (!g->itlb.present || settled_policy(g->itlb.policy));
	f->shared = evicts_above(&g->l2) || evicts_above(&g->l3);
	f->walks = any_tlb &&
		   (f->shared || g->walker.reads_through == WALK_L1D);
	f->strays = g->predictor.kind != PREDICT_NONE &&
		    g->predictor.wrong_path_walks &&
		    (f->shared || g->walker.reads_through == WALK_L1D);
	f->mask = choose_mask(g);
	f->data_pages.most = pages_kept(&g->dtlb);
	f->code_pages.most = pages_kept(&g->itlb);
	filter_reset(f);
}

void filter_reset(struct filter *f)
{
	memset(f->data, 0xff, sizeof(f->data));
	memset(f->code, 0xff, sizeof(f->code));
	reset_pages(&f->data_pages, f->data_pages.most);
	reset_pages(&f->code_pages, f->code_pages.most);
}

/* ---- at work ------------------------------------------------------------ */

/*
 * A walk reads descriptors of 8 bytes at places that follow from the page, but
 * for those of the upper levels, which are the first of their tables or any.
 */
static void walk(struct filter *f, uint64_t page)
{
	const unsigned shift = f->line_shift;

	filter_forget(f, (page & 511) * 8 >> shift);
	filter_forget(f, (page >> 9 & 511) * 8 >> shift);
}

void filter_touch(struct filter *f, struct filter_pages *pages, uint64_t page)
{
	struct filter_page *p = &pages->page[page % FILTER_PAGES];

	if (page == pages->last)
		return;
	pages->last = page;
	if (p->page == page && p->epoch == pages->epoch)
		return;
	if (f->walks)
		walk(f, page);
	if (pages->known == pages->most) {
		pages->known = 0;
		pages->epoch++;
	}
	pages->known++;
	*p = (struct filter_page){ .page = page, .epoch = pages->epoch };
}

uint32_t filter_release(struct filter *f, struct filter_page **out)
{
	const uint32_t n = f->waiting;

	for (uint32_t i = 0; i < n; i++) {
		struct filter_page *p = &f->data_pages.page[f->waits[i]];
		uint32_t at = i;

		for (; at && out[at - 1]->stamp > p->stamp; at--)
			out[at] = out[at - 1];
		out[at] = p;
	}
	for (uint32_t i = 0; i < n; i++)
		out[i]->stamp = 0;
	f->waiting = 0;
	f->waiting_classes = 0;
	return n;
}
