/* SPDX-License-Identifier: MIT */
/*
 * Closed forms against the simulator: two witnesses that share no code. Every
 * row of every kernel's expectation must hold for what the simulator counts,
 * over many shapes and hierarchies. So must the table that says which signals a
 * quantity adds up.
 */
#include "check.h"

#include "counters/signals.h"
#include "kernel-shape.h"
#include "sim/sim.h"

/* Over all sweeps of LRU hierarchies: what was compared. */
static struct {
	unsigned shapes[ASSAY_QUANTITIES], exact[ASSAY_QUANTITIES];
} swept;

struct tally {
	unsigned shapes, rows, exact, wrong;
	unsigned exact_of[ASSAY_QUANTITIES], rows_of[ASSAY_QUANTITIES];
	unsigned wrong_of[ASSAY_QUANTITIES];
	bool quiet;
};

static struct cache_geometry cache(unsigned sets, unsigned ways,
				   enum inclusion inclusion)
{
	return (struct cache_geometry){
		.present = true, .line_bytes = 64, .sets = sets, .ways = ways,
		.slices = 1, .policy = REPLACE_LRU, .inclusion = inclusion,
	};
}

static struct geometry small(unsigned l1_sets, unsigned l1_ways)
{
	return (struct geometry){
		.name = "small", .isa = ISA_AARCH64,
		.l1d = cache(l1_sets, l1_ways, INCLUDE_NON),
		.dtlb = { true, 8, 8, REPLACE_LRU },
		.l2tlb = { true, 32, 4, REPLACE_LRU },
		.walker = { WALK_L2, 4, 3 },
		.l1i = cache(64, 2, INCLUDE_NON),
		.itlb = { true, 8, 8, REPLACE_LRU },
		.page_map = { .kind = PAGE_MAP_IDENTITY },
	};
}

static uint64_t pass(void *ctx, uint64_t left)
{
	return sim_pass(ctx, left);
}

static void feed(void *ctx, const uint64_t *record, size_t records)
{
	sim_feed(ctx, record, records);
}

static void simulate(const struct kernel *kernel,
		     const struct assay_shape *shape, const struct geometry *g,
		     unsigned warmup, uint64_t *signals)
{
	static struct access_trace port;
	size_t bytes = (sim_bytes(g, NULL) + 63) & ~(size_t)63;
	uint64_t before[SIGNALS];
	struct access_sink sink = {
		.feed = feed, .pass = pass,
	};
	struct arena arena;
	void *memory;
	struct sim *sim;

	assert_int_not_equal(bytes, 0);
	memory = aligned_alloc(64, bytes);
	assert_non_null(memory);
	sink.ctx = sim = sim_init(memory, g);
	shape_arena(&arena, kernel, shape);
	for (unsigned i = 0; i <= warmup; i++) {
		memcpy(before, sim_signals(sim), sizeof(before));
		sim_new_run(sim);
		port = (struct access_trace){ .sink = &sink,
			.host = (uintptr_t)arena.base,
			.base = ACCESS_ARENA_BASE };
		kernel->trace(shape, &arena, g->isa, &port);
		access_flush(&port);
	}
	for (int i = 0; i < SIGNALS; i++)
		signals[i] = sim_signals(sim)[i] - before[i];
	shape_arena_free(&arena);
	free(memory);
}

static const struct assay_expected *check_row(const struct assay_expected *row,
					      const uint64_t *signals,
					      double *counted)
{
	int part[SIGNALS_OF_QUANTITY];
	const unsigned parts = signals_of_quantity(row->quantity, part);

	*counted = 0;
	for (unsigned i = 0; i < parts; i++)
		*counted += (double)signals[part[i]];
	if (parts)
		return *counted >= row->low && *counted <= row->high ? NULL :
								      row;
	/* of the operating system, not of the simulator */
	if (row->quantity != ASSAY_Q_page_faults &&
	    row->quantity != ASSAY_Q_watch_hits)
		fail_msg("nothing is known of %s",
			 assay_quantity_name(row->quantity));
	return NULL;
}

static void check_rows(const char *text, const struct geometry *g, bool warm,
		       const struct assay_expectation *e,
		       const uint64_t *signals, struct tally *tally)
{
	for (unsigned i = 0; i < e->rows; i++) {
		const struct assay_expected *row = &e->row[i];
		double counted;

		/* fetched it is, but no model without an L1I counts it */
		if (row->quantity == ASSAY_Q_l1i_fetches && !g->l1i.present)
			continue;
		tally->rows++;
		tally->exact += row->exact;
		tally->rows_of[row->quantity]++;
		tally->exact_of[row->quantity] += row->exact;
		if (!check_row(row, signals, &counted))
			continue;
		tally->wrong_of[row->quantity]++;
		if (tally->wrong++ < 40 && !tally->quiet)
			print_error("%s on %s%s: %s %.0f, expected %.1f "
				    "[%.1f, %.1f]\n", text, g->name,
				    warm ? ", warm" : "",
				    assay_quantity_name(row->quantity),
				    counted, row->value, row->low, row->high);
	}
}

/* The closed form of one hierarchy against the simulation of another. */
static void compare(const char *text, const struct geometry *claimed,
		    const struct geometry *g, struct tally *tally)
{
	struct assay_error err = { .code = 0 };
	uint64_t signals[SIGNALS];
	struct assay_shape shape;
	const struct kernel *kernel = shape_text(&shape, text, &err);

	if (!kernel)
		fail_msg("%s: %s", text, err.text);
	for (int warm = 0; warm < 2; warm++) {
		struct assay_expectation e = { .rows = 0 };

		kernel->expect(&shape, claimed->isa, claimed, warm, &e);
		simulate(kernel, &shape, g, (unsigned)warm, signals);
		check_rows(text, g, warm, &e, signals, tally);
	}
	tally->shapes++;
}

static void check(const char *text, const struct geometry *g,
		  struct tally *tally)
{
	compare(text, g, g, tally);
}

static void add_swept(const struct tally *t)
{
	for (int q = 0; q < ASSAY_QUANTITIES; q++) {
		/* a shape was run cold and warm */
		swept.shapes[q] += t->rows_of[q] / 2;
		swept.exact[q] += t->exact_of[q];
	}
}

static void finish(const char *name, const struct tally *t)
{
	printf("# %s: %u shapes, %u rows, %u exact, %u wrong\n", name,
	       t->shapes, t->rows, t->exact, t->wrong);
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		if (t->rows_of[q])
			printf("#   %-18s %5u rows, %5u exact\n",
			       assay_quantity_name((enum assay_quantity)q),
			       t->rows_of[q], t->exact_of[q]);
	assert_int_equal(t->wrong, 0);
}

/* Hierarchies that differ in what closed forms depend on. */
static unsigned hierarchies(struct geometry *out, unsigned room)
{
	static const struct { unsigned s1, w1, s2, w2, s3, w3;
		enum inclusion i2, i3; } rows[] = {
		{ 16, 2, 0, 0, 0, 0, 0, 0 },
		{ 16, 2, 64, 4, 0, 0, INCLUDE_NON, 0 },
		{ 16, 2, 64, 4, 0, 0, INCLUDE_ALL, 0 },
		{ 16, 4, 16, 8, 64, 8, INCLUDE_NON, INCLUDE_NON },
		{ 8, 2, 32, 4, 64, 16, INCLUDE_ALL, INCLUDE_ALL },
		{ 64, 2, 64, 8, 128, 4, INCLUDE_NON, INCLUDE_EXCLUSIVE },
		{ 16, 2, 16, 8, 64, 8, INCLUDE_EXCLUSIVE, INCLUDE_VICTIM },
		{ 12, 3, 36, 4, 0, 0, INCLUDE_NON, 0 },
	};
	unsigned n = 0;

	for (; n < sizeof(rows) / sizeof(*rows) && n < room; n++) {
		out[n] = small(rows[n].s1, rows[n].w1);
		if (rows[n].s2)
			out[n].l2 = cache(rows[n].s2, rows[n].w2, rows[n].i2);
		if (rows[n].s3)
			out[n].l3 = cache(rows[n].s3, rows[n].w3, rows[n].i3);
		snprintf(out[n].name, sizeof(out[n].name), "hierarchy %u", n);
	}
	return n;
}

/* text: with one %u, which takes each size in turn. */
static void sweep(const char *name, const char *const *texts, unsigned n_texts,
		  const unsigned *sizes, unsigned n_sizes)
{
	struct tally tally = { 0 };
	struct geometry g[8];
	unsigned n = hierarchies(g, 8);
	char text[128];

	for (unsigned s = 0; s < n_sizes; s++)
		for (unsigned t = 0; t < n_texts; t++)
			for (unsigned i = 0; i < n; i++) {
				snprintf(text, sizeof(text), texts[t],
					 sizes[s]);
				check(text, &g[i], &tally);
			}
	add_swept(&tally);
	finish(name, &tally);
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const unsigned in_lines[] = { 1, 2, 15, 31, 32, 33, 40, 47, 48, 49, 63,
	64, 65, 100, 127, 128, 200, 255, 256, 257, 300, 383, 512, 700, 1023,
	1024, 1025, 1500, 2048, 3000, 4096 };

static void chase_cycles(void **state)
{
	static const char *const texts[] = {
		"chase elements=%u passes=1 order=linear",
		"chase elements=%u passes=2 order=ping-pong",
		"chase elements=%u passes=9 order=shuffled",
		"chase elements=%u passes=4 order=fisher-yates",
		"chase elements=%u passes=3 order=page-local",
	};

	(void)state;
	sweep("chase, LRU, identity", texts, COUNT(texts), in_lines,
	      COUNT(in_lines));
}

static void pages_cycle(void **state)
{
	static const unsigned pages[] = { 1, 2, 7, 8, 9, 16, 31, 32, 33, 40,
		63, 64, 65, 66, 100, 129, 130, 200, 300, 513 };
	static const char *const texts[] = {
		"pages pages=%u passes=5",
		"pages pages=%u passes=2 spread=off order=linear",
		"pages pages=%u passes=1 order=fisher-yates",
	};

	(void)state;
	sweep("pages, LRU, identity", texts, COUNT(texts), pages,
	      COUNT(pages));
}

static void stores_cycle(void **state)
{
	static const unsigned kib[] = { 1, 2, 3, 4, 5, 8, 12, 16, 17, 24, 32,
		40, 48, 64, 65, 96, 128, 200 };
	static const char *const texts[] = {
		"stride bytes=%uK op=load offsets=3",
		"stride bytes=%uK op=store offsets=3",
		"stride bytes=%uK op=store offsets=1",
		"stride bytes=%uK op=update offsets=3",
		"store bytes=%uK passes=2",
		"store bytes=%uK passes=3",
		"store bytes=%uK passes=5",
		"store bytes=%uK op=streaming passes=1",
		"store bytes=%uK op=streaming passes=3",
		"store bytes=%uK op=streaming passes=6",
		"store bytes=%uK op=streaming",
		"stream ints=%uK passes=1",
		"stream ints=%uK passes=3",
	};

	(void)state;
	sweep("stride, store, stream, LRU, identity", texts, COUNT(texts), kib,
	      COUNT(kib));
}

static void products(void **state)
{
	static const unsigned rows[] = { 1, 2, 3, 5, 7, 8, 9, 11, 12, 15, 16, 17, 23,
		24, 25, 31, 32, 33, 40, 47, 48, 56, 63, 64, 65, 72 };
	static const char *const texts[] = {
		"matmul n=%u order=textbook",
		"matmul n=%u order=interchange",
	};

	(void)state;
	sweep("matmul, LRU, identity", texts, COUNT(texts), rows, COUNT(rows));
}

static const char *const small_walks[] = {
	"chase elements=31 passes=5 order=linear",
	"chase elements=32 passes=3 order=shuffled",
	"chase elements=40 passes=1 order=shuffled",
	"chase elements=64 passes=4 order=ping-pong",
	"chase elements=130 passes=6 order=fisher-yates",
	"chase elements=256 passes=3 order=shuffled",
	"chase elements=600 passes=4 order=linear",
	"chase elements=1024 passes=3 order=shuffled",
	"chase elements=1500 passes=1 order=shuffled",
	"chase elements=4096 passes=3 order=fisher-yates",
	"random bytes=4K accesses=3000",
	"random bytes=16K accesses=20000",
	"random bytes=64K accesses=30000 generator=off",
	"random bytes=256K accesses=50000 dependence=off",
	"random bytes=16K accesses=1024 generator=off dependence=off",
	"random bytes=64K accesses=3072 generator=off dependence=off",
	"random bytes=1M accesses=200",
	"chase elements=512 passes=3 chains=4 order=page-local",
	"pages pages=40 passes=3",
	"pages pages=200 passes=3 spread=off",
	"stride bytes=2K offsets=4 op=store",
	"stride bytes=24K offsets=3 op=store",
	"stride bytes=24K offsets=3 op=update",
	"stride bytes=200K offsets=2 op=load",
	"store bytes=10K passes=3",
	"store bytes=100K passes=2 op=streaming",
	"stream ints=10K passes=2",
	"stream ints=60K",
	"flush lines=3 iterations=20",
	"flush lines=100 iterations=3",
	"flush lines=1000 iterations=2 spacing=64",
	"touch pages=50",
	"watch accesses=100",
	"watch accesses=100 op=load",
	"matmul n=20",
	"matmul n=40 order=interchange",
	"icode lines=10 passes=10",
	"icode lines=300 passes=4",
	"icode lines=5000 passes=3",
	"iflush lines=3 iterations=20",
	"iflush lines=64 iterations=3",
	"callret depth=3 rounds=20",
	"callret depth=100 rounds=20",
	"branch chars=3000 passes=3",
	"branch chars=66000 ones=0.2",
	"branch chars=66000 passes=2 ones=0.5",
	"branch chars=9000 pattern=ones",
	"branch chars=9000 pattern=zeros passes=2",
	"branch chars=9000 pattern=period period=5",
	"branch chars=9000 pattern=period period=1",
	"branch chars=900 pattern=period period=1000",
	"empty",
};

/* Each geometry gets one walk of three: the next one gets others. */
static void check_some(const char *const *walk, size_t walks,
		       const struct geometry *g, struct tally *tally,
		       unsigned number)
{
	const unsigned step = one_of(3);

	for (size_t i = number % step; i < walks; i += step)
		check(walk[i], g, tally);
}

static void check_all(const struct geometry *g, struct tally *tally,
		      unsigned number)
{
	check_some(small_walks, COUNT(small_walks), g, tally, number);
}

/* Other policies, inclusions and page maps: the bands must hold. */
static void bands_hold(void **state)
{
	static const enum replacement policies[] = { REPLACE_TREE_PLRU,
		REPLACE_BIT_PLRU, REPLACE_FIFO, REPLACE_RANDOM, REPLACE_SRRIP,
		REPLACE_QLRU_H00_M1_R2_U1, REPLACE_QLRU_H11_M1_R0_U0,
		REPLACE_LRU };
	struct tally tally = { 0 };
	struct geometry g[8];
	unsigned n = hierarchies(g, 8);

	(void)state;
	for (unsigned i = 0; i < n; i++)
		for (unsigned p = 0; p < 16; p++) {
			struct geometry h = g[i];

			h.l1d.policy = policies[p % 8];
			h.l2.policy = policies[(p + p / 8) % 8];
			h.l3.policy = policies[(p * 3) % 8];
			h.dtlb.policy = policies[p / 4 % 8];
			h.l1d.cold = p & 1 ? COLD_POLICY_VICTIM :
					     COLD_INVALID_FIRST;
			h.copy_back = p & 2 ? COPY_VICTIM_FIRST :
					      COPY_FETCH_FIRST;
			h.l2.silent_clean = p % 7 == 0;
			h.walker.reads_through = (enum walk_level)(p % 4);
			h.l3.slices = p % 5 == 0 ? 3 : 1;
			if (p % 4 == 1)
				h.itlb = (struct tlb_geometry){
					true, 3, 1, REPLACE_LRU };
			snprintf(h.name + strlen(h.name),
				 sizeof(h.name) - strlen(h.name),
				 ", variant %u", p);
			check_all(&h, &tally, i + p);
		}
	finish("other policies", &tally);
}

/* Hierarchies without a part of those above. */
static void parts_may_be_missing(void **state)
{
	struct tally tally = { 0 };
	struct geometry g[8];
	unsigned n = hierarchies(g, 8);

	(void)state;
	for (unsigned i = 0; i < n; i++)
		for (unsigned without = 1; without < 16; without++) {
			struct geometry h = g[i];

			h.l1i.present &= !(without & 1);
			h.itlb.present &= !(without & 2);
			h.l2tlb.present &= !(without & 12);
			h.dtlb.present &= !(without & 8);
			h.split_l2tlb = without & 4;
			h.l2itlb = (struct tlb_geometry){
				h.split_l2tlb && h.itlb.present, 16, 4,
				REPLACE_LRU };
			h.store_dtlb = (struct tlb_geometry){
				h.dtlb.present && without % 5 < 2, 4, 2,
				REPLACE_LRU };
			h.predictor = (struct predictor_geometry){
				without % 3 ? PREDICT_NONE : PREDICT_TAGE,
				1024, 64, 8, 2, 0 };
			if (!h.dtlb.present && i % 2)
				h.walker.levels = h.walker.cached_levels = 0;
			snprintf(h.name + strlen(h.name),
				 sizeof(h.name) - strlen(h.name),
				 ", without %u", without);
			check_all(&h, &tally, i + without);
		}
	finish("missing parts", &tally);
}

static void page_maps_hold(void **state)
{
	struct tally tally = { 0 };

	(void)state;
	for (unsigned seed = 0; seed < 12; seed++)
		for (unsigned i = 0; i < 4; i++) {
			struct geometry g = small(i & 1 ? 256 : 128, 2);

			g.l2 = cache(512, i & 2 ? 4 : 8, i & 1 ? INCLUDE_ALL :
								INCLUDE_NON);
			if (i & 2)
				g.l3 = cache(1024, 8, INCLUDE_EXCLUSIVE);
			if (seed % 3)
				g.predictor = (struct predictor_geometry){
					seed % 3 == 1 ? PREDICT_BIMODAL :
							PREDICT_TAGE,
					seed % 2 ? 16384 : 1024, 64, 8,
					seed % 2, 0 };
			g.page_map.kind = PAGE_MAP_RANDOM;
			if (seed > 7)
				g.page_map.size = (enum page_size)(seed - 7);
			g.page_map.seed = seed;
			snprintf(g.name, sizeof(g.name), "map %u.%u", seed, i);
			check_all(&g, &tally, seed + i);
		}
	finish("random frames", &tally);
}

/* More of each than the TLBs have entries, and fewer. */
static const char *const paged_walks[] = {
	"chase elements=4096 passes=3 order=linear",
	"chase elements=2100 passes=4 order=page-local",
	"chase elements=5000 passes=2 order=shuffled",
	"chase elements=3000 passes=3 order=ping-pong",
	"pages pages=40 passes=5", "pages pages=64 passes=4 order=linear",
	"pages pages=200 passes=3 order=fisher-yates",
	"pages pages=1100 passes=3 order=linear spread=off",
	"pages pages=600 passes=2 spread=off",
	"stride bytes=200K op=load offsets=3",
	"stride bytes=1500K op=store offsets=2",
	"store bytes=700K passes=3", "stream ints=400K passes=2",
	"icode lines=300 passes=4", "icode lines=8000 passes=3",
	"random bytes=2M", "matmul n=60",
	"flush lines=300 iterations=3 spacing=8K",
	"flush lines=60 iterations=3 spacing=64K",
	"iflush lines=40 iterations=4", "touch pages=100", "branch chars=900000 ones=0.2",
};

static void page_sizes_hold(void **state)
{
	struct tally tally = { 0 };
	struct geometry g[8];
	unsigned n = hierarchies(g, 8);

	(void)state;
	for (unsigned i = 0; i < n; i++)
		/* by turns: identities, random ones */
		for (int map = 2 + (int)i % 2; map < PAGE_MAP_NAMES;
		     map += 2) {
			g[i].page_map = geometry_page_map(&g[i], map);
			snprintf(g[i].name, sizeof(g[i].name), "%u, %s", i,
				 page_map_names[map]);
			check_some(paged_walks, COUNT(paged_walks), &g[i],
				   &tally, i + (unsigned)map / 2);
		}
	finish("sizes of pages", &tally);
}

static void flushes(void **state)
{
	static const unsigned lines[] = { 1, 2, 3, 5, 8, 13, 16, 17, 31, 32,
		33, 48, 63, 64 };
	static const char *const texts[] = {
		"flush lines=%u iterations=1",
		"flush lines=%u iterations=20",
		"flush lines=%u iterations=4 spacing=64",
		"flush lines=%u iterations=3 spacing=8K",
		"iflush lines=%u iterations=1",
		"iflush lines=%u iterations=20",
	};

	(void)state;
	sweep("flush and iflush, LRU, identity", texts, COUNT(texts), lines,
	      COUNT(lines));
}

static void code_cycles(void **state)
{
	static const unsigned lines[] = { 1, 2, 15, 16, 17, 31, 32, 33, 47, 63,
		64, 65, 100, 127, 128, 129, 190, 191, 192, 193, 255, 256, 257,
		500, 511, 512, 513, 1000, 2000 };
	static const char *const texts[] = {
		"icode lines=%u passes=1",
		"icode lines=%u passes=2",
		"icode lines=%u passes=6",
	};

	(void)state;
	sweep("icode, LRU, identity", texts, COUNT(texts), lines,
	      COUNT(lines));
}

/* Every cache quantity that has a closed form: enough shapes, and exact. */
static void sweeps_are_wide(void **state)
{
	static const enum assay_quantity all[] = {
		ASSAY_Q_served_l1, ASSAY_Q_served_l2, ASSAY_Q_served_l3,
		ASSAY_Q_served_dram, ASSAY_Q_l1d_read_misses,
		ASSAY_Q_l1d_write_misses, ASSAY_Q_l1d_refills,
		ASSAY_Q_l1d_writebacks, ASSAY_Q_l1i_refills,
		ASSAY_Q_l2_refills, ASSAY_Q_l2_evict_clean,
		ASSAY_Q_l2_evict_dirty, ASSAY_Q_rfos, ASSAY_Q_dram_writes,
		ASSAY_Q_dtlb_misses, ASSAY_Q_itlb_misses, ASSAY_Q_l2tlb_misses,
		ASSAY_Q_page_walks,
	};

	(void)state;
	for (size_t i = 0; i < COUNT(all); i++)
		if (swept.shapes[all[i]] < 400 || swept.exact[all[i]] < 400)
			fail_msg("%s: %u shapes, %u exact rows",
				 assay_quantity_name(all[i]),
				 swept.shapes[all[i]], swept.exact[all[i]]);
}

/* A closed form with one constant changed must be found out. */
static void mutants_are_caught(void **state)
{
	static const char *const texts[] = {
		"chase elements=33 passes=3", "chase elements=49 passes=3",
		"chase elements=200 passes=4", "chase elements=257 passes=4",
		"chase elements=300 passes=5", "chase elements=1025 passes=3",
		"chase elements=1300 passes=3", "pages pages=9 passes=4",
		"pages pages=33 passes=4 spread=off",
		"stride bytes=3K op=store",
		"stride bytes=17K op=store", "stride bytes=20K op=store",
		"stride bytes=20K", "stream ints=1K passes=2",
		"icode lines=129 passes=3", "icode lines=200 passes=3",
		"icode lines=513 passes=3", "flush lines=5",
		"callret depth=9 rounds=5",
	};
	static const struct { const char *what; enum assay_quantity caught[8]; }
	mutants[] = {
		{ "L1D ways", { ASSAY_Q_l1d_read_misses, ASSAY_Q_served_l1,
				ASSAY_Q_l1d_refills, ASSAY_Q_l1d_write_misses,
				ASSAY_Q_rfos, ASSAY_Q_l1d_writebacks } },
		{ "L1D sets", { ASSAY_Q_l1d_read_misses, ASSAY_Q_served_l1,
				ASSAY_Q_l1d_refills, ASSAY_Q_l1d_write_misses,
				ASSAY_Q_rfos, ASSAY_Q_l1d_writebacks } },
		{ "L2 ways", { ASSAY_Q_served_l2, ASSAY_Q_served_dram,
			       ASSAY_Q_l2_evict_dirty,
			       ASSAY_Q_l2_evict_clean } },
		{ "DTLB entries", { ASSAY_Q_dtlb_misses } },
		{ "L2 TLB ways", { ASSAY_Q_page_walks,
				   ASSAY_Q_l2tlb_misses } },
		{ "L1I ways", { ASSAY_Q_l1i_refills } },
		{ "ITLB entries", { ASSAY_Q_itlb_misses } },
		{ "return stack", { ASSAY_Q_return_mispredicts } },
		{ "ISA", { ASSAY_Q_instructions } },
	};

	(void)state;
	for (size_t m = 0; m < COUNT(mutants); m++) {
		struct geometry g = small(16, 2), claimed;
		struct tally tally = { .quiet = true };

		g.l2 = cache(64, 4, INCLUDE_NON);
		g.predictor = (struct predictor_geometry){
			PREDICT_BIMODAL, 1024, 0, 8, 0, 0 };
		claimed = g;
		claimed.l1d.ways += m == 0;
		claimed.l1d.sets *= 1 + (m == 1);
		claimed.l2.ways += m == 2;
		claimed.dtlb.entries += m == 3;
		claimed.dtlb.ways = claimed.dtlb.entries;
		claimed.l2tlb.ways += m == 4;
		claimed.l2tlb.entries += m == 4 ? 8 : 0;
		claimed.l1i.ways += m == 5;
		claimed.itlb.entries += m == 6;
		claimed.itlb.ways = claimed.itlb.entries;
		claimed.predictor.return_stack += m == 7;
		claimed.isa = m == 8 ? ISA_X86_64 : ISA_AARCH64;
		for (size_t t = 0; t < COUNT(texts); t++)
			compare(texts[t], &claimed, &g, &tally);
		for (unsigned q = 0; q < 8 && (!q || mutants[m].caught[q]); q++)
			if (!tally.wrong_of[mutants[m].caught[q]])
				fail_msg("%s changed by one: %s agrees",
					 mutants[m].what, assay_quantity_name(
						 mutants[m].caught[q]));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(chase_cycles),
		cmocka_unit_test(pages_cycle),
		cmocka_unit_test(stores_cycle),
		cmocka_unit_test(products),
		cmocka_unit_test(flushes),
		cmocka_unit_test(code_cycles),
		cmocka_unit_test(sweeps_are_wide),
		cmocka_unit_test(mutants_are_caught),
		cmocka_unit_test(bands_hold),
		cmocka_unit_test(parts_may_be_missing),
		cmocka_unit_test(page_maps_hold),
		cmocka_unit_test(page_sizes_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
