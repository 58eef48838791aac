/* SPDX-License-Identifier: MIT */
/*
 * An L2 whose prefetchers train on it and fill it, over the primitives of
 * lean-loops.h. What a step makes them ask for is issued when all of the step's
 * entries are through: before the next entry that is no write-back.
 */
#ifndef SIM_LEAN_TRAIN_H
#define SIM_LEAN_TRAIN_H

#include "sim/prefetch.h"

/* Most that one entry can put out, with the requests before it. */
#define TRAIN_MOST (2 * REQUESTS + 2)

/* A new line, and the oldest one out. It is asked for, or came by itself. */
LEAN_INLINE void take_in(const int lanes, const struct sets *s, uint32_t *set,
			 uint32_t entry, uint32_t request, bool asks,
			 struct lean_list *list, struct tail *t)
{
	const uint32_t old = set[s->last];

	push(lanes, set, s->last, entry);
	*t->out = request;
	t->out += asks;
	APART(t->out);
	*t->out = (old & ~LEVEL_FLAGS) | LEAN_WRITEBACK;
	t->out += old & LEVEL_DIRTY;
	t->lines += old < s->empty;
	list->unused += old >> 2 & 1;
	list->missed++;
}

LEAN_INLINE void issue(const int lanes, const struct sets *s, uint64_t line,
		       struct lean_list *list, struct tail *t)
{
	const uint32_t key = (uint32_t)line << 3;
	uint32_t *set = set_of(lanes, s, key);

	if (line >= LEVEL_EMPTY >> 3 || find(lanes, set, key))
		return;
	list->prefetches++;
	take_in(lanes, s, set, key | LEVEL_PREFETCHED, key | LEAN_PREFETCH,
		true, list, t);
}

/*
 * What waits for the end of its step: requests, or a lone stream prefetcher's
 * next ones, which are in no list then.
 */
struct waiting {
	struct sim *sim;
	struct prefetcher *stream;
	uint64_t line, step;	/* of the stream; 0: it wants nothing */
};

LEAN_INLINE void issue_all(const int lanes, const struct sets *s,
			   struct waiting *w, struct lean_list *list,
			   struct tail *t)
{
	const struct request *request = w->sim->prefetchers->request;

	for (uint32_t i = 0; i < w->sim->requests; i++)
		issue(lanes, s, request[i].line, list, t);
	w->sim->requests = 0;
	if (!w->step)
		return;
	for (uint32_t i = 0; i < w->stream->degree; i++) {
		const uint64_t line = w->line +
				      w->step * (w->stream->distance + i);

		if (prefetch_allowed(w->sim, w->stream, w->line, line))
			issue(lanes, s, line, list, t);
	}
	w->step = 0;
}

LEAN_INLINE void train(struct waiting *w, uint32_t key)
{
	const uint64_t line = key >> 3;

	if (!w->stream) {
		prefetchers_train(w->sim, 2, line, 0);
		return;
	}
	w->sim->message_core = words_hash(w->sim->message_core, line << 2 | 2);
	w->line = line;
	w->step = stream_step(w->stream, line);
}

/* A step's entry; those of the step before are all through. */
LEAN_INLINE void asked_for(const int lanes, const struct sets *s,
			   struct waiting *w, uint32_t entry,
			   struct lean_list *list, struct tail *t)
{
	const uint32_t key = entry & ~LEVEL_FLAGS;
	uint32_t *set = set_of(lanes, s, key), found, way, old;

	if (w->step || (!w->stream && w->sim->requests))
		issue_all(lanes, s, w, list, t);
	found = find(lanes, set, key);
	if (!found) {
		train(w, key);
		take_in(lanes, s, set, key, entry, true, list, t);
		return;
	}
	way = (uint32_t)__builtin_ctz(found);
	old = set[way];
	push(lanes, set, way, old & ~LEVEL_PREFETCHED);
	if (old & LEVEL_PREFETCHED)
		train(w, key);
}

LEAN_INLINE void written_back(const int lanes, const struct sets *s,
			      uint32_t entry, struct lean_list *list,
			      struct tail *t)
{
	const uint32_t key = entry & ~LEVEL_FLAGS;
	uint32_t *set = set_of(lanes, s, key), found, way;

	found = find(lanes, set, key);
	if (!found) {
		take_in(lanes, s, set, key | LEVEL_DIRTY, entry, false, list,
			t);
		return;
	}
	way = (uint32_t)__builtin_ctz(found);
	push(lanes, set, way, set[way] | LEVEL_DIRTY);
}

/* Takes from `in` what `room` entries are enough for; *n: how many. */
LEAN_INLINE struct lean_list train_level(const int lanes, struct sim *sim,
					 const uint32_t *in, uint32_t *n,
					 uint32_t *out, uint32_t room)
{
	const struct sets s = sets_of(&sim->cache[PLACE_L2].lines);
	const uint32_t *const full = out + room - TRAIN_MOST;
	struct waiting w = { sim, sim->prefetchers->lone_stream, 0, 0 };
	struct lean_list list = { .missed = 0 };
	struct tail t = { out, 0 };
	uint32_t i = 0;

	/* what the last call has left: its step may have gone on here */
	for (; i < *n && (in[i] & LEVEL_FLAGS) == LEAN_WRITEBACK; i++)
		written_back(lanes, &s, in[i], &list, &t);
	issue_all(lanes, &s, &w, &list, &t);

	for (; i < *n && t.out < full; i++)
		if ((in[i] & LEVEL_FLAGS) == LEAN_WRITEBACK)
			written_back(lanes, &s, in[i], &list, &t);
		else
			asked_for(lanes, &s, &w, in[i], &list, &t);
	if (i == *n)
		issue_all(lanes, &s, &w, &list, &t);
	prefetchers_ask(sim, w.stream, w.line, w.step);
	*n = i;
	list.entries = (uint32_t)(t.out - out);
	list.evicted = t.lines;
	count_codes(&list, out);
	list.of[STEP_LOAD] -= list.prefetches;
	return list;
}

#define LEAN_TRAIN(lanes) \
LEAN_TARGET static struct lean_list train_##lanes(struct sim *sim, \
	const uint32_t *in, uint32_t *n, uint32_t *out, uint32_t room) \
{ \
	return train_level(lanes, sim, in, n, out, room); \
}

#endif
