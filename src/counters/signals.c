/* SPDX-License-Identifier: MIT */
/*
 * Events add up signals as the CPU file says; quantities add up signals by the
 * table `truths`.
 */
#include "counters/signals.h"

#include <math.h>

#include "base/text.h"
#include "sim/sim.h"

static const char *const signal_names[SIGNALS] = {
#define X(name, sentence) #name,
#include "base/signals.def"
#undef X
};

static struct assay_value signal_value(const void *ctx, int name)
{
	const uint64_t *signal = ctx;

	return (struct assay_value){ .number = (double)signal[name] };
}

/* The sum of the event's quantities. */
static struct assay_value sum_parts(const struct encoding *event,
				    const uint64_t *signal)
{
	struct assay_quantities q;
	struct assay_value sum = { .number = 0 };

	for (unsigned i = 0; i < event->parts; i++)
		q.of[event->part[i]].why = "not known to the software PMU";
	signals_truth(event->geometry, signal, &q);
	for (unsigned i = 0; i < event->parts && !sum.why; i++) {
		sum.number += q.of[event->part[i]].number;
		sum.why = q.of[event->part[i]].why;
	}
	return sum;
}

struct assay_count signals_count(const struct encoding *event,
				 const uint64_t *signal)
{
	struct assay_count out = { .state = ASSAY_COUNT_ABSENT };
	struct assay_value v;

	out.why = event->absent[0] ? event->absent :
		  "the CPU file does not say what this event counts";
	if (event->absent[0] || (!event->counts && !event->parts))
		return out;
	v = event->parts ? sum_parts(event, signal) :
	    expr_value(event->counts, signal_value, signal);
	out.why = v.why;
	if (v.why)
		return out;
	out.state = ASSAY_COUNT_PRESENT;
	out.value = v.number > 0 ? (uint64_t)llround(v.number) : 0;
	return out;
}

/* A quantity is the sum of these signals. */
static const struct truth {
	enum assay_quantity quantity;
	enum signal signal[6];
	unsigned signals;
} truths[] = {
#define ONE(q, a) { ASSAY_Q_##q, { SIGNAL_##a }, 1 }
#define TWO(q, a, b) { ASSAY_Q_##q, { SIGNAL_##a, SIGNAL_##b }, 2 }
	ONE(instructions, instructions),
	ONE(loads, loads),
	ONE(stores, stores),
	ONE(branches, branches),
	ONE(branches_taken, branches_taken),
	ONE(mispredicts, mispredicts),
	ONE(returns, returns),
	ONE(return_mispredicts, return_mispredicts),
	ONE(served_l1, served_l1),
	ONE(served_l2, served_l2),
	ONE(served_l3, served_l3),
	ONE(served_dram, served_dram),
	ONE(split_lines, split_lines),
	ONE(l1d_reads, l1d_load),
	ONE(l1d_writes, l1d_store),
	ONE(l1d_read_misses, l1d_load_miss),
	ONE(l1d_write_misses, l1d_store_miss),
	TWO(l1d_refills, l1d_load_miss, l1d_store_miss),
	TWO(l1d_writebacks, l1d_evict_dirty, l1d_flush_dirty),
	ONE(l1i_fetches, l1i_fetch),
	ONE(l1i_refills, l1i_miss),
	{ ASSAY_Q_l2_reads, { SIGNAL_l2_load, SIGNAL_l2_store, SIGNAL_l2_walk,
			      SIGNAL_l2_fetch, SIGNAL_l2_prefetch }, 5 },
	ONE(l2_writes, l2_writeback),
	{ ASSAY_Q_l2_read_misses, { SIGNAL_l2_load_miss, SIGNAL_l2_store_miss,
				    SIGNAL_l2_walk_miss, SIGNAL_l2_fetch_miss,
				    SIGNAL_l2_prefetch_miss }, 5 },
	ONE(l2_write_misses, l2_writeback_miss),
	ONE(l2_refills, l2_fill),
	ONE(l2_evict_clean, l2_evict_clean),
	TWO(l2_evict_dirty, l2_evict_dirty, l2_flush_dirty),
	{ ASSAY_Q_l3_reads, { SIGNAL_l3_load, SIGNAL_l3_store, SIGNAL_l3_walk,
			      SIGNAL_l3_fetch, SIGNAL_l3_prefetch }, 5 },
	ONE(l3_writes, l3_writeback),
	{ ASSAY_Q_l3_read_misses, { SIGNAL_l3_load_miss, SIGNAL_l3_store_miss,
				    SIGNAL_l3_walk_miss, SIGNAL_l3_fetch_miss,
				    SIGNAL_l3_prefetch_miss }, 5 },
	ONE(l3_write_misses, l3_writeback_miss),
	TWO(l3_writebacks, l3_evict_dirty, l3_flush_dirty),
	ONE(dram_reads, dram_read),
	ONE(dram_writes, dram_write),
	ONE(rfos, l1d_store_miss),
	TWO(dtlb_misses, dtlb_load_miss, dtlb_store_miss),
	ONE(itlb_misses, itlb_miss),
	TWO(l2tlb_misses, l2tlb_data_miss, l2tlb_code_miss),
	{ ASSAY_Q_page_walks, { SIGNAL_walks_load, SIGNAL_walks_store,
				SIGNAL_walks_code, SIGNAL_walks_wrong_path },
	  4 },
#undef ONE
#undef TWO
};

/* Does the cache read a line if a written-through store misses? */
static bool reads_to_write(const struct cache_geometry *c)
{
	return c->present && !c->no_write_allocate &&
	       (c->inclusion == INCLUDE_NON || c->inclusion == INCLUDE_ALL);
}

/* The row has L1D's signal; a cache that does not allocate has none. */
static void add_rfos(struct truth *t, const struct geometry *g)
{
	t->signals = !g->l1d.no_write_allocate;
	if (reads_to_write(&g->l2))
		t->signal[t->signals++] = SIGNAL_l2_write_through_miss;
	if (reads_to_write(&g->l3))
		t->signal[t->signals++] = SIGNAL_l3_write_through_miss;
}

/*
 * The row of a quantity for this CPU. Written-through stores are in no row of
 * the table, because a CPU whose L1D writes back has none: they are added here.
 */
static struct truth truth_on(const struct geometry *g, const struct truth *row)
{
	struct truth t = *row;

	switch (t.quantity) {
	case ASSAY_Q_l1d_refills:	/* the first signal is that of loads */
		t.signals -= g->l1d.no_write_allocate;
		break;
	case ASSAY_Q_rfos:
		add_rfos(&t, g);
		break;
	case ASSAY_Q_l2tlb_misses:	/* the first signal is that of data */
		if (!g->l2tlb.present && g->l2itlb.present)
			t.signal[0] = t.signal[--t.signals];
		break;
	case ASSAY_Q_l2_writes:
		t.signal[t.signals++] = SIGNAL_l2_write_through;
		break;
	case ASSAY_Q_l2_write_misses:
		t.signal[t.signals++] = SIGNAL_l2_write_through_miss;
		break;
	case ASSAY_Q_l3_writes:
		t.signal[t.signals++] = SIGNAL_l3_write_through;
		break;
	case ASSAY_Q_l3_write_misses:
		t.signal[t.signals++] = SIGNAL_l3_write_through_miss;
		break;
	default:
		break;
	}
	return t;
}

static double truth_sum(const void *truth, const uint64_t *signal)
{
	const struct truth *t = truth;
	uint64_t sum = 0;

	for (unsigned n = 0; n < t->signals; n++)
		sum += signal[t->signal[n]];
	return (double)sum;
}

void signals_truth(const struct geometry *geometry, const uint64_t *signal,
		   struct assay_quantities *out)
{
	for (size_t i = 0; i < sizeof(truths) / sizeof(*truths); i++) {
		const struct truth t = truth_on(geometry, &truths[i]);
		struct assay_value *v = &out->of[t.quantity];

		v->why = geometry_lacks(geometry, signal_names[t.signal[0]]);
		v->number = v->why ? 0 : truth_sum(&t, signal);
	}
}

void signals_errors(const struct geometry *geometry, const struct draws *d,
		    struct assay_quantities *out)
{
	for (size_t i = 0; i < sizeof(truths) / sizeof(*truths); i++) {
		const struct truth t = truth_on(geometry, &truths[i]);
		struct assay_value *v = &out->of[t.quantity];

		v->error = v->why ? 0 : draws_error(d, truth_sum, &t);
		v->estimate = v->error > 0 && d->left_out;
	}
}

void signals_spread(const struct geometry *geometry,
		    const uint64_t *const *signal, unsigned n,
		    struct assay_quantities *out)
{
	for (size_t i = 0; i < sizeof(truths) / sizeof(*truths); i++) {
		const struct truth t = truth_on(geometry, &truths[i]);
		struct assay_value *v = &out->of[t.quantity];

		v->error = v->why ? 0 : draws_spread(signal, n, truth_sum, &t);
	}
}

double signals_count_value(const void *event, const uint64_t *signal)
{
	return (double)signals_count(event, signal).value;
}

void signals_count_spread(const uint64_t *const *signal, unsigned n,
			  const struct encoding *event,
			  struct assay_count *count)
{
	if (count->state == ASSAY_COUNT_PRESENT)
		count->error = draws_spread(signal, n, signals_count_value,
					    event);
}

unsigned signals_of_quantity(enum assay_quantity quantity,
			     int out[SIGNALS_OF_QUANTITY])
{
	for (size_t i = 0; i < sizeof(truths) / sizeof(*truths); i++) {
		const struct truth *t = &truths[i];

		if (t->quantity != quantity)
			continue;
		for (unsigned n = 0; n < t->signals; n++)
			out[n] = (int)t->signal[n];
		return t->signals;
	}
	return 0;
}

/* Appends the signals that a node adds up; false if the node is no sum. */
static bool add_terms(const uint64_t *signal, const struct expr *e, int node,
		      int sign, struct assay_event_term *out, unsigned *terms)
{
	const struct expr_node *n = &e->node[node];

	if (n->op == EXPR_ADD || n->op == EXPR_SUB)
		return add_terms(signal, e, n->left, sign, out, terms) &&
		       add_terms(signal, e, n->right,
				 n->op == EXPR_SUB ? -sign : sign, out, terms);
	if (n->op != EXPR_NAME || *terms == ASSAY_EVENT_TERMS)
		return false;
	text_copy(out[*terms].name, sizeof(out->name), signal_names[n->name]);
	out[(*terms)++].value = sign * (double)signal[n->name];
	return true;
}

unsigned signals_terms(const struct encoding *event, const uint64_t *signal,
		       struct assay_event_term *out)
{
	const struct expr *e = event->counts;
	unsigned n = 0;

	if (event->absent[0] || !e)
		return 0;
	return add_terms(signal, e, e->root, 1, out, &n) ? n : 0;
}
