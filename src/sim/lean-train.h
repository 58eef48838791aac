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

LEAN_INLINE void issue_all(const int lanes, const struct sets *s,
			   struct sim *sim, struct lean_list *list,
			   struct tail *t)
{
	for (uint32_t i = 0; i < sim->requests; i++) {
		const uint64_t line = sim->prefetchers->request[i].line;
		const uint32_t key = (uint32_t)line << 3;
		uint32_t *set = set_of(lanes, s, key);

		if (line >= LEVEL_EMPTY >> 3 || find(lanes, set, key))
			continue;
		list->prefetches++;
		take_in(lanes, s, set, key | LEVEL_PREFETCHED,
			key | LEAN_PREFETCH, true, list, t);
	}
	sim->requests = 0;
}

LEAN_INLINE void train(struct sim *sim, uint32_t key)
{
	struct prefetcher *p = sim->prefetchers->lone_stream;
	const uint64_t line = key >> 3;

	if (!p) {
		prefetchers_train(sim, 2, line, 0);
		return;
	}
	sim->message_core = words_hash(sim->message_core, line << 2 | 2);
	prefetchers_ask(sim, p, line, stream_step(p, line));
}

/* A step's entry; those of the step before are all through. */
LEAN_INLINE void asked_for(const int lanes, const struct sets *s,
			   struct sim *sim, uint32_t entry,
			   struct lean_list *list, struct tail *t)
{
	const uint32_t key = entry & ~LEVEL_FLAGS;
	uint32_t *set = set_of(lanes, s, key), found, way, old;

	if (sim->requests)
		issue_all(lanes, s, sim, list, t);
	found = find(lanes, set, key);
	if (!found) {
		train(sim, key);
		take_in(lanes, s, set, key, entry, true, list, t);
		return;
	}
	way = (uint32_t)__builtin_ctz(found);
	old = set[way];
	push(lanes, set, way, old & ~LEVEL_PREFETCHED);
	if (old & LEVEL_PREFETCHED)
		train(sim, key);
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
	struct lean_list list = { .missed = 0 };
	struct tail t = { out, 0 };
	uint32_t i;

	for (i = 0; i < *n && t.out < full; i++)
		if ((in[i] & LEVEL_FLAGS) == LEAN_WRITEBACK)
			written_back(lanes, &s, in[i], &list, &t);
		else
			asked_for(lanes, &s, sim, in[i], &list, &t);
	if (i == *n)
		issue_all(lanes, &s, sim, &list, &t);
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
