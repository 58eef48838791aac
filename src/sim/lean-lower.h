/* SPDX-License-Identifier: MIT */
/* L2 and L3 by their lists: what lean-loops.h does after L1D. */
#ifndef SIM_LEAN_LOWER_H
#define SIM_LEAN_LOWER_H

/* What 8 entries are; dirty: 1 for a write-back. */
struct lot {
	uint32_t key[8], dirty[8];
} __attribute__((aligned(32)));

/* A line was not there, and has put out `old`. */
LEAN_INLINE void put_down(const struct sets *s, unsigned how,
			  const uint32_t *in, uint32_t dirty, uint32_t old,
			  struct written *w)
{
	w->lines += old < s->empty;
	w->out[w->n] = *in;
	w->n += dirty ^ 1;
	if (how & LEAN_CLEAN)
		return;
	w->out[w->n] = old | LEAN_WRITEBACK;
	w->n += old & LEVEL_DIRTY;
	w->lost += dirty;
}

/* A line that is not there. Only a write-back makes its line dirty. */
LEAN_INLINE void replace(const int lanes, const struct sets *s, unsigned how,
			 uint32_t *set, const uint32_t *key, uint32_t dirty,
			 const uint32_t *in, struct written *w)
{
	const uint32_t old = set[s->last];

	push_out(lanes, set, s->last, *key | dirty);
	put_down(s, how, in, dirty, old, w);
}

/* If the line is there, it is the newest now. */
LEAN_INLINE bool turn_up(const int lanes, uint32_t *set, const uint32_t *key)
{
	uint32_t found = near(lanes, set, key);

	if (__builtin_expect(found != 0, 1)) {
		turn_near(lanes, set, found);
		return true;
	}
	found = beyond(lanes, set, key);
	if (found)
		turn_at(lanes, set, found);
	return found;
}

LEAN_INLINE void seek(const int lanes, const struct sets *s, unsigned how,
		      const uint32_t *key, uint32_t dirty, const uint32_t *in,
		      struct written *w)
{
	uint32_t *set = set_of(lanes, s, *key);

	if (!turn_up(lanes, set, key))
		replace(lanes, s, how, set, key, dirty, in, w);
	else if (!(how & LEAN_CLEAN))
		*set |= dirty;	/* no branch */
}

LEAN_INLINE void seek_load(const int lanes, const struct sets *s, unsigned how,
			   const uint32_t *in, struct written *w)
{
	size_t at = *in & s->within;
	uint32_t *set, old;

	if (turn_to(lanes, s->entry, at, in))
		return;
	APART(at);	/* found out only now */
	set = (uint32_t *)((char *)s->entry + at * (size_t)(lanes / 2));
	if (s->last == (uint32_t)lanes - 1) {
		old = set[lanes - 1];
		if (enter(lanes, how & LEAN_CLEAN, set, in))
			put_down(s, how, in, 0, old, w);
		else
			turn_up(lanes, set, in);
		return;
	}
	if (how & LEAN_CLEAN || !flagged(lanes, set) ||
	    !turn_up(lanes, set, in))
		replace(lanes, s, how, set, in, 0, in, w);
}

LEAN_INLINE void lot_of_8(const int lanes, const struct sets *s, unsigned how,
			  const uint32_t *in, struct written *w)
{
	const int most = how & LEAN_FAR ? TURN_FAR_LANES : TURN_LANES;
	struct lot lot;

	if (loads_only(in)) {
#pragma GCC unroll 8
		for (int i = 0; i < 8; i++)
			if (lanes <= most)
				seek_load(lanes, s, how, in + i, w);
			else
				seek(lanes, s, how, in + i, 0, in + i, w);
		return;
	}
	split(in, lot.key, lot.dirty);
#pragma GCC unroll 8
	for (int i = 0; i < 8; i++)
		seek(lanes, s, how, lot.key + i,
		     how & LEAN_CLEAN ? 0 : lot.dirty[i], in + i, w);
}

/* n is a multiple of 8, and LOTS at most. */
LEAN_INLINE void lots_blindly(const int lanes, const struct sets *s,
			      unsigned how, const uint32_t *in, uint32_t n,
			      struct written *w)
{
	uint32_t line[LOTS] __attribute__((aligned(64)));
	uint32_t found[LOTS] __attribute__((aligned(64)));
	uint32_t old[LOTS] __attribute__((aligned(64)));
	uint64_t missed;

	/*
	 * All of them before the first is used: to read a vector by parts that
	 * was only just written takes longer than all that is done with it.
	 */
	for (uint32_t i = 0; i < n; i += 8)
		settle(in + i, line + i);
	take_blindly(lanes, s, how, how & LEAN_FAR ? in : NULL, line, n, found,
		     old);
	put_out_all(how, in, n, found, old, w);
	for (uint32_t i = 0; i + 64 <= n; i += 64) {
		missed = 0;
		for (uint32_t k = 0; k < 64; k += 8)
			missed |= (uint64_t)absent(found + i + k) << k;
		w->changed += (uint32_t)__builtin_popcountll(
			(missed ^ missed >> 2) & ~UINT64_C(0) >> 2);
		w->compared += 62;
	}
}

/* How many blocks' entries from the front are more than loads. */
LEAN_INLINE uint32_t leading_others(const uint32_t *in, uint32_t n)
{
	uint32_t i = 0;

	while (i + 8 <= n && !loads_only(in + i))
		i += 8;
	return i;
}

typedef void lots_fn(const struct sets *s, unsigned how, const uint32_t *in,
		     uint32_t n, struct written *w);

LEAN_INLINE void lots(const int lanes, const struct sets *s, unsigned how,
		      enum manner manner, const uint32_t *in, uint32_t n,
		      struct written *w)
{
	const struct sets sets = *s;
	struct written own = *w;
	uint32_t key, dirty, i = 0, others;

	if (manner == BLINDLY) {
		i = n & ~7u;
		lots_blindly(lanes, &sets, how, in, i, &own);
	}
	while (i + 8 <= n) {
		if (manner == ANEW && loads_only(in + i)) {
			i += (uint32_t)all_anew(lanes, &sets, how,
						how & LEAN_FAR, in + i, n - i,
						&own);
			continue;
		}
		if (manner == ANEW) {
			others = 8 + leading_others(in + i + 8, n - i - 8);
			lots_blindly(lanes, &sets, how, in + i, others, &own);
			i += others;
			continue;
		}
		if (how & LEAN_FAR)
			fetch_sets(lanes, &sets, in + i + LEAN_AHEAD - 8);
		lot_of_8(lanes, &sets, how, in + i, &own);
		i += 8;
	}
	for (; i < n; i++) {
		key = in[i] & ~LEVEL_FLAGS;
		dirty = how & LEAN_CLEAN ? 0 : in[i] & in[i] >> 1 & 1;
		seek(lanes, &sets, how, &key, dirty, in + i, &own);
	}
	*w = own;
}

/*
 * Did what was taken blindly mostly do as the last but one, as where two streams
 * are mixed? Then branches on it are foreseen more often than it seems, and cost
 * less than doing without. By chance that is rare with so many.
 */
LEAN_INLINE bool patterned(uint32_t changed, uint32_t compared)
{
	return compared > 240 && changed * 3 < compared;
}

/* fn: by LEAN_CLEAN and manner. */
LEAN_INLINE struct lean_list lower_level(const int lanes,
					 lots_fn *const (*fn)[MANNERS],
					 const struct level *l, unsigned how,
					 const uint32_t *in, uint32_t n,
					 uint32_t *out)
{
	const struct sets s = sets_of(l);
	const bool full = how & LEAN_FULL;
	const bool can = full && l->ways == (uint32_t)lanes &&
			 lanes <= BLIND_LANES;
	struct lean_list list = { .missed = 0 };
	struct written w = { .out = out };
	enum manner manner = can ? how_manner(how) : IN_TURN;
	unsigned rests = (how & LEAN_RESTS) / LEAN_REST;
	bool rested = false;

	while (n) {
		const uint32_t take = n < LOTS ? n : LOTS;
		const size_t before = w.n;

		fn[how & LEAN_CLEAN][manner](&s, how, in, take, &w);
		if (can && take >= FEW / 2)
			manner = next_manner(w.n - before, take);
		if (rests && manner == BLINDLY) {
			manner = IN_TURN;
			rested = true;
		}
		n -= take;
		in += take;
	}
	list.entries = (uint32_t)w.n;
	count_codes(&list, how, out);
	list.missed = list.entries - list.of[LEAN_WRITEBACK] + w.lost;
	rests = patterned(w.changed, w.compared) ?
		LEAN_RESTS / LEAN_REST : rests - rested;
	list.next = manner_how(manner) | rests * LEAN_REST;
	list.evicted = full ? list.missed : w.lines;
	return list;
}

#endif
