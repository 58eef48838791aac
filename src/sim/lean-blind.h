/* SPDX-License-Identifier: MIT */
/*
 * Entries that are taken alike, found or not, or as if none were found: a part of
 * lean-loops.h.
 */
#ifndef SIM_LEAN_BLIND_H
#define SIM_LEAN_BLIND_H

/* Codes of walks that read here left out. */
LEAN_INLINE void strip(const uint32_t *in, size_t n, uint32_t *line)
{
	for (size_t i = 0; i < n; i++)
		line[i] = in[i] & ~(LEVEL_FLAGS & ~LEVEL_DIRTY);
}

LEAN_INLINE void fetch_sets(const int lanes, const struct sets *s,
			    const uint32_t *in)
{
#pragma GCC unroll 8
	for (int i = 0; i < 8; i++)
		__builtin_prefetch(set_of(lanes, s, in[i]), 1);
}

/*
 * The same work, hit or miss, for where that is hard to predict. All ways are
 * taken, and there are as many as lanes; n is a multiple of 8. line: as the level
 * is to have each; found: gets a bit for where it was, or 0; ahead: the list, if
 * its sets are far away, or NULL.
 */
LEAN_INLINE void take_blindly(const int lanes, const struct sets *s,
			      unsigned how, const uint32_t *ahead,
			      const uint32_t *line, size_t n, uint32_t *found,
			      uint32_t *old)
{
	uint32_t *set;

	for (size_t i = 0; i < n; i += 8) {
		if (ahead)
			fetch_sets(lanes, s, ahead + i + LEAN_AHEAD - 8);
#pragma GCC unroll 8
		for (size_t k = i; k < i + 8; k++) {
			if (how & LEAN_CLEAN) {
				found[k] = take(lanes, s->entry,
						line[k] & s->within, line + k);
				continue;
			}
			set = set_of(lanes, s, line[k]);
			old[k] = set[lanes - 1];
			found[k] = receive(lanes, set, line + k);
		}
	}
}

/* What these have put out. */
LEAN_INLINE void put_out_all(unsigned how, const uint32_t *in, size_t n,
			     const uint32_t *found, const uint32_t *old,
			     struct written *w)
{
	for (size_t i = 0; i < n; i += 8)
		w->n += how & LEAN_CLEAN ?
			keep(found + i, in + i, w->out + w->n) :
			send(found + i, in + i, old + i, w->out + w->n,
			     &w->lost);
}

/* n: GROUP at most. */
LEAN_INLINE void blindly(const int lanes, const struct sets *s, unsigned how,
			 const uint32_t *in, size_t n, struct written *w)
{
	uint32_t found[GROUP] __attribute__((aligned(64)));
	uint32_t old[GROUP] __attribute__((aligned(64)));
	uint32_t stripped[GROUP] __attribute__((aligned(64)));
	const uint32_t *line = in;

	if (how & LEAN_WALKS) {
		strip(in, n, stripped);
		line = stripped;
	}
	take_blindly(lanes, s, how, NULL, line, n, found, old);
	put_out_all(how, in, n, found, old, w);
}

#ifdef CAREFUL_LANES

/* 8 loads some of whose sets have flags; by itself, so that the others' way has
 * its registers. */
LEAN_TARGET __attribute__((noinline)) static void flagged_loads(
	uint32_t *entry, uint32_t within, const uint32_t *in, uint32_t *found,
	uint32_t *old)
{
	const struct sets s = { .entry = entry, .within = within };

	take_blindly(CAREFUL_LANES, &s, 0, NULL, in, 8, found, old);
}

/* How many blocks' entries from the front are loads. */
LEAN_INLINE size_t leading_loads(const uint32_t *in, size_t n)
{
	size_t i = 0;

	while (i + 32 <= n && loads_only_32(in + i))
		i += 32;
	while (i + 8 <= n && loads_only(in + i))
		i += 8;
	return i;
}

/* The same where few sets have flags: those of 8 are asked at once. Takes blocks
 * of loads from the front; returns where they end. */
LEAN_INLINE const uint32_t *careful_loads(const struct sets *s,
					  const uint32_t *in,
					  const uint32_t *end,
					  struct written *w)
{
	uint32_t found[GROUP] __attribute__((aligned(64)));
	uint32_t old[GROUP] __attribute__((aligned(64)));
	uint64_t flagged = 0;	/* blocks */
	const size_t loads = leading_loads(in, (size_t)(end - in));
	size_t index[8], n, i;

	for (n = 0; n < loads; n += 8) {
#pragma GCC unroll 8
		for (int k = 0; k < 8; k++)
			index[k] = in[n + k] & s->within;
		if (__builtin_expect(flagged_in_8(s->entry, index), 0)) {
			flagged_loads(s->entry, s->within, in + n, found + n,
				      old + n);
			flagged |= UINT64_C(1) << n / 8;
			continue;
		}
#pragma GCC unroll 8
		for (int k = 0; k < 8; k++)
			found[n + k] = take(CAREFUL_LANES, s->entry,
					    index[k], in + n + k);
	}
	for (i = 0; i < n; i += 8) {
		if (flagged >> i / 8 & 1)
			w->n += send(found + i, in + i, old + i, w->out + w->n,
				     &w->lost);
		else
			w->n += keep(found + i, in + i, w->out + w->n);
	}
	return in + n;
}

#else
#define CAREFUL_LANES 0
#define careful_loads(s, in, end, w) (in)
#endif

/* A load where misses are the rule: was it one? A hit is a surprise. */
LEAN_INLINE bool anew(const int lanes, unsigned how, uint32_t *set,
		      const uint32_t *in)
{
	if (__builtin_expect(enter(lanes, how & LEAN_CLEAN, set, in), 1))
		return true;
	turn_at(lanes, set, find_at(lanes, set, in));
	return false;
}

/*
 * 8 of them; `old`: what each miss has put out, but with LEAN_CLEAN. All are put
 * out at once, and again what a hit makes wrong. Returns how many missed.
 */
LEAN_INLINE size_t loads_anew(const int lanes, const struct sets *s,
			      unsigned how, const uint32_t *in, uint32_t *out,
			      uint32_t *old)
{
	size_t missed = 8;
	uint32_t *set;

	__builtin_memcpy(out, in, 32);
#pragma GCC unroll 8
	for (int i = 0; i < 8; i++) {
		set = set_of(lanes, s, in[i]);
		if (!(how & LEAN_CLEAN))
			old[i] = set[lanes - 1];
		if (anew(lanes, how, set, in + i))
			continue;
		missed--;
		out--;
		old--;
		__builtin_memcpy(out + i + 1, in + i + 1,
				 (size_t)(7 - i) * sizeof(*in));
	}
	return missed;
}

/* From where on some of the next ones are dirty; reads up to 32 more. */
LEAN_INLINE size_t first_dirty(const uint32_t *old, size_t n)
{
	size_t i = 0;

	while (i < n && loads_only_32(old + i))
		i += 32;
	return i < n ? i : n;
}

/*
 * Puts behind each of n misses in `out` the write-back that it brought about.
 * Returns how many entries there are then.
 */
LEAN_INLINE size_t interleave_all(uint32_t *old, size_t n, uint32_t *out)
{
	uint32_t key[GROUP + 8], *to;
	size_t first, i;

	__builtin_memset(old + n, 0, 128);
	first = first_dirty(old, n);
	for (i = first; i < n; i += 8)
		__builtin_memcpy(key + i, out + i, 32);
	to = out + first;
	for (i = first; i + 8 <= n; i += 8) {
		if (loads_only(old + i)) {
			__builtin_memcpy(to, key + i, 32);
			to += 8;
		} else {
			to += interleave(key + i, old + i, to);
		}
	}
	for (; i < n; i++) {
		*to++ = key[i];
		*to = old[i] | LEAN_WRITEBACK;
		to += old[i] & LEVEL_DIRTY;
	}
	return (size_t)(to - out);
}

/* Blocks of loads from the front, n at most and GROUP; returns how many. What
 * they put out is sent behind them when all are done. */
LEAN_INLINE size_t all_anew(const int lanes, const struct sets *s, unsigned how,
			    bool far, const uint32_t *in, size_t n,
			    struct written *w)
{
	uint32_t old[GROUP + 40] __attribute__((aligned(64)));
	uint32_t *const out = w->out + w->n;
	size_t missed = 0, i;

	for (i = 0; i + 8 <= n && loads_only(in + i); i += 8) {
		if (far)
			fetch_sets(lanes, s, in + i + LEAN_AHEAD - 8);
		missed += loads_anew(lanes, s, how, in + i, out + missed,
				     old + missed);
	}
	w->n += how & LEAN_CLEAN ? missed : interleave_all(old, missed, out);
	return i;
}

#endif
