/* SPDX-License-Identifier: MIT */
/* See reference-box.h. Written for being obviously right, not for speed. */
#include "reference-box.h"

#include <stdlib.h>

void box_new(struct box *b, bool present, uint32_t sets, uint32_t slices,
	     uint32_t ways, enum replacement policy)
{
	const uint32_t lines = sets * slices * ways;

	b->present = present;
	b->policy = policy;
	if (!present)
		return;
	b->sets = (int)sets;
	b->slices = (int)slices;
	b->ways = (int)ways;
	b->selector = 512;
	b->lines = 1;
	b->line = calloc(lines, sizeof(*b->line));
	b->node = calloc(lines, sizeof(*b->node));
	for (uint32_t i = 0; i < lines; i++) {
		b->line[i].what = NONE;
		b->line[i].age = 3;
	}
}

void box_free(struct box *b)
{
	free(b->line);
	free(b->node);
}

/* A slice is chosen by the upper bits of a product. */
static struct line *set_of(struct box *b, uint64_t line)
{
	const uint64_t what = line / b->lines;
	const uint64_t mixed = (what ^ what >> 32) * 0x9e3779b1 %
			       (UINT64_C(1) << 32);
	const uint64_t slice = mixed * (uint64_t)b->slices >> 32;
	const uint64_t sets = (uint64_t)b->sets;

	return b->line + (slice * sets + what % sets) * (uint64_t)b->ways;
}

struct line *box_find(struct box *b, uint64_t what)
{
	struct line *set = set_of(b, what);

	for (int w = 0; w < b->ways; w++)
		if (set[w].what == what / b->lines * b->lines)
			return &set[w];
	return NULL;
}

/* The leaves of a tree: a power of two, of which a set has an odd number. */
static int leaves_of(int ways)
{
	int leaves = 1;

	while (ways / leaves % 2 == 0)
		leaves *= 2;
	return leaves;
}

/* Points every node on the way to a leaf at the other half. */
static void plru_use(bool *nodes, int ways, int way)
{
	const int leaves = leaves_of(ways);
	bool *node = nodes + way / leaves * leaves;

	for (int at = way % leaves + leaves; at > 1; at /= 2)
		node[at / 2] = at % 2 == 0;
}

static uint64_t last_use(const struct line *line, int lines)
{
	uint64_t last = 0;

	for (int i = 0; i < lines; i++)
		if (line[i].used > last)
			last = line[i].used;
	return last;
}

/* Of the tree that was not used for longest; first, of the last one. */
static int plru_victim(const bool *nodes, const struct line *set, int ways)
{
	const int leaves = leaves_of(ways);
	int tree = ways / leaves - 1, at = 1;

	for (int t = tree; t >= 0; t--)
		if (last_use(set + t * leaves, leaves) <
		    last_use(set + tree * leaves, leaves))
			tree = t;
	while (at < leaves)
		at = 2 * at + nodes[tree * leaves + at];
	return tree * leaves + at - leaves;
}

static void mru_use(struct line *set, int ways, int way)
{
	bool all = true;

	set[way].mru = true;
	for (int w = 0; w < ways; w++)
		all = all && set[w].mru;
	for (int w = 0; all && w < ways; w++)
		set[w].mru = w == way;
}

/* Until a way other than `spared` has age 3. */
static void grow_old(struct line *set, int ways, int spared)
{
	for (;;) {
		int others = 0;

		for (int w = 0; w < ways; w++) {
			if (w != spared && set[w].age == 3)
				return;
			others += w != spared;
		}
		if (!others)
			return;
		for (int w = 0; w < ways; w++)
			set[w].age += w != spared;
	}
}

/* By the variant's name: Hxy Mz Rr Uu. */
struct quad { enum replacement policy; int x, y, z, r, u; };

static const struct quad *quad_of(enum replacement policy)
{
	static const struct quad quads[] = {
		{ REPLACE_QLRU_H00_M1_R2_U1, 0, 0, 1, 2, 1 },
		{ REPLACE_QLRU_H11_M1_R0_U0, 1, 1, 1, 0, 0 },
		{ REPLACE_QLRU_H00_M1_R0_U1, 0, 0, 1, 0, 1 },
		{ REPLACE_QLRU_H11_M1_R1_U2, 1, 1, 1, 1, 2 },
		{ REPLACE_QLRU_H21_M2_R0_U0, 2, 1, 2, 0, 0 },
		{ REPLACE_QLRU_H10_M3_R1_U3, 1, 0, 3, 1, 3 },
	};

	for (size_t i = 0; i < sizeof(quads) / sizeof(*quads); i++)
		if (quads[i].policy == policy)
			return &quads[i];
	return NULL;
}

/* A line's new age, and then that of the others. */
static void quad_use(const struct quad *q, struct line *set, int ways, int way,
		     bool fill)
{
	const int spared = q->u == 1 || q->u == 3 ? way : -1;

	if (fill)
		set[way].age = q->z;
	else if (set[way].age == 3)
		set[way].age = q->x;
	else
		set[way].age = set[way].age == 2 ? q->y : 0;
	if (q->u < 2) {
		grow_old(set, ways, spared);
		return;
	}
	for (int w = 0; w < ways; w++)
		if (set[w].age == 3)
			return;
	for (int w = 0; w < ways; w++)
		set[w].age += w != spared;
}

/*
 * New lines of DRRIP have age 2, as SRRIP's, in each 32nd set, and in most others
 * while those fill less often than the sets behind them. There, and in the
 * others else, only each 32nd new line of the cache has age 2.
 */
static int duel_age(struct box *b, int number)
{
	const bool first = number % 32 == 0, second = number % 32 == 1;

	if (first && b->selector < 1023)
		b->selector++;
	if (second && b->selector > 0)
		b->selector--;
	if (first || (!second && b->selector <= 512))
		return 2;
	b->rare = (b->rare + 1) % 32;
	return b->rare == 0 ? 2 : 3;
}

void box_use(struct box *b, struct line *l, bool fill)
{
	struct line *set = set_of(b, l->what);
	const int way = (int)(l - set);

	l->used = ++b->clock;
	if (fill)
		l->filled = l->used;
	switch (b->policy) {
	case REPLACE_TREE_PLRU:
		plru_use(b->node + (set - b->line), b->ways, way);
		break;
	case REPLACE_BIT_PLRU:
		mru_use(set, b->ways, way);
		break;
	case REPLACE_SRRIP:
		l->age = fill ? 2 : 0;
		break;
	case REPLACE_DRRIP:
		l->age = fill ? duel_age(b, (int)(set - b->line) / b->ways) : 0;
		break;
	default:
		if (quad_of(b->policy))
			quad_use(quad_of(b->policy), set, b->ways, way, fill);
		break;
	}
}

static int oldest(const struct line *set, int ways, bool by_fill)
{
	int best = 0;

	for (int w = 1; w < ways; w++)
		if (by_fill ? set[w].filled < set[best].filled :
			      set[w].used < set[best].used)
			best = w;
	return best;
}

static int policy_choice(struct box *b, struct line *set)
{
	switch (b->policy) {
	case REPLACE_LRU:
		return oldest(set, b->ways, false);
	case REPLACE_FIFO:
		return oldest(set, b->ways, true);
	case REPLACE_TREE_PLRU:
		return plru_victim(b->node + (set - b->line), set, b->ways);
	case REPLACE_BIT_PLRU:
		for (int w = 0; w < b->ways; w++)
			if (!set[w].mru)
				return w;
		return 0;
	default:
		if (b->policy == REPLACE_SRRIP || b->policy == REPLACE_DRRIP)
			grow_old(set, b->ways, -1);
		for (int w = 0; w < b->ways; w++)
			if (set[w].age == 3)
				return w;
		return 0;
	}
}

struct line *box_room(struct box *b, uint64_t what)
{
	struct line *set = set_of(b, what);
	const bool high = quad_of(b->policy) && quad_of(b->policy)->r == 2;

	for (int i = 0; i < b->ways && !b->policy_first; i++) {
		const int w = high ? b->ways - 1 - i : i;

		if (set[w].what == NONE)
			return &set[w];
	}
	return &set[policy_choice(b, set)];
}
