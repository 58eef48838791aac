/* SPDX-License-Identifier: MIT */
/* See reference-sim.h. Written for being obviously right, not for speed. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/access.h"
#include "reference-sim.h"

#define NONE UINT64_MAX
#define MEMORY 3
#define L1I 4		/* index in box[] */
#define BOXES 5
#define GIB (UINT64_C(1) << 30)

struct line {
	uint64_t what;		/* line or page; NONE: empty */
	bool dirty, mru;
	int age;
	uint64_t used, filled;	/* when */
};

/* A cache or a TLB. */
struct box {
	bool present, write_through, no_allocate, silent, policy_first;
	enum inclusion inclusion;
	enum replacement policy;
	int sets, ways;
	struct line *line;	/* sets * ways */
	bool *node;		/* sets * ways tree nodes, 1 is the root */
};

struct reference {
	struct geometry g;
	struct box box[BOXES], dtlb, itlb, l2tlb;
	uint64_t clock;
	struct reference_report report;
};

static void box_new(struct box *b, bool present, int sets, int ways,
		    enum replacement policy)
{
	b->present = present;
	b->policy = policy;
	if (!present)
		return;
	b->sets = sets;
	b->ways = ways;
	b->line = calloc((size_t)(sets * ways), sizeof(*b->line));
	b->node = calloc((size_t)(sets * ways), sizeof(*b->node));
	for (int i = 0; i < sets * ways; i++) {
		b->line[i].what = NONE;
		b->line[i].age = 3;
	}
}

static void cache_new(struct box *b, const struct cache_geometry *g)
{
	box_new(b, g->present, (int)g->sets, (int)g->ways, g->policy);
	b->inclusion = g->inclusion;
	b->write_through = g->write_through;
	b->no_allocate = g->no_write_allocate;
	b->silent = g->silent_clean;
	b->policy_first = g->cold == COLD_POLICY_VICTIM;
}

static void tlb_new(struct box *b, const struct tlb_geometry *g)
{
	box_new(b, g->present, g->ways ? (int)(g->entries / g->ways) : 0,
		(int)g->ways, g->policy);
}

struct reference *reference_new(const struct geometry *geometry)
{
	struct reference *r = calloc(1, sizeof(*r));

	r->g = *geometry;
	cache_new(&r->box[0], &geometry->l1d);
	cache_new(&r->box[1], &geometry->l2);
	cache_new(&r->box[2], &geometry->l3);
	cache_new(&r->box[L1I], &geometry->l1i);
	tlb_new(&r->dtlb, &geometry->dtlb);
	tlb_new(&r->itlb, &geometry->itlb);
	tlb_new(&r->l2tlb, &geometry->l2tlb);
	return r;
}

static void box_free(struct box *b)
{
	free(b->line);
	free(b->node);
}

void reference_free(struct reference *r)
{
	for (int i = 0; i < BOXES; i++)
		box_free(&r->box[i]);
	box_free(&r->dtlb);
	box_free(&r->itlb);
	box_free(&r->l2tlb);
	free(r);
}

static struct line *set_of(struct box *b, uint64_t what)
{
	return b->line + what % (uint64_t)b->sets * (uint64_t)b->ways;
}

static struct line *search(struct box *b, uint64_t what)
{
	struct line *set = set_of(b, what);

	for (int w = 0; w < b->ways; w++)
		if (set[w].what == what)
			return &set[w];
	return NULL;
}

/* Points every node on the way to a leaf at the other half. */
static void plru_use(bool *node, int ways, int way)
{
	for (int at = way + ways; at > 1; at /= 2)
		node[at / 2] = at % 2 == 0;
}

static int plru_victim(const bool *node, int ways)
{
	int at = 1;

	while (at < ways)
		at = 2 * at + node[at];
	return at - ways;
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
		if (w != spared && set[w].age == 3)
			return;
	for (int w = 0; w < ways; w++)
		set[w].age += w != spared;
}

static void use(struct reference *r, struct box *b, struct line *l, bool fill)
{
	struct line *set = set_of(b, l->what);
	const int way = (int)(l - set);

	l->used = ++r->clock;
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
		return plru_victim(b->node + (set - b->line), b->ways);
	case REPLACE_BIT_PLRU:
		for (int w = 0; w < b->ways; w++)
			if (!set[w].mru)
				return w;
		return 0;
	default:
		if (b->policy == REPLACE_SRRIP)
			grow_old(set, b->ways, -1);
		for (int w = 0; w < b->ways; w++)
			if (set[w].age == 3)
				return w;
		return 0;
	}
}

static struct line *room(struct box *b, uint64_t what)
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

static void put(struct reference *r, struct box *b, struct line *l,
		uint64_t what, bool dirty)
{
	l->what = what;
	l->dirty = dirty;
	use(r, b, l, true);
}

static int below(const struct reference *r, int at)
{
	int next = at == L1I ? 1 : at + 1;

	while (next < MEMORY && !r->box[next].present)
		next++;
	return next;
}

static bool on_victims(const struct reference *r, int at)
{
	return at < MEMORY && (r->box[at].inclusion == INCLUDE_EXCLUSIVE ||
			       r->box[at].inclusion == INCLUDE_VICTIM);
}

static void evict(struct reference *r, int at, struct line old);

/* A whole line arrives from above. */
static void write_line(struct reference *r, int at, uint64_t what, bool dirty)
{
	struct box *b = &r->box[at];
	struct line *l, old;

	if (at == MEMORY) {
		r->report.memory_writes += dirty;
		return;
	}
	r->report.cache[at].writes++;
	l = search(b, what);
	r->report.cache[at].write_misses += !l;
	if (dirty && b->write_through)
		write_line(r, below(r, at), what, true);
	if (l) {
		l->dirty |= dirty && !b->write_through;
		use(r, b, l, false);
		return;
	}
	if (b->no_allocate && !on_victims(r, at)) {
		if (dirty && !b->write_through)
			write_line(r, below(r, at), what, true);
		return;
	}
	l = room(b, what);
	old = *l;
	put(r, b, l, what, dirty && !b->write_through);
	evict(r, at, old);
}

static bool take_out(struct reference *r, int at, uint64_t what)
{
	struct line *l = r->box[at].present ? search(&r->box[at], what) : NULL;
	bool dirty;

	if (!l)
		return false;
	dirty = l->dirty;
	l->what = NONE;
	return dirty;
}

static void evict(struct reference *r, int at, struct line old)
{
	const int next = below(r, at);

	if (old.what == NONE)
		return;
	if (at != L1I && at > 0 && r->box[at].inclusion == INCLUDE_ALL) {
		for (int above = 0; above < at; above++)
			old.dirty |= take_out(r, above, old.what);
		old.dirty |= take_out(r, L1I, old.what);
	}
	if (at < MEMORY)
		r->report.cache[at].writebacks += old.dirty;
	if (old.dirty || (on_victims(r, next) && !r->box[at].silent))
		write_line(r, next, old.what, old.dirty);
}

static bool read_line(struct reference *r, int at, uint64_t what, bool top,
		      int *from);

static void bring(struct reference *r, int at, uint64_t what, bool dirty,
		  int *from)
{
	struct box *b = &r->box[at];
	struct line *l, old;

	if (r->g.copy_back == COPY_VICTIM_FIRST) {
		l = room(b, what);
		old = *l;
		l->what = NONE;
		evict(r, at, old);
		dirty |= read_line(r, below(r, at), what, false, from);
	} else {
		dirty |= read_line(r, below(r, at), what, false, from);
		l = room(b, what);
		old = *l;
		l->what = NONE;
		put(r, b, l, what, dirty);
		evict(r, at, old);
		return;
	}
	put(r, b, l, what, dirty);
}

/* A line is wanted above; *from says who had it. Returns: it came dirty. */
static bool read_line(struct reference *r, int at, uint64_t what, bool top,
		      int *from)
{
	struct box *b = &r->box[at];
	struct line *l;

	*from = at;
	if (at == MEMORY) {
		r->report.memory_reads++;
		return false;
	}
	r->report.cache[at].reads++;
	l = search(b, what);
	if (l && b->inclusion == INCLUDE_EXCLUSIVE && !top)
		return take_out(r, at, what);
	if (l) {
		use(r, b, l, false);
		return false;
	}
	r->report.cache[at].read_misses++;
	if (on_victims(r, at) && !top)
		return read_line(r, below(r, at), what, false, from);
	bring(r, at, what, false, from);
	return false;
}

/* A part of a line is written by a store, which the level above passed on;
 * returns who had the line. */
static int write_part(struct reference *r, int at, uint64_t what)
{
	struct box *b = &r->box[at];
	struct line *l;
	int from;

	if (at == MEMORY) {
		r->report.memory_writes++;
		return MEMORY;
	}
	r->report.cache[at].writes++;
	l = search(b, what);
	if (l) {
		use(r, b, l, false);
		if (b->write_through)
			write_part(r, below(r, at), what);
		else
			l->dirty = true;
		return at;
	}
	r->report.cache[at].write_misses++;
	if (b->no_allocate || on_victims(r, at))
		return write_part(r, below(r, at), what);
	bring(r, at, what, !b->write_through, &from);
	if (b->write_through)
		write_part(r, below(r, at), what);
	return from;
}

static void flush(struct reference *r, uint64_t what)
{
	bool dirty = false;

	for (int at = 0; at < BOXES; at++)
		if (at != MEMORY)
			dirty |= take_out(r, at, what);
	r->report.memory_writes += dirty;
}

static void code(struct reference *r, uint64_t what)
{
	struct line *l;
	int from;

	if (!r->box[L1I].present)
		return;
	r->report.code_reads++;
	l = search(&r->box[L1I], what);
	if (l) {
		use(r, &r->box[L1I], l, false);
		return;
	}
	r->report.code_misses++;
	bring(r, L1I, what, false, &from);
}

/* translation */

static bool tlb_has(struct reference *r, struct box *tlb, uint64_t page)
{
	struct line *l = search(tlb, page);

	if (l)
		use(r, tlb, l, false);
	return l;
}

static void tlb_put(struct reference *r, struct box *tlb, uint64_t page)
{
	put(r, tlb, room(tlb, page), page, false);
}

/* Descriptors lie in the last GiB, 128 MiB per level, 8 bytes each. */
static void walk(struct reference *r, uint64_t page)
{
	static const int starts[] = { 0, 1, 2, MEMORY };
	const uint64_t simulated = UINT64_C(1) << 29;
	uint64_t line_bytes = r->g.l1d.line_bytes;
	uint64_t top = simulated * line_bytes;
	int at = starts[r->g.walker.reads_through], from;
	unsigned level = r->g.walker.levels - r->g.walker.cached_levels;

	if (top > 32 * GIB)
		top = 32 * GIB;
	while (at < MEMORY && !r->box[at].present)
		at++;
	r->report.walks++;
	for (; level; level--) {
		const uint64_t address = top - GIB +
			(uint64_t)(level - 1) * (GIB / 8) +
			(page >> 9 * (level - 1)) * 8;

		r->report.walk_reads++;
		read_line(r, at, address / line_bytes, true, &from);
	}
}

static void translate(struct reference *r, struct box *tlb, uint64_t page,
		      uint64_t *misses)
{
	if (!tlb->present || tlb_has(r, tlb, page))
		return;
	++*misses;
	if (!r->l2tlb.present || !tlb_has(r, &r->l2tlb, page)) {
		r->report.l2tlb_misses += r->l2tlb.present;
		walk(r, page);
		if (r->l2tlb.present)
			tlb_put(r, &r->l2tlb, page);
	}
	tlb_put(r, tlb, page);
}

static void line(struct reference *r, enum access_kind kind, uint64_t what)
{
	int from = 0;

	switch (kind) {
	case ACCESS_LOAD:
		read_line(r, 0, what, true, &from);
		r->report.served[from]++;
		break;
	case ACCESS_STORE:
		r->report.served[write_part(r, 0, what)]++;
		break;
	case ACCESS_FLUSH:
		flush(r, what);
		break;
	default:
		code(r, what);
		break;
	}
}

static void record(struct reference *r, uint64_t record)
{
	const enum access_kind kind = access_kind(record);
	const uint64_t line_bytes = r->g.l1d.line_bytes;
	const uint64_t first = access_operand(record);
	uint64_t last = first, page = NONE;

	if (kind != ACCESS_FLUSH)
		last += (UINT64_C(1) << access_log2_bytes(record)) - 1;
	for (uint64_t l = first / line_bytes; l <= last / line_bytes; l++) {
		if (l * line_bytes / 4096 != page) {
			page = l * line_bytes / 4096;
			if (kind == ACCESS_FETCH)
				translate(r, &r->itlb, page,
					  &r->report.itlb_misses);
			else
				translate(r, &r->dtlb, page,
					  &r->report.dtlb_misses);
		}
		line(r, kind, l);
	}
}

void reference_feed(struct reference *r, const uint64_t *records, size_t n)
{
	for (size_t i = 0; i < n; i++)
		record(r, records[i]);
}

const struct reference_report *reference_report(const struct reference *r)
{
	return &r->report;
}
