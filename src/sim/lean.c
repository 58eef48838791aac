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

bool lean_plain(const struct sim *s)
{
	return plain(&s->cache[PLACE_L1D]) && plain(&s->cache[PLACE_L2]) &&
	       plain(&s->cache[PLACE_L3]);
}

bool lean_possible(const struct sim *s)
{
	return lean_plain(s) && !s->keeps_dram && !s->trains[1] &&
	       walks_in_order(s) &&
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
static void count_l1d(uint64_t *n, const uint32_t *of,
		      const struct lean_list *below, bool walks)
{
	const uint32_t dirty = below->of[LEAN_WRITEBACK];

	n[SIGNAL_l1d_load] += of[STEP_LOAD];
	n[SIGNAL_l1d_store] += of[STEP_STORE];
	n[SIGNAL_l1d_load_miss] += below->of[STEP_LOAD];
	n[SIGNAL_l1d_store_miss] += below->of[STEP_STORE];
	if (walks) {
		n[SIGNAL_l1d_walk] += of[STEP_WALK];
		n[SIGNAL_l1d_walk_miss] += below->of[STEP_WALK];
	}
	n[SIGNAL_l1d_evict_clean] += below->evicted - dirty;
	n[SIGNAL_l1d_evict_dirty] += dirty;
	n[SIGNAL_served_l1] += demand(of) - demand(below->of);
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
	n[SIGNAL_l2_evict_prefetch_unused] += below->unused;
	n[SIGNAL_l2_prefetch_fill] += below->prefetches;
	n[SIGNAL_l2_own_prefetch] += below->prefetches + below->held;
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
	n[SIGNAL_l3_prefetch] += list->prefetches;
	n[SIGNAL_l3_prefetch_miss] += below->prefetches;
	n[SIGNAL_l3_own_prefetch] += list->prefetches;
	n[SIGNAL_l3_own_prefetch_miss] += below->prefetches;
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

/* Looks on where it has found an empty way; they are the last of a set. */
static unsigned full(struct cache *c)
{
	const struct level *l = &c->lines;
	const uint32_t last = l->ways - 1;

	while (c->full_sets < l->sets &&
	       level_lanes(l, c->full_sets)[last] != LEVEL_EMPTY)
		c->full_sets++;
	return c->full_sets == l->sets ? LEAN_FULL : 0;
}

/* Nothing was ever stored: a list may be all loads. */
static unsigned clean(const struct lean_list *list)
{
	return list->of[STEP_LOAD] == list->entries ?
	       LEAN_CLEAN | LEAN_LOADS : LEAN_CLEAN;
}

static struct lean_list lower(struct sim *s, enum place at,
			      const uint32_t *in, const struct lean_list *from,
			      uint32_t *out)
{
	struct cache *c = &s->cache[at];
	const struct level *l = &c->lines;
	const bool far = (size_t)l->sets * l->stride * 4 > NEAR_BYTES;
	const struct lean_list list = s->lean->lower[size_class(l)](l,
		(s->stored ? 0 : clean(from)) | (far ? LEAN_FAR : 0) |
		c->manner | full(c), in, from->entries, out);

	c->manner = list.next;
	return list;
}

/* From L2's list on; returns how many L3 has missed. */
static uint32_t run_far(struct sim *s, const uint32_t *in,
			struct lean_list list, uint32_t *out, uint64_t *n)
{
	struct lean_list below = { .missed = 0 };

	if (s->cache[PLACE_L3].present) {
		below = lower(s, PLACE_L3, in, &list, out);
		if (list.prefetches) {	/* counted as loads */
			below.prefetches = s->lean->prefetches(out,
							       below.entries);
			below.of[STEP_LOAD] -= below.prefetches;
		}
		count_l3(n, &list, &below);
		list = below;
	}
	count_memory(n, &list);
	return below.missed;
}

/*
 * A level asks for no more than it was asked for, and writes back one line at
 * most per entry: of n steps L1D makes n + n entries, L2 n + 2 n, and L3 n + 3 n.
 * An L2 with prefetchers makes up to TRAINED at a time, L3 twice these.
 */
#define TRAINED (2 * STEPS)
#define NEAR_LIST (2 * STEPS + LEAN_AHEAD)
#define L2_LIST (3 * STEPS + LEAN_AHEAD)
#define FAR_LIST (4 * STEPS + LEAN_AHEAD)

static void add(struct lean_list *sum, const struct lean_list *part)
{
	for (int code = 0; code < LEAN_CODES; code++)
		sum->of[code] += part->of[code];
	sum->entries += part->entries;
	sum->missed += part->missed;
	sum->evicted += part->evicted;
	sum->unused += part->unused;
	sum->prefetches += part->prefetches;
	sum->held += part->held;
}

/* An L2 with prefetchers can put out more than a list holds. */
static uint64_t run_trained(struct sim *s, const uint32_t *in,
			    struct lean_list list, uint32_t *two,
			    uint32_t *three, uint64_t *count)
{
	struct cache *c = &s->cache[PLACE_L2];
	lean_train_fn *train = s->lean->train[size_class(&c->lines)];
	struct lean_list sum = { .entries = 0 }, below;
	uint32_t taken = 0, n;

	full(c);	/* it looks at full_sets */
	while (taken < list.entries) {
		n = list.entries - taken;
		below = train(s, in + taken, &n, two, TRAINED);
		taken += n;
		c->manner = below.next;
		add(&sum, &below);
		run_far(s, two, below, three, count);
	}
	count_l2(count, &list, &sum, c->silent_clean);
	return sum.missed + sum.held;
}

uint64_t lean_take(struct sim *s, const uint32_t *key, uint32_t steps,
		   const uint32_t *of, uint64_t *n)
{
	struct cache *l1d = &s->cache[PLACE_L1D], *l2 = &s->cache[PLACE_L2];
	const bool walks = s->walk_place == PLACE_L1D;
	const unsigned how = !of[STEP_WALK] ? 0 :
			     walks ? LEAN_WALKS :
				     LEAN_WALKS | LEAN_PASSES_WALKS;
	uint32_t one[NEAR_LIST], two[L2_LIST], three[FAR_LIST];
	struct lean_list list, below;

	s->stored |= of[STEP_STORE] > 0;
	list = s->lean->first[size_class(&l1d->lines)](&l1d->lines,
		(!how && !s->stored ? LEAN_CLEAN | LEAN_LOADS : how) |
		l1d->manner | full(l1d), key, steps, one);
	l1d->manner = list.next;
	count_l1d(n, of, &list, walks);
	if (s->trains[2])
		return run_trained(s, one, list, two, three, n);
	if (!l2->present)
		return run_far(s, one, list, three, n);
	below = lower(s, PLACE_L2, one, &list, two);
	count_l2(n, &list, &below, l2->silent_clean);
	run_far(s, two, below, three, n);
	return below.missed;
}
