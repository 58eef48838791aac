/* SPDX-License-Identifier: MIT */
/*
 * Checking, laying out and emptying a simulator. sim_bytes and sim_init walk
 * the same layout; the first with no memory.
 */
#include "sim/engine/engine.h"

static struct level_shape cache_shape(const struct cache_geometry *g)
{
	return (struct level_shape){
		g->sets, g->slices ? g->slices : 1, g->ways, g->policy,
		g->cold
	};
}

static struct level_shape tlb_shape(const struct tlb_geometry *g)
{
	return (struct level_shape){
		g->ways ? g->entries / g->ways : 0, 1, g->ways, g->policy,
		COLD_INVALID_FIRST
	};
}

/* refusals */

static const char *refuse_cache(const struct cache_geometry *g)
{
	const struct level_shape shape = cache_shape(g);

	if (!g->present)
		return NULL;
	if ((unsigned)g->inclusion >= INCLUSIONS)
		return "a cache's inclusion is unknown";
	return level_refusal(&shape);
}

static bool is_line(uint32_t bytes)
{
	return bytes >= 16 && bytes <= 4096 && !(bytes & (bytes - 1));
}

/* Does a prefetcher that is on know L2 by its lines? */
static bool prefetches_l2(const struct geometry *g)
{
	for (uint32_t i = 0; i < g->prefetchers; i++)
		if (g->prefetcher[i].on &&
		    (g->prefetcher[i].trains_on == 2 ||
		     g->prefetcher[i].fills == 2))
			return true;
	return false;
}

static const char *refuse_lines(const struct geometry *g)
{
	const struct cache_geometry *const lower[] = { &g->l2, &g->l3 };
	uint32_t above = g->l1d.line_bytes;

	if (!is_line(above))
		return "the line is not a power of two from 16 to 4096 bytes";
	if (g->l1i.present && g->l1i.line_bytes != above)
		return "L1D and L1I must have lines of one size";
	for (int i = 0; i < 2; i++) {
		const struct cache_geometry *c = lower[i];

		if (!c->present || c->line_bytes == above)
			continue;
		if (!is_line(c->line_bytes) || c->line_bytes < above)
			return "a cache's lines are shorter than those of the level above, or no power of two up to 4096 bytes";
		if (c->inclusion == INCLUDE_EXCLUSIVE ||
		    c->inclusion == INCLUDE_VICTIM)
			return "an exclusive or victim cache must have lines as long as those of the level above";
		if (prefetches_l2(g))
			return "a prefetcher of L2 needs lines of one size in all caches";
		above = c->line_bytes;
	}
	return NULL;
}

static const char *refuse_tlb(const struct tlb_geometry *g)
{
	const struct level_shape shape = tlb_shape(g);

	if (!g->present)
		return NULL;
	if (!g->entries || !g->ways || g->entries % g->ways)
		return "a TLB's entries are not a multiple of its ways";
	return level_refusal(&shape);
}

static const char *refuse_levels(const struct geometry *g)
{
	if (!g->l1d.present)
		return "there is no L1D";
	if (g->l1d.inclusion != INCLUDE_NON ||
	    (g->l1i.present && g->l1i.inclusion != INCLUDE_NON))
		return "L1 has no level above that it could include or exclude";
	if (g->l1d.slices > 1 || (g->l1i.present && g->l1i.slices > 1))
		return "only L2 and L3 can have slices";
	if ((unsigned)g->copy_back > COPY_VICTIM_FIRST)
		return "the order of fill and copy-back is unknown";
	return NULL;
}

static const char *refuse_walker(const struct geometry *g)
{
	const struct walker_geometry *w = &g->walker;

	if ((g->l2tlb.present && !g->dtlb.present &&
	     (g->split_l2tlb || !g->itlb.present)) ||
	    (g->l2itlb.present && !g->itlb.present))
		return "there is a second-level TLB but no first-level one";
	if (g->l2itlb.present && !g->split_l2tlb)
		return "the second-level TLB is not for data only";
	if (g->store_dtlb.present && !g->dtlb.present)
		return "there is a TLB for stores but none for loads";
	if (w->levels > 5 || w->cached_levels > w->levels)
		return "a page walk has 0 to 5 levels, and no more are cached";
	if ((unsigned)w->reads_through > WALK_DRAM)
		return "the level that page walks read through is unknown";
	return NULL;
}

static const char *refuse(const struct geometry *g)
{
	const struct cache_geometry *const caches[] = {
		&g->l1d, &g->l1i, &g->l2, &g->l3
	};
	const struct tlb_geometry *const tlbs[] = {
		&g->dtlb, &g->itlb, &g->l2tlb, &g->l2itlb, &g->store_dtlb
	};
	const char *why = refuse_levels(g);

	if (!why)
		why = refuse_lines(g);

	for (int i = 0; i < 4 && !why; i++)
		why = refuse_cache(caches[i]);
	for (size_t i = 0; i < sizeof(tlbs) / sizeof(*tlbs) && !why; i++)
		why = refuse_tlb(tlbs[i]);
	if (!why)
		why = refuse_walker(g);
	if (!why)
		why = prefetchers_refusal(g);
	if (!why)
		why = predictor_refusal(&g->predictor);
	return why ? why : pages_refusal(&g->page_map, g->l1d.line_bytes);
}

/* layout */

static void build_cache(struct cache *c, const struct cache_geometry *g,
			uint32_t l1d_line, struct carve *carve)
{
	const struct level_shape shape = cache_shape(g);

	c->present = g->present;
	if (!g->present)
		return;
	c->inclusion = g->inclusion;
	c->longer = (unsigned)__builtin_ctz(g->line_bytes / l1d_line);
	c->takes_clean = g->inclusion == INCLUDE_EXCLUSIVE ||
			 g->inclusion == INCLUDE_VICTIM;
	c->write_through = g->write_through;
	c->no_write_allocate = g->no_write_allocate;
	c->silent_clean = g->silent_clean;
	c->loud_from_dram = g->loud_from_dram;
	level_build(&c->lines, &shape, carve);
}

static bool build_tlb(struct level *l, const struct tlb_geometry *g,
		      struct carve *carve)
{
	const struct level_shape shape = tlb_shape(g);

	if (g->present)
		level_build(l, &shape, carve);
	return g->present;
}

static void build(struct sim *s, const struct geometry *g, struct carve *c)
{
	const uint32_t line = g->l1d.line_bytes;

	build_cache(&s->cache[PLACE_L1D], &g->l1d, line, c);
	build_cache(&s->cache[PLACE_L1I], &g->l1i, line, c);
	build_cache(&s->cache[PLACE_L2], &g->l2, line, c);
	build_cache(&s->cache[PLACE_L3], &g->l3, line, c);
	s->has_dtlb = build_tlb(&s->dtlb, &g->dtlb, c);
	s->split_dtlb = build_tlb(&s->store_dtlb, &g->store_dtlb, c);
	s->first[0] = &s->dtlb;
	s->first[1] = s->split_dtlb ? &s->store_dtlb : &s->dtlb;
	s->has_itlb = build_tlb(&s->itlb, &g->itlb, c);
	if (build_tlb(&s->l2tlb, &g->l2tlb, c))
		s->second[0] = s->second[1] = &s->l2tlb;
	if (g->split_l2tlb)
		s->second[1] = build_tlb(&s->l2itlb, &g->l2itlb, c) ?
			       &s->l2itlb : NULL;
	pages_build(&s->pages, &g->page_map, g->l1d.line_bytes, c);
	s->prefetchers = prefetchers_build(g, c);
	s->predictor = predictor_build(&g->predictor, c);
	s->periods = periods_build(s, c);
}

size_t sim_bytes(const struct geometry *geometry, const char **why)
{
	const char *refused = refuse(geometry);
	struct carve c = { NULL, 0 };
	struct sim shell;

	if (refused) {
		if (why)
			*why = refused;
		return 0;
	}
	words_clear(&shell, sizeof(shell));
	carve_take(&c, sizeof(shell));
	build(&shell, geometry, &c);
	return c.used;
}

/* derived values */

static void chain(struct sim *s)
{
	const enum place l3 = s->cache[PLACE_L3].present ? PLACE_L3 :
			      PLACE_MEMORY;
	const enum place l2 = s->cache[PLACE_L2].present ? PLACE_L2 : l3;

	s->cache[PLACE_L1D].below = l2;
	s->cache[PLACE_L1I].below = l2;
	s->cache[PLACE_L2].below = l3;
	s->cache[PLACE_L3].below = PLACE_MEMORY;
	for (int at = 0; at < CACHES; at++)
		s->keeps_dram |= s->cache[at].loud_from_dram;
	s->longest = s->cache[PLACE_L2].longer;
	if (s->cache[PLACE_L3].longer > s->longest)
		s->longest = s->cache[PLACE_L3].longer;
}

static void derive_walker(struct sim *s, const struct walker_geometry *w)
{
	static const enum place places[] = {
		[WALK_L1D] = PLACE_L1D, [WALK_L2] = PLACE_L2,
		[WALK_L3] = PLACE_L3, [WALK_DRAM] = PLACE_MEMORY,
	};

	s->walk_place = places[w->reads_through];
	if (s->walk_place == PLACE_L2 || s->walk_place == PLACE_L3)
		if (!s->cache[s->walk_place].present)
			s->walk_place = s->cache[s->walk_place].below;
	s->walk_first = walk_from(&s->geometry);
}

static bool lru_of_pow2(const struct level *l)
{
	return l->policy == REPLACE_LRU && level_is_masked(l);
}

static void derive_batches(struct sim *s, const struct geometry *g)
{
	s->batches = !s->coupled && !s->trains[1] &&
		     (!s->has_dtlb || lru_of_pow2(&s->dtlb)) &&
		     (!s->split_dtlb || lru_of_pow2(&s->store_dtlb)) &&
		     (!s->second[0] || lru_of_pow2(s->second[0])) &&
		     (!s->second[1] || lru_of_pow2(s->second[1]));
	if (g->page_map.kind == PAGE_MAP_IDENTITY)
		s->plain_limit = pages_identical(&s->pages);
}

static enum front front_of(const struct cache *l1d)
{
	const struct level *l = &l1d->lines;

	if (l->stride > 16 || l1d->write_through || !level_is_masked(l) ||
	    l->policy == REPLACE_FIFO)
		return FRONT_NONE;
	return front_by(l->policy);
}

static bool writes_back(const struct cache *c)
{
	return !c->present || !(c->write_through || c->no_write_allocate);
}

static bool is_like(const struct cache *c, uint32_t ways,
		    enum replacement policy, enum inclusion inclusion,
		    bool sliced)
{
	const struct level *l = &c->lines;

	if (!ways || !c->present)
		return !ways && !c->present;
	return l->ways == ways && l->policy == policy && !l->keep_holes &&
	       c->inclusion == inclusion &&
	       (sliced ? !l->mask && l->slice_mask && l->slices > 1 : l->mask);
}

/* Lines of one size from L2 on; if longer than those of L1D, no level may have
 * to take several of these away. */
static bool quick_lines(const struct cache *l2, const struct cache *l3)
{
	return (!l3->present || l3->longer == l2->longer) &&
	       (!l2->longer || (l2->inclusion != INCLUDE_ALL &&
				l3->inclusion != INCLUDE_ALL));
}

static enum misses misses_of(const struct sim *s)
{
	const struct cache *l1d = &s->cache[PLACE_L1D];
	const struct cache *l2 = &s->cache[PLACE_L2];
	const struct cache *l3 = &s->cache[PLACE_L3];

	if (!s->front || !l2->present || !quick_lines(l2, l3) ||
	    !writes_back(l1d) ||
	    !writes_back(l2) || !writes_back(l3) ||
	    s->geometry.copy_back != COPY_FETCH_FIRST)
		return MISSES_BY_RULES;
#define HIERARCHY(name, ways1, policy1, ways2, policy2, inclusion2, \
		  ways3, policy3, inclusion3, sliced3, lines_longer) \
	if (l2->longer == (lines_longer) && \
	    is_like(l1d, ways1, REPLACE_##policy1, INCLUDE_NON, false) && \
	    is_like(l2, ways2, REPLACE_##policy2, INCLUDE_##inclusion2, \
		    false) && \
	    is_like(l3, ways3, REPLACE_##policy3, INCLUDE_##inclusion3, \
		    sliced3)) \
		return MISSES_##name;
#include "sim/engine/hierarchies.def"
#undef HIERARCHY
	return MISSES_QUICK;
}

static bool keeps_to_itself(const struct cache *lower)
{
	return !lower->present || lower->inclusion != INCLUDE_ALL;
}

/* And wants none back that are clean. */
static bool gives_bare_lines(const struct cache *lower)
{
	return !lower->takes_clean;
}

/* Is its state larger than the caches next to the core that simulates? */
static bool is_far(const struct cache *c)
{
	const struct level *l = &c->lines;

	return c->present && (size_t)l->sets * (l->stride * 4 + l->words * 8) >
			     ENGINE_NEAR_BYTES;
}

_Static_assert(PIECES == LEVEL_PIECES, "every piece is found in `moved`");

/* Numbers of 2^bits bytes each are renumbered in pieces of 1 GiB. */
static void renumber(struct level *l, const uint64_t *moved, unsigned bits)
{
	l->moved = moved;
	l->piece_bits = PAGE_BITS + PIECE_BITS - bits;
	if (l->mask >> l->piece_bits)
		l->mask = 0;
}

static void derive_numbers(struct sim *s)
{
	struct level *const tlbs[] = { &s->dtlb, &s->store_dtlb, &s->itlb,
				       &s->l2tlb, &s->l2itlb };
	struct pages *p = &s->pages;

	for (size_t i = 0; i < sizeof(tlbs) / sizeof(*tlbs); i++)
		renumber(tlbs[i], p->virt_moved, p->shape.bits);
	for (int at = 0; at < CACHES && p->map.kind != PAGE_MAP_RANDOM; at++) {
		struct cache *c = &s->cache[at];

		renumber(&c->lines, p->frame_moved,
			 s->line_shift + c->longer);
		s->unmasked |= c->present && !level_is_masked(&c->lines);
	}
}

static void derive(struct sim *s)
{
	const struct geometry *g = &s->geometry;

	s->core = s->total;
	s->line_shift = s->pages.line_shift;
	s->tlb_shift = pages_tlb_shift(&s->pages);
	derive_numbers(s);
	chain(s);
	derive_walker(s, &g->walker);
	s->trains[1] = prefetchers_train_on(g, 1);
	s->trains[2] = prefetchers_train_on(g, 2);
	s->coupled = prefetchers_cross_pages(g);
	s->code_apart = g->l1i.present &&
			keeps_to_itself(&s->cache[PLACE_L2]) &&
			keeps_to_itself(&s->cache[PLACE_L3]);
	s->code_ahead = s->code_apart &&
			gives_bare_lines(&s->cache[s->cache[PLACE_L1I].below]);
	s->same_page_free = policies[g->dtlb.policy].repeatable &&
			    policies[g->store_dtlb.policy].repeatable;
	s->engine = engine_best(0);
	derive_batches(s, g);
	s->front = front_of(&s->cache[PLACE_L1D]);
	s->misses = misses_of(s);
	s->ahead = s->cache[PLACE_L2].present && (!s->longest || s->misses);
	s->ahead_l2 = is_far(&s->cache[PLACE_L2]);
	/* what L3 will be asked for is only known by a look at L2 */
	s->ahead_l3 = s->cache[PLACE_L2].present && !s->ahead_l2 &&
		      is_far(&s->cache[PLACE_L3]);
	s->last_virt = LEVEL_EMPTY;
	s->pc_base = ACCESS_CODE_BASE;
	s->served = PLACE_L1D;
	words_fill(s->combining, UINT32_MAX, COMBINING);
}

static void reset(struct sim *s)
{
	const uint64_t seed = s->geometry.page_map.seed ^
			      words_mix(s->geometry.draw);

	for (int at = 0; at < CACHES; at++)
		if (s->cache[at].present)
			level_reset(&s->cache[at].lines,
				    words_mix(seed ^ (uint64_t)at << 56));
	if (s->has_dtlb)
		level_reset(&s->dtlb, words_mix(seed + 1));
	if (s->split_dtlb)
		level_reset(&s->store_dtlb, words_mix(seed + 5));
	if (s->has_itlb)
		level_reset(&s->itlb, words_mix(seed + 2));
	if (s->second[0])
		level_reset(&s->l2tlb, words_mix(seed + 3));
	if (s->second[1] && s->second[1] != s->second[0])
		level_reset(&s->l2itlb, words_mix(seed + 4));
	pages_reset(&s->pages);
	prefetchers_reset(s->prefetchers);
	predictor_reset(s->predictor);
	periods_reset(s->periods);
}

struct sim *sim_init(void *memory, const struct geometry *geometry)
{
	struct carve c = { memory, 0 };
	struct sim *s = carve_take(&c, sizeof(*s));

	words_clear(s, sizeof(*s));
	words_copy(&s->geometry, geometry, sizeof(*geometry));
	build(s, geometry, &c);
	derive(s);
	reset(s);
	return s;
}

void sim_feed(struct sim *sim, const uint64_t *record, size_t records)
{
	sim->engine->feed(sim, record, records);
	sim->total[SIGNAL_address_aliases] = sim->pages.aliases;
}

/* Each path but the rules is a flag of its own. */
void sim_watch(struct sim *sim, sim_watch_fn *fn, void *ctx)
{
	sim->watch = fn;
	sim->watch_ctx = ctx;
	sim->engine = &engine_watched;
	sim->front = FRONT_NONE;
	sim->misses = MISSES_BY_RULES;
	sim->batches = false;
	sim->code_apart = sim->code_ahead = false;
	sim->ahead = sim->ahead_l2 = sim->ahead_l3 = false;
	sim_set_fast_forward(sim, false);
}

void sim_place(struct sim *sim, uint64_t address, uint32_t *line,
	       uint32_t *page)
{
	const unsigned shift = PAGE_BITS - sim->line_shift;
	const struct page_slot *slot = pages_slot(&sim->pages,
						  address >> PAGE_BITS);

	*line = slot->frame << shift | (uint32_t)(address >> sim->line_shift &
						  ((1u << shift) - 1));
	*page = slot->virt >> sim->tlb_shift;
}

static uint64_t generators_of(const struct level *l, uint64_t hash)
{
	if (l->policy == REPLACE_RANDOM)
		for (uint32_t set = 0; set < l->sets; set++)
			hash = words_hash(hash, l->word[set]);
	return hash;
}

uint64_t sim_generators(const struct sim *sim)
{
	uint64_t hash = 0;

	for (int at = 0; at < CACHES; at++)
		hash = generators_of(&sim->cache[at].lines, hash);
	hash = generators_of(&sim->dtlb, hash);
	hash = generators_of(&sim->store_dtlb, hash);
	hash = generators_of(&sim->itlb, hash);
	hash = generators_of(&sim->l2tlb, hash);
	return generators_of(&sim->l2itlb, hash);
}

const uint64_t *sim_signals(struct sim *sim)
{
	return sim->total;
}
