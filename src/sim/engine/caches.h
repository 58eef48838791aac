/* SPDX-License-Identifier: MIT */
/*
 * The caches, any policy and any inclusion.
 *
 * 1. A request starts at a level (its top) and goes down until a level has the
 *    line. Every level on the way keeps the line, but those below the top that
 *    are exclusive or victim caches.
 * 2. An exclusive level below the top gives its line away, with its dirtiness.
 * 3. Fetch first: the level below is asked, then a victim is chosen, the line
 *    is put in, and the victim goes down. Victim first: the victim is chosen
 *    and goes down, then the level below is asked.
 * 4. A dirty victim goes to the next level, where it is a lookup; found, it is
 *    merged and counts as a use; not found, it takes a way there, unless that
 *    level does not allocate on writes and is neither exclusive nor a victim
 *    cache. A clean victim goes only to exclusive and victim caches, and not
 *    if its level is silent.
 * 5. What an inclusive level evicts leaves the levels above; their dirty data
 *    leaves with it.
 * 6. A store that a level passes on is written at the next level: found, it is
 *    merged; not found, the line is fetched first (or the store passed on, by
 *    a level that does not allocate on writes, and by exclusive and victim
 *    caches).
 * 7. A level's line may be several lines of L1D long: a key names a line of L1D
 *    between levels, and the line that it lies in within a level. What an
 *    inclusive level evicts, or a flush hits, takes all lines in it from the
 *    levels above. A write-back that is not found marks all of the line dirty.
 */
#ifndef SIM_ENGINE_CACHES_H
#define SIM_ENGINE_CACHES_H

#include "sim/engine/engine.h"
#include "sim/engine/ways.h"

/* In the order of the signals. */
enum cause {
	CAUSE_LOAD, CAUSE_STORE, CAUSE_WALK, CAUSE_FETCH, CAUSE_PREFETCH,
	CAUSES
};

static const struct names {
	enum signal lookup, miss, writeback, writeback_miss;
	enum signal passed, passed_miss, clean, dirty, removed, removed_dirty;
} names[] = {
#define LEVEL(n) { \
	SIGNAL_##n##_load, SIGNAL_##n##_load_miss, SIGNAL_##n##_writeback, \
	SIGNAL_##n##_writeback_miss, SIGNAL_##n##_write_through, \
	SIGNAL_##n##_write_through_miss, SIGNAL_##n##_evict_clean, \
	SIGNAL_##n##_evict_dirty, SIGNAL_##n##_invalidate, \
	SIGNAL_##n##_flush_dirty }
	[PLACE_L2] = LEVEL(l2),
	[PLACE_L3] = LEVEL(l3),
#undef LEVEL
};

_Static_assert(SIGNAL_l2_load + CAUSE_PREFETCH == SIGNAL_l2_prefetch &&
	       SIGNAL_l3_load + CAUSE_PREFETCH == SIGNAL_l3_prefetch &&
	       SIGNAL_l2_load_miss + CAUSE_PREFETCH ==
		       SIGNAL_l2_prefetch_miss &&
	       SIGNAL_l3_load_miss + CAUSE_PREFETCH ==
		       SIGNAL_l3_prefetch_miss,
	       "signals of lookups are in the order of causes");

ENGINE uint32_t fetch(struct sim *s, enum place at, uint32_t key,
		      enum cause cause, bool top);
ENGINE void dispose_any(struct sim *s, enum place at, uint32_t entry);

ENGINE_INLINE void tell_near(struct sim *s, uint32_t what)
{
	s->message_near = words_hash(s->message_near, what);
}

/* lines that come down */

ENGINE_INLINE void write_memory(struct sim *s, uint32_t key)
{
	count_far(s, key)[SIGNAL_dram_write]++;
}

/* The level's line that a line of L1D lies in, and its first line of L1D. */
ENGINE_INLINE uint32_t key_in(const struct cache *c, uint32_t key)
{
	return key >> 3 >> c->longer << 3 | (key & LEVEL_FLAGS);
}

ENGINE_INLINE uint32_t key_from(const struct cache *c, uint32_t entry)
{
	return (entry & ~LEVEL_FLAGS) << c->longer | (entry & LEVEL_FLAGS);
}

/* Of ENGINE_TELL. */
ENGINE_INLINE unsigned looked(int way)
{
	return way >= 0 ? LOOK_HIT : 0;
}

ENGINE_INLINE unsigned unused(uint32_t entry)
{
	return entry & LEVEL_PREFETCHED ? LOOK_UNUSED : 0;
}

ENGINE void arrive(struct sim *s, enum place at, uint32_t entry)
{
	struct cache *c = &s->cache[at];
	const uint32_t dirty = entry & LEVEL_DIRTY;
	uint32_t set, *held;
	int way;

	if (at == PLACE_MEMORY) {
		if (dirty)
			write_memory(s, entry);
		return;
	}
	count_far(s, entry)[names[at].writeback]++;
	set = level_set(&c->lines, key_in(c, entry));
	way = level_find(&c->lines, set, key_in(c, entry));
	if (way < 0)
		count_far(s, entry)[names[at].writeback_miss]++;
	ENGINE_TELL(s, at, LOOK_WRITE_BACK | looked(way) |
		    (c->takes_clean || !c->no_write_allocate ? LOOK_KEEPS : 0),
		    key_in(c, entry) >> 3);
	if (dirty && c->write_through)
		arrive(s, c->below, entry);
	if (way >= 0) {
		held = level_hit(&c->lines, set, (uint32_t)way);
		*held |= c->write_through ? 0 : dirty;
		return;
	}
	if (c->no_write_allocate && !c->takes_clean) {
		if (dirty && !c->write_through)
			arrive(s, c->below, entry);
		return;
	}
	if (c->write_through)
		entry &= ~LEVEL_DIRTY;
	if (at == PLACE_L2)
		count_far(s, entry)[SIGNAL_l2_fill]++;
	dispose_any(s, at, level_place(&c->lines, set,
				       level_victim(&c->lines, set),
				       key_in(c, entry) & ~LEVEL_PREFETCHED));
}

ENGINE bool holds(const struct cache *c, uint32_t key)
{
	const uint32_t own = key_in(c, key);

	return c->present &&
	       level_find(&c->lines, level_set(&c->lines, own), own) >= 0;
}

/* Takes a line out of a level, if it is there; returns its flags. */
ENGINE uint32_t remove_line(struct sim *s, enum place at, uint32_t key)
{
	struct cache *c = &s->cache[at];
	uint32_t set, flags;
	int way;

	if (!c->present)
		return 0;
	set = level_set(&c->lines, key_in(c, key));
	way = level_find(&c->lines, set, key_in(c, key));
	if (way < 0)
		return 0;
	flags = level_take(&c->lines, set, (uint32_t)way) & LEVEL_FLAGS;
	ENGINE_TELL(s, at, LOOK_REMOVED | unused(flags), key_in(c, key) >> 3);
	if (at >= PLACE_L2) {
		count_far(s, key)[names[at].removed]++;
		count_far(s, key)[names[at].removed_dirty] +=
			flags & LEVEL_DIRTY;
		return flags;
	}
	tell_near(s, key | LEVEL_FLAGS);
	if (at == PLACE_L1D) {
		count_near(s, key)[SIGNAL_l1d_invalidate]++;
		count_near(s, key)[SIGNAL_l1d_flush_dirty] +=
			flags & LEVEL_DIRTY;
	}
	return flags;
}

/* An inclusive level has evicted the line that begins with this one of L1D;
 * returns LEVEL_DIRTY if it was dirty above. */
ENGINE uint32_t remove_above(struct sim *s, enum place at, uint32_t key)
{
	const uint32_t end = key + (8u << s->cache[at].longer);
	uint32_t flags = 0;

	for (; key != end; key += 8) {
		flags |= remove_line(s, PLACE_L1D, key);
		if (may_be_code(s, key))
			flags |= remove_line(s, PLACE_L1I, key);
		if (at == PLACE_L3)
			flags |= remove_line(s, PLACE_L2, key);
	}
	return flags & LEVEL_DIRTY;
}

ENGINE_INLINE void count_l2_eviction(uint64_t *n, uint32_t entry, bool silent)
{
	n[SIGNAL_l2_evict_clean + (entry & LEVEL_DIRTY)]++;
	n[silent ? SIGNAL_l2_evict_silent : SIGNAL_l2_evict_non_silent]++;
	if (entry & LEVEL_PREFETCHED)
		n[SIGNAL_l2_evict_prefetch_unused]++;
}

ENGINE_INLINE void count_eviction(struct sim *s, enum place at, uint32_t entry,
			   bool silent)
{
	switch (at) {
	case PLACE_L1D:
		count_near(s, entry)[SIGNAL_l1d_evict_clean +
				     (entry & LEVEL_DIRTY)]++;
		break;
	case PLACE_L2:
		count_l2_eviction(count_far(s, entry), entry, silent);
		break;
	case PLACE_L3:
		count_far(s, entry)[SIGNAL_l3_evict_clean +
				    (entry & LEVEL_DIRTY)]++;
		break;
	default:
		break;
	}
}

/* Does a line leave without the level below being told? */
ENGINE_INLINE bool is_silent(const struct cache *c, uint32_t entry)
{
	return !(entry & LEVEL_DIRTY) && c->silent_clean &&
	       !(entry & LEVEL_DRAM && c->loud_from_dram);
}

/* An entry that had to leave a level. */
ENGINE_INLINE void dispose(struct sim *s, enum place at, uint32_t entry)
{
	const struct cache *c = &s->cache[at];
	bool silent;

	if (entry == LEVEL_EMPTY)
		return;
	ENGINE_TELL(s, at, LOOK_EVICTED | unused(entry), entry >> 3);
	entry = key_from(c, entry);
	if (c->inclusion == INCLUDE_ALL && at >= PLACE_L2)
		entry |= remove_above(s, at, entry & ~LEVEL_FLAGS);
	silent = is_silent(c, entry);
	count_eviction(s, at, entry, silent);
	if (!(entry & LEVEL_DIRTY) &&
	    (silent || !s->cache[c->below].takes_clean))
		return;
	if (at == PLACE_L1I && c->below == PLACE_L2)
		count_far(s, entry)[SIGNAL_l2_code_victim]++;
	arrive(s, c->below, entry);
}

ENGINE void dispose_any(struct sim *s, enum place at, uint32_t entry)
{
	dispose(s, at, entry);
}

/* lines that come up */

/* The entry of a line that came with these flags from below. */
ENGINE_INLINE uint32_t new_entry(const struct sim *s, enum place at, uint32_t key,
			  uint32_t flags)
{
	if (at < PLACE_L2 && !s->cache[s->cache[at].below].takes_clean)
		flags &= ~LEVEL_DRAM;
	return (key_in(&s->cache[at], key) & ~LEVEL_FLAGS) | flags;
}

/* Makes room, asks below, puts the line in: see rule 3. */
ENGINE uint32_t bring_after(struct sim *s, enum place at, uint32_t key,
			    enum cause cause, uint32_t flags)
{
	const struct cache *c = &s->cache[at];
	const uint32_t set = level_set(&c->lines, key_in(c, key));
	const uint32_t way = level_victim(&c->lines, set);
	uint32_t *lane = level_lanes(&c->lines, set) + way, entry = *lane;

	*lane = LEVEL_EMPTY;
	dispose_any(s, at, entry);
	flags |= fetch(s, c->below, key, cause, false);
	entry = new_entry(s, at, key, flags);
	dispose_any(s, at, level_place(&c->lines, set, way, entry));
	return entry;
}

/*
 * Gets a line into a level, with `flags` and those that it comes with. Returns
 * the new entry.
 */
ENGINE_INLINE uint32_t bring(struct sim *s, enum place at, uint32_t key,
			     enum cause cause, uint32_t flags)
{
	const struct cache *c = &s->cache[at];
	uint32_t set, entry;

	if (s->geometry.copy_back == COPY_VICTIM_FIRST)
		return bring_after(s, at, key, cause, flags);
	flags |= fetch(s, c->below, key, cause, false);
	entry = new_entry(s, at, key, flags);
	set = level_set(&c->lines, entry);
	dispose(s, at, level_place(&c->lines, set, level_victim(&c->lines, set),
				   entry));
	return entry;
}

/* L2 has missed a line, or gives one for the first time after a prefetch. */
ENGINE_INLINE void first_use(struct sim *s, uint32_t key, enum cause cause)
{
	if (cause != CAUSE_PREFETCH && s->trains[2])
		prefetchers_train(s, 2, key >> 3, 0);
}

ENGINE_INLINE uint32_t fetch_hit(struct sim *s, enum place at, uint32_t key,
			  enum cause cause, bool top, uint32_t way)
{
	struct cache *c = &s->cache[at];
	const uint32_t set = level_set(&c->lines, key_in(c, key));
	uint32_t *held, flags;

	s->served = at;
	if (c->inclusion == INCLUDE_EXCLUSIVE && !top) {
		flags = level_take(&c->lines, set, way);
		if (at == PLACE_L2 && flags & LEVEL_PREFETCHED)
			first_use(s, key, cause);
		return flags & LEVEL_DIRTY;
	}
	held = level_hit(&c->lines, set, way);
	if (*held & LEVEL_PREFETCHED && cause != CAUSE_PREFETCH) {
		*held &= ~LEVEL_PREFETCHED;
		if (at == PLACE_L2)
			first_use(s, key, cause);
	}
	return 0;
}

ENGINE uint32_t fetch_memory(struct sim *s, uint32_t key)
{
	count_far(s, key)[SIGNAL_dram_read]++;
	s->served = PLACE_MEMORY;
	return s->keeps_dram ? LEVEL_DRAM : 0;
}

ENGINE_INLINE uint32_t fetch_from(struct sim *s, enum place at, uint32_t key,
				  enum cause cause, bool top)
{
	struct cache *c = &s->cache[at];
	uint64_t *n = count_far(s, key);
	int way;

	n[names[at].lookup + cause]++;
	way = level_find(&c->lines, level_set(&c->lines, key_in(c, key)),
			 key_in(c, key));
	ENGINE_TELL(s, at, cause | looked(way) |
		    (top || !c->takes_clean ? LOOK_KEEPS : 0) |
		    (way >= 0 ? unused(level_lanes(&c->lines,
				level_set(&c->lines, key_in(c, key)))[way]) :
				0), key_in(c, key) >> 3);
	if (way >= 0)
		return fetch_hit(s, at, key, cause, top, (uint32_t)way);
	n[names[at].miss + cause]++;
	if (at == PLACE_L2)
		first_use(s, key, cause);
	if (!top && c->takes_clean)
		return fetch(s, c->below, key, cause, false);
	if (at == PLACE_L2)
		n[SIGNAL_l2_fill]++;
	return bring(s, at, key, cause, 0) & LEVEL_DRAM;
}

ENGINE uint32_t fetch_l2(struct sim *s, uint32_t key, enum cause cause,
			 bool top)
{
	return fetch_from(s, PLACE_L2, key, cause, top);
}

ENGINE uint32_t fetch_l3(struct sim *s, uint32_t key, enum cause cause,
			 bool top)
{
	return fetch_from(s, PLACE_L3, key, cause, top);
}

/* Asks a level for a line; returns the flags that the line comes with. */
ENGINE uint32_t fetch(struct sim *s, enum place at, uint32_t key,
		      enum cause cause, bool top)
{
	if (at == PLACE_L2)
		return fetch_l2(s, key, cause, top);
	if (at == PLACE_L3)
		return fetch_l3(s, key, cause, top);
	return fetch_memory(s, key);
}

/* stores that are passed on */

ENGINE void write_below(struct sim *s, enum place at, uint32_t key)
{
	struct cache *c = &s->cache[at];
	const uint32_t dirty = c->write_through ? 0 : LEVEL_DIRTY;
	uint32_t set;
	int way;

	if (at == PLACE_MEMORY) {
		write_memory(s, key);
		s->served = PLACE_MEMORY;
		return;
	}
	count_far(s, key)[names[at].passed]++;
	set = level_set(&c->lines, key_in(c, key));
	way = level_find(&c->lines, set, key_in(c, key));
	ENGINE_TELL(s, at, LOOK_WRITE_BACK | looked(way) |
		    (c->takes_clean || c->no_write_allocate ? 0 : LOOK_KEEPS),
		    key_in(c, key) >> 3);
	if (way >= 0) {
		*level_hit(&c->lines, set, (uint32_t)way) |= dirty;
		if (c->write_through)
			write_below(s, c->below, key);
		s->served = at;
		return;
	}
	count_far(s, key)[names[at].passed_miss]++;
	if (c->no_write_allocate || c->takes_clean) {
		write_below(s, c->below, key);
		return;
	}
	if (at == PLACE_L2)
		count_far(s, key)[SIGNAL_l2_fill]++;
	bring(s, at, key, CAUSE_STORE, dirty);
	if (c->write_through) {
		const enum place served = s->served;

		write_below(s, c->below, key);
		s->served = served;
	}
}

#endif
