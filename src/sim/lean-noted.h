/* SPDX-License-Identifier: MIT */
/*
 * Sets that are turned hit or miss, in two passes: the first one turns them and
 * notes for each entry, in its own place, whether it was there and which line
 * was the oldest; the second one makes the list of that, many at a time. So
 * nothing in the first pass waits for how long the list is by now.
 */
#ifndef SIM_LEAN_NOTED_H
#define SIM_LEAN_NOTED_H

LEAN_INLINE void fetch_sets(const int lanes, const struct sets *s,
			    const uint32_t *in)
{
#pragma GCC unroll 8
	for (int i = 0; i < 8; i++)
		__builtin_prefetch(set_of(lanes, s, in[i]), 1);
}

#ifdef RECEIVES

/* What the first pass leaves. Some more are read than there are. */
struct notes {
	uint16_t found[GROUP + 16];	/* 0: it was not there */
	uint32_t oldest[GROUP + 16];
};

/* `line`: as the level is to have it. */
LEAN_INLINE void note_8(const int lanes, const struct sets *s,
			const uint32_t *line, struct notes *notes, size_t at)
{
#pragma GCC unroll 8
	for (size_t i = 0; i < 8; i++) {
		uint32_t *set = set_of(lanes, s, line[i]);

		notes->oldest[at + i] = set[lanes - 1];
		note(lanes, set, line + i, notes->found + at + i);
	}
}

/* L1D: n entries, a multiple of 8, and GROUP at most. */
LEAN_INLINE void noted_group(const int lanes, const struct sets *s,
			     unsigned how, const uint32_t *in, size_t n,
			     struct written *w)
{
	uint32_t plain[GROUP] __attribute__((aligned(64)));
	const uint32_t *line = in;
	struct notes notes;

	if (how & LEAN_WALKS) {		/* each is one more load */
		for (size_t i = 0; i < n; i += 8)
			without_codes(in + i, plain + i);
		line = plain;
	}
	for (size_t i = 0; i < n; i += 8)
		note_8(lanes, s, line + i, &notes, i);
	for (size_t i = 0; i < n; i += 16)
		w->n += sift_16(in + i, notes.found + i, notes.oldest + i,
				n - i, w->out + w->n, w->old + w->n);
}

/* A lower level: n entries, LOTS at most; returns how many it took. */
LEAN_INLINE uint32_t noted_lots(const int lanes, const struct sets *s,
				unsigned how, const uint32_t *in,
				const uint32_t *line, uint32_t n,
				struct written *w)
{
	struct notes notes;
	uint32_t i;

	for (i = 0; i + 8 <= n; i += 8) {
		if (how & LEAN_FAR)
			fetch_sets(lanes, s, in + i + LEAN_AHEAD - 8);
		note_8(lanes, s, line + i, &notes, i);
	}
	for (i = 0; i + 8 <= n; i += 8)
		w->n += sift_8(in + i, line + i, notes.found + i,
			       notes.oldest + i, w->out + w->n, &w->lost);
	return i;
}

#endif

#endif
