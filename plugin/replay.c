/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks ahead that a thread has only written down: one after the other, and
 * what changes with each of them is kept in registers.
 */
#include "ahead.h"
#include "raw.h"
#include "replay.h"

/* Parts of struct lane, or what is to be added to them. */
struct replay {
	uint64_t fetched, after;
	uint64_t clock;		/* data_pages'; a buffer that ends meanwhile
				 * tells all with an older one, and forgets it */
	uint8_t flow;
	uint64_t hits, instructions, taken, fetches;
};

static inline struct replay begin(const struct lane *lane)
{
	return (struct replay){
		.fetched = lane->fetched, .after = lane->after,
		.flow = lane->flow, .clock = lane->filter.data_pages.clock
	};
}

static inline void end_with(struct lane *lane, const struct replay *r)
{
	lane->fetched = r->fetched;
	lane->after = r->after;
	lane->flow = r->flow;
	lane->filter.data_pages.clock = r->clock;
	lane->hits += r->hits;
	lane->sums.instructions += r->instructions;
	lane->sums.taken += r->taken;
	lane->sums.fetches += r->fetches;
}

static __attribute__((noinline)) void
count_rarer(struct lane *lane, const struct plan *plan, uint8_t flow,
	    uint64_t after)
{
	lane->flow = flow;
	lane->after = after;
	front_count_rarer(lane, plan->block);
}

/* As count_run; the buffer ends soon. */
static inline void count(struct lane *lane, struct replay *r,
			 const struct plan *plan)
{
	lane->sums.flow[r->flow]++;
	r->instructions += plan->instructions;
	r->taken += (r->flow == FLOW_BRANCH) & (plan->pc != r->after);
	if (__builtin_expect(plan->odd | (r->flow == FLOW_REPEAT), false)) {
		lane->sums.instructions += r->instructions;
		r->instructions = 0;	/* a sum is never less than 0 */
		count_rarer(lane, plan, r->flow, r->after);
	}
	r->flow = plan->flow;
	r->after = plan->pc + plan->bytes;
}

/* Lines of code in a row, at most two, that are all soon found. The first one
 * may be what was fetched last: it is not fetched again. */
static inline bool code_is_found(struct filter *f, uint64_t first,
				 uint64_t last, uint64_t fetched)
{
	const uint64_t from = first == fetched ? last : first;
	const uint64_t shown = filter_shown(&f->code, last);
	const uint64_t other = filter_shown(&f->code, from);
	uint64_t now;

	if (__builtin_expect(((shown | other) >= FILTER_BELOW(true)) |
			     (last - first > 1), false))
		return false;
	now = f->code_pages.clock;
	f->code_pages.clock = now + 2;
	f->code_pages.touched[(uint8_t)other] = now + 1;
	f->code_pages.touched[(uint8_t)shown] = now + 2;
	f->code.quick[from % FILTER_QUICK].touched = now + 1;
	f->code.quick[last % FILTER_QUICK].touched = now + 2;
	return true;
}

static __attribute__((noinline)) uint64_t
fetch_apart(struct lane *lane, const struct plan *plan, uint64_t fetched)
{
	lane->fetched = fetched;
	front_fetch(lane, plan->block);
	return lane->fetched;
}

static inline void fetch(struct lane *lane, struct replay *r,
			 const struct plan *plan)
{
	const uint64_t first = plan->pc >> LINE_SHIFT;
	const uint64_t last = (plan->pc + plan->bytes - 1) >> LINE_SHIFT;
	const bool again = first == r->fetched;

	if (again && first == last)
		return;
	if (__builtin_expect(code_is_found(&lane->filter, first, last,
					    r->fetched), true)) {
		r->fetched = last;
		r->fetches += (uint64_t)(last != first) + !again;
	} else {
		r->fetched = fetch_apart(lane, plan, r->fetched);
	}
}

static __attribute__((noinline)) uint64_t
put_apart(struct lane *lane, const struct plan *plan,
	  const struct reach *reach, uint64_t from, uint64_t clock)
{
	lane->ahead.plan = plan;
	lane->filter.data_pages.clock = clock;
	ahead_put(lane, reach, from);
	return lane->filter.data_pages.clock;
}

static inline void put(struct lane *lane, struct replay *r,
		       const struct plan *plan, const uint64_t *address)
{
	struct filter *f = &lane->filter;
	const struct reach *reach = plan->reach, *end = reach + plan->limit;
	uint32_t hits = 0;
	uint8_t slot;

	for (; reach < end; reach++, address++) {
		if (__builtin_expect(reach_is_found(f, reach, *address, &slot),
				     true)) {
			reach_touch(f, reach, *address, slot, ++r->clock);
			hits += reach->hits;
		} else {
			r->clock = put_apart(lane, plan, reach, *address,
					     r->clock);
		}
	}
	r->hits += reach_hits(hits);
}

/* What is reported next is of the last one, and so is what faults then. */
static inline void leave(struct lane *lane, const struct plan *plan,
			 const uint64_t *address)
{
	lane->ahead.seen = 0;
	lane->ahead.plan = plan;
	lane->done = lane->limit = plan->limit;
	for (uint32_t i = 0; i < plan->reaches; i++)
		lane->ahead.address[i] = address[i];
}

static inline const uint64_t *behind(const uint64_t *word)
{
	return word + 1 + (*word >> RAW_REACHES & 127);
}

/* What is reported of the block before, and the reaches behind it; where the
 * next one does not follow they wait. Returns what is behind that. */
static __attribute__((noinline)) const uint64_t *
take_direct(struct lane *lane, const uint64_t *word)
{
	for (; *word >> RAW_KIND == RAW_DIRECT; word += 2)
		ahead_direct(lane, raw_operand(*word), raw_info(*word),
			     word[1]);
	if (*word >> RAW_KIND == RAW_AHEAD && ahead_waits(lane))
		ahead_settle(lane);
	return word;
}

/* Those that are whole; all is written back when one comes that is not. Where
 * another buffer goes on nothing is known of what comes next. */
static inline __attribute__((always_inline)) const uint64_t *
replay_whole(struct lane *lane, const uint64_t *word, bool predicts)
{
	enum { AHEAD = 64 };
	struct replay r = begin(lane);
	const uint64_t *next = behind(word), *last = NULL;

	for (; *next >> RAW_KIND != RAW_FAULT; next = behind(word)) {
		const struct plan *plan = raw_operand(*word);

		/* another core has written it, and as much of what follows */
		__builtin_prefetch(word + AHEAD);
		__builtin_prefetch(raw_operand(*next));
		if (predicts)
			note_run(lane, plan->number);
		else
			count(lane, &r, plan);
		fetch(lane, &r, plan);
		put(lane, &r, plan, word + 1);
		last = word;
		word = next;
		if (*word >> RAW_KIND == RAW_DIRECT) {
			leave(lane, plan, last + 1);
			lane->filter.data_pages.clock = r.clock;
			word = take_direct(lane, word);
			r.clock = lane->filter.data_pages.clock;
			last = NULL;
		}
		if (*word >> RAW_KIND != RAW_AHEAD)
			break;
	}
	end_with(lane, &r);
	if (last)
		leave(lane, raw_operand(*last), last + 1);
	return word;
}

const uint64_t *replay(struct lane *lane, const uint64_t *word)
{
	if (__builtin_expect(ahead_waits(lane), false))
		ahead_settle(lane);
	word = session.predicts ? replay_whole(lane, word, true) :
				  replay_whole(lane, word, false);
	if (*word >> RAW_KIND != RAW_AHEAD)
		return word;
	ahead_take(lane, raw_operand(*word), word + 1);
	return behind(word);
}
