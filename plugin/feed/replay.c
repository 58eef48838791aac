/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks ahead that a thread has only written down: one after the other, and
 * what changes with each of them is kept in registers.
 */
#include "plugin/capture/raw.h"
#include "plugin/feed/replay.h"
#include "plugin/predict-addresses/ahead.h"

/* Parts of struct lane, or what is to be added to them. */
struct replay {
	uint64_t fetched, after, branch;
	uint64_t clock;		/* the filter's */
	uint8_t flow;
	uint64_t hits, instructions, fetches;
};

static inline struct replay begin(const struct lane *lane)
{
	return (struct replay){
		.fetched = lane->fetched, .after = lane->after,
		.branch = lane->branch, .flow = lane->flow,
		.clock = lane->filter.clock
	};
}

static inline void end_with(struct lane *lane, const struct replay *r)
{
	lane->fetched = r->fetched;
	lane->after = r->after;
	lane->branch = r->branch;
	lane->flow = r->flow;
	lane->filter.clock = r->clock;
	lane->hits += r->hits;
	lane->sums.instructions += r->instructions;
	lane->sums.fetches += r->fetches;
}

static __attribute__((noinline)) void
count_rarer(struct lane *lane, const struct plan *plan, uint8_t flow,
	    uint64_t after)
{
	lane->flow = flow;
	lane->after = after;
	front_count_rarer(lane, plan->details->block);
}

/* As run_block; the buffer ends soon. */
static inline void count(struct lane *lane, struct replay *r,
			 const struct plan *plan, bool predicts)
{
	if (predicts)
		note_end(lane, r->flow, r->branch, r->after, plan->pc);
	else
		count_end(lane, r->flow, r->after, plan->pc);
	r->instructions += plan->instructions;
	if (__builtin_expect(plan->odd | (r->flow == FLOW_REPEAT), false)) {
		lane->sums.instructions += r->instructions;
		r->instructions = 0;	/* a sum is never less than 0 */
		count_rarer(lane, plan, r->flow, r->after);
	}
	r->flow = plan->flow;
	r->after = plan->pc + plan->bytes;
	if (predicts)
		r->branch = r->after - plan->last;
}

/* Lines of code in a row, at most two, and of one page, that are all soon
 * found. The first one may be what was fetched last: it is not fetched again.
 */
static inline bool code_is_found(struct filter *f, uint64_t pc, uint64_t last,
				 bool again, uint64_t when, bool paged)
{
	struct filter_found *to = filter_place(&f->code, last, LINE_SHIFT);
	const uint64_t first = again ? last : pc;
	struct filter_found *from = filter_place(&f->code, first, LINE_SHIFT);
	const uint64_t shown = filter_shown(to, last);

	if (__builtin_expect(((shown | filter_shown(from, first)) &
			      LINE_OTHER(true)) |
			     (paged ? (last ^ pc) >> PAGE_SHIFT : 0) |
			     ((last >> LINE_SHIFT) - (pc >> LINE_SHIFT) > 1),
			     false))
		return false;
	from->touched = when;
	to->touched = when;
	if (paged)
		recent_touch(&f->code_pages, (uint8_t)(shown >> FILTER_SLOT),
			     when);
	return true;
}

static __attribute__((noinline)) uint64_t
fetch_apart(struct lane *lane, const struct plan *plan, uint64_t fetched,
	    uint64_t clock)
{
	lane->fetched = fetched;
	lane->filter.clock = clock;
	front_fetch(lane, plan->details->block);
	return lane->filter.clock;
}

static inline void fetch(struct lane *lane, struct replay *r,
			 const struct plan *plan, bool paged)
{
	const uint64_t last = plan->pc + plan->bytes - 1;
	const bool again = plan->pc >> LINE_SHIFT == r->fetched;
	const bool two = (plan->pc ^ last) >> LINE_SHIFT;

	if (again & !two)
		return;
	if (__builtin_expect(code_is_found(&lane->filter, plan->pc, last,
					   again, r->clock + 1, paged), true)) {
		r->clock++;
		r->fetches += (uint64_t)two + !again;
	} else {
		r->clock = fetch_apart(lane, plan, r->fetched, r->clock);
	}
	r->fetched = last >> LINE_SHIFT;
}

static __attribute__((noinline)) uint64_t
put_apart(struct lane *lane, const struct plan *plan,
	  const struct reach *reach, uint64_t from, uint64_t clock)
{
	lane->ahead.plan = plan;
	lane->filter.clock = clock;
	ahead_put(lane, reach, from);
	return lane->filter.clock;
}

static inline void put(struct lane *lane, struct replay *r,
		       const struct plan *plan, const uint64_t *address,
		       bool paged)
{
	const struct reach *reach = plan->reach, *end = reach + plan->limit;
	struct filter *f = &lane->filter;
	struct found found;

	r->hits += plan->hits;
	for (; reach < end; reach++, address++)
		if (__builtin_expect(reach_is_found(f, reach, *address, paged,
						    &found), true)) {
			reach_touch(f, &found, ++r->clock, paged);
		} else {
			r->hits -= reach_hits(reach);
			r->clock = put_apart(lane, plan, reach, *address,
					     r->clock);
		}
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
	return word + 1 + (*word & RAW_REACHES);
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
replay_whole(struct lane *lane, const uint64_t *word, bool predicts,
	     bool paged)
{
	enum { AHEAD = 64 };
	struct replay r = begin(lane);
	const uint64_t *next = behind(word), *last = NULL;

	for (; *next >> RAW_KIND != RAW_FAULT; next = behind(word)) {
		const struct plan *plan = raw_plan(*word);

		/* another core has written it, and as much of what follows */
		__builtin_prefetch(word + AHEAD);
		__builtin_prefetch(raw_operand(*next));
		count(lane, &r, plan, predicts);
		fetch(lane, &r, plan, paged);
		put(lane, &r, plan, word + 1, paged);
		last = word;
		word = next;
		if (__builtin_expect(*word >> RAW_KIND == RAW_AHEAD, true))
			continue;
		if (*word >> RAW_KIND == RAW_DIRECT) {
			leave(lane, plan, last + 1);
			lane->filter.clock = r.clock;
			word = take_direct(lane, word);
			r.clock = lane->filter.clock;
			last = NULL;
		}
		if (*word >> RAW_KIND != RAW_AHEAD)
			break;
	}
	end_with(lane, &r);
	if (last)
		leave(lane, raw_plan(*last), last + 1);
	return word;
}

const uint64_t *replay(struct lane *lane, const uint64_t *word)
{
	const bool paged = session.translates | session.translates_data;

	if (__builtin_expect(ahead_waits(lane), false))
		ahead_settle(lane);
	word = session.predicts ? replay_whole(lane, word, true, true) :
	       paged ? replay_whole(lane, word, false, true) :
		       replay_whole(lane, word, false, false);
	if (*word >> RAW_KIND != RAW_AHEAD)
		return word;
	ahead_take(lane, raw_plan(*word), word + 1);
	return behind(word);
}
