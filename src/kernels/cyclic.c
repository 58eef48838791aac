/* SPDX-License-Identifier: MIT */
/* The expectation rows of a walk that repeats. Freestanding. */
#include "kernels/cyclic.h"

#include <stddef.h>

static const char draws[] =
	"the band holds for every draw of page frames, prefetchers off";
static const char tables[] =
	"prefetchers off; page-table lines may push lines out of full sets";
static const char policy[] =
	"prefetchers off; this replacement policy or index gives bounds only";
static const char scattered[] =
	"more pages than entries, visited in a random order";

/* A total over the run: what the first pass adds, and the others. */
struct total {
	double first, rest, low, high;
	const char *condition;
};

static struct total total_of(const struct cyclic *w, bool warm,
			     struct bounds each)
{
	double lines = (double)w->footprint.lines;
	double passes = (double)w->passes - !warm;

	return (struct total){
		.first = warm ? 0 : lines,
		.rest = passes * each.likely,
		.low = passes * (double)each.low + (warm ? 0 : lines),
		.high = passes * (double)each.high + (warm ? 0 : lines),
	};
}

static struct total cache_total(const struct cyclic *w, bool warm,
				const struct misses *m, unsigned level,
				const struct geometry *g)
{
	struct total t = total_of(w, warm, m->level[level]);
	double most = (double)w->footprint.lines * (double)w->passes;
	double low = t.low, high = t.high;

	/* pages first seen in the first pass disturb the second one */
	if (warm ? w->passes == 1 : w->passes > 1)
		high += (double)m->once[level];
	high += (double)m->each[level] * ((double)w->passes - !warm);
	high = high < most ? high : most;
	if (low < high)
		t.condition = t.low == t.high ? tables :
			      g->page_map.kind == PAGE_MAP_IDENTITY ? policy :
								      draws;
	t.high = high;
	return t;
}

static void add_terms(struct assay_expected *row, const struct total *t)
{
	if (t->first)
		expect_term(row, "first pass", "lines", t->first,
			    "nothing is held at first");
	expect_term(row, "overfull sets", "lines of overfull sets * passes",
		    t->rest, "a set with more lines than ways has lost each "
			     "line when it comes again");
	expect_band(row, t->low, t->high, t->condition);
}

static void expect_total(struct assay_expectation *out,
			 enum assay_quantity quantity, const struct total *t)
{
	add_terms(expect_row(out, quantity), t);
}

/* What one level passed on and the next one did not. */
static void expect_served(struct assay_expectation *out,
			  enum assay_quantity quantity, const char *name,
			  const struct total *from, const struct total *less,
			  const char *reason)
{
	struct assay_expected *row = expect_row(out, quantity);
	double low = from->low - less->high;

	expect_term(row, name, "demand", from->first + from->rest, reason);
	expect_term(row, "passed on", "- misses", -(less->first + less->rest),
		    "these were served further away");
	expect_band(row, low > 0 ? low : 0, from->high - less->low,
		    less->condition ? less->condition : from->condition);
}

static void expect_caches(const struct cyclic *w, const struct misses *m,
			  const struct geometry *g, bool warm,
			  struct assay_expectation *out)
{
	double loads = (double)w->footprint.lines * (double)w->passes *
		       (double)w->loads;
	struct total all = { 0, loads, loads, loads, NULL };
	struct total l1 = cache_total(w, warm, m, LEVEL_L1D, g);
	struct total l2 = cache_total(w, warm, m, LEVEL_L2, g);
	struct total l3 = cache_total(w, warm, m, LEVEL_L3, g);

	expect_total(out, ASSAY_Q_l1d_read_misses, &l1);
	expect_total(out, ASSAY_Q_l1d_refills, &l1);
	expect_served(out, ASSAY_Q_served_l1, "loads", &all, &l1,
		      "every load looks up L1D");
	if (g->l2.present)
		expect_served(out, ASSAY_Q_served_l2, "L1D misses", &l1, &l2,
			      "L2 sees what L1D missed");
	if (g->l3.present)
		expect_served(out, ASSAY_Q_served_l3, "L2 misses", &l2, &l3,
			      "L3 sees what L2 missed");
	expect_total(out, ASSAY_Q_served_dram, &l3);
}

static void expect_lookups(const struct cyclic *w, bool warm,
			   struct bounds each, struct assay_expectation *out,
			   enum assay_quantity quantity, double extra)
{
	double pages = (double)footprint_pages(&w->footprint);
	bool cycle = w->footprint.paged || !each.high;
	struct total t = total_of(w, warm, each);
	struct assay_expected *row = expect_row(out, quantity);

	if (!warm) {
		t.low -= t.first - pages;
		t.high -= cycle ? t.first - pages : 0;
		t.first = cycle || each.likely < pages ? pages : each.likely;
		expect_term(row, "first pass", "pages", t.first,
			    "nothing is held at first");
	}
	expect_term(row, "too many pages", "pages beyond reach * passes",
		    t.rest, "a set of entries with more pages than ways has "
			    "lost each page when it comes again");
	expect_band(row, t.low, t.high + extra, extra && cycle ?
		    "mispredicted exits may walk on the wrong path" :
		    t.low < t.high ? scattered : NULL);
}

void expect_cyclic(const struct cyclic *walk, const struct geometry *g,
		   bool warm, struct assay_expectation *out)
{
	struct misses m;

	cyclic_misses(&walk->footprint, g, &m);
	if (m.caches)
		expect_caches(walk, &m, g, warm, out);
	if (!m.tlbs)
		return;
	expect_lookups(walk, warm, m.dtlb, out, ASSAY_Q_dtlb_misses, 0);
	if (g->l2tlb.present)
		expect_lookups(walk, warm, m.l2tlb, out, ASSAY_Q_l2tlb_misses,
			       0);
	expect_lookups(walk, warm, m.l2tlb, out, ASSAY_Q_page_walks,
		       (double)m.wrong_path_walks *
		       ((double)walk->passes + 1));
}
