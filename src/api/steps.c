/* SPDX-License-Identifier: MIT */
/* Replaying a kernel's accesses one by one. */
#include "api/steps.h"

#include <stdlib.h>

#include "assay/error.h"
#include "base/text.h"
#include "kernels/draw.h"

#define MOST (UINT64_C(1) << 22)
#define WARM (UINT64_C(1) << 17)	/* steps before a turn */
#define LINE 64
#define SERIAL 128	/* steps of one untimed stretch */
#define STRETCHES 4
#define INTERRUPTED_NS 1000
#define TIMED 16	/* loads timed in a row */
#define AHEAD 128	/* steps before them, and up to twice that */

/* Low bits of a step; addresses are rounded down to words. */
enum { STEP_LOAD, STEP_OTHER, STEP_FLUSH, STEP_BITS = 7 };

static void *step_at(uintptr_t step)
{
	return (void *)(step & ~(uintptr_t)STEP_BITS);
}

static void put(struct steps *s, uintptr_t at, unsigned what)
{
	if (s->steps == s->room) {
		const uint64_t room = s->room ? 2 * s->room : 4096;
		void **more = room > MOST ? NULL :
			      realloc(s->list, room * sizeof(*more));

		s->full = !more;
		if (s->full)
			return;
		s->list = more;
		s->room = room;
	}
	s->list[s->steps++] = (void *)((at & ~(uintptr_t)STEP_BITS) | what);
}

static void feed(void *ctx, const uint64_t *record, size_t records)
{
	struct steps *s = ctx;

	for (size_t i = 0; i < records && !s->full; i++) {
		const uintptr_t at = s->host + (uintptr_t)
			(access_operand(record[i]) - ACCESS_ARENA_BASE);

		switch (access_kind(record[i])) {
		case ACCESS_LOAD:
			put(s, at, STEP_LOAD);
			s->loads++;
			break;
		case ACCESS_STORE:
			s->others++;
			put(s, at, STEP_OTHER);
			break;
		case ACCESS_PREFETCH:
			put(s, at, STEP_OTHER);
			break;
		case ACCESS_STORE_NT:
			s->others++;
			s->flushes++;
			put(s, at, STEP_FLUSH);
			break;
		case ACCESS_FLUSH:
			s->flushes++;
			put(s, at, STEP_FLUSH);
			break;
		default:
			break;
		}
	}
}

/* One pass stands for all that repeat it. */
static uint64_t pass(void *ctx, uint64_t left)
{
	(void)ctx;
	return left;
}

int steps_take(struct steps *out, const struct kernel *kernel,
	       const struct assay_shape *shape, struct arena *arena,
	       enum isa isa, struct assay_error *err)
{
	const struct access_sink sink = { out, feed, pass, LINE };
	struct access_trace trace;

	*out = (struct steps){ .host = (uintptr_t)arena->base };
	trace.sink = &sink;
	trace.host = out->host;
	trace.base = ACCESS_ARENA_BASE;
	trace.left_out = 0;
	trace.records = 0;
	kernel->trace(shape, arena, isa, &trace);
	access_flush(&trace);
	if (!out->full)
		return 0;
	if (2 * out->room <= MOST)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	return error_set(err, -ASSAY_ERANGE, "the pie by time replays at most "
			 "%llu accesses of a pass; this shape makes more\n"
			 "try: a smaller one", (unsigned long long)MOST);
}

void steps_fini(struct steps *s)
{
	free(s->list);
	s->list = NULL;
}

/*
 * As many steps as one batch holds: up to `loads` loads, and none behind a
 * flush that has others before it. Returns how many; *ticks of loads first.
 */
static unsigned some(struct steps *s, const struct time_clock *clock,
		     uint64_t *next, unsigned loads, uint32_t *ticks)
{
	void *list[MIX_BLOCK];
	bool load[MIX_BLOCK];
	uint32_t all[MIX_BLOCK];
	unsigned n = 0, wanted = 0, got = 0;

	while (n < MIX_BLOCK && wanted < loads) {
		const uintptr_t step = (uintptr_t)s->list[*next];
		const unsigned what = step & STEP_BITS;

		if (what == STEP_FLUSH && n)
			break;
		*next = *next + 1 < s->steps ? *next + 1 : 0;
		if (what == STEP_FLUSH) {
			clock->port->flush(clock->ctx, step_at(step));
			break;
		}
		load[n] = what == STEP_LOAD;
		wanted += load[n];
		list[n++] = step_at(step);
	}
	clock->port->end(clock->ctx);
	clock->port->each(clock->ctx, list, NULL, n, all);
	for (unsigned i = 0; i < n; i++) {
		if (load[i]) {
			ticks[got++] = all[i];
		} else if (all[i] <
			   INTERRUPTED_NS * clock->loads.ticks_per_ns) {
			s->other_ticks += all[i];
			s->others_timed++;
		}
	}
	return got;
}

/* So many steps in a row, each waiting for the one before. Returns ticks. */
static double run_on(struct steps *s, const struct time_clock *clock,
		     uint64_t *next, uint64_t steps, void **list)
{
	double ticks = 0;

	for (uint64_t left = steps; left;) {
		const unsigned n = left < SERIAL ? (unsigned)left : SERIAL;

		for (unsigned i = 0; i < n; i++) {
			list[i] = step_at((uintptr_t)s->list[*next]);
			*next = *next + 1 < s->steps ? *next + 1 : 0;
		}
		ticks += (double)clock->port->serial(clock->ctx, list, n);
		left -= n;
	}
	return ticks;
}

/*
 * Timed one by one, steps are so slow that whoever shares the core pushes lines
 * out between two of them that would not be when they go at their own speed. So
 * only a few are timed in a row, and before them they go at that speed; how far
 * is drawn, so that no period of theirs is missed. Flushes cannot be run over.
 */
static void block(void *ctx, const struct time_clock *clock, uint32_t *ticks)
{
	struct steps *s = ctx;
	void *list[SERIAL];

	for (unsigned got = 0; got < MIX_BLOCK;) {
		const unsigned left = MIX_BLOCK - got;

		if (!s->flushes)
			run_on(s, clock, &s->next,
			       AHEAD + draw_below(&s->seed, AHEAD), list);
		got += some(s, clock, &s->next, left < TIMED ? left : TIMED,
			    ticks + got);
	}
}

/* One by one, with what is flushed between them. */
static void warm_flushing(struct steps *s, const struct time_clock *clock,
			  uint64_t at, uint64_t steps)
{
	const double other_ticks = s->other_ticks;
	const uint64_t others_timed = s->others_timed;
	uint32_t unused[MIX_BLOCK];

	for (uint64_t done = 0; done < steps;) {
		const uint64_t from = at;
		const uint64_t left = steps - done;

		some(s, clock, &at, left < MIX_BLOCK ? (unsigned)left :
						       MIX_BLOCK, unused);
		done += at > from ? at - from : at + s->steps - from;
	}
	/* they came from anywhere */
	s->other_ticks = other_ticks;
	s->others_timed = others_timed;
}

/* What came before the next step, all of it if that is not too much. */
static void warm(void *ctx, const struct time_clock *clock)
{
	struct steps *s = ctx;
	const uint64_t steps = s->steps < WARM ? s->steps : WARM;
	uint64_t at = (s->next + s->steps - steps) % s->steps;
	void *list[SERIAL];

	if (s->flushes)
		warm_flushing(s, clock, at, steps);
	else
		run_on(s, clock, &at, steps, list);
}

/*
 * The next steps in a row, each waiting for the one before, over as many hits
 * of one line: what is left are the levels. Flushes would be in it, too.
 */
static double untimed(void *ctx, const struct time_clock *clock)
{
	void *list[SERIAL], *same[SERIAL];
	struct steps *s = ctx;
	double ticks = 0;

	for (unsigned k = 0; k < STRETCHES; k++) {
		ticks += run_on(s, clock, &s->next, SERIAL, list);
		for (unsigned i = 0; i < SERIAL; i++)
			same[i] = list[SERIAL - 1];
		clock->port->serial(clock->ctx, same, SERIAL);
		ticks -= (double)clock->port->serial(clock->ctx, same, SERIAL);
	}
	ticks /= STRETCHES * SERIAL;
	return ticks > 0 ? ticks / clock->ticks_per_ns : 0;
}

static double others(void *ctx, double *ticks)
{
	const struct steps *s = ctx;

	*ticks = s->others_timed ? s->other_ticks / (double)s->others_timed : 0;
	return s->others_timed && s->loads ?
	       (double)(s->steps - s->loads) / (double)s->loads : 0;
}

void steps_target(struct classify_target *out, struct steps *steps)
{
	*out = (struct classify_target){
		.warm = warm, .block = block, .ctx = steps,
		.over_l1 = true, .others = others,
	};
	if (!steps->flushes)
		out->untimed = untimed;
}
