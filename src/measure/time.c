/* SPDX-License-Identifier: MIT */
/* Chunks of accesses between two readings of the core's clock. */
#include "measure/time.h"

#include <math.h>

#include "kernels/arithmetic.h"

#define SHORT_ADDS 1000
#define LONG_ADDS 4000
#define SIDE_ADDS 1008
#define TORN 0.03	/* readings around a good chunk differ by less */
#define EMPTY_PAIRS 1000
#define GRANULE_TRIES 4000
#define STRETCHES 9
#define STRETCH_NS 300000
#define LINE 64
#define TABLE_LINE (8 * 4096)	/* bytes that 64 bytes of a page table map */

/* Ticks per step of a counter, by its readings; 0: the counter stands still. */
static unsigned granule_of(uint64_t (*stamp)(void *ctx), void *ctx)
{
	uint64_t granule = 0, last = 0;

	for (unsigned i = 0; i < GRANULE_TRIES && granule != 1; i++) {
		const uint64_t now = stamp(ctx);

		if (last)
			granule = common_divisor(granule, now - last);
		last = now;
	}
	return (unsigned)granule;
}

void time_clock_init(struct time_clock *out, const struct time_port *port,
		     void *ctx, double ticks_per_ns)
{
	uint64_t least = UINT64_MAX;
	unsigned granule;

	for (unsigned i = 0; i < EMPTY_PAIRS; i++) {
		const uint64_t from = port->begin(ctx);
		const uint64_t ticks = port->end(ctx) - from;

		if (ticks < least)
			least = ticks;
	}
	granule = granule_of(port->begin, ctx);
	if (!granule)
		granule = 1;
	*out = (struct time_clock){
		.port = port, .ctx = ctx, .ticks_per_ns = ticks_per_ns,
		.overhead = (double)least,
		.granule = granule,
		.loads = { ticks_per_ns, granule },
	};
}

/* Ticks of the stamps' counter per tick of the constant one, over `stretch`. */
static double stamps_per_tick(const struct time_port *port, void *ctx,
			      double stretch)
{
	const uint64_t from = port->begin(ctx), first = port->stamp(ctx);
	uint64_t now;

	do
		now = port->begin(ctx);
	while ((double)(now - from) < stretch);
	return ((double)port->stamp(ctx) - (double)first) /
	       (double)(now - from);
}

/*
 * Time in an interrupt goes into one of the counters only, so the rate is the
 * median of several stretches.
 */
bool time_clock_stamp(struct time_clock *clock, const struct time_port *port,
		      void *ctx)
{
	const double stretch = STRETCH_NS * clock->ticks_per_ns;
	const unsigned granule = granule_of(port->stamp, ctx);
	double rate[STRETCHES];

	if (!granule)
		return false;
	for (unsigned i = 0; i < STRETCHES; i++) {
		const double one = stamps_per_tick(port, ctx, stretch);
		unsigned k = i;

		for (; k && rate[k - 1] > one; k--)
			rate[k] = rate[k - 1];
		rate[k] = one;
	}
	if (!(rate[STRETCHES / 2] > 0))
		return false;
	clock->port = port;
	clock->ctx = ctx;
	clock->loads.ticks_per_ns = rate[STRETCHES / 2] * clock->ticks_per_ns;
	clock->loads.granule = granule;
	return true;
}

double time_core(const struct time_clock *clock)
{
	const uint64_t some = clock->port->adds(clock->ctx, SHORT_ADDS, false);
	const uint64_t many = clock->port->adds(clock->ctx, LONG_ADDS, false);
	const double ticks = ((double)many - (double)some) * 1000 /
			     (LONG_ADDS - SHORT_ADDS);

	return ticks > 0 ? ticks : 0;
}

/* Ticks for `steps` along the chains, or for one run of the kernel. */
static double run(const struct time_clock *clock, struct timed *t,
		  uint64_t steps)
{
	uint64_t from;

	if (!t->kernel)
		return (double)clock->port->chase(clock->ctx, t->head,
						  t->chains, steps);
	from = clock->port->begin(clock->ctx);
	t->kernel->run(t->shape, t->arena);
	return (double)(clock->port->end(clock->ctx) - from);
}

static double accesses(const struct timed *t, uint64_t steps)
{
	if (!t->kernel)
		return (double)steps * t->chains;
	steps = t->kernel->accesses(t->shape);
	return steps ? (double)steps : 1;
}

/* The nearest multiple of TIME_UNROLL that is not 0. */
static uint64_t round_steps(double steps)
{
	const uint64_t n = (uint64_t)(steps / TIME_UNROLL + 0.5);

	return (n ? n : 1) * TIME_UNROLL;
}

/* One load per line of the page tables; the loads are independent. */
static void warm_tables(const struct timed *t)
{
	for (uint64_t at = 0; at < t->lines * LINE; at += TABLE_LINE)
		*(const volatile unsigned char *)(t->base + at);
}

/*
 * Chains far larger than any L2 are not warmed by a complete pass, which would
 * take too long; for chains larger than any L3 little more than page tables can
 * be warmed.
 */
void time_warm(const struct time_clock *clock, struct timed *t)
{
	static const double most = 40000, least = 1024, small = 32768;
	static const double large = 400000, few = 12000;
	double n = (double)t->lines;

	if (n > large && t->base)
		warm_tables(t);
	n = n > large && t->base ? few :
	    n <= small ? 2 * n : n > most ? most : n;
	if (n < least)
		n = least;
	run(clock, t, t->kernel ? 0 : round_steps(n / t->chains));
}

uint64_t time_steps(const struct time_clock *clock, struct timed *t, double ns)
{
	const uint64_t some = 8 * TIME_UNROLL;
	double each;

	if (t->kernel)
		return 0;
	each = (run(clock, t, some) - clock->overhead) /
	       clock->ticks_per_ns / (double)some;
	each = each < 0.2 ? 0.2 : each > 400 ? 400 : each;
	return round_steps(ns / each);
}

/* Independent adds per cycle. */
static double side_adds(const struct time_clock *clock, double core)
{
	const double ticks = (double)clock->port->adds(clock->ctx, SIDE_ADDS,
						       true) - clock->overhead;

	return core > 0 && ticks > 0 ? SIDE_ADDS / (ticks / core * 1000) : 0;
}

void time_chunk(const struct time_clock *clock, struct timed *t,
		uint64_t steps, double *core, struct time_sample *out)
{
	const double before = *core > 0 ? *core : time_core(clock);
	double ticks, after, mean;

	*out = (struct time_sample){ 0 };
	out->adds = side_adds(clock, before);
	ticks = (run(clock, t, steps) - clock->overhead) / accesses(t, steps);
	after = *core = time_core(clock);
	mean = (before + after) / 2;
	out->ns = ticks / clock->ticks_per_ns;
	out->torn = !(before > 0 && after > 0) ||
		    fabs(before - after) > TORN * mean;
	if (before > 0 && after > 0) {
		out->cycles = ticks / mean * 1000;
		out->ghz = clock->ticks_per_ns * 1000 / mean;
	}
}
