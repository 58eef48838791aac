/* SPDX-License-Identifier: MIT */
/*
 * Where hits and misses are mixed in an L2 that trains a lone stream prefetcher,
 * neither is foreseen. Then many entries are looked up alike, as if none of them
 * made the prefetcher ask, and from the first one that does they are undone: a
 * part of lean-train.h.
 */
#ifndef SIM_LEAN_MIXED_H
#define SIM_LEAN_MIXED_H

#define MIXED 64	/* entries; as many as bits */

/* Nothing may wait, and nobody watches. Returns where it ends. */
typedef const uint32_t *mixed_fn(const struct sets *s, const uint32_t *in,
				 const uint32_t *end, const uint32_t *full,
				 struct trainer *w, struct lean_list *list,
				 struct tail *t);

struct mixed {
	uint32_t key[MIXED], dirty[MIXED];	/* as split() does */
	uint32_t found[MIXED];	/* a bit for where it was, or 0 */
	uint32_t was[MIXED];	/* the entry in whose place it came */
} __attribute__((aligned(64)));

/* A line becomes the newest; a load or store uses it, if it was prefetched. */
LEAN_INLINE void take_mixed(const int lanes, const struct sets *s,
			    struct mixed *m, size_t i)
{
	uint32_t *set = set_of(lanes, s, m->key[i]);
	const uint32_t found = find_at(lanes, set, m->key + i);
	const uint32_t way = (uint32_t)__builtin_ctz(found | 1u << (lanes - 1));
	const uint32_t was = set[way], dirty = m->dirty[i];
	const uint32_t flags = was & (LEVEL_DIRTY | dirty * LEVEL_FLAGS);
	uint32_t here = (found < 1) - UINT32_C(1);

	__asm__("" : "+r"(here));	/* gcc would branch */
	push(lanes, set, way, m->key[i] | dirty | (flags & here));
	m->found[i] = found;
	m->was[i] = was;
}

/* As if those from one on had not been taken. */
LEAN_INLINE void undo(const int lanes, const struct sets *s, struct mixed *m,
		      size_t from, size_t end)
{
	for (size_t i = end; i-- > from;) {
		uint32_t *set = set_of(lanes, s, m->key[i]);
		const uint32_t lane = m->found[i] | 1u << (lanes - 1);
		const uint32_t way = (uint32_t)__builtin_ctz(lane);

		for (uint32_t k = 0; k < way; k++)
			set[k] = set[k + 1];
		set[way] = m->was[i];
		m->found[i] = 1;	/* puts out nothing */
	}
}

/* Which of n train: misses, and first uses of prefetched lines, but by
 * write-backs. */
LEAN_INLINE uint64_t training(const struct mixed *m, size_t n)
{
	uint32_t quiet[8] __attribute__((aligned(32)));
	uint64_t bits = 0;

	for (size_t i = 0; i < n; i += 8) {
		for (size_t k = 0; k < 8; k++)
			quiet[k] = m->dirty[i + k] |
				(m->found[i + k] &&
				 !(m->was[i + k] & LEVEL_PREFETCHED));
		bits |= (uint64_t)absent(quiet) << i;
	}
	return bits;
}

/* Trains with these, up to the first one that makes it ask; returns which, or
 * n. */
LEAN_INLINE size_t train_up_to(struct trainer *w, const struct mixed *m,
			       uint64_t bits, size_t n)
{
	for (; bits; bits &= bits - 1) {
		const size_t i = (size_t)__builtin_ctzll(bits);
		const uint64_t line = m->key[i] >> 3;

		if (__builtin_expect(neighboured(w, line), 0)) {
			w->stream->trained = w->trained;
			if (stream_direction(w->stream, line))
				return i;
		}
		w->line = line;
		w->message = 1;
		add_line(w, line);
	}
	return n;
}

/* What n have put out. */
LEAN_INLINE void put_out_mixed(const uint32_t *in, struct mixed *m, size_t n,
			       struct lean_list *list, struct tail *t)
{
	uint32_t flags = 0, unused = 0;

	for (size_t i = 0; i < n; i++)
		flags |= m->was[i];
	for (size_t i = 0; i < n && flags & LEVEL_PREFETCHED; i++) {
		unused += !m->found[i] && m->was[i] & LEVEL_PREFETCHED;
		m->was[i] &= ~LEVEL_PREFETCHED;
	}
	list->unused += unused;
	for (size_t i = 0; i < n; i += 8)
		t->out += send(m->found + i, in + i, m->was + i, t->out,
			       &list->missed);
}

LEAN_INLINE uint32_t ones(uint64_t bits)
{
	return (uint32_t)__builtin_popcountll(bits);
}

LEAN_INLINE const uint32_t *mixed_of(const int lanes, const struct sets *s,
				     const uint32_t *in, const uint32_t *end,
				     const uint32_t *full, struct trainer *w,
				     struct lean_list *list, struct tail *t)
{
	const struct sets sets = *s;
	struct tail tail = *t;
	uint32_t changed = 0, compared = 0;
	size_t n = 0, done = 0;
	struct mixed m;
	uint64_t bits;

	while (done == n && end - in >= 8 && full - tail.out >= 2 * MIXED) {
		n = (size_t)(end - in) & ~(size_t)7;
		n = n < MIXED ? n : MIXED;
		for (size_t i = 0; i < n; i += 8)
			split(in + i, m.key + i, m.dirty + i);
		for (size_t i = 0; i < n; i += 8) {
			fetch_sets(lanes, &sets, in + i + LEAN_AHEAD - 8);
#pragma GCC unroll 8
			for (size_t k = i; k < i + 8; k++)
				take_mixed(lanes, &sets, &m, k);
		}
		bits = training(&m, n);
		done = train_up_to(w, &m, bits, n);
		if (__builtin_expect(done < n, 0)) {
			undo(lanes, &sets, &m, done, n);
			bits &= (UINT64_C(1) << done) - 1;
		}
		put_out_mixed(in, &m, n, list, &tail);
		/* to one that trains, from one that does not */
		list->turns += ones(bits & ~(bits << 1));
		if (done == MIXED) {
			compared += MIXED - 2;
			changed += ones((bits ^ bits >> 2) << 2);
		}
		in += done;
	}
	list->patterned |= patterned(changed, compared);
	*t = tail;
	return in;
}

#endif
