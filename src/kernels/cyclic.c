/* SPDX-License-Identifier: MIT */
/* The expectation rows of a pattern that repeats. Freestanding. */
#include "kernels/expect-memory.h"

#include <stddef.h>

static const char draws[] =
	"the band holds for every draw of page frames, prefetchers off";
static const char tables[] =
	"prefetchers off; page-table lines may push lines out of full sets";
static const char policy[] =
	"prefetchers off; this replacement policy or index gives bounds only";
static const char scattered[] =
	"more pages than entries, visited in a random order";
static const char wrong_path[] =
	"mispredicted exits may walk on the wrong path";
static const char clean_start[] =
	"prefetchers off, and nothing dirty at first";

/* Misses of a run: of its first pass, of all others, and their sum's band. */
struct total {
	double first, rest, low, high;
	const char *condition;	/* or NULL */
};

struct run {
	const struct cyclic *pattern;
	const struct geometry *geometry;
	struct misses misses;
	bool warm;
};

/* first: misses of the first pass; 0: that pass misses as all others do. */
static struct total total_of(double passes, double first, struct bounds each)
{
	double others = passes - (first > 0);

	return (struct total){
		.first = first,
		.rest = others * each.likely,
		.low = first + others * (double)each.low,
		.high = first + others * (double)each.high,
	};
}

/*
 * Misses at a level in `passes` of the run's passes. has_first: the run's first
 * pass is one of them.
 */
static struct total level_total(const struct run *r, unsigned level,
				uint64_t passes, bool has_first)
{
	double lines = (double)r->pattern->footprint.lines;
	bool cold = has_first && !r->warm;
	struct total t = total_of((double)passes, cold ? lines : 0,
				  r->misses.level[level]);
	double high = t.high;

	/* page walks of the first pass evict lines that the second one needs */
	if (r->warm ? r->pattern->passes == 1 : r->pattern->passes > 1)
		high += (double)r->misses.once[level];
	high += (double)r->misses.each[level] * ((double)passes - cold);
	if (high > lines * (double)passes)
		high = lines * (double)passes;
	if (t.low < high)
		t.condition = t.low == t.high ? tables :
			      r->geometry->page_map.kind == PAGE_MAP_IDENTITY ?
			      policy : draws;
	t.high = high;
	return t;
}

static double pages_of(const struct run *r)
{
	return (double)footprint_pages(&r->pattern->footprint,
				       page_lines(r->geometry));
}

static struct total all_passes(const struct run *r, unsigned level)
{
	return level_total(r, level, r->pattern->passes, true);
}

static void expect_misses(struct assay_expectation *out,
			  enum assay_quantity quantity, const struct total *t)
{
	struct assay_expected *row = expect_row(out, quantity);

	if (t->first)
		expect_term(row, "first pass", "lines", t->first,
			    "nothing is held at first");
	expect_term(row, "overfull sets", "lines of overfull sets * passes",
		    t->rest, "a set with more lines than ways has lost each "
			     "line when it comes again");
	expect_band(row, t->low, t->high, t->condition);
}

/* The accesses that arrive (from), less those that are passed on (less). */
static void expect_served(struct assay_expectation *out,
			  enum assay_quantity quantity, const char *name,
			  const struct total *from, const struct total *less,
			  const char *reason)
{
	struct assay_expected *row = expect_row(out, quantity);
	double low = from->low - less->high;

	expect_term(row, name, "asked", from->first + from->rest, reason);
	expect_term(row, "passed on", "- misses", -(less->first + less->rest),
		    "these were served further away");
	expect_band(row, low > 0 ? low : 0, from->high - less->low,
		    less->condition ? less->condition : from->condition);
}

static void expect_levels(const struct run *r, struct assay_expectation *out)
{
	const struct cyclic *p = r->pattern;
	double n = (double)(p->loads + p->stores) * (double)p->passes;
	struct total l1 = all_passes(r, LEVEL_L1D), l2, l3, all;

	if (p->kind == CYCLIC_STORES_THEN_LOADS)
		n /= 2;
	all = (struct total){ 0, n, n, n, NULL };
	l2 = all_passes(r, LEVEL_L2);
	l3 = all_passes(r, LEVEL_L3);
	expect_misses(out, ASSAY_Q_l1d_refills, &l1);
	expect_served(out, ASSAY_Q_served_l1, "accesses", &all, &l1,
		      "every access looks up L1D");
	if (r->geometry->l2.present)
		expect_served(out, ASSAY_Q_served_l2, "L1D misses", &l1, &l2,
			      "L2 sees what L1D missed");
	if (r->geometry->l3.present)
		expect_served(out, ASSAY_Q_served_l3, "L2 misses", &l2, &l3,
			      "L3 sees what L2 missed");
	expect_misses(out, ASSAY_Q_served_dram, &l3);
}

static void expect_held(struct assay_expectation *out,
			enum assay_quantity quantity)
{
	expect_exact(out, quantity, "none", "0", 0,
		     "the load before has brought the line in");
}

static void expect_kinds(const struct run *r, struct assay_expectation *out)
{
	const struct cyclic *p = r->pattern;
	bool turns = p->kind == CYCLIC_STORES_THEN_LOADS;
	uint64_t half = turns ? p->passes / 2 : p->passes;
	struct total first = level_total(r, LEVEL_L1D, half, true);
	struct total second = level_total(r, LEVEL_L1D, half, false);

	if (p->kind == CYCLIC_UPDATES) {
		expect_held(out, ASSAY_Q_l1d_write_misses);
		expect_held(out, ASSAY_Q_rfos);
	} else if (p->kind != CYCLIC_LOADS) {
		expect_misses(out, ASSAY_Q_l1d_write_misses, &first);
		expect_misses(out, ASSAY_Q_rfos, &first);
	}
	if (p->kind != CYCLIC_STORES)
		expect_misses(out, ASSAY_Q_l1d_read_misses,
			      turns ? &second : &first);
}

/* Does every pass make every line dirty? */
static bool only_dirties(const struct cyclic *p)
{
	return p->kind == CYCLIC_STORES || p->kind == CYCLIC_UPDATES;
}

/* Are there page walks after the first pass? */
static bool still_walking(const struct run *r)
{
	return !r->misses.tlbs || r->misses.l2tlb.high ||
	       r->misses.wrong_path_walks;
}

/* Lines that left a level: lines that came in, less lines still there. */
static struct total left_level(const struct run *r, unsigned level)
{
	struct total t = all_passes(r, level);
	struct bounds stay = r->misses.resident[level];

	if (!r->warm) {
		t.first -= stay.likely;
		t.low -= (double)stay.high;
		t.high -= (double)stay.low;
	} else if (r->pattern->passes == 1 || still_walking(r)) {
		/* lines of page tables came or left in between */
		t.low -= (double)(stay.high - stay.low);
		t.high += (double)(stay.high - stay.low);
	}
	if (t.low < 0)
		t.low = 0;
	if (!t.condition && t.low < t.high)
		t.condition = tables;
	return t;
}

static void expect_left(struct assay_expectation *out,
			enum assay_quantity quantity, const struct total *t)
{
	struct assay_expected *row = expect_row(out, quantity);

	expect_term(row, "first pass", "lines - lines that stay", t->first,
		    "what came in first and had to make room");
	expect_term(row, "overfull sets", "lines of overfull sets * passes",
		    t->rest, "each line that comes in replaces another");
	expect_band(row, t->low, t->high,
		    t->condition ? t->condition : clean_start);
}

/* A line that a pass makes dirty leaves L1D in that pass or in the next. */
static void expect_writebacks(const struct run *r,
			      struct assay_expectation *out)
{
	const struct misses *m = &r->misses;
	struct total t;

	if (!m->settled[LEVEL_L1D])
		return;
	/* an exclusive level returns dirty lines dirty */
	if (!only_dirties(r->pattern) &&
	    (r->geometry->l2.inclusion == INCLUDE_EXCLUSIVE ||
	     r->geometry->l3.inclusion == INCLUDE_EXCLUSIVE))
		return;
	if (only_dirties(r->pattern)) {
		t = left_level(r, LEVEL_L1D);
	} else {
		/* overfull sets hold lines of the last pass, which is clean */
		t = level_total(r, LEVEL_L1D, r->pattern->passes / 2, false);
		t.high += (double)m->once[LEVEL_L1D];
	}
	expect_left(out, ASSAY_Q_l1d_writebacks, &t);
}

static void expect_l2_evictions(const struct run *r,
				struct assay_expectation *out)
{
	enum inclusion inclusion = r->geometry->l2.inclusion;
	bool stores = only_dirties(r->pattern);
	struct total t = left_level(r, LEVEL_L2);

	if (!r->geometry->l2.present || !r->misses.settled[LEVEL_L2] ||
	    !r->misses.settled[LEVEL_L1D] ||
	    (inclusion != INCLUDE_NON && inclusion != INCLUDE_ALL) ||
	    r->pattern->kind == CYCLIC_STORES_THEN_LOADS)
		return;
	if (!stores && (r->geometry->dtlb.present || still_walking(r))) {
		/* lines of page tables are evicted clean, too */
		if (still_walking(r))
			return;
		if (!r->warm || r->pattern->passes == 1)
			t.high += pages_of(r) * r->geometry->walker.levels;
	}
	if (t.low < t.high && !t.condition)
		t.condition = tables;
	expect_left(out, stores ? ASSAY_Q_l2_evict_dirty :
				  ASSAY_Q_l2_evict_clean, &t);
}

/* The most lines of page tables that page walks bring into L2. */
static double table_lines(const struct run *r)
{
	const struct walker_geometry *w = &r->geometry->walker;
	const struct misses *m = &r->misses;
	double pages = pages_of(r);
	double walks = total_of((double)r->pattern->passes, r->warm ? 0 : pages,
				m->l2tlb).high;

	if (w->reads_through > WALK_L2)
		return 0;
	if (!r->geometry->dtlb.present)
		return (double)m->wrong_path_walks * (double)r->pattern->exits;
	walks += (double)m->wrong_path_walks * (double)r->pattern->exits;
	if (!footprint_paged(&r->pattern->footprint, r->geometry) &&
	    !r->warm && m->l2tlb.high)
		walks += (double)r->pattern->footprint.lines;
	return walks * w->levels;
}

/*
 * A write-back that misses L2 brings its line in, too. An inclusive L2 has all
 * lines that L1D writes back; in another L2 only patterns of loads are exact.
 */
static void expect_l2_refills(const struct run *r,
			      struct assay_expectation *out)
{
	enum inclusion inclusion = r->geometry->l2.inclusion;
	struct total t = all_passes(r, LEVEL_L2);

	if (!r->geometry->l2.present ||
	    (r->geometry->dtlb.present && !r->misses.tlbs) ||
	    (inclusion != INCLUDE_ALL &&
	     (inclusion != INCLUDE_NON || r->pattern->kind != CYCLIC_LOADS)))
		return;
	t.high += table_lines(r);
	if (t.low < t.high && !t.condition)
		t.condition = tables;
	expect_misses(out, ASSAY_Q_l2_refills, &t);
}

/* Misses of a TLB: `each` per pass; `extra` more at most. */
static void expect_lookups(const struct run *r, struct bounds each,
			   enum assay_quantity quantity, double extra,
			   struct assay_expectation *out)
{
	const struct footprint *f = &r->pattern->footprint;
	double pages = pages_of(r), lines = (double)f->lines;
	bool cycle = footprint_paged(f, r->geometry) || !each.high;
	struct total t = total_of((double)r->pattern->passes,
				  r->warm ? 0 : pages, each);
	struct assay_expected *row = expect_row(out, quantity);

	if (t.first && !cycle) {
		t.high += lines - pages;
		t.first = each.likely > pages ? each.likely : pages;
	}
	if (t.first)
		expect_term(row, "first pass", "pages", t.first,
			    "nothing is held at first");
	expect_term(row, "too many pages", "pages beyond reach * passes",
		    t.rest, "a set of entries with more pages than ways has "
			    "lost each page when it comes again");
	expect_band(row, t.low, t.high + extra,
		    t.low < t.high ? scattered : extra ? wrong_path : NULL);
}

static void expect_tlbs(const struct run *r, struct assay_expectation *out)
{
	const struct misses *m = &r->misses;
	double exits = (double)r->pattern->exits;

	expect_lookups(r, m->dtlb, ASSAY_Q_dtlb_misses, 0, out);
	if (r->geometry->l2tlb.present)
		expect_lookups(r, m->l2tlb, ASSAY_Q_l2tlb_misses, 0, out);
	expect_lookups(r, m->l2tlb, ASSAY_Q_page_walks,
		       (double)m->wrong_path_walks * exits, out);
}

static struct run run_of(const struct cyclic *pattern,
			 const struct geometry *g, bool warm)
{
	struct run r = { .pattern = pattern, .geometry = g, .warm = warm };
	struct footprint f = pattern->footprint;

	f.stores = pattern->kind != CYCLIC_LOADS;
	f.loads = pattern->kind != CYCLIC_STORES;
	cyclic_misses(&f, g, &r.misses);
	return r;
}

void expect_cyclic(const struct cyclic *pattern, const struct geometry *g,
		   bool warm, struct assay_expectation *out)
{
	struct run r = run_of(pattern, g, warm);

	if (r.misses.caches) {
		expect_kinds(&r, out);
		expect_levels(&r, out);
		if (pattern->kind != CYCLIC_LOADS)
			expect_writebacks(&r, out);
		expect_l2_refills(&r, out);
		expect_l2_evictions(&r, out);
	}
	if (r.misses.tlbs)
		expect_tlbs(&r, out);
}

void expect_cyclic_tlbs(const struct cyclic *pattern, const struct geometry *g,
			bool warm, struct assay_expectation *out)
{
	struct run r = run_of(pattern, g, warm);

	if (r.misses.tlbs)
		expect_tlbs(&r, out);
}
