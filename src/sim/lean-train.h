/* SPDX-License-Identifier: MIT */
/*
 * An L2 whose prefetchers train on it and fill it, over the primitives of
 * lean-loops.h. What a step makes them ask for is issued when all of the step's
 * entries are through: before the next entry that is no write-back.
 */
#ifndef SIM_LEAN_TRAIN_H
#define SIM_LEAN_TRAIN_H

#include "sim/lean-trainer.h"

/* More than one entry can put out, with the requests before it; or 8 of them,
 * where there is only a stream prefetcher. */
#define TRAIN_MOST 2050

/* What is not done with a branch, is done each time. */
#define SELDOM(count) __asm__("" : "+m"(count))

/* How a list is treated; constants where it matters. */
enum {
	TRAIN_LONE = 1,		/* there is only a stream prefetcher */
	TRAIN_CLEAN = 2,	/* nothing was ever stored */
};

/*
 * A new line, and the oldest one out. It is asked for, or came by itself.
 * Counted are the latter, and lines that took an empty way: train_level.
 */
LEAN_INLINE void take_in(const int lanes, const unsigned how,
			 const struct sets *s, uint32_t *set, uint32_t entry,
			 uint32_t request, bool asks, struct lean_list *list,
			 struct tail *t)
{
	const uint32_t old = set[s->last];

	push_out(lanes, set, s->last, entry);
	*t->out = request;
	t->out += asks;
	if (!(how & TRAIN_CLEAN)) {
		APART(t->out);
		*t->out = (old & ~LEVEL_FLAGS) | LEAN_WRITEBACK;
		t->out += old & LEVEL_DIRTY;
	}
	list->missed += !asks;
	if (__builtin_expect(old == s->empty, 0)) {
		SELDOM(t->lines);
		t->lines++;
	}
	if (__builtin_expect(old & LEVEL_PREFETCHED, 0)) {
		SELDOM(list->unused);
		list->unused++;
	}
}

LEAN_INLINE void issue(const int lanes, const unsigned how,
		       const struct sets *s, uint64_t line,
		       struct lean_list *list, struct tail *t)
{
	const uint32_t key = (uint32_t)line << 3;
	uint32_t *set = set_of(lanes, s, key);

	if (line >= LEVEL_EMPTY >> 3)
		return;
	if (find(lanes, set, key)) {
		list->held++;
		return;
	}
	list->prefetches++;
	take_in(lanes, how, s, set, key | LEVEL_PREFETCHED,
		key | LEAN_PREFETCH, true, list, t);
}

LEAN_INLINE void issue_all(const int lanes, const unsigned how,
			   const struct sets *s, struct trainer *w,
			   struct lean_list *list, struct tail *t)
{
	const struct request *request = w->sim->prefetchers->request;

	for (uint32_t i = 0; i < w->sim->requests; i++)
		issue(lanes, how, s, request[i].line, list, t);
	w->sim->requests = 0;
}

/* What a line asks for, whose stream goes that way. */
LEAN_INLINE void issue_from(const int lanes, const unsigned how,
			    const struct sets *s, const struct trainer *w,
			    uint64_t from, uint64_t step,
			    struct lean_list *list, struct tail *t)
{
	uint64_t line = from + step * w->distance;
	uint32_t left = w->degree;

	for (;;) {
		if (!((line ^ from) & w->page))
			issue(lanes, how, s, line, list, t);
		if (__builtin_expect(!--left, 1))
			break;
		line += step;
	}
}

LEAN_INLINE void issue_step(const int lanes, const unsigned how,
			    const struct sets *s, struct trainer *w,
			    struct lean_list *list, struct tail *t)
{
	issue_from(lanes, how, s, w, w->line, w->step, list, t);
	w->step = 0;
}

LEAN_INLINE void issue_waiting(const int lanes, const unsigned how,
			       const struct sets *s, struct trainer *w,
			       struct lean_list *list, struct tail *t)
{
	if (how & TRAIN_LONE && w->step)
		issue_step(lanes, how, s, w, list, t);
	else if (!(how & TRAIN_LONE) && w->sim->requests)
		issue_all(lanes, how, s, w, list, t);
}

LEAN_INLINE void train(const unsigned how, struct trainer *w, uint32_t key)
{
	if (how & TRAIN_LONE)
		train_stream(w, key);
	else
		prefetchers_train(w->sim, 2, key >> 3, 0);
}

/* An entry's key. A miss and the first use of a prefetched line train. */
LEAN_INLINE bool look_up(const int lanes, const unsigned how,
			 const struct sets *s, const uint32_t *key,
			 uint32_t entry, struct lean_list *list,
			 struct tail *t)
{
	uint32_t *set = set_of(lanes, s, *key);

	if (*set == (*key | LEVEL_PREFETCHED)) {	/* as streams go */
		*set = *key;
		return true;
	}
	if (turn_up(lanes, set, key)) {
		if (!(*set & LEVEL_PREFETCHED))
			return false;
		*set &= ~LEVEL_PREFETCHED;
	} else {
		take_in(lanes, how, s, set, *key, entry, true, list, t);
	}
	return true;
}

/* A step's entry; those of the step before are all through. Does it train? */
LEAN_INLINE bool asked_for(const int lanes, const unsigned how,
			   const struct sets *s, struct trainer *w,
			   uint32_t entry, struct lean_list *list,
			   struct tail *t)
{
	const uint32_t key = entry & ~LEVEL_FLAGS;

	issue_waiting(lanes, how, s, w, list, t);
	if (!look_up(lanes, how, s, &key, entry, list, t))
		return false;
	train(how, w, key);
	return true;
}

/*
 * A stream upward, from the front, 8 lines at a time while each of them trains;
 * nobody watches that. Returns where it ends.
 */
typedef const uint32_t *follow_fn(const struct sets *s, const uint32_t *in,
				  const uint32_t *end, const uint32_t *full,
				  struct trainer *w, struct lean_list *list,
				  struct tail *t);

LEAN_INLINE const uint32_t *follow_of(const int lanes, const unsigned how,
				      const struct sets *s,
				      const uint32_t *in, const uint32_t *end,
				      const uint32_t *full, struct trainer *w,
				      struct lean_list *list, struct tail *t)
{
	const struct sets sets = *s;
	struct trainer own = *w;
	struct lean_list sum = *list;
	struct tail tail = *t;
	uint64_t line = w->line;
	int i = 8;

	own.step = 0;
	while (i == 8 && end - in >= 8 && tail.out < full &&
	       goes_on(&own, in)) {
		for (i = 0; i < 8; i++) {
			issue_from(lanes, how, &sets, &own, line, 1, &sum,
				   &tail);
			in++;
			if (!look_up(lanes, how, &sets, in - 1, in[-1], &sum,
				     &tail))
				break;
			line++;
		}
		if (i == 8)
			add_8_lines(&own, own.line + 1);
		else
			while (own.line != line)
				add_line(&own, ++own.line);
		own.line = line;
	}
	own.step = i == 8;
	*w = own;
	*list = sum;
	*t = tail;
	return in;
}

/*
 * How far ahead sets are fetched: what an entry does is often not foreseen, and
 * then nothing else goes on while its set comes.
 */
#define FETCHED 11
_Static_assert(FETCHED < LEAN_AHEAD, "lists are padded");

/* After so many that train nobody, more are expected. */
#define RUN 8

/*
 * Loads of lines that are there without a flag, from the front, while nothing
 * waits: they change the order of their sets only. Returns where they end.
 */
typedef const uint32_t *run_fn(const struct sets *s, const uint32_t *in,
			       const uint32_t *end);

LEAN_INLINE const uint32_t *run_of(const int lanes, const struct sets *s,
				   const uint32_t *in, const uint32_t *end)
{
	const struct sets sets = *s;

	for (; end - in >= 8 && loads_only(in); in += 8)
#pragma GCC unroll 8
		for (int i = 0; i < 8; i++)
			if (!turn_to(lanes, sets.entry, in[i] & sets.within,
				     in + i))
				return in + i;
	return in;
}

LEAN_INLINE void written_back(const int lanes, const struct sets *s,
			      uint32_t entry, struct lean_list *list,
			      struct tail *t)
{
	const uint32_t key = entry & ~LEVEL_FLAGS;
	uint32_t *set = set_of(lanes, s, key);

	if (turn_up(lanes, set, &key))
		*set |= LEVEL_DIRTY;
	else
		take_in(lanes, 0, s, set, key | LEVEL_DIRTY, entry, false,
			list, t);
}

#include "sim/lean-mixed.h"

/* So many entries at least are looked at before the next attempt. */
#define PAUSE 8

/* One more entry has trained; so many before it had not. */
LEAN_INLINE int loud(struct lean_list *list, int quiet)
{
	list->turns += quiet > 0;
	return 0;
}

/* How to go on after n; `how` they were taken. */
LEAN_INLINE unsigned next_mixed(unsigned how, const struct lean_list *list,
				uint32_t n)
{
	if (list->patterned)
		return LEAN_RESTS;
	if (list->turns * 8 < n + 64)	/* or by chance */
		return how & LEAN_RESTS;
	return how & LEAN_RESTS ? (how & LEAN_RESTS) - LEAN_REST : LEAN_BLINDLY;
}

/* Takes from `in` what `room` entries are enough for; *n: how many. */
LEAN_INLINE struct lean_list train_level(const int lanes, const unsigned how,
					 run_fn *run, follow_fn *follow,
					 mixed_fn *many, struct sim *sim,
					 const uint32_t *in, uint32_t *n,
					 uint32_t *out, uint32_t room)
{
	const struct sets s = sets_of(&sim->cache[PLACE_L2].lines);
	const uint32_t *const full = out + room - TRAIN_MOST;
	const uint32_t *const first = in, *const end = in + *n;
	struct trainer w = trainer_of(sim);
	struct lean_list list = { .missed = 0 };
	struct tail t = { out, 0 };
	int quiet = 0;	/* how many have trained nobody since one has */
	uint32_t again = 0, pause = PAUSE;	/* with `many` */

	/* what the last call has left: its step may have gone on here */
	for (; in < end && (*in & LEVEL_FLAGS) == LEAN_WRITEBACK; in++)
		written_back(lanes, &s, *in, &list, &t);
	issue_all(lanes, how, &s, &w, &list, &t);

	while (in < end && t.out < full) {
		uint32_t entry;

		if (many && in - first >= again && !w.step) {
			const uint32_t *from = in;

			in = many(&s, in, end, full, &w, &list, &t);
			pause = in > from ? PAUSE : 2 * pause;
			again = (uint32_t)(in - first) + pause;
			continue;
		}
		entry = *in++;
		__builtin_prefetch(set_of(lanes, &s, in[FETCHED]), 1);
		if (!(how & TRAIN_CLEAN) &&
		    (entry & LEVEL_FLAGS) == LEAN_WRITEBACK)
			written_back(lanes, &s, entry, &list, &t);
		else if (!asked_for(lanes, how, &s, &w, entry, &list, &t))
			in = ++quiet >= RUN ? run(&s, in, end) : in;
		else if (quiet = loud(&list, quiet), how & TRAIN_LONE && w.step == 1 &&
			 follow && end - in >= 8 && goes_on(&w, in))
			in = follow(&s, in, end, full, &w, &list, &t);
	}
	if (in == end)
		issue_waiting(lanes, how, &s, &w, &list, &t);
	trainer_end(&w);
	*n = (uint32_t)(in - first);
	list.entries = (uint32_t)(t.out - out);
	count_codes(&list, 0, out);
	list.missed += list.entries - list.of[LEAN_WRITEBACK];
	list.evicted = list.missed - t.lines;
	list.of[STEP_LOAD] -= list.prefetches;
	list.next = next_mixed(sim->cache[PLACE_L2].manner, &list, *n);
	return list;
}

/* Do entries train by turns? Are all ways taken, and as many as lanes? */
LEAN_INLINE bool mixed(const struct sim *s, uint32_t lanes)
{
	const struct cache *c = &s->cache[PLACE_L2];

	return c->manner & LEAN_BLINDLY && !s->watched &&
	       lanes <= BLIND_TRAIN_LANES &&
	       c->lines.ways == lanes && c->full_sets == c->lines.sets;
}

#define LEAN_MIXED(lanes) \
LEAN_TARGET __attribute__((noinline)) static const uint32_t *mixed_##lanes( \
	const struct sets *s, const uint32_t *in, const uint32_t *end, \
	const uint32_t *full, struct trainer *w, struct lean_list *list, \
	struct tail *t) \
{ \
	return mixed_of(lanes, s, in, end, full, w, list, t); \
} \
LEAN_TARGET __attribute__((noinline)) static struct lean_list \
train_mixed_##lanes(struct sim *sim, const uint32_t *in, uint32_t *n, \
		    uint32_t *out, uint32_t room) \
{ \
	return train_level(lanes, TRAIN_LONE, run_##lanes, follow_##lanes, \
			   mixed_##lanes, sim, in, n, out, room); \
}

#define LEAN_FOLLOW(name, lanes, how) \
LEAN_TARGET __attribute__((noinline)) static const uint32_t *name( \
	const struct sets *s, const uint32_t *in, const uint32_t *end, \
	const uint32_t *full, struct trainer *w, struct lean_list *list, \
	struct tail *t) \
{ \
	return follow_of(lanes, how, s, in, end, full, w, list, t); \
}

#define LEAN_TRAIN(lanes) \
LEAN_TARGET __attribute__((noinline)) static const uint32_t *run_##lanes( \
	const struct sets *s, const uint32_t *in, const uint32_t *end) \
{ \
	return run_of(lanes, s, in, end); \
} \
LEAN_FOLLOW(follow_##lanes, lanes, TRAIN_LONE) \
LEAN_FOLLOW(clean_follow_##lanes, lanes, TRAIN_LONE | TRAIN_CLEAN) \
LEAN_MIXED(lanes) \
LEAN_TARGET static struct lean_list train_##lanes(struct sim *sim, \
	const uint32_t *in, uint32_t *n, uint32_t *out, uint32_t room) \
{ \
	const bool watched = sim->watched; \
\
	if (!sim->prefetchers->lone_stream) \
		return train_level(lanes, 0, run_##lanes, NULL, NULL, sim, \
				   in, n, out, room); \
	if (mixed(sim, lanes)) \
		return train_mixed_##lanes(sim, in, n, out, room); \
	return sim->stored ? \
	       train_level(lanes, TRAIN_LONE, run_##lanes, \
			   watched ? NULL : follow_##lanes, NULL, sim, in, \
			   n, out, room) : \
	       train_level(lanes, TRAIN_LONE | TRAIN_CLEAN, run_##lanes, \
			   watched ? NULL : clean_follow_##lanes, NULL, sim, \
			   in, n, out, room); \
}

#endif
