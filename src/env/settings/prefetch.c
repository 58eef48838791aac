/* SPDX-License-Identifier: MIT */
/*
 * Two pointer chases over the same pages in the same order of pages, so that
 * both have the same TLB misses. One loads the lines of each page in ascending
 * order, the other in random order. Only a prefetcher makes the first faster.
 */
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "env/env.h"
#include "env/settings/prefetch.h"

enum {
	LINE = 64, PAGE = 4096, LINES = PAGE / LINE,
	PAGES = 8192,		/* 32 MiB: beyond any L2 */
	ROUNDS = 3
};

enum prefetch_verdict prefetch_judge(double in_order_ns, double shuffled_ns,
				     double one_cycle_ns)
{
	if (!(shuffled_ns > 10 * one_cycle_ns) || !(in_order_ns > 0))
		return PREFETCH_NOT_CLEAR;
	if (in_order_ns >= 0.75 * shuffled_ns)
		return PREFETCH_ARE_OFF;
	return in_order_ns < 0.5 * shuffled_ns ? PREFETCH_ARE_ON :
						 PREFETCH_NOT_CLEAR;
}

static uint32_t draw(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) +
		 UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33);
}

static void order_of(unsigned char order[LINES], int shuffled,
		     uint64_t *state)
{
	for (int i = 0; i < LINES; i++)
		order[i] = (unsigned char)i;
	for (int i = LINES - 1; shuffled && i > 0; i--) {
		const uint32_t j = draw(state) % (uint32_t)(i + 1);
		const unsigned char swap = order[i];

		order[i] = order[j];
		order[j] = swap;
	}
}

static void **line_at(unsigned char *base, unsigned page, unsigned line)
{
	return (void **)(void *)(base + (size_t)page * PAGE + line * LINE);
}

/* Links all lines into one cycle, page after page; returns the first line. */
static void **link_lines(unsigned char *base, int shuffled)
{
	unsigned char order[LINES];
	uint64_t state = 1;
	void **first = NULL, **last = NULL;

	for (unsigned p = 0; p < PAGES; p++) {
		order_of(order, shuffled, &state);
		for (int i = 0; i < LINES; i++) {
			void **line = line_at(base, p, order[i]);

			if (last)
				*last = line;
			else
				first = line;
			last = line;
		}
	}
	*last = first;
	return first;
}

/* The time per load in ns, the best of the rounds. */
static double time_chase(void **at, unsigned steps)
{
	double best = 0;

	for (int r = 0; r <= ROUNDS; r++) {	/* round 0 warms up */
		const uint64_t from = env_now_ns();
		double ns;

		for (unsigned i = 0; i < steps; i++)
			at = *(void *volatile *)at;
		ns = (double)(env_now_ns() - from) / steps;
		if (r == 1 || (r > 1 && ns < best))
			best = ns;
	}
	return best;
}

const char *prefetch_check(char *why, size_t room)
{
	const size_t bytes = (size_t)PAGES * PAGE;
	double in_order, shuffled, hit;
	struct arena arena;
	void *self = &self;

	if (env_arena_map(&arena, bytes, ARENA_4K, NULL)) {
		text_copy(why, room, "there is no memory to check whether the "
			  "prefetchers are off");
		return "not-clear";
	}
	in_order = time_chase(link_lines(arena.base, 0), PAGES * LINES);
	shuffled = time_chase(link_lines(arena.base, 1), PAGES * LINES);
	hit = time_chase(&self, 1 << 16);	/* an L1 hit: 4 or 5 cycles */
	env_arena_unmap(&arena);
	switch (prefetch_judge(in_order, shuffled, hit / 4)) {
	case PREFETCH_ARE_OFF:
		return "verified";
	case PREFETCH_ARE_ON:
		snprintf(why, room, "the register says that the prefetchers "
			 "are off, but a load in order takes %.1f ns and one "
			 "out of order %.1f ns: they are at work", in_order,
			 shuffled);
		return "not-verified";
	case PREFETCH_NOT_CLEAR:
		break;
	}
	snprintf(why, room, "a load in order takes %.1f ns, one out of order "
		 "%.1f ns: that proves neither that the prefetchers are off "
		 "nor that they are on", in_order, shuffled);
	return "not-clear";
}
