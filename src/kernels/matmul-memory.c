/* SPDX-License-Identifier: MIT */
/*
 * What matmul must miss in L1D and in the data TLB under LRU. A visit of a line
 * (or page) misses if `ways` or more others of its set were visited since its
 * last visit: the reuse distance. For small n the distances are counted
 * (matmul-visits.c). For large n they are bounded: a visit that is neither
 * surely a miss nor surely a hit widens the band.
 *
 * Between two visits of one unit of
 *   textbook	A or C: an inner loop down a column of B
 *		B: the same, or all of B when the columns reach a new line
 *   interchange A or C: an inner loop along a row of B and a row of C
 *		B: all of B
 * Freestanding.
 */
#include "kernels/matmul.h"

#include "kernels/arithmetic.h"
#include "kernels/expect.h"

#define DOUBLES_PER_LINE (LINE_BYTES / 8)
#define DOUBLES_PER_PAGE (MATMUL_ALIGN / 8)
#define MOST_SETS 4096

static const char in_order[] =
	"LRU, page frames in order, prefetchers off";

/* Lines or pages: units of `per` doubles, kept in `sets` sets of `ways`. */
struct units {
	uint64_t n, per, sets, ways;
	bool warm;
	/* A column of B has low .. high units in each set, and own_low or more
	 * in a set that has any. */
	uint64_t own_low, low, high;
	uint64_t matrix;	/* units of a matrix */
	uint64_t rows;		/* units of each row, summed over the rows */
};

/* The misses of a run, by matrix. */
struct parts {
	struct bounds a, b, c_load, c_store;
};

static uint64_t divide_up(uint64_t x, uint64_t by)
{
	return (x + by - 1) / by;
}

static uint64_t unit_of(const struct units *u, uint64_t row, uint64_t column)
{
	return (row * u->n + column) / u->per;
}

static uint64_t row_units(const struct units *u, uint64_t row)
{
	return unit_of(u, row, u->n - 1) - unit_of(u, row, 0) + 1;
}

/* Of `units` consecutive units, the least and the most in one set. */
static uint64_t run_low(const struct units *u, uint64_t units)
{
	return units / u->sets;
}

static uint64_t run_high(const struct units *u, uint64_t units)
{
	return divide_up(units, u->sets);
}

static void count_column(struct units *u, uint64_t column)
{
	uint16_t count[MOST_SETS];
	uint64_t last = UINT64_MAX;

	for (uint64_t s = 0; s < u->sets; s++)
		count[s] = 0;
	for (uint64_t k = 0; k < u->n; k++) {
		uint64_t unit = unit_of(u, k, column);

		count[unit % u->sets] += unit != last;
		last = unit;
	}
	for (uint64_t s = 0; s < u->sets; s++) {
		if (count[s] < u->low)
			u->low = count[s];
		if (count[s] && count[s] < u->own_low)
			u->own_low = count[s];
		if (count[s] > u->high)
			u->high = count[s];
	}
}

/* Do rows start where units start? Then all columns have the same units. */
static bool in_step(const struct units *u)
{
	return u->n % u->per == 0;
}

static void count_all(struct units *u)
{
	uint64_t kinds = in_step(u) ? 1 : u->n < u->per ? u->n : u->per;

	u->own_low = u->low = UINT64_MAX;
	u->high = 0;
	for (uint64_t column = 0; column < kinds; column++)
		count_column(u, column);
	u->matrix = divide_up(u->n * u->n, u->per);
	u->rows = 0;
	for (uint64_t i = 0; i < u->n; i++)
		u->rows += row_units(u, i);
}

/*
 * The misses of `visits` visits with reuse distances low .. high; `first` of
 * the visits are the first of their unit.
 */
static struct bounds visits(const struct units *u, uint64_t visits,
			    uint64_t first, uint64_t low, uint64_t high)
{
	uint64_t cold = u->warm ? 0 : first;

	if (low >= u->ways)
		return bounds_exactly(visits);
	if (high < u->ways)
		return bounds_between(cold, first);
	return bounds_between(cold, visits);
}

/*
 * Visits by all columns of B. *fresh: those whose unit the column before did
 * not visit.
 */
static uint64_t column_visits(const struct units *u, uint64_t *fresh)
{
	uint64_t all = 0, n = u->n;

	*fresh = 0;
	for (uint64_t j = 0; j < n; j++)
		for (uint64_t k = 0; k < n; k++) {
			uint64_t unit = unit_of(u, k, j);

			if (k && unit == unit_of(u, k - 1, j))
				continue;
			all++;
			*fresh += !j || (unit != unit_of(u, k, j - 1) &&
					 (k + 1 == n ||
					  unit != unit_of(u, k + 1, j - 1)));
		}
	return all;
}

/* A row of A that lies in one unit stays held; other rows may be lost. */
static struct bounds textbook_a(const struct units *u, uint64_t loop_high)
{
	uint64_t split = 0, n = u->n;
	struct bounds b;

	for (uint64_t i = 0; i < n; i++)
		if (row_units(u, i) > 1)
			split += row_units(u, i);
	if (!split && u->ways > 2)
		return visits(u, u->matrix, u->matrix, 0, 0);
	if (split == u->rows)
		return visits(u, n * split, u->matrix,
			      arithmetic_less(u->low, u->per - 1), loop_high);
	b = visits(u, n * u->rows, u->matrix, 0, UINT64_MAX);
	if (u->ways > 2)
		b.high = n * split + u->matrix;
	return b;
}

static void textbook(const struct units *u, struct parts *out)
{
	uint64_t row = divide_up(u->n, u->per) + 1, n = u->n, fresh, again;
	uint64_t loop_low = in_step(u) ? u->own_low - 1 : u->sets == 1 ?
			    arithmetic_less(u->own_low, 2) : 0;
	/* units of two columns, at most all of B */
	uint64_t two = u->high * (in_step(u) ? 1 : 2);
	uint64_t all = run_high(u, u->matrix);
	uint64_t loop_high = (two < all ? two : all) + run_high(u, row) + 1;

	again = column_visits(u, &fresh) - fresh;
	out->b = visits(u, n * again, 0, loop_low, loop_high - 1);
	bounds_add(&out->b, visits(u, n * fresh, u->matrix, in_step(u) ?
				   arithmetic_less(run_low(u, u->matrix), 1) :
				   loop_low, run_high(u, u->matrix) +
					     4 * run_high(u, row)));
	out->a = textbook_a(u, loop_high);
	out->c_load = bounds_exactly(0);
	out->c_store = visits(u, n * n, u->matrix, u->low,
			      u->high + run_high(u, row));
}

static void interchange(const struct units *u, struct parts *out)
{
	uint64_t least = u->n / u->per, most = divide_up(u->n, u->per) + 1;
	uint64_t low = 2 * run_low(u, least), high = 2 * run_high(u, most);
	uint64_t n = u->n, shared = u->rows - u->matrix;

	out->b = visits(u, n * shared, 0, 0, 3);
	bounds_add(&out->b, visits(u, n * u->matrix, u->matrix,
				   arithmetic_less(run_low(u, u->matrix), 1),
				   UINT64_MAX));
	out->a = visits(u, n * n, u->matrix, low, high + 1);
	/* a row of C is read after it was cleared, and after n - 1 loops */
	out->c_load = visits(u, (n - 1) * u->rows, 0, arithmetic_less(low, 3),
			     high + 2);
	bounds_add(&out->c_load, visits(u, u->rows, 0, 0, high + 2));
	out->c_store = visits(u, u->matrix, u->matrix,
			      u->warm ? run_low(u, u->matrix) : u->ways, 0);
	if (shared && u->ways < 2)
		out->c_store.high = u->rows;
}

/* All matrices fit: each unit misses once, or never if warm. */
static void all_fits(const struct units *u, struct parts *out)
{
	uint64_t n = u->warm ? 0 : u->matrix;

	out->a = out->b = out->c_store = bounds_exactly(n);
	out->c_load = bounds_exactly(0);
}

static bool counted(const struct matmul *m, const struct units *u,
		    struct parts *out)
{
	struct matmul_misses n;

	if (!matmul_visits(m, u->per, u->sets, u->ways, u->warm, &n))
		return false;
	out->a = bounds_exactly(n.a);
	out->b = bounds_exactly(n.b);
	out->c_load = bounds_exactly(n.c_load);
	out->c_store = bounds_exactly(n.c_store);
	return true;
}

/* undisturbed: only these visits decide which units are held. */
static void count_misses(const struct matmul *m, struct units *u,
			 bool undisturbed, struct parts *out)
{
	uint64_t matrix_bytes = divide_up(u->n * u->n * 8, MATMUL_ALIGN) *
				MATMUL_ALIGN;

	if (undisturbed && counted(m, u, out))
		return;
	count_all(u);
	if (run_high(u, 3 * matrix_bytes / (u->per * 8)) <= u->ways)
		all_fits(u, out);
	else if (m->interchange)
		interchange(u, out);
	else
		textbook(u, out);
}

static void add_part(struct assay_expected *row, const char *name,
		     const char *formula, struct bounds b, const char *reason)
{
	double low = row->low, high = row->high;

	expect_term(row, name, formula, b.likely, reason);
	expect_band(row, low + (double)b.low, high + (double)b.high, in_order);
}

static void add_loads(struct assay_expected *row, const struct parts *p)
{
	add_part(row, "A", "visits of lines or pages that were lost", p->a,
		 "a row of A is read again for each column, or once");
	add_part(row, "B", "visits of lines or pages that were lost", p->b,
		 "B is read again for each row of A");
	add_part(row, "C read", "visits of lines or pages that were lost",
		 p->c_load, "the sums so far, if the loops are interchanged");
}

static void add_stores(struct assay_expected *row, const struct parts *p)
{
	add_part(row, "C", "visits of lines or pages that were lost",
		 p->c_store, "each element is stored, or cleared first");
}

/* Does L1D hold the lines that LRU over virtual addresses keeps? */
static bool plain(const struct geometry *g)
{
	const struct cache_geometry *c = &g->l1d;

	if (!c->present || c->line_bytes != LINE_BYTES || c->slices != 1 ||
	    !c->sets || c->sets > MOST_SETS || c->ways < 2 ||
	    c->policy != REPLACE_LRU || c->write_through ||
	    c->no_write_allocate || g->walker.reads_through == WALK_L1D)
		return false;
	return !prefetches(g) &&
	       (g->page_map.kind == PAGE_MAP_IDENTITY ||
		(g->page_map.kind != PAGE_MAP_RECORDED &&
		 page_lines(g) % c->sets == 0));
}

/*
 * The most lines of page tables in one set: those of the last level are
 * consecutive, 8 pages to a line; each other line may be anywhere.
 */
static uint64_t tables(uint64_t pages, uint64_t sets, uint64_t levels)
{
	uint64_t leaves = pages / 512 + 2;

	return leaves * divide_up(LINES_PER_PAGE, sets) + 2 * levels;
}

/* Does this level hold all three matrices, and evict none of their lines? */
static bool holds(const struct cache_geometry *c, uint64_t lines,
		  const struct geometry *g)
{
	if (!c->sets || c->slices != 1 ||
	    (g->page_map.kind != PAGE_MAP_IDENTITY && page_lines(g) % c->sets))
		return false;
	if (!evicts_oldest(c->policy) && c->policy != REPLACE_TREE_PLRU &&
	    c->cold != COLD_INVALID_FIRST)
		return false;
	return divide_up(lines, c->sets) +
	       tables(lines / LINES_PER_PAGE, c->sets, g->walker.levels) <=
	       c->ways;
}

/*
 * Does no lower level evict lines from L1D? An inclusive level that cannot hold
 * all matrices does, at times that this arithmetic does not know.
 */
static bool kept_below(const struct matmul *m, const struct geometry *g)
{
	const struct cache_geometry *cache[] = { &g->l2, &g->l3 };
	uint64_t lines = 3 * divide_up(m->n * m->n * 8, MATMUL_ALIGN) *
			 LINES_PER_PAGE;

	for (unsigned i = 0; i < 2; i++)
		if (cache[i]->present &&
		    cache[i]->inclusion == INCLUDE_ALL &&
		    !holds(cache[i], lines, g))
			return false;
	return true;
}

static void expect_l1d(const struct matmul *m, const struct geometry *g,
		       bool warm, struct assay_expectation *out)
{
	struct units u = { .n = m->n, .per = DOUBLES_PER_LINE,
			   .sets = g->l1d.sets, .ways = g->l1d.ways,
			   .warm = warm };
	struct assay_expected *read, *write, *all;
	struct parts p;

	count_misses(m, &u, kept_below(m, g), &p);
	read = expect_row(out, ASSAY_Q_l1d_read_misses);
	add_loads(read, &p);
	write = expect_row(out, ASSAY_Q_l1d_write_misses);
	add_stores(write, &p);
	all = expect_row(out, ASSAY_Q_l1d_refills);
	add_loads(all, &p);
	add_stores(all, &p);
	if (!kept_below(m, g))
		read->condition = write->condition = all->condition =
			"LRU, page frames in order, prefetchers off, and no "
			"line is taken out for an inclusive L2 or L3";
}

void matmul_expect_memory(const struct matmul *m, const struct geometry *g,
			  bool warm, struct assay_expectation *out)
{
	const struct tlb_geometry *t = &g->dtlb;
	struct units u = { .n = m->n, .per = DOUBLES_PER_PAGE, .warm = warm };
	struct assay_expected *row;
	struct parts p;

	if (plain(g))
		expect_l1d(m, g, warm, out);
	if (!t->present || g->store_dtlb.present || t->ways < 2 ||
	    t->entries < t->ways || t->policy != REPLACE_LRU ||
	    t->entries / t->ways > MOST_SETS ||
	    g->page_map.size != PAGE_4K || translates_ahead(g))
		return;
	u.sets = t->entries / t->ways;
	u.ways = t->ways;
	count_misses(m, &u, true, &p);
	row = expect_row(out, ASSAY_Q_dtlb_misses);
	add_loads(row, &p);
	add_stores(row, &p);
}
