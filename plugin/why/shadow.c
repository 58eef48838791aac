/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE	/* MAP_ANONYMOUS */
#include <sys/mman.h>

#include "plugin/why/shadow.h"

/* Of all lines that a simulator can tell apart; pages that no line is in need
 * no memory. */
#define SEEN_BYTES ((size_t)1 << 29 >> 3)

static bool map_seen(struct shadow *s)
{
	void *memory = mmap(NULL, SEEN_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	s->seen = memory == MAP_FAILED ? NULL : memory;
	return s->seen;
}

static void unmap_seen(struct shadow *s)
{
	if (s->seen)
		munmap(s->seen, SEEN_BYTES);
	s->seen = NULL;
}

bool shadow_build(struct shadow *s, uint64_t entries, bool gives)
{
	*s = (struct shadow){ .gives = gives };
	return !entries || (lines_build(&s->lines, (uint32_t)entries) &&
			    map_seen(s));
}

void shadow_reset(struct shadow *s)
{
	if (!s->lines.room)
		return;
	lines_empty(&s->lines);
	madvise(s->seen, SEEN_BYTES, MADV_DONTNEED);
}

void shadow_free(struct shadow *s)
{
	lines_free(&s->lines);
	unmap_seen(s);
}

static bool see(struct shadow *s, uint32_t number)
{
	uint64_t *word = &s->seen[number / 64];
	const uint64_t bit = UINT64_C(1) << number % 64;
	const bool before = *word & bit;

	*word |= bit;
	return before;
}

static enum shadow_verdict miss(struct shadow *s, unsigned look,
				uint32_t number)
{
	const bool before = see(s, number);

	if (look & LOOK_KEEPS)
		lines_add(&s->lines, number);
	return before ? SHADOW_MISS : SHADOW_FIRST;
}

enum shadow_verdict shadow_look(struct shadow *s, unsigned look,
				uint32_t number)
{
	struct lines *l = &s->lines;
	const enum sim_look kind = look & LOOK_KINDS;
	uint32_t slot;

	if (!l->room || kind == LOOK_EVICTED)
		return SHADOW_HIT;
	if (kind == LOOK_REMOVED) {
		lines_remove(l, number);
		return SHADOW_HIT;
	}
	if (l->newest != LINES_NONE && l->node[l->newest].number == number &&
	    (look & LOOK_KEEPS))
		return SHADOW_HIT;
	slot = lines_find(l, number);
	if (slot == LINES_NONE)
		return miss(s, look, number);
	if (s->gives && !(look & LOOK_KEEPS))
		lines_remove(l, number);
	else
		lines_renew(l, slot);
	return SHADOW_HIT;
}
