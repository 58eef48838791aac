/* SPDX-License-Identifier: MIT */
/* Replaying a kernel's accesses one by one. */
#include "timing/replay-loads.h"

#include <stdlib.h>

#include "assay/error.h"
#include "base/text.h"
#include "kernels/draw.h"

#define WARM (UINT64_C(1) << 17)	/* steps before a turn */
#define STRETCH (WARM + 3 * (WARM / 2))	/* of a sample: these, and a turn's */
#define MOST (REPLAY_STRETCHES * STRETCH)	/* are kept */
#define FAR (UINT64_C(1) << 30)		/* are counted */
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

static bool grow(struct replay_loads *s)
{
	const uint64_t room = s->room ? 2 * s->room : 4096;
	void **more = realloc(s->list, room * sizeof(*more));

	if (!more) {
		s->no_memory = true;
		return false;
	}
	s->list = more;
	s->room = room;
	return true;
}

/* Is the step of that number in the sample? Asked in ascending order. */
static bool is_sampled(struct replay_loads *s, uint64_t number)
{
	if (s->taken < REPLAY_STRETCHES &&
	    number == s->start[s->taken] + STRETCH)
		s->taken++;
	return s->taken < REPLAY_STRETCHES && number >= s->start[s->taken];
}

static void put(struct replay_loads *s, uintptr_t at, unsigned what)
{
	const uint64_t number = s->total++;

	if (s->sampled ? !is_sampled(s, number) : s->steps == MOST)
		return;
	if (s->steps < s->room || grow(s))
		s->list[s->steps++] = (void *)((at & ~(uintptr_t)STEP_BITS) |
					       what);
}

static void feed(void *ctx, const uint64_t *record, size_t records)
{
	struct replay_loads *s = ctx;

	for (size_t i = 0; i < records && !s->no_memory && s->total <= FAR;
	     i++) {
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

static void walk(struct replay_loads *s, const struct kernel *kernel,
		 const struct assay_shape *shape, struct arena *arena,
		 enum isa isa)
{
	const struct access_sink sink = {
		.ctx = s, .feed = feed, .pass = pass, .granule = LINE,
	};
	struct access_trace trace;

	s->steps = s->total = s->loads = s->others = s->flushes = 0;
	trace.sink = &sink;
	trace.host = s->host;
	trace.base = ACCESS_ARENA_BASE;
	trace.left_out = 0;
	trace.records = 0;
	kernel->trace(shape, arena, isa, &trace);
	access_flush(&trace);
}

/* One stretch somewhere in each of as many equal parts of the pass. */
static void choose(struct replay_loads *s)
{
	const uint64_t part = s->total / REPLAY_STRETCHES;
	uint64_t seed = 1;

	for (unsigned i = 0; i < REPLAY_STRETCHES; i++)
		s->start[i] = i * part +
			      draw_below(&seed, part - STRETCH + 1);
	s->sampled = true;
}

int replay_loads_record(struct replay_loads *out, const struct kernel *kernel,
	       const struct assay_shape *shape, struct arena *arena,
	       enum isa isa, struct assay_error *err)
{
	*out = (struct replay_loads){ .host = (uintptr_t)arena->base };
	walk(out, kernel, shape, arena, isa);
	if (out->total > FAR || (out->total > MOST && out->flushes))
		return error_set(err, -ASSAY_ERANGE, "the pie by time replays "
				 "at most %llu accesses of a pass%s; this "
				 "shape makes more\ntry: a smaller one",
				 (unsigned long long)(out->total > FAR ? FAR :
						      MOST), out->total > FAR ?
				 "" : " that flushes");
	if (out->total > MOST) {
		choose(out);
		walk(out, kernel, shape, arena, isa);
	}
	return out->no_memory ? error_set(err, -ASSAY_ENOMEM, "out of memory")
			      : 0;
}

void replay_loads_fini(struct replay_loads *s)
{
	free(s->list);
	s->list = NULL;
}

/*
 * As many steps as one batch holds: up to `loads` loads, and none behind a
 * flush that has others before it. Returns how many; *ticks of loads first.
 */
static unsigned some(struct replay_loads *s, const struct time_clock *clock,
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
static double run_on(struct replay_loads *s, const struct time_clock *clock,
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
	struct replay_loads *s = ctx;
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
static void warm_flushing(struct replay_loads *s, const struct time_clock *clock,
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

/* The stretches in such an order that any few of them are spread: 0 8 4 12 ... */
static unsigned stretch(unsigned turn)
{
	return (turn & 1) << 3 | (turn & 2) << 1 | (turn & 4) >> 1 |
	       (turn & 8) >> 3;
}

_Static_assert(REPLAY_STRETCHES == 16, "four bits are turned round");

/*
 * What came before the next step, all of it if that is not too much. Of a
 * sample each turn is in a stretch of its own.
 */
static void warm(void *ctx, const struct time_clock *clock)
{
	struct replay_loads *s = ctx;
	const uint64_t steps = s->steps < WARM ? s->steps : WARM;
	uint64_t at;
	void *list[SERIAL];

	if (s->sampled)
		s->next = stretch(s->turn++) * STRETCH + WARM;
	at = (s->next + s->steps - steps) % s->steps;
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
	struct replay_loads *s = ctx;
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
	const struct replay_loads *s = ctx;

	*ticks = s->others_timed ? s->other_ticks / (double)s->others_timed : 0;
	return s->others_timed && s->loads ?
	       (double)(s->total - s->loads) / (double)s->loads : 0;
}

void replay_loads_target(struct classify_target *out, struct replay_loads *steps)
{
	*out = (struct classify_target){
		.warm = warm, .block = block, .ctx = steps,
		.over_l1 = true, .others = others,
	};
	if (!steps->flushes)
		out->untimed = untimed;
}
