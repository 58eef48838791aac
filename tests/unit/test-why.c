/* SPDX-License-Identifier: MIT */
/*
 * Cold, capacity and conflict misses of L1D, L1I, L2 and the data TLB against a slow
 * classification, which is written from the definition: arrays that are
 * searched from one end to the other. And the parts of --why that count: sets
 * of lines, strides, footprints, used bytes.
 */

#include "check.h"
#include "draw.h"

#include "plugin/why/bytes.h"
#include "plugin/why/footprint.h"
#include "plugin/why/shadow.h"
#include "plugin/why/stride.h"
#include "sim/sim.h"

enum { RECORDS = 4000, GEOMETRIES = 300, SPACE = 4096, MOST = 512 };

static uint64_t seed;

static uint64_t draw(uint64_t below)
{
	return (draw_next(&seed) >> 20) % below;
}

/* ---- the slow one -------------------------------------------------------- */

/* Lines, the newest first. */
struct row {
	uint64_t line[MOST];
	bool dirty[MOST];
	unsigned lines, room;
};

static int find(const struct row *r, uint64_t line)
{
	for (unsigned i = 0; i < r->lines; i++)
		if (r->line[i] == line)
			return (int)i;
	return -1;
}

static bool take(struct row *r, uint64_t line, bool *dirty)
{
	const int at = find(r, line);

	if (at < 0)
		return false;
	*dirty = r->dirty[at];
	r->lines--;
	for (unsigned i = (unsigned)at; i < r->lines; i++) {
		r->line[i] = r->line[i + 1];
		r->dirty[i] = r->dirty[i + 1];
	}
	return true;
}

/* Returns whether a line had to leave: *victim. */
static bool enter(struct row *r, uint64_t line, bool dirty, uint64_t *victim,
		  bool *victim_dirty)
{
	const bool full = r->lines == r->room;

	if (full) {
		*victim = r->line[r->lines - 1];
		take(r, *victim, victim_dirty);
	}
	for (unsigned i = r->lines; i > 0; i--) {
		r->line[i] = r->line[i - 1];
		r->dirty[i] = r->dirty[i - 1];
	}
	r->line[0] = line;
	r->dirty[0] = dirty;
	r->lines++;
	return full;
}

struct counts {
	uint64_t misses, full, first;
};

struct slow {
	struct row set[64];	/* of the real one */
	unsigned sets;
	struct row all;		/* of the fully associative one */
	bool seen[SPACE];
	struct counts counts;
	bool exclusive, inclusive;
	struct slow *above[2], *below;
};

static struct row *set_of(struct slow *s, uint64_t line)
{
	return &s->set[line % s->sets];
}

/* One lookup of the fully associative cache. */
static void classify(struct slow *s, uint64_t line, bool keeps, bool counts)
{
	uint64_t victim;
	bool dirty, found = take(&s->all, line, &dirty);

	if (counts && !found) {
		s->counts.full++;
		s->counts.first += !s->seen[line];
	}
	s->seen[line] = true;
	if (keeps || (found && !s->exclusive))
		enter(&s->all, line, false, &victim, &dirty);
}

static void go_down(struct slow *s, uint64_t line, bool dirty);

static void put_in(struct slow *s, uint64_t line, bool dirty)
{
	uint64_t victim;
	bool victim_dirty, above_dirty;

	if (!enter(set_of(s, line), line, dirty, &victim, &victim_dirty))
		return;
	for (int i = 0; i < 2 && s->inclusive; i++)
		if (take(set_of(s->above[i], victim), victim, &above_dirty))
			take(&s->above[i]->all, victim, &above_dirty);
	if (s->below && (victim_dirty || s->below->exclusive))
		go_down(s->below, victim, victim_dirty);
}

/* A victim of the level above. */
static void go_down(struct slow *s, uint64_t line, bool dirty)
{
	bool before;

	classify(s, line, true, false);
	if (take(set_of(s, line), line, &before))
		dirty |= before;
	put_in(s, line, dirty);
}

/* Returns whether the line comes up dirty. */
static bool ask(struct slow *s, uint64_t line, bool store)
{
	bool dirty = false;

	classify(s, line, !s->exclusive, true);
	if (take(set_of(s, line), line, &dirty)) {
		if (s->exclusive)
			return dirty;
		put_in(s, line, dirty || store);
		return false;
	}
	s->counts.misses++;
	if (s->below)
		dirty = ask(s->below, line, false);
	if (!s->exclusive)
		put_in(s, line, dirty || store);
	return false;
}

/* ---- both ---------------------------------------------------------------- */

struct fast {
	struct shadow shadow[PARTS];
	struct counts counts[PARTS];
};

static void on_look(void *ctx, enum sim_part part, unsigned look,
		    uint32_t number)
{
	struct fast *f = ctx;
	const enum shadow_verdict verdict =
		shadow_look(&f->shadow[part], look, number);

	if ((look & LOOK_KINDS) >= LOOK_PREFETCH)
		return;
	f->counts[part].misses += !(look & LOOK_HIT);
	f->counts[part].full += verdict != SHADOW_HIT;
	f->counts[part].first += verdict == SHADOW_FIRST;
}

static void size(struct slow *s, unsigned sets, unsigned ways)
{
	s->sets = sets;
	s->all.room = sets * ways;
	for (unsigned i = 0; i < sets; i++)
		s->set[i].room = ways;
}

static struct cache_geometry cache(struct slow *s, unsigned most)
{
	const unsigned sets = 1u << draw(most), ways = 1 + (unsigned)draw(8);

	size(s, sets, ways);
	return (struct cache_geometry){
		.present = true, .line_bytes = 64, .slices = 1, .sets = sets,
		.ways = ways, .policy = REPLACE_LRU,
	};
}

/* Walks with strides, with some lines in between that come back. */
static uint64_t next_line(void)
{
	static uint64_t at, stride = 1;

	if (!draw(60)) {
		at = draw(SPACE);
		stride = draw(3) ? 1u << draw(7) : draw(200);
	}
	at = (at + stride) % SPACE;
	return draw(4) ? at : draw(1 + draw(300));
}

static void equal(const struct counts *fast, const struct counts *slow)
{
	assert_int_equal(fast->misses, slow->misses);
	assert_int_equal(fast->full, slow->full);
	assert_int_equal(fast->first, slow->first);
}

/* Other policies than LRU: what the fully associative cache misses stays. */
static void compare_once(enum inclusion inclusion, enum replacement policy)
{
	static struct slow l1, l1i, l2, tlb;
	struct geometry g = { .page_map = { .kind = PAGE_MAP_IDENTITY } };
	struct fast fast = { .counts = { { 0 } } };
	struct sim *sim;
	size_t bytes;

	memset(&l1, 0, sizeof(l1));
	memset(&l1i, 0, sizeof(l1i));
	memset(&l2, 0, sizeof(l2));
	memset(&tlb, 0, sizeof(tlb));
	g.l1d = cache(&l1, 5);
	g.l1d.policy = policy;
	if (policy == REPLACE_TREE_PLRU)	/* a power of two of ways */
		g.l1d.ways = 8, size(&l1, g.l1d.sets, 8);
	g.l1i = cache(&l1i, 3);
	g.l2 = cache(&l2, 6);
	g.l2.inclusion = inclusion;
	l1.below = l1i.below = &l2;
	l2.above[0] = &l1;
	l2.above[1] = &l1i;
	l2.inclusive = inclusion == INCLUDE_ALL;
	l2.exclusive = inclusion == INCLUDE_EXCLUSIVE;
	size(&tlb, 1u << draw(3), 1 + (unsigned)draw(6));
	g.dtlb = (struct tlb_geometry){ true, tlb.all.room,
					tlb.set[0].room, REPLACE_LRU };
	assert_true(shadow_build(&fast.shadow[PART_L1D], l1.all.room, false));
	assert_true(shadow_build(&fast.shadow[PART_L1I], l1i.all.room, false));
	assert_true(shadow_build(&fast.shadow[PART_L2], l2.all.room,
				 l2.exclusive));
	assert_true(shadow_build(&fast.shadow[PART_DTLB], tlb.all.room,
				 false));
	bytes = sim_bytes(&g, NULL);
	assert_true(bytes);
	sim = sim_init(aligned_alloc(64, (bytes + 63) & ~(size_t)63), &g);
	sim_watch(sim, on_look, &fast);
	for (int i = 0; i < RECORDS; i++) {
		const uint64_t line = next_line();
		const bool store = !draw(3), code = !draw(4);
		const uint64_t record = access_pack(code ? ACCESS_FETCH :
			store ? ACCESS_STORE : ACCESS_LOAD, code ? 0 : 3, 0,
			line * 64);

		sim_feed(sim, &record, 1);
		if (code) {
			ask(&l1i, line, false);
			continue;
		}
		ask(&tlb, line / 64, false);
		ask(&l1, line, store);
	}
	if (policy != REPLACE_LRU) {
		l1.counts.misses = fast.counts[PART_L1D].misses;
		l2.counts = fast.counts[PART_L2];
	}
	equal(&fast.counts[PART_L1D], &l1.counts);
	equal(&fast.counts[PART_L1I], &l1i.counts);
	equal(&fast.counts[PART_L2], &l2.counts);
	equal(&fast.counts[PART_DTLB], &tlb.counts);
	for (int i = 0; i < PARTS; i++)
		shadow_free(&fast.shadow[i]);
	free(sim);
}

static void is_as_the_definition(void **state)
{
	static const enum inclusion kinds[] = { INCLUDE_NON, INCLUDE_ALL,
						INCLUDE_EXCLUSIVE };

	(void)state;
	for (int i = 0; i < GEOMETRIES; i++) {
		seed = 77 + (uint64_t)i;
		compare_once(kinds[i % 3], REPLACE_LRU);
	}
	for (int i = 0; i < GEOMETRIES / 4; i++) {
		seed = 7777 + (uint64_t)i;
		compare_once(INCLUDE_NON, i % 2 ? REPLACE_TREE_PLRU :
						  REPLACE_RANDOM);
	}
}

/* ---- what counts --------------------------------------------------------- */

static void keeps_the_newest_lines(void **state)
{
	static struct row slow;
	struct lines l;
	uint64_t victim;
	bool dirty;

	(void)state;
	seed = 5;
	slow.room = 37;
	assert_true(lines_build(&l, 37));
	for (int i = 0; i < 20000; i++) {
		const uint32_t line = (uint32_t)draw(60);

		assert_int_equal(lines_find(&l, line) == LINES_NONE,
				 find(&slow, line) < 0);
		take(&slow, line, &dirty);
		if (!draw(5)) {
			lines_remove(&l, line);
			continue;
		}
		assert_true(lines_use(&l, line) < 37);
		enter(&slow, line, false, &victim, &dirty);
	}
	lines_free(&l);
}

static void counts_strides(void **state)
{
	struct tally_stride stride[TALLY_STRIDES] = { { 0, 0, 0 } };
	const struct tally_stride *most = stride;

	(void)state;
	seed = 9;
	for (int i = 0; i < 10000; i++)
		stride_add(stride, draw(3) ? -64 : (int64_t)draw(100000));
	for (int i = 1; i < TALLY_STRIDES; i++)
		if (stride[i].count > most->count)
			most = &stride[i];
	assert_int_equal(most->bytes, -64);
	/* what is certain is no more than what was */
	assert_in_range(most->count - most->over, 6000, 6800);
}

static void counts_each_line_once(void **state)
{
	static bool seen[3][20000];
	struct footprint f;

	(void)state;
	seed = 13;
	assert_true(footprint_build(&f));
	for (int i = 0; i < 100000; i++) {
		const uint32_t owner = 1 + (uint32_t)draw(2);
		const uint32_t line = (uint32_t)draw(20000);

		assert_int_equal(footprint_add(&f, owner, line),
				 seen[owner][line] ? FOOTPRINT_OLD :
						     FOOTPRINT_NEW);
		seen[owner][line] = true;
	}
	free(f.entry);
}

static void counts_used_bytes(void **state)
{
	struct bytes b;
	uint32_t used = 0;

	(void)state;
	assert_true(bytes_build(&b, 4, 6));
	bytes_come(&b, 7, 3);
	bytes_use(&b, 7, 0, 8);
	bytes_use(&b, 7, 4, 12);
	bytes_use(&b, 7, 63, 64);
	bytes_use(&b, 8, 0, 64);	/* it did not come */
	bytes_come(&b, 9, 0);
	bytes_use(&b, 9, 0, 64);
	bytes_own(&b, 9, 2);
	bytes_own(&b, 9, 4);		/* it is taken */
	assert_int_equal(bytes_leave(&b, 7, &used), 3);
	assert_int_equal(used, 13);
	assert_int_equal(bytes_leave(&b, 9, &used), 2);
	assert_int_equal(used, 64);
	assert_int_equal(bytes_leave(&b, 7, &used), 0);
	free(b.line);
	lines_free(&b.lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_as_the_definition),
		cmocka_unit_test(keeps_the_newest_lines),
		cmocka_unit_test(counts_strides),
		cmocka_unit_test(counts_each_line_once),
		cmocka_unit_test(counts_used_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
