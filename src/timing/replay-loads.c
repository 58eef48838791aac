/* SPDX-License-Identifier: MIT */
/* Records a pass of a kernel, and replays its accesses one by one. */
#include "timing/replay-loads.h"

#include <stdlib.h>

#include "assay/error.h"
#include "base/array.h"
#include "base/text.h"
#include "kernels/draw.h"

#define WARM (UINT64_C(1) << 17)	/* untimed steps before a phase */
#define STRETCH (WARM + 3 * (WARM / 2))	/* of a sample: WARM and a phase's */
#define MOST (REPLAY_STRETCHES * STRETCH)	/* steps that are kept */
#define FAR (UINT64_C(1) << 30)		/* steps of a pass that is sampled */
#define LINE 64
#define SERIAL 128	/* steps of a batch that is timed as one */
#define BATCHES 4	/* batches in one untimed average */
#define INTERRUPTED_NS 1000	/* longer loads were interrupted */
#define TIMED 16	/* loads timed one after the other */
#define AHEAD 128	/* untimed steps before them: AHEAD to 2 * AHEAD */

/* Kinds of steps, in their low bits; addresses are rounded down to words. */
enum { STEP_LOAD, STEP_OTHER, STEP_FLUSH, STEP_BITS = 7 };

static void *step_at(uintptr_t step)
{
	return (void *)(step & ~(uintptr_t)STEP_BITS);
}

static bool grow(struct replay_loads *s)
{
	const uint64_t room = s->room ? 2 * s->room : 4096;

	if (array_resize(&s->list, room, sizeof(*s->list)))
		s->room = room;
	else
		s->no_memory = true;
	return !s->no_memory;
}

/* Is step `number` in a stretch? Numbers come in ascending order. */
static bool is_sampled(struct replay_loads *s, uint64_t number)
{
	if (s->recorded < REPLAY_STRETCHES &&
	    number == s->start[s->recorded] + STRETCH)
		s->recorded++;
	return s->recorded < REPLAY_STRETCHES &&
	       number >= s->start[s->recorded];
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

/* Leaves out the passes that repeat the first one. */
static uint64_t pass(void *ctx, uint64_t left)
{
	(void)ctx;
	return left;
}

static void trace_pass(struct replay_loads *s, const struct kernel *kernel,
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

/* One stretch in each of REPLAY_STRETCHES equal parts, at a random place. */
static void choose_stretches(struct replay_loads *s)
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
	trace_pass(out, kernel, shape, arena, isa);
	if (out->total > FAR || (out->total > MOST && out->flushes))
		return error_set(err, -ASSAY_ERANGE, "the pie by time replays "
				 "at most %llu accesses of a pass%s; this "
				 "shape makes more\ntry: a smaller one",
				 (unsigned long long)(out->total > FAR ? FAR :
						      MOST), out->total > FAR ?
				 "" : " that flushes");
	if (out->total > MOST) {
		choose_stretches(out);
		trace_pass(out, kernel, shape, arena, isa);
	}
	return out->no_memory ? error_memory(err)
			      : 0;
}

void replay_loads_fini(struct replay_loads *s)
{
	free(s->list);
	s->list = NULL;
}

/*
 * Times the steps from *next on one by one: at most MIX_BLOCK steps or `loads`
 * loads. A flush is done at once if it comes first; else it ends the batch.
 * Returns how many loads were timed; their times are in ticks[].
 */
static unsigned time_some(struct replay_loads *s,
			  const struct time_clock *clock, uint64_t *next,
			  unsigned loads, uint32_t *ticks)
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

/* Does `steps` steps, each load waiting for the one before. Returns ticks. */
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
 * Timing loads one by one is slow: a sibling could push out lines that stay in
 * the cache at full speed. So only a few loads are timed at a time, and between
 * them the pass goes on at full speed, for a random number of steps, so that
 * timed loads do not always hit the same part of a period. A pass with flushes
 * cannot go on at full speed.
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
		got += time_some(s, clock, &s->next, left < TIMED ? left :
				 TIMED, ticks + got);
	}
}

/* Does `steps` steps with their flushes; their times are not used. */
static void warm_flushing(struct replay_loads *s,
			  const struct time_clock *clock, uint64_t at,
			  uint64_t steps)
{
	const double other_ticks = s->other_ticks;
	const uint64_t others_timed = s->others_timed;
	uint32_t unused[MIX_BLOCK];

	for (uint64_t done = 0; done < steps;) {
		const uint64_t from = at;
		const uint64_t left = steps - done;

		time_some(s, clock, &at, left < MIX_BLOCK ? (unsigned)left :
							    MIX_BLOCK, unused);
		done += at > from ? at - from : at + s->steps - from;
	}
	/* the lines were not warm yet */
	s->other_ticks = other_ticks;
	s->others_timed = others_timed;
}

/* 0 8 4 12 ..., bits reversed: any few phases are spread over the pass. */
static unsigned stretch_of(unsigned phase)
{
	return (phase & 1) << 3 | (phase & 2) << 1 | (phase & 4) >> 1 |
	       (phase & 8) >> 3;
}

_Static_assert(REPLAY_STRETCHES == 16, "stretch_of() reverses four bits");

/*
 * Does the steps before the next one, at most WARM of them. In a sampled pass
 * each phase has another stretch.
 */
static void warm(void *ctx, const struct time_clock *clock)
{
	struct replay_loads *s = ctx;
	const uint64_t steps = s->steps < WARM ? s->steps : WARM;
	uint64_t at;
	void *list[SERIAL];

	if (s->sampled)
		s->next = stretch_of(s->phase++) * STRETCH + WARM;
	at = (s->next + s->steps - steps) % s->steps;
	if (s->flushes)
		warm_flushing(s, clock, at, steps);
	else
		run_on(s, clock, &at, steps, list);
}

/*
 * The next steps timed in batches, each load waiting for the one before, minus
 * the time of as many L1 hits. Not possible with flushes, which take time too.
 */
static double untimed(void *ctx, const struct time_clock *clock)
{
	void *list[SERIAL], *same[SERIAL];
	struct replay_loads *s = ctx;
	double ticks = 0;

	for (unsigned k = 0; k < BATCHES; k++) {
		ticks += run_on(s, clock, &s->next, SERIAL, list);
		for (unsigned i = 0; i < SERIAL; i++)
			same[i] = list[SERIAL - 1];
		clock->port->serial(clock->ctx, same, SERIAL);
		ticks -= (double)clock->port->serial(clock->ctx, same, SERIAL);
	}
	ticks /= BATCHES * SERIAL;
	return ticks > 0 ? ticks / clock->ticks_per_ns : 0;
}

static double others(void *ctx, double *ticks)
{
	const struct replay_loads *s = ctx;

	*ticks = s->others_timed ? s->other_ticks / (double)s->others_timed : 0;
	return s->others_timed && s->loads ?
	       (double)(s->total - s->loads) / (double)s->loads : 0;
}

void replay_loads_target(struct classify_target *out,
			 struct replay_loads *replay)
{
	*out = (struct classify_target){
		.warm = warm, .block = block, .ctx = replay,
		.over_l1 = true, .others = others,
	};
	if (!replay->flushes)
		out->untimed = untimed;
}
