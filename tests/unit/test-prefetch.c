/* SPDX-License-Identifier: MIT */
/*
 * Prefetchers against a second, slow model of them, which is written from
 * docs/cpu-file.md, with two LRU caches of its own.
 */
#include "check.h"
#include "draw.h"

#include "base/access.h"
#include "sim/state.h"

#define NONE UINT64_MAX
#define RECORDS 3000
#define MOST_LINES 1024
#define PAGE 64		/* lines */

struct line { uint64_t what, used; bool dirty, ahead; };

struct box { unsigned sets, ways; struct line line[MOST_LINES]; };

/* An instruction of an IP-stride prefetcher. */
struct instruction { uint64_t pc, line, stride; unsigned times; };

struct trained {
	const struct prefetch_geometry *g;
	uint64_t line[4 * RECORDS];	/* all that ever trained it */
	unsigned lines;
	struct instruction place[64];
};

struct ask { uint64_t line; const struct prefetch_geometry *by; };

static struct model {
	struct box l1, l2;
	struct trained one[GEOMETRY_PREFETCHERS];
	unsigned prefetchers, asks;
	struct ask ask[1000];
	uint64_t clock;
	uint64_t count[SIGNALS];
} m;

static uint64_t state;

static uint64_t draw(uint64_t below)
{
	return (draw_next(&state) >> 11) % below;
}

/* caches */

static struct line *find(struct box *b, uint64_t what)
{
	struct line *set = b->line + what % b->sets * b->ways;

	for (unsigned w = 0; w < b->ways; w++)
		if (set[w].what == what)
			return &set[w];
	return NULL;
}

/* Returns what had to go; its line may be NONE. */
static struct line put(struct box *b, uint64_t what, bool dirty, bool ahead)
{
	struct line *set = b->line + what % b->sets * b->ways, *oldest = set;
	struct line old;

	for (unsigned w = 0; w < b->ways; w++)
		if (set[w].used < oldest->used)
			oldest = &set[w];
	old = *oldest;
	*oldest = (struct line){ what, ++m.clock, dirty, ahead };
	return old;
}

static void put_l2(uint64_t what, bool dirty, bool ahead)
{
	const struct line old = put(&m.l2, what, dirty, ahead);

	m.count[SIGNAL_l2_fill]++;
	if (old.what == NONE)
		return;
	m.count[SIGNAL_dram_write] += old.dirty;
	m.count[SIGNAL_l2_evict_prefetch_unused] += old.ahead;
}

/* prefetchers */

static void ask(const struct prefetch_geometry *g, uint64_t from,
		uint64_t line)
{
	if (!g->page_bounded || from / PAGE == line / PAGE)
		m.ask[m.asks++] = (struct ask){ line, g };
}

static void ask_steps(const struct prefetch_geometry *g, uint64_t line,
		      uint64_t step)
{
	const uint64_t ahead = g->distance ? g->distance : 1;

	for (unsigned i = 0; step && i < (g->degree ? g->degree : 1); i++)
		ask(g, line, line + step * (ahead + i));
}

static uint64_t stream(struct trained *t, uint64_t line)
{
	uint64_t step = 0;

	for (unsigned age = 1; age <= t->g->window && age <= t->lines; age++) {
		const uint64_t other = t->line[t->lines - age];

		if (other + 1 == line)
			step = 1;
		else if (other == line + 1 && !step)
			step = UINT64_MAX;
	}
	t->line[t->lines++] = line;
	return step;
}

static uint64_t stride(struct trained *t, uint64_t line, uint64_t pc)
{
	struct instruction *p = &t->place[pc / 4 % t->g->window];
	const uint64_t step = line - p->line;
	const uint64_t far = step >> 63 ? -step : step;

	if (p->pc != pc) {
		*p = (struct instruction){ pc, line, 0, 0 };
		return 0;
	}
	if (!step)
		return 0;
	p->times = step == p->stride ? p->times + 1 : 1;
	p->stride = step;
	p->line = line;
	return p->times >= 3 && (!t->g->longest_stride ||
				 far * 64 <= t->g->longest_stride) ? step : 0;
}

static void train(unsigned level, uint64_t line, uint64_t pc)
{
	for (unsigned i = 0; i < m.prefetchers; i++) {
		struct trained *t = &m.one[i];

		if (!t->g->on || t->g->trains_on != level)
			continue;
		if (t->g->kind == PREFETCH_NEXT_LINE)
			ask_steps(t->g, line, 1);
		else if (t->g->kind == PREFETCH_STREAM)
			ask_steps(t->g, line, stream(t, line));
		else if (t->g->kind == PREFETCH_IP_STRIDE)
			ask_steps(t->g, line, stride(t, line, pc));
		else if (!t->g->upward_only || line % 2 == 0)
			ask(t->g, line, line ^ 1);
	}
}

/* accesses */

/* L1D wants a line; `by`: load, store or prefetch. */
static void read_l2(uint64_t what, enum signal by, enum signal miss)
{
	struct line *l = find(&m.l2, what);
	const bool demand = by != SIGNAL_l2_prefetch;

	m.count[by]++;
	if (l)
		l->used = ++m.clock;
	else
		m.count[miss]++;
	if (demand && (!l || l->ahead))
		train(2, what, 0);
	if (l) {
		l->ahead &= !demand;
		return;
	}
	m.count[SIGNAL_dram_read]++;
	put_l2(what, false, false);
}

static void put_l1(uint64_t what, bool dirty, bool ahead)
{
	const struct line old = put(&m.l1, what, dirty, ahead);
	struct line *l;

	if (!old.dirty)
		return;
	l = find(&m.l2, old.what);
	if (!l) {
		put_l2(old.what, true, false);
		return;
	}
	l->dirty = true;
	l->used = ++m.clock;
}

static void fetch_ahead(uint64_t line, const struct prefetch_geometry *g)
{
	const bool own = g->trains_on == 2;

	if (line >> 32)	/* below address 0 */
		return;
	if (g->fills == 1) {
		m.count[SIGNAL_l1d_prefetch]++;
		if (find(&m.l1, line))
			return;
		m.count[SIGNAL_l1d_prefetch_fill]++;
		read_l2(line, SIGNAL_l2_prefetch, SIGNAL_l2_prefetch_miss);
		put_l1(line, false, true);
		return;
	}
	m.count[SIGNAL_l2_prefetch] += !own;
	if (find(&m.l2, line))
		return;
	m.count[own ? SIGNAL_l2_prefetch_fill : SIGNAL_l2_prefetch_miss]++;
	m.count[SIGNAL_dram_read]++;
	put_l2(line, false, true);
}

static void demand(uint64_t line, bool store, uint64_t pc)
{
	struct line *l = find(&m.l1, line);

	if (!l || l->ahead)
		train(1, line, pc);
	if (l) {
		l->used = ++m.clock;
		l->dirty |= store;
		l->ahead = false;
	} else {
		m.count[SIGNAL_l1d_load_miss + store]++;
		read_l2(line, SIGNAL_l2_load + store,
			SIGNAL_l2_load_miss + store);
		put_l1(line, store, false);
	}
	for (unsigned i = 0; i < m.asks; i++)
		fetch_ahead(m.ask[i].line, m.ask[i].by);
	m.asks = 0;
}

/* comparison */

static void draw_prefetcher(struct prefetch_geometry *g)
{
	*g = (struct prefetch_geometry){
		.kind = (enum prefetch_kind)draw(PREFETCH_KINDS),
		.on = draw(8) > 0, .trains_on = 1 + (uint8_t)draw(2),
		.page_bounded = draw(2), .upward_only = draw(2),
		.window = 1 + (uint32_t)draw(draw(2) ? 64 : 4),
		.degree = (uint32_t)draw(5),
		.distance = (uint32_t)draw(6),
		.longest_stride = draw(2) ? 64 << draw(6) : 0,
	};
	g->fills = g->trains_on + (uint8_t)draw(3 - g->trains_on);
}

static struct cache_geometry draw_cache(unsigned sets)
{
	return (struct cache_geometry){
		.present = true, .line_bytes = 64, .slices = 1,
		.sets = 1 + (uint32_t)draw(sets), .ways = 1 + (uint32_t)draw(8),
	};
}

static void model_init(const struct geometry *g)
{
	memset(&m, 0, sizeof(m));
	m.l1.sets = g->l1d.sets;
	m.l1.ways = g->l1d.ways;
	m.l2.sets = g->l2.sets;
	m.l2.ways = g->l2.ways;
	for (unsigned i = 0; i < MOST_LINES; i++)
		m.l1.line[i].what = m.l2.line[i].what = NONE;
	m.prefetchers = g->prefetchers;
	for (unsigned i = 0; i < m.prefetchers; i++)
		m.one[i].g = &g->prefetcher[i];
	for (unsigned i = 0; i < m.prefetchers; i++)
		for (unsigned p = 0; p < 64; p++)
			m.one[i].place[p].pc = NONE;
}

/* A few instructions, each with its stride for a while. */
static void feed(struct sim *sim)
{
	const uint64_t lines = UINT64_C(16) << draw(10);
	uint64_t record[RECORDS], at[16] = { 0 }, step[16] = { 0 };

	for (unsigned i = 0; i < RECORDS; i++) {
		const unsigned site = (unsigned)draw(16);
		const bool store = draw(4) == 0;

		if (draw(10) == 0)
			step[site] = draw(9) - 4;
		at[site] = (draw(30) ? at[site] + step[site] : draw(lines)) %
			   lines;
		record[i] = access_pack(store ? ACCESS_STORE : ACCESS_LOAD, 3,
					site, at[site] * 64);
		demand(at[site], store, 4 * site);
	}
	sim_feed(sim, record, RECORDS);
}

static void compare(unsigned n)
{
	static const enum signal compared[] = {
		SIGNAL_l1d_load_miss, SIGNAL_l1d_store_miss,
		SIGNAL_l1d_prefetch, SIGNAL_l1d_prefetch_fill, SIGNAL_l2_load,
		SIGNAL_l2_store, SIGNAL_l2_prefetch, SIGNAL_l2_load_miss,
		SIGNAL_l2_store_miss, SIGNAL_l2_prefetch_miss,
		SIGNAL_l2_prefetch_fill, SIGNAL_l2_fill,
		SIGNAL_l2_evict_prefetch_unused, SIGNAL_dram_read,
		SIGNAL_dram_write,
	};
	struct geometry g = { .prefetchers = 0 };
	struct sim *sim;
	size_t bytes;
	void *memory;

	state = (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
	g.l1d = draw_cache(16);
	g.l2 = draw_cache(128);
	g.prefetchers = 1 + (uint32_t)draw(3);
	for (unsigned i = 0; i < g.prefetchers; i++)
		draw_prefetcher(&g.prefetcher[i]);
	bytes = (sim_bytes(&g, NULL) + 63) & ~(size_t)63;
	memory = aligned_alloc(64, bytes);
	assert_non_null(memory);
	/* nothing of it is to be seen; an instruction may be at 0 */
	memset(memory, n % 2 ? (int)n : 0, bytes);
	sim = sim_init(memory, &g);
	model_init(&g);
	feed(sim);
	for (unsigned i = 0; i < sizeof(compared) / sizeof(*compared); i++)
		if (sim_signals(sim)[compared[i]] != m.count[compared[i]])
			fail_msg("configuration %u, signal %d: %llu, not %llu",
				 n, compared[i], (unsigned long long)
				 sim_signals(sim)[compared[i]],
				 (unsigned long long)m.count[compared[i]]);
	free(memory);
}

static void equals_the_model(void **unused)
{
	(void)unused;
	for (unsigned n = 0; n < 1000; n++)
		compare(n);
}

/* Prefetches of one prefetcher, at loads of every second line, or of each. */
static uint64_t prefetches(const struct prefetch_geometry *p, uint64_t first,
			   uint64_t step)
{
	enum { LOADS = 20000 };
	struct geometry g = {
		.l1d = { .present = true, .line_bytes = 64, .slices = 1,
			 .sets = 16, .ways = 4 },
		.prefetchers = 1, .prefetcher = { *p },
	};
	uint64_t record, out;
	struct sim *sim;
	void *memory;

	g.l2 = g.l1d;
	memory = aligned_alloc(64, (sim_bytes(&g, NULL) + 63) & ~(size_t)63);
	assert_non_null(memory);
	sim = sim_init(memory, &g);
	for (uint64_t i = 0; i < LOADS; i++) {
		record = access_pack(ACCESS_LOAD, 3, 0,
				     ACCESS_ARENA_BASE +
				     64 * (first + step * i));
		sim_feed(sim, &record, 1);
	}
	out = sim_signals(sim)[p->fills == 1 ? SIGNAL_l1d_prefetch :
					       SIGNAL_l2_prefetch_fill];
	free(memory);
	return out;
}

/* Within five standard deviations; pairs are chosen, not lines. */
static void a_percentage_is_one(void **unused)
{
	struct prefetch_geometry p = {
		.kind = PREFETCH_ADJACENT_PAIR, .on = true, .trains_on = 1,
		.fills = 1, .percent = 1,
	};
	const uint64_t even = prefetches(&p, 0, 2);

	(void)unused;
	assert_in_range(even, 130, 270);
	assert_int_equal(prefetches(&p, 1, 2), even);
	p.percent = 100;
	assert_int_equal(prefetches(&p, 0, 2), 20000);
	p = (struct prefetch_geometry){
		.kind = PREFETCH_STREAM, .on = true, .trains_on = 2,
		.fills = 2, .percent = 1, .window = 16,
	};
	/* the second line of a chosen pair finds the first one */
	assert_in_range(prefetches(&p, 0, 1), 50, 150);
}

/* The hash of what two prefetchers know after these lines. */
static uint64_t known_after(enum prefetch_kind kind, const uint64_t *line,
			    unsigned lines)
{
	struct geometry g = {
		.l1d = { .present = true, .line_bytes = 64, .slices = 1,
			 .sets = 16, .ways = 4 },
		.prefetchers = 2, .prefetcher = {
			{ PREFETCH_NEXT_LINE, .on = true, .trains_on = 1,
			  .fills = 1, .distance = 40 },
			{ kind, .on = true, .trains_on = 1, .fills = 1,
			  .window = 2 },
		},
	};
	uint64_t record, out;
	struct sim *sim;
	void *memory;

	memory = aligned_alloc(64, (sim_bytes(&g, NULL) + 63) & ~(size_t)63);
	assert_non_null(memory);
	sim = sim_init(memory, &g);
	for (unsigned i = 0; i < lines; i++) {
		record = access_pack(ACCESS_LOAD, 3, 1,
				     ACCESS_ARENA_BASE + 64 * line[i]);
		sim_feed(sim, &record, 1);
	}
	out = prefetchers_hash(sim->prefetchers);
	free(memory);
	return out;
}

/* Of a stride prefetcher line, stride and how sure it is; all of a window. */
static void all_that_is_known_is_hashed(void **unused)
{
	static const uint64_t base[] = { 1, 2 }, line[] = { 2, 3 };
	static const uint64_t stride[] = { 0, 2 }, sure[] = { 0, 1, 2 };
	static const uint64_t oldest[] = { 4, 9 }, other[] = { 6, 9 };
	static const uint64_t newest[] = { 6, 8 }, before[] = { 30, 6, 9 };
	const enum prefetch_kind ip = PREFETCH_IP_STRIDE;
	const uint64_t known = known_after(ip, base, 2);

	(void)unused;
	assert_true(known == known_after(ip, base, 2));
	assert_true(known != known_after(ip, line, 2));
	assert_true(known != known_after(ip, stride, 2));
	assert_true(known != known_after(ip, sure, 3));
	assert_true(known_after(PREFETCH_STREAM, oldest, 2) !=
		    known_after(PREFETCH_STREAM, other, 2));
	assert_true(known_after(PREFETCH_STREAM, newest, 2) !=
		    known_after(PREFETCH_STREAM, other, 2));
	assert_true(known_after(PREFETCH_STREAM, before, 3) ==
		    known_after(PREFETCH_STREAM, other, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equals_the_model),
		cmocka_unit_test(a_percentage_is_one),
		cmocka_unit_test(all_that_is_known_is_hashed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
