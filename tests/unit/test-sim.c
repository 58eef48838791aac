/* SPDX-License-Identifier: MIT */
/*
 * The software PMU against the slow reference, to the last count: random
 * geometries, policies, inclusions, orders, TLBs and streams.
 */
#include "check.h"
#include "draw.h"
#include "guarded.h"

#include "base/access.h"
#include "base/policies.h"
#include "reference-sim.h"
#include "same-signals.h"
#include "sim/engine/engine.h"

#define CONFIGURATIONS 3000
#define RECORDS 3000
#define MANY_RECORDS 16000	/* several lists for a level */

static uint64_t seed;

static uint64_t draw(uint64_t below)
{
	return (draw_next(&seed) >> 11) % below;
}

static bool chance(unsigned percent)
{
	return draw(100) < percent;
}

/* geometries */

static enum replacement draw_policy(uint32_t ways)
{
	static const enum replacement more[] = {
		REPLACE_LRU, REPLACE_LRU, REPLACE_TREE_PLRU, REPLACE_TREE_PLRU
	};
	const uint64_t n = draw(REPLACEMENTS + 4);
	const enum replacement policy = n < REPLACEMENTS ?
		(enum replacement)n : more[n - REPLACEMENTS];

	/* the reference draws no random numbers */
	return policy == REPLACE_RANDOM || policy_refusal(policy, ways) ?
	       REPLACE_LRU : policy;
}

static uint32_t draw_sets(uint32_t most)
{
	if (chance(20))
		return 1 + (uint32_t)draw(most);
	return 1u << draw((uint64_t)__builtin_ctz(most) + 1);
}

static uint32_t draw_ways(uint32_t most)
{
	return chance(30) ? 1 + (uint32_t)draw(most) :
			    1u << draw((uint64_t)__builtin_ctz(most) + 1);
}

static struct cache_geometry draw_cache(uint32_t line_bytes, uint32_t sets,
					uint32_t ways)
{
	struct cache_geometry c = {
		.present = true, .line_bytes = line_bytes,
		.sets = draw_sets(sets), .ways = draw_ways(ways), .slices = 1,
		.write_through = chance(10), .no_write_allocate = chance(10),
		.silent_clean = chance(20), .loud_from_dram = chance(10),
		.cold = chance(20) ? COLD_POLICY_VICTIM : COLD_INVALID_FIRST,
	};

	c.policy = draw_policy(c.ways);
	return c;
}

static enum inclusion draw_inclusion(void)
{
	return chance(40) ? INCLUDE_NON : (enum inclusion)draw(INCLUSIONS);
}

static struct tlb_geometry draw_tlb(uint32_t most)
{
	struct tlb_geometry t = { .present = true };

	t.ways = chance(70) ? draw_ways(8) : 1 + (uint32_t)draw(80);
	t.entries = t.ways * (chance(30) ? 1 : draw_sets(most));
	t.policy = chance(60) || t.ways > 32 ? REPLACE_LRU :
					       draw_policy(t.ways);
	return t;
}

static struct prefetch_geometry draw_prefetcher(bool has_l2)
{
	struct prefetch_geometry p = {
		.kind = (enum prefetch_kind)draw(PREFETCH_KINDS), .on = true,
		.trains_on = has_l2 && chance(80) ? 2 : 1, .fills = 2,
		.page_bounded = chance(70), .window = 1 + (uint32_t)draw(40),
		.degree = (uint32_t)draw(5), .distance = (uint32_t)draw(10),
		.upward_only = chance(30),
		.longest_stride = chance(30) ? 64 << draw(4) : 0,
	};

	if (p.trains_on == 1)
		p.fills = has_l2 ? 1 + (uint8_t)draw(2) : 1;
	return p;
}

static void draw_prefetchers(struct geometry *g)
{
	g->prefetchers = 1 + (uint32_t)draw(3);
	for (uint32_t i = 0; i < g->prefetchers; i++)
		g->prefetcher[i] = draw_prefetcher(g->l2.present);
}

/* All LRU, nothing unusual. */
static void plainly(struct cache_geometry *c)
{
	c->policy = REPLACE_LRU;
	c->inclusion = INCLUDE_NON;
	c->write_through = c->no_write_allocate = false;
	c->cold = COLD_INVALID_FIRST;
	if (chance(80))
		while (c->sets & (c->sets - 1))
			c->sets &= c->sets - 1;
}

/* Lower levels may have longer lines, but not those that victims fill. */
static void lengthen_lines(struct geometry *g)
{
	struct cache_geometry *const lower[] = { &g->l2, &g->l3 };
	uint32_t bytes = g->l1d.line_bytes;

	for (int i = 0; i < 2; i++) {
		if (lower[i]->inclusion != INCLUDE_EXCLUSIVE &&
		    lower[i]->inclusion != INCLUDE_VICTIM && bytes <= 1024)
			bytes <<= draw(3);
		lower[i]->line_bytes = bytes;
		if (!lower[i]->present)
			bytes = i ? bytes : g->l1d.line_bytes;
	}
}

static void draw_geometry(struct geometry *g)
{
	const uint32_t line_bytes = chance(60) ? 64 : 16u << draw(4);

	memset(g, 0, sizeof(*g));
	g->l1d = draw_cache(line_bytes, 16, 8);
	if (chance(80))
		g->l2 = draw_cache(line_bytes, 32, 16);
	if (chance(40))
		g->l3 = draw_cache(line_bytes, 64, 16);
	if (chance(30))
		g->l1i = draw_cache(line_bytes, 8, 4);
	g->l2.inclusion = draw_inclusion();
	g->l3.inclusion = draw_inclusion();
	if (chance(50)) {
		g->dtlb = draw_tlb(4);
		if (chance(60))
			g->l2tlb = draw_tlb(16);
		if (chance(30))
			g->itlb = draw_tlb(4);
		g->split_l2tlb = chance(40);
		if (g->split_l2tlb && g->itlb.present && chance(80))
			g->l2itlb = draw_tlb(8);
		if (chance(40))
			g->store_dtlb = draw_tlb(4);
	}
	g->walker.levels = (uint32_t)draw(6);
	g->walker.cached_levels = (uint32_t)draw(g->walker.levels + 1);
	g->walker.reads_through = (enum walk_level)draw(4);
	if (chance(50))
		g->page_map.size = (enum page_size)draw(PAGE_SIZES);
	if (chance(20))
		g->copy_back = COPY_VICTIM_FIRST;
	if (chance(40)) {
		plainly(&g->l1d);
		plainly(&g->l2);
		plainly(&g->l3);
	}
	if (g->l2.present && chance(10))
		g->l2.slices = 1 + (uint32_t)draw(5);
	if (g->l3.present && chance(30))
		g->l3.slices = 1 + (uint32_t)draw(5);
	if (chance(30))
		draw_prefetchers(g);
	if (!g->prefetchers && chance(60))
		lengthen_lines(g);
}

/* streams */

struct stream {
	uint64_t lines, at, step, apart, i;
	unsigned stores, jumps, odd;
	unsigned sites;
	unsigned turns, stay;	/* by turns with a line that stays a while */
	uint64_t base[4];	/* multiples of 1 GiB, or 0 */
};

static uint64_t draw_record(struct stream *s, const struct geometry *g)
{
	static const enum access_kind odd_kinds[] = {
		ACCESS_FETCH, ACCESS_FETCH, ACCESS_FLUSH, ACCESS_STORE_NT,
		ACCESS_PREFETCH
	};
	const uint64_t line_bytes = g->l1d.line_bytes;
	const unsigned kind = (unsigned)draw(100);
	uint64_t address, at;

	s->i++;
	s->at = chance(s->jumps) ? draw(s->lines) : (s->at + s->step) % s->lines;
	at = s->turns && s->i % s->turns ? s->i / s->stay % s->lines : s->at;
	address = s->base[at % 4] + ACCESS_ARENA_BASE +
		  at * s->apart * line_bytes;
	if (kind < s->odd)
		return access_pack(odd_kinds[draw(5)], (unsigned)draw(7), 0,
				   address);
	if (chance(10))
		address += draw(line_bytes);
	return access_pack(chance(s->stores) ? ACCESS_STORE : ACCESS_LOAD,
			   (unsigned)draw(5), s->i % s->sites, address);
}

static void draw_stream(uint64_t *record, size_t records,
			const struct geometry *g)
{
	struct stream s = {
		.lines = 1 + draw(UINT64_C(4) << draw(10)),
		.step = draw(9), .apart = chance(30) ? 1 + draw(100) : 1,
		.stores = (unsigned)draw(60),
		.jumps = chance(30) ? 100 : (unsigned)draw(60),
		.odd = chance(30) ? (unsigned)draw(20) : 0,
		.sites = 1 + (unsigned)draw(6),
		.turns = chance(30) ? 2 + (unsigned)draw(2) : 0,
		.stay = 1 + (unsigned)draw(40),
	};

	if (chance(20))
		s.stores = 0;
	/* above 2^35, as many as are kept apart with lines of 16 bytes; not
	 * with walks (tables are where addresses are renumbered to), nor with
	 * prefetchers, whose strides from base to base would need more */
	for (int i = 0; i < 4 && !g->walker.levels && !g->prefetchers; i++)
		s.base[i] = i > 1 ? s.base[i - 2] :
			    (33 + draw((1 << 18) - 64)) << 30;

	for (size_t i = 0; i < records; i++)
		record[i] = draw_record(&s, g);
}

/* comparison */

static struct sim *build(const struct geometry *g)
{
	const char *why = NULL;
	const size_t bytes = sim_bytes(g, &why);
	void *memory;

	if (!bytes)
		fail_msg("refused: %s", why);
	memory = guarded_alloc(bytes);
	assert_non_null(memory);
	memset(memory, 0x5a, bytes);
	return sim_init(memory, g);
}

static void drop(struct sim *sim, const struct geometry *g)
{
	const char *why;

	guarded_free(sim, sim_bytes(g, &why));
}

static void feed_in_parts(struct sim *sim, const uint64_t *record, size_t n)
{
	while (n) {
		const size_t some = 1 + draw(chance(50) ? 20 : 2048);
		const size_t now = some < n ? some : n;

		sim_feed(sim, record, now);
		record += now;
		n -= now;
	}
}

static void compare_one(unsigned configuration, uint64_t *record)
{
	struct geometry g;
	struct reference *r;
	struct sim *sim;

	seed = (configuration + 1) * UINT64_C(0x9e3779b97f4a7c15);
	draw_geometry(&g);
	if (chance(65)) {	/* of addresses above 2^35, see draw_stream */
		g.walker.levels = g.walker.cached_levels = 0;
		g.prefetchers = 0;
	}
	draw_stream(record, RECORDS, &g);
	sim = build(&g);
	r = reference_new(&g);
	reference_feed(r, record, RECORDS);
	feed_in_parts(sim, record, RECORDS);
	same_signals(configuration, sim_signals(sim),
		     reference_report(r)->signal);
	reference_free(r);
	drop(sim, &g);
}

static void equals_the_reference(void **state)
{
	uint64_t *record = malloc(RECORDS * sizeof(*record));

	(void)state;
	assert_non_null(record);
	for (unsigned i = 0; i < CONFIGURATIONS; i++)
		compare_one(i, record);
	free(record);
}

/* the fast ways against the slow one */

/* The hierarchy of a row, of as few sets as fill soon. */
static void draw_hierarchy(struct geometry *g)
{
	static const struct {
		struct {
			uint32_t ways;
			enum replacement policy;
			enum inclusion inclusion;
			bool sliced;
		} level[3];
		unsigned longer;
	} rows[] = {
#define HIERARCHY(name, ways1, policy1, ways2, policy2, inclusion2, \
		  ways3, policy3, inclusion3, sliced3, longer) \
	{ { { ways1, REPLACE_##policy1, INCLUDE_NON, false }, \
	    { ways2, REPLACE_##policy2, INCLUDE_##inclusion2, false }, \
	    { ways3, REPLACE_##policy3, INCLUDE_##inclusion3, sliced3 } }, \
	  longer },
#include "sim/engine/hierarchies.def"
#undef HIERARCHY
	};
	const uint64_t n = draw(sizeof(rows) / sizeof(*rows));
	struct cache_geometry *const caches[] = { &g->l1d, &g->l2, &g->l3 };

	g->copy_back = COPY_FETCH_FIRST;
	for (int i = 0; i < 3; i++) {
		struct cache_geometry *c = caches[i];

		c->write_through = c->no_write_allocate = false;
		if (chance(95))
			c->cold = COLD_INVALID_FIRST;
		c->present = rows[n].level[i].ways;
		c->sets = 2u << draw(4 + (uint64_t)i);
		c->ways = rows[n].level[i].ways;
		c->policy = rows[n].level[i].policy;
		c->inclusion = rows[n].level[i].inclusion;
		c->slices = rows[n].level[i].sliced ? 2 + (uint32_t)draw(9) : 1;
		c->line_bytes = g->l1d.line_bytes <<
				(i && !g->prefetchers ? rows[n].longer : 0);
	}
}

/* What the reference does not know. */
static void draw_more(struct geometry *g)
{
	draw_geometry(g);
	if (g->l1d.policy == REPLACE_LRU && chance(5))
		g->l1d.ways += 16;	/* more than a front has */
	if (chance(40))
		draw_hierarchy(g);
	g->page_map.kind = draw(3) ? PAGE_MAP_RANDOM : PAGE_MAP_IDENTITY;
	g->page_map.seed = draw(1000);
	if (chance(30)) {
		draw_prefetchers(g);
		g->l2.line_bytes = g->l3.line_bytes = g->l1d.line_bytes;
	}
	for (uint32_t i = 0; i < g->prefetchers; i++)
		if (chance(20))
			g->prefetcher[i].percent = (uint32_t)draw(100);
}

/* With the vectors of a lesser CPU than this one, or none. */
static void portably(struct sim *sim)
{
	const struct engine *e = engine_best((unsigned)draw(3));

	sim->engine = e ? e : &engine_portable;
}

/* Step by step, by the rules of engine/caches.h and nothing else. */
static void slowly(struct sim *sim)
{
	sim->engine = &engine_portable;
	sim->batches = false;
	sim->front = FRONT_NONE;
	sim->misses = MISSES_BY_RULES;
}

static void compare_ways(unsigned configuration, const struct geometry *g,
			 const uint64_t *record, size_t records)
{
	struct sim *const fast = build(g), *const slow = build(g);

	slowly(slow);
	portably(fast);
	feed_in_parts(fast, record, records);
	sim_feed(slow, record, records);
	same_signals(configuration, sim_signals(fast), sim_signals(slow));
	drop(slow, g);
	drop(fast, g);
}

static void compare_drawn(unsigned configuration, uint64_t *record)
{
	struct geometry g;

	seed = (configuration + 1) * UINT64_C(0x2545f4914f6cdd1d);
	draw_more(&g);
	draw_stream(record, RECORDS, &g);
	compare_ways(configuration, &g, record, RECORDS);
}

static void all_ways_are_equal(void **state)
{
	uint64_t *record = malloc(RECORDS * sizeof(*record));

	(void)state;
	assert_non_null(record);
	for (unsigned i = 0; i < CONFIGURATIONS; i++)
		compare_drawn(i, record);
	free(record);
}

static struct cache_geometry plain_cache(uint32_t sets, uint32_t ways)
{
	return (struct cache_geometry){
		.present = true, .line_bytes = 64, .sets = sets, .ways = ways,
		.slices = 1
	};
}

/* All LRU, and one stream prefetcher. */
static void draw_lone_stream(struct geometry *g)
{
	memset(g, 0, sizeof(*g));
	g->l1d = plain_cache(1u << draw(6), 1 + (uint32_t)draw(16));
	g->l2 = plain_cache(4u << draw(8), 1 + (uint32_t)draw(16));
	if (chance(50))
		g->l3 = plain_cache(16u << draw(8), 1 + (uint32_t)draw(16));
	g->prefetchers = 1;
	g->prefetcher[0] = (struct prefetch_geometry){
		.kind = PREFETCH_STREAM, .on = true, .trains_on = 2,
		.fills = 2, .page_bounded = chance(50),
		.window = 1 + (uint32_t)draw(chance(50) ? 300 : 40),
		.degree = 1 + (uint32_t)draw(chance(30) ? 8 : 2),
		.distance = 1 + (uint32_t)draw(20)
	};
}

/* Runs of lines up and down, some of them with gaps. */
static void draw_runs(uint64_t *record, size_t records)
{
	const uint64_t lines = UINT64_C(64) << draw(12);
	const unsigned stores = chance(50) ? 0 : (unsigned)draw(50);
	uint64_t line = lines, step = 1, left = 0;
	unsigned gaps = 0;

	for (size_t i = 0; i < records; i++) {
		if (!left) {
			left = 1 + draw(chance(50) ? 100 : 8);
			line = chance(50) ? lines + draw(lines) : line;
			step = chance(70) ? 1 : UINT64_MAX;
			gaps = chance(70) ? 0 : (unsigned)draw(30);
		}
		left--;
		line += chance(gaps) ? 2 * step : step;
		record[i] = access_pack(chance(stores) ? ACCESS_STORE :
							 ACCESS_LOAD, 3, 0,
					ACCESS_ARENA_BASE + 64 *
					(line & 0xfffff));
	}
}

static void streams_are_followed(void **state)
{
	uint64_t *record = malloc(MANY_RECORDS * sizeof(*record));
	struct geometry g;

	(void)state;
	assert_non_null(record);
	for (unsigned i = 0; i < CONFIGURATIONS / 12; i++) {
		seed = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
		draw_lone_stream(&g);
		draw_runs(record, MANY_RECORDS);
		compare_ways(i, &g, record, MANY_RECORDS);
	}
	free(record);
}

/* Lines anywhere, some hot; where `near`, the next one a little later. */
static void draw_mixture(uint64_t *record, size_t records, unsigned near)
{
	const uint64_t lines = UINT64_C(1) << (8 + draw(6));
	const unsigned stores = (unsigned)draw(50), hot = (unsigned)draw(90);
	uint64_t line, past[8] = { 0 };

	for (size_t i = 0; i < records; i++) {
		line = chance(hot) ? draw(1 + lines / 8) : draw(lines);
		if (chance(near))
			line = past[draw(8)] + (chance(50) ? 1 : lines - 1);
		line &= lines - 1;
		past[i % 8] = line;
		record[i] = access_pack(chance(stores) ? ACCESS_STORE :
							 ACCESS_LOAD, 3, 0,
					ACCESS_ARENA_BASE + 64 * line);
	}
}

/* All ways of L2 fill up, and are as many as vectors have lanes. */
static void mixtures_are_taken(void **state)
{
	uint64_t *record = malloc(MANY_RECORDS * sizeof(*record));
	struct geometry g;

	(void)state;
	assert_non_null(record);
	for (unsigned i = 0; i < CONFIGURATIONS / 6; i++) {
		seed = (i + 1) * UINT64_C(0xd1342543de82ef95);
		draw_lone_stream(&g);
		g.prefetchers = i % 2;
		g.l1d = plain_cache(1u << draw(3), 1 + (uint32_t)draw(4));
		g.l2 = plain_cache(4u << draw(4), 4u << draw(3));
		if (chance(20)) {
			/* L1D keeps what L2 loses and fetches again */
			g.l1d.sets = 64;
			g.l1d.ways = 1;
			g.l2 = plain_cache(4, 16);
		}
		g.dtlb = (struct tlb_geometry){
			chance(50), 16, 4, REPLACE_LRU
		};
		g.walker = (struct walker_geometry){ WALK_L1D, 4, 3 };
		draw_mixture(record, MANY_RECORDS,
			     (unsigned)draw(chance(50) ? 3 : 40));
		compare_ways(i, &g, record, MANY_RECORDS);
	}
	free(record);
}

/*
 * For a while the same lines again and again, then some others among them: all
 * hit for several lists, and what comes then tells in which order they were.
 */
static void draw_stays(uint64_t *record, size_t records, uint64_t room)
{
	const uint64_t lines = 1 + draw(room), all = 2 * room;
	const unsigned stores = chance(40) ? 0 : (unsigned)draw(50);
	const unsigned other = 5 + (unsigned)draw(60);
	uint64_t line[512], left = 0;

	for (uint64_t i = 0; i < lines; i++)
		line[i] = draw(all);
	for (size_t i = 0; i < records; i++) {
		if (!left--) {
			left = draw(chance(70) ? 4000 : 100);
			for (uint64_t k = 0; k < lines; k++)
				if (chance(other))
					line[k] = draw(all);
		}
		record[i] = access_pack(chance(stores) ? ACCESS_STORE :
							 ACCESS_LOAD, 3, 0,
					ACCESS_ARENA_BASE + 64 *
					line[draw(lines)]);
	}
}

/* Lists of which L1D has all, and those behind them. */
static void stays_are_taken(void **state)
{
	uint64_t *record = malloc(MANY_RECORDS * sizeof(*record));
	struct geometry g;

	(void)state;
	assert_non_null(record);
	for (unsigned i = 0; i < CONFIGURATIONS / 6; i++) {
		seed = (i + 1) * UINT64_C(0xa0761d6478bd642f);
		draw_lone_stream(&g);
		g.l1d = plain_cache(1u << draw(5), 1 + (uint32_t)draw(16));
		draw_stays(record, MANY_RECORDS,
			   (uint64_t)g.l1d.sets * g.l1d.ways);
		compare_ways(i, &g, record, MANY_RECORDS);
	}
	free(record);
}

/* Few lines, each in a page of its own: code, loads and stores by turns. */
static void draw_pages(uint64_t *record, size_t records)
{
	const uint64_t code = 1 + draw(8), data = 1 + draw(12);
	const unsigned fetches = 10 + (unsigned)draw(80);
	uint64_t address;

	for (size_t i = 0; i < records; i++) {
		const bool fetch = chance(fetches);

		address = (fetch ? draw(code) : 64 + draw(data)) << 12 |
			  draw(8) << 6;
		record[i] = fetch ? access_pack(ACCESS_FETCH, 0, 0, address) :
				    access_pack(chance(30) ? ACCESS_STORE :
							     ACCESS_LOAD,
						3, 0, address);
	}
}

/* Both TLBs miss where both caches hit, and share the level behind them. */
static void pages_come_in_order(void **state)
{
	uint64_t *record = malloc(RECORDS * sizeof(*record));
	struct geometry g;

	(void)state;
	assert_non_null(record);
	for (unsigned i = 0; i < CONFIGURATIONS / 2; i++) {
		seed = (i + 1) * UINT64_C(0xe7037ed1a0b428db);
		draw_lone_stream(&g);
		g.l1i = plain_cache(16, 1 + (uint32_t)draw(8));
		g.itlb = draw_tlb(8);
		g.dtlb = (struct tlb_geometry){
			chance(80), 1u << draw(4), 1, REPLACE_LRU
		};
		g.dtlb.ways = chance(50) ? g.dtlb.entries : 1;
		g.l2tlb = (struct tlb_geometry){
			chance(80), 8, chance(50) ? 8 : 4, REPLACE_LRU
		};
		g.split_l2tlb = g.dtlb.present && chance(50);
		g.l2itlb = (struct tlb_geometry){
			g.split_l2tlb && chance(80), 16, chance(50) ? 16 : 4,
			REPLACE_LRU
		};
		g.store_dtlb = (struct tlb_geometry){
			g.dtlb.present && chance(50), 4, chance(50) ? 4 : 2,
			REPLACE_LRU
		};
		g.walker = (struct walker_geometry){ WALK_L1D, 4, 3 };
		draw_pages(record, RECORDS);
		compare_ways(i, &g, record, RECORDS);
	}
	free(record);
}

static struct tlb_geometry draw_lru(void)
{
	const uint32_t entries = 1u << draw(5);

	return (struct tlb_geometry){
		true, entries, chance(50) ? entries : 1, REPLACE_LRU
	};
}

/* Few pages, and nothing but loads and stores: what looks a page up is often
 * not what looked it up last. */
static void stores_have_a_tlb(void **state)
{
	uint64_t *record = malloc(RECORDS * sizeof(*record));

	(void)state;
	assert_non_null(record);
	for (unsigned i = 0; i < CONFIGURATIONS / 4; i++) {
		struct geometry g;

		seed = (i + 1) * UINT64_C(0xa0761d6478bd642f);
		draw_lone_stream(&g);
		g.dtlb = draw_lru();
		g.store_dtlb = draw_lru();
		g.walker = (struct walker_geometry){ WALK_L2, 4, 3 };
		if (chance(50))
			g.page_map.kind = PAGE_MAP_RANDOM;
		for (size_t n = 0; n < RECORDS; n++)
			record[n] = access_pack(chance(40) ? ACCESS_STORE :
							     ACCESS_LOAD, 3, 0,
				ACCESS_ARENA_BASE + draw(20) * 4096 +
				draw(8) * 64);
		compare_ways(i, &g, record, RECORDS);
	}
	free(record);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equals_the_reference),
		cmocka_unit_test(all_ways_are_equal),
		cmocka_unit_test(streams_are_followed),
		cmocka_unit_test(mixtures_are_taken),
		cmocka_unit_test(stays_are_taken),
		cmocka_unit_test(pages_come_in_order),
		cmocka_unit_test(stores_have_a_tlb),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
