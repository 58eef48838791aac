/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "plugin/why/bytes.h"

bool bytes_build(struct bytes *b, uint32_t lines, unsigned line_shift)
{
	*b = (struct bytes){ .line_shift = line_shift };
	b->grain_shift = line_shift > 6 ? line_shift - 6 : 0;
	b->line = calloc(lines, sizeof(*b->line));
	return b->line && lines_build(&b->lines, lines);
}

void bytes_reset(struct bytes *b)
{
	lines_empty(&b->lines);
}

void bytes_come(struct bytes *b, uint32_t number, uint32_t owner)
{
	b->line[lines_use(&b->lines, number)] =
		(struct bytes_line){ .owner = owner };
}

/* NULL: it did not come, as L1D does not keep what it missed. */
static struct bytes_line *line_of(struct bytes *b, uint32_t number)
{
	const struct lines *l = &b->lines;
	uint32_t slot = l->newest;

	if (slot == LINES_NONE || l->node[slot].number != number)
		slot = lines_find(l, number);
	return slot == LINES_NONE ? NULL : &b->line[slot];
}

void bytes_own(struct bytes *b, uint32_t number, uint32_t owner)
{
	struct bytes_line *line = line_of(b, number);

	if (line && !line->owner)
		line->owner = owner;
}

void bytes_use(struct bytes *b, uint32_t number, uint32_t from, uint32_t end)
{
	struct bytes_line *line = line_of(b, number);
	const uint32_t first = from >> b->grain_shift;
	const uint32_t last = (end - 1) >> b->grain_shift;

	if (line)
		line->used |= UINT64_MAX >> (63 - (last - first)) << first;
}

uint32_t bytes_leave(struct bytes *b, uint32_t number, uint32_t *used)
{
	const struct bytes_line *line = line_of(b, number);

	if (!line)
		return 0;
	*used = (uint32_t)__builtin_popcountll(line->used) << b->grain_shift;
	lines_remove(&b->lines, number);
	return line->owner;
}
