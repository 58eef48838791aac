/* SPDX-License-Identifier: MIT */
/* Set arithmetic of the TLBs. Freestanding. */
#include "kernels/arithmetic.h"

#include <stddef.h>

uint64_t footprint_pages(const struct footprint *f, uint64_t page)
{
	if (f->step >= page)
		return f->lines;
	return ((f->lines - 1) * f->step + page) / page;
}

bool footprint_paged(const struct footprint *f, const struct geometry *g)
{
	return f->step >= page_lines(g) || f->ordered ||
	       (f->paged && g->page_map.size == PAGE_4K);
}

/* The pages of a footprint. */
struct paging {
	uint64_t pages;
	uint64_t step;		/* pages from one to the next */
	uint64_t skipped;	/* pages between them that have no line */
	uint64_t apart;		/* pages from a skipped one to the next */
	bool cycle;		/* each page comes once per pass, in order */
};

/*
 * The least and the most pages in one of `sets` sets. Skipped pages are spread
 * evenly over the sets if `apart` and `sets` have no common divisor.
 */
static struct bounds crowd_of(const struct paging *p, uint64_t sets)
{
	uint64_t span = p->pages + p->skipped, gaps = p->skipped;
	uint64_t low = span / sets, high = (span + sets - 1) / sets;

	if (gaps && common_divisor(sets, p->apart) > 1)
		return bounds_between(arithmetic_less(low, gaps), high);

	return bounds_between(arithmetic_less(low, (gaps + sets - 1) / sets),
			      high - gaps / sets);
}

/* Misses per pass if pages come in a cycle and the oldest is evicted. */
static struct bounds exact_tlb(const struct paging *p, uint64_t sets,
			       uint64_t ways)
{
	struct bounds crowd = crowd_of(p, sets), sum = bounds_exactly(0);

	if (crowd.low > ways)
		return bounds_exactly(p->pages);
	if (p->skipped)
		return bounds_between(0, p->pages);
	for (uint64_t i = 0; i < sets; i++) {
		uint64_t k = lines_in_set(p->pages, sets, i);

		if (k > ways)
			bounds_add(&sum, bounds_exactly(k));
	}
	return sum;
}

/*
 * Misses per pass if pages come in any order: at least the pages beyond the
 * `held` entries; likely as many as if each page were drawn evenly. upper:
 * lookups that arrive.
 */
static struct bounds drawn(const struct paging *p, uint64_t held,
			   struct bounds upper)
{
	uint64_t low = arithmetic_less(p->pages, held);
	struct bounds b = bounds_between(low < upper.high ? low : upper.high,
					 upper.high);

	if (held < p->pages)
		b.likely = upper.likely * (double)(p->pages - held) /
			   (double)p->pages;
	if (b.likely < (double)b.low)
		b.likely = (double)b.low;
	return b;
}

static struct bounds tlb_level(const struct tlb_geometry *t,
			       const struct paging *p, uint64_t above,
			       struct bounds upper)
{
	uint64_t sets = t->entries / t->ways;
	bool all = upper.low == upper.high && upper.low >= p->pages;

	sets /= common_divisor(sets, p->step);
	if (crowd_of(p, sets).high <= t->ways)
		return bounds_exactly(0);
	if (p->cycle && evicts_oldest(t->policy) && all)
		return exact_tlb(p, sets, t->ways);
	return drawn(p, t->entries + above, upper);
}

/*
 * The first-level TLB that the footprint looks up. NULL: two, since loads and
 * stores have one each.
 */
static const struct tlb_geometry *first_level(const struct footprint *f,
					      const struct geometry *g)
{
	if (!g->store_dtlb.present || !f->stores)
		return &g->dtlb;
	return f->loads ? NULL : &g->store_dtlb;
}

static struct paging paging_of(const struct footprint *f,
			       const struct geometry *g,
			       const struct tlb_geometry *first)
{
	const uint64_t page = page_lines(g);
	struct paging p = { footprint_pages(f, page), 1, 0, page + 1,
			    footprint_paged(f, g) };

	if (f->step > page && f->step % page == 0)
		p.step = f->step / page;
	else if (f->step > page)
		p.skipped = (f->lines - 1) * f->step / page + 1 - f->lines;
	p.cycle &= first->ways > 1 || f->step >= page;
	return p;
}

static bool valid_tlb(const struct tlb_geometry *t)
{
	return t->present && t->ways && t->entries >= t->ways;
}

bool translates_ahead(const struct geometry *g)
{
	for (uint32_t i = 0; i < g->prefetchers; i++)
		if (g->prefetcher[i].on && g->prefetcher[i].trains_on == 1 &&
		    !g->prefetcher[i].page_bounded)
			return true;
	return false;
}

void cyclic_tlb_misses(const struct footprint *f, const struct geometry *g,
		       struct misses *out)
{
	const struct tlb_geometry *first = first_level(f, g);
	struct paging p;

	out->tlbs = first && valid_tlb(first) && !translates_ahead(g) &&
		    (f->step <= page_lines(g) + 1 ||
		     f->step % page_lines(g) == 0);
	if (!out->tlbs)
		return;
	p = paging_of(f, g, first);
	out->dtlb = tlb_level(first, &p, 0, bounds_exactly(f->lines));
	out->l2tlb = out->dtlb;
	if (valid_tlb(&g->l2tlb) && out->dtlb.high)
		out->l2tlb = tlb_level(&g->l2tlb, &p, first->entries,
				       out->dtlb);
}
