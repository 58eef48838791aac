/* SPDX-License-Identifier: MIT */
/* Drives the levels of a plain hierarchy batch by batch. */
#include "sim/lean.h"

static bool plain(const struct cache *c)
{
	const struct level *l = &c->lines;

	if (!c->present)
		return true;
	return l->policy == REPLACE_LRU && l->ways <= 16 && l->slices == 1 &&
	       !(l->sets & (l->sets - 1)) && !l->keep_holes &&
	       c->inclusion == INCLUDE_NON && !c->write_through &&
	       !c->no_write_allocate;
}

/* Walks start at L1D, or at the next cache. */
static bool walks_in_order(const struct sim *s)
{
	return s->walk_place == PLACE_L1D ||
	       (s->walk_place == s->cache[PLACE_L1D].below &&
		s->walk_place != PLACE_MEMORY);
}

bool lean_possible(const struct sim *s)
{
	return plain(&s->cache[PLACE_L1D]) && plain(&s->cache[PLACE_L2]) &&
	       plain(&s->cache[PLACE_L3]) && !s->keeps_dram && !s->trains[1] &&
	       !s->trains[2] && walks_in_order(s) &&
	       s->geometry.copy_back == COPY_FETCH_FIRST;
}

static int size_class(const struct level *l)
{
	return l->stride == 4 ? 0 : l->stride == 8 ? 1 : 2;
}

static uint64_t demand(const uint32_t *of)
{
	return (uint64_t)of[STEP_LOAD] + of[STEP_STORE];
}

/* `below` is the list that L1D made of the steps. */
static void count_l1d(uint64_t *n, const struct steps *steps,
		      const struct lean_list *below, bool walks)
{
	const uint32_t dirty = below->of[LEAN_WRITEBACK];

	n[SIGNAL_l1d_load] += steps->of[STEP_LOAD];
	n[SIGNAL_l1d_store] += steps->of[STEP_STORE];
	n[SIGNAL_l1d_load_miss] += below->of[STEP_LOAD];
	n[SIGNAL_l1d_store_miss] += below->of[STEP_STORE];
	if (walks) {
		n[SIGNAL_l1d_walk] += steps->of[STEP_WALK];
		n[SIGNAL_l1d_walk_miss] += below->of[STEP_WALK];
	}
	n[SIGNAL_l1d_evict_clean] += below->evicted - dirty;
	n[SIGNAL_l1d_evict_dirty] += dirty;
	n[SIGNAL_served_l1] += demand(steps->of) - demand(below->of);
}

static uint32_t asked(const struct lean_list *list)
{
	return list->entries - list->of[LEAN_WRITEBACK];
}

static void count_l2(uint64_t *n, const struct lean_list *list,
		     const struct lean_list *below, bool silent)
{
	const uint32_t dirty = below->of[LEAN_WRITEBACK];
	const uint32_t clean = below->evicted - dirty;

	for (int code = STEP_LOAD; code <= STEP_WALK; code++) {
		n[SIGNAL_l2_load + code] += list->of[code];
		n[SIGNAL_l2_load_miss + code] += below->of[code];
	}
	n[SIGNAL_l2_writeback] += list->of[LEAN_WRITEBACK];
	n[SIGNAL_l2_writeback_miss] += below->missed - asked(below);
	n[SIGNAL_l2_fill] += below->missed;
	n[SIGNAL_l2_evict_clean] += clean;
	n[SIGNAL_l2_evict_dirty] += dirty;
	n[SIGNAL_l2_evict_silent] += silent ? clean : 0;
	n[SIGNAL_l2_evict_non_silent] += dirty + (silent ? 0 : clean);
	n[SIGNAL_served_l2] += demand(list->of) - demand(below->of);
}

static void count_l3(uint64_t *n, const struct lean_list *list,
		     const struct lean_list *below)
{
	const uint32_t dirty = below->of[LEAN_WRITEBACK];

	for (int code = STEP_LOAD; code <= STEP_WALK; code++) {
		n[SIGNAL_l3_load + code] += list->of[code];
		n[SIGNAL_l3_load_miss + code] += below->of[code];
	}
	n[SIGNAL_l3_writeback] += list->of[LEAN_WRITEBACK];
	n[SIGNAL_l3_writeback_miss] += below->missed - asked(below);
	n[SIGNAL_l3_evict_clean] += below->evicted - dirty;
	n[SIGNAL_l3_evict_dirty] += dirty;
	n[SIGNAL_served_l3] += demand(list->of) - demand(below->of);
}

static void count_memory(uint64_t *n, const struct lean_list *list)
{
	n[SIGNAL_dram_read] += asked(list);
	n[SIGNAL_dram_write] += list->of[LEAN_WRITEBACK];
	n[SIGNAL_served_dram] += demand(list->of);
}

/* More than this is not expected to stay in the nearest caches. */
#define NEAR_BYTES (256u << 10)

static struct lean_list lower(const struct sim *s, enum place at,
			      const uint32_t *in, uint32_t n, uint32_t *out)
{
	const struct level *l = &s->cache[at].lines;
	const bool far = (size_t)l->sets * l->stride * 4 > NEAR_BYTES;

	return s->lean->lower[size_class(l)](l, (s->stored ? 0 : LEAN_CLEAN) |
					     (far ? LEAN_FAR : 0), in, n, out);
}

void lean_run(struct sim *s, const struct steps *steps)
{
	const struct level *l1d = &s->cache[PLACE_L1D].lines;
	const bool walks = s->walk_place == PLACE_L1D;
	const unsigned how = !steps->of[STEP_WALK] ? 0 :
			     walks ? LEAN_WALKS :
				     LEAN_WALKS | LEAN_PASSES_WALKS;
	uint32_t one[2 * STEPS + LEAN_AHEAD], two[4 * STEPS + LEAN_AHEAD];
	uint32_t three[8 * STEPS + LEAN_AHEAD];
	struct lean_list list, below;
	uint32_t *last = one;

	s->stored |= steps->of[STEP_STORE] > 0;
	list = s->lean->first[size_class(l1d)](l1d,
		!how && !s->stored ? LEAN_CLEAN : how, steps->key,
		steps->count, one);
	count_l1d(s->total, steps, &list, walks);
	if (s->cache[PLACE_L2].present) {
		below = lower(s, PLACE_L2, last, list.entries, two);
		count_l2(s->total, &list, &below,
			 s->cache[PLACE_L2].silent_clean);
		list = below;
		last = two;
	}
	if (s->cache[PLACE_L3].present) {
		below = lower(s, PLACE_L3, last, list.entries, three);
		count_l3(s->total, &list, &below);
		list = below;
	}
	count_memory(s->total, &list);
}
