/* SPDX-License-Identifier: MIT */
/* Bounds on the loads that each level served, from the average time. */
#include "verify/latency-bounds.h"

#include <math.h>
#include <string.h>

/* Error of known latencies and of measured times, as a share. */
#define TIME_ERROR 0.05

const char *latency_bounds_refuses(const struct kernel *kernel,
			 const struct assay_shape *shape)
{
	const int order = assay_shape_find(shape, "order");

	if (!kernel->cycle)
		return "its loads do not wait for each other";
	if (order >= 0 && shape->option[order].kind == ASSAY_OPTION_CHOICE &&
	    (!strcmp(shape->option[order].word, "shuffled") ||
	     !strcmp(shape->option[order].word, "fisher-yates")))
		return NULL;
	return "a prefetcher may hide what its loads take";
}

/* At most and at least how many of `loads` missed a level. */
static struct range beyond(double time, double here, double next, double last,
			   double loads)
{
	struct range r = { 0, loads };

	if (next > here)
		r.high = loads * (fmin(1, fmax(0, (time * (1 + TIME_ERROR) -
						   here) / (next - here))) +
				  LATENCY_BOUNDS_SHARE);
	if (last > here)
		r.low = loads * fmax(0, fmin(1, (time * (1 - TIME_ERROR) -
						 here) / (last - here)) -
					LATENCY_BOUNDS_SHARE);
	r.low = fmin(r.low, r.high);
	return r;
}

void latency_bounds_served(const struct geometry *g, double loads,
			   double cycles, double passes,
			   struct range served[SERVED_LEVELS])
{
	const struct cycle_model *m = &g->cycles;
	const double l1 = m->l1_hit, l2 = g->l2.present ? m->l2_hit : l1;
	const double l3 = g->l3.present ? m->l3_hit : l2;
	const double dram = l3 + m->dram_extra;
	/* the most time per load that is not a level's: TLBs and code */
	const double other = m->dtlb_miss + m->page_walk +
		8 * m->per_instruction +
		(m->mispredict + m->restart) * passes / fmax(loads, 1);
	const double time = cycles / fmax(loads, 1);
	struct range l1_on = beyond(time, l1, l2, dram, loads);
	struct range l2_on = beyond(time, l1, g->l3.present ? l3 : dram, dram,
				    loads);
	struct range l3_on = beyond(time, l1, dram, dram, loads);

	/* fewest misses: TLBs and code take as long as they can */
	l1_on.low = beyond(time - other, l1, l2, dram, loads).low;
	l2_on.low = beyond(time - other, l2, l3, dram, loads).low;
	l3_on.low = beyond(time - other, l3, dram, dram, loads).low;
	served[SERVED_L1] = (struct range){ loads - l1_on.high,
					    loads - l1_on.low };
	served[SERVED_L2] = (struct range){ 0, l1_on.high };
	served[SERVED_L3] = g->l3.present ?
		(struct range){ 0, l2_on.high } : (struct range){ 0, 0 };
	served[SERVED_DRAM] = (struct range){ l3_on.low, l3_on.high };
	/* an L2 hit is a load beyond L1 and not beyond L2 */
	served[SERVED_L2].high = fmin(served[SERVED_L2].high,
				      loads - l2_on.low);
}
