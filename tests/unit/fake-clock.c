/* SPDX-License-Identifier: MIT */
/* The port of a machine whose times are known. */
#include "fake-clock.h"

static uint64_t read_ticks(struct fake *f)
{
	const uint64_t ticks = (uint64_t)f->now;

	return ticks - ticks % f->granule;
}

static uint64_t begin(void *ctx)
{
	struct fake *f = ctx;

	f->now += f->overhead / 2.0 + (f->begins++ % 3 == 0);
	return read_ticks(f);
}

static uint64_t adds(void *ctx, unsigned n, bool side_by_side)
{
	struct fake *f = ctx;
	double cycles = side_by_side ? n / f->side_adds : n;
	uint64_t from;

	if (!side_by_side && f->wobble && ++f->reads % f->wobble == 0)
		cycles *= 1.1;
	from = begin(f);
	f->now += cycles * f->core_ticks;
	return begin(f) - from;
}

static void load(struct fake *f, void **at)
{
	f->now += f->cost(f, *at) * f->core_ticks;
	f->loads++;
	*at = *(void **)*at;
}

static uint64_t chase(void *ctx, void **head, unsigned chains, uint64_t steps)
{
	struct fake *f = ctx;
	const uint64_t from = begin(f);

	for (uint64_t i = 0; i < steps; i++)
		for (unsigned c = 0; c < chains; c++)
			load(f, &head[c]);
	return begin(f) - from;
}

static void each(void *ctx, void *const *list, void **head, unsigned n,
		 uint32_t *ticks)
{
	struct fake *f = ctx;

	for (unsigned i = 0; i < n; i++) {
		void *at = list ? list[i] : *head;
		uint64_t from;

		f->now += 37;	/* the loop: moves the phase */
		from = begin(f);
		load(f, &at);
		ticks[i] = (uint32_t)(begin(f) - from);
		if (!list)
			*head = at;
	}
}

static void flush(void *ctx, void *line)
{
	struct fake *f = ctx;

	(void)line;
	f->flushed++;
}

static uint64_t serial(void *ctx, void *const *list, unsigned n)
{
	struct fake *f = ctx;
	const uint64_t from = begin(f);

	for (unsigned i = 0; i < n; i++) {
		void *at = list[i];

		load(f, &at);
	}
	return begin(f) - from;
}

const struct time_port fake_port = {
	.begin = begin, .end = begin, .adds = adds, .chase = chase,
	.each = each, .serial = serial, .flush = flush,
};

void fake_init(struct fake *f, struct time_clock *clock,
	       double (*cost)(struct fake *fake, void *at))
{
	*f = (struct fake){
		.now = 1000, .core_ticks = 0.8, .side_adds = 4, .granule = 1,
		.overhead = 50, .cost = cost,
	};
	time_clock_init(clock, &fake_port, f, 2);
}
