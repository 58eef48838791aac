/* SPDX-License-Identifier: MIT */
/* The sections line, page, order, caches, tlbs and walker; see cpu-read.h. */
#include "cpus/cpu-read.h"

#include <stddef.h>
#include <string.h>

#include "base/policies.h"

#define MAX_BYTES (UINT64_C(4) << 30)
#define MAX_SETS (UINT64_C(1) << 26)
enum { MIN_LINE = 16, MAX_LINE = 4096, MAX_WAYS = 1024, MAX_SLICES = 256,
       MAX_ENTRIES = 1 << 20, MAX_SET = 4096, MAX_LINES = 1 << 27 };

/* The values of one cache in the file; 0: the key is not given. */
struct cache_text {
	uint64_t bytes, ways, line, sectors, sets, slices;
	int policy, inclusion, write, cold;
	bool allocate, silent_clean, loud_from_dram;
	double latency;
};

static const char *const writes[] = { "back", "through" };
static const char *const cold_fills[] = { "invalid-first", "policy-victim" };
static const char *const copy_backs[] = { "fetch-first", "victim-first" };
static const char *const walk_levels[] = { "l1d", "l2", "l3", "dram" };

static const struct field cache_fields[] = {
	COUNT_ROW("size", cache_text, bytes, false, 1, MAX_BYTES),
	COUNT_ROW("ways", cache_text, ways, true, 1, MAX_WAYS),
	COUNT_ROW("sets", cache_text, sets, false, 1, MAX_SETS),
	COUNT_ROW("line", cache_text, line, false, MIN_LINE, MAX_LINE),
	COUNT_ROW("sectors", cache_text, sectors, false, 1, MAX_LINE),
	COUNT_ROW("slices", cache_text, slices, false, 1, MAX_SLICES),
	WORD_ROW("policy", cache_text, policy, true, replacement_names),
	WORD_ROW("inclusion", cache_text, inclusion, false, inclusion_names),
	WORD_ROW("write", cache_text, write, false, writes),
	BOOL_ROW("write-allocate", cache_text, allocate, false),
	BOOL_ROW("silent-clean", cache_text, silent_clean, false),
	BOOL_ROW("loud-from-dram", cache_text, loud_from_dram, false),
	WORD_ROW("cold-fill", cache_text, cold, false, cold_fills),
	REAL_ROW("latency", cache_text, latency, 100000),
	{ .key = NULL }
};

static const struct field level_fields[] = {
	{ .key = "l1d" }, { .key = "l1i" }, { .key = "l2" }, { .key = "l3" },
	{ .key = NULL }
};

static bool is_power_of_two(uint64_t n)
{
	return n && !(n & (n - 1));
}

/* Computes size or sets from the other, and checks them against line, ways and
 * slices. */
static int complete_cache(const struct scope *s, struct cache_text *c)
{
	const uint64_t row = c->line * c->ways * c->slices;

	if (!is_power_of_two(c->line))
		return scope_refuse(s, "line", "'line' must be a power of two");
	if (!c->bytes && !c->sets)
		return scope_refuse(s, "size", "a cache needs 'size' or "
				    "'sets'");
	if (c->bytes % row)
		return scope_refuse(s, "size", "'size' must be a multiple of "
				    "line x ways x slices");
	if (c->bytes && c->sets && c->bytes / row != c->sets)
		return scope_refuse(s, "sets",
			      "'sets' must be size / (line x ways x slices)");
	if (!c->sets)
		c->sets = c->bytes / row;
	if (c->sets > MAX_SETS || c->sets * row > MAX_BYTES)
		return scope_refuse(s, "sets", "the cache is larger than 4 "
				    "GiB");
	if (c->sets * c->ways * c->slices > MAX_LINES)
		return scope_refuse(s, "size", "the cache has more than 2^27 "
				    "lines");
	return 0;
}

/* Refuses keys that contradict each other, or that this level cannot have. */
static int check_cache(const struct scope *s, const char *key,
		       const struct cache_text *c)
{
	static const char *const of_stores[] = { "write", "write-allocate",
						 NULL };

	if (policy_refusal((enum replacement)c->policy, c->ways))
		return scope_refuse(s, "policy", policy_refusal(
			(enum replacement)c->policy, c->ways));
	if (c->sectors > 1)
		return scope_refuse(s, "sectors", "lines that are filled in "
				    "sectors are not simulated");
	if (c->loud_from_dram && !c->silent_clean)
		return scope_refuse(s, "loud-from-dram", "'loud-from-dram' is "
				    "an exception from 'silent-clean'");
	for (const char *const *w = of_stores; *w && !strcmp(key, "l1i"); w++)
		if (yaml_get(s->map, *w))
			return scope_refuse(s, *w,
					    "nothing is written to an 'l1i'");
	if (key[1] == '1' && c->inclusion != INCLUDE_NON)
		return scope_refuse(s, "inclusion",
				    "only l2 and l3 have an 'inclusion'");
	if (key[1] == '1' && c->slices > 1)
		return scope_refuse(s, "slices",
				    "only l2 and l3 have 'slices'");
	return 0;
}

static int read_cache(const struct scope *parent, const char *key,
		      uint64_t line, int cold, struct cache_geometry *out)
{
	struct cache_text c = { .line = line, .slices = 1, .allocate = true,
				.cold = cold };
	struct scope s;
	bool present;
	int error = scope_open(&s, parent, key, cache_fields, &present);

	if (error || !present)
		return error;
	error = scope_read(&s, cache_fields, &c);
	if (!error)
		error = complete_cache(&s, &c);
	if (!error)
		error = check_cache(&s, key, &c);
	if (error)
		return error;
	*out = (struct cache_geometry){
		.present = true,
		.line_bytes = (uint32_t)c.line,
		.sets = (uint32_t)c.sets,
		.ways = (uint32_t)c.ways,
		.slices = (uint32_t)c.slices,
		.policy = (enum replacement)c.policy,
		.inclusion = (enum inclusion)c.inclusion,
		.write_through = c.write == 1,
		.no_write_allocate = !c.allocate,
		.silent_clean = c.silent_clean,
		.loud_from_dram = c.loud_from_dram,
		.cold = (enum cold_fill)c.cold,
	};
	return 0;
}

static int check_lines(const struct scope *s, const struct geometry *g)
{
	const struct cache_geometry *const cache[] = { &g->l2, &g->l3 };
	static const char *const key[] = { "l2", "l3" };
	uint32_t above = g->l1d.line_bytes;

	if (g->l1i.present && g->l1i.line_bytes != above)
		return scope_refuse(s, "l1i", "its lines are not as long as "
				    "those of 'l1d'");
	for (int i = 0; i < 2; i++) {
		if (!cache[i]->present || cache[i]->line_bytes == above)
			continue;
		if (cache[i]->line_bytes < above)
			return scope_refuse(s, key[i], "its lines are shorter "
					    "than those of the level above");
		if (cache[i]->inclusion == INCLUDE_EXCLUSIVE ||
		    cache[i]->inclusion == INCLUDE_VICTIM)
			return scope_refuse(s, key[i], "victims fill it, so its "
					    "lines must be as long as those of "
					    "the level above");
		above = cache[i]->line_bytes;
	}
	return 0;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Refuses an l3 without l2, and inclusive levels smaller than the one above. */
static int check_levels(const struct scope *s, const struct geometry *g)
{
	const struct cache_geometry *below = &g->l2;
	const char *key = "l2";

	if (g->l3.present && !g->l2.present)
		return fact_error_key(s, yaml_get(s->map, "l3"),
				      "'l3' needs an 'l2' above it");
	for (int i = 0; i < 2; i++, below = &g->l3, key = "l3") {
		const uint64_t above = i ? cache_bytes(&g->l2) :
			larger(cache_bytes(&g->l1d), cache_bytes(&g->l1i));

		if (!below->present)
			continue;
		if (below->inclusion == INCLUDE_ALL &&
		    cache_bytes(below) < above)
			return scope_refuse(s, key, "an inclusive level cannot "
					    "be smaller than the level above");
	}
	return 0;
}

static int read_caches(const struct scope *top, uint64_t line, int cold,
		       struct geometry *g)
{
	struct cache_geometry *const out[] = { &g->l1d, &g->l1i, &g->l2,
					       &g->l3 };
	struct scope s;
	int error = scope_open(&s, top, "caches", level_fields, NULL);

	for (int i = 0; i < 4 && !error; i++)
		error = read_cache(&s, level_fields[i].key, line, cold, out[i]);
	if (!error && !g->l1d.present)
		error = fact_error_key(&s, s.map, "'caches' needs 'l1d'");
	if (!error)
		error = check_lines(&s, g);
	return error ? error : check_levels(&s, g);
}

/* ---- TLBs and walker ---------------------------------------------------- */

struct tlb_text {
	uint64_t entries, ways;
	int policy;
	double latency;
};

static const struct field tlb_fields[] = {
	COUNT_ROW("entries", tlb_text, entries, true, 1, MAX_ENTRIES),
	COUNT_ROW("ways", tlb_text, ways, false, 1, MAX_ENTRIES),
	WORD_ROW("policy", tlb_text, policy, true, replacement_names),
	REAL_ROW("latency", tlb_text, latency, 100000),
	{ .key = NULL }
};

/* For the entries of one page size and for l2itlb, which may be 0: none. */
static const struct field sized_fields[] = {
	COUNT_ROW("entries", tlb_text, entries, true, 0, MAX_ENTRIES),
	COUNT_ROW("ways", tlb_text, ways, false, 1, MAX_ENTRIES),
	WORD_ROW("policy", tlb_text, policy, false, replacement_names),
	REAL_ROW("latency", tlb_text, latency, 100000),
	{ .key = NULL }
};

static const struct field tlbs_fields[] = {
	{ .key = "dtlb" }, { .key = "itlb" }, { .key = "l2tlb" },
	{ .key = "l2itlb" }, { .key = "store-dtlb" }, { .key = NULL }
};

/* A kind of TLB, in the order of tlbs_fields. */
struct tlb_kind {
	size_t at;		/* offset in struct tlbs */
	const char *required;	/* key of another TLB that must be there, or
				 * NULL */
	bool second;		/* of the second level */
	const struct field *fields;	/* its keys for all page sizes */
};

static const struct tlb_kind tlb_kinds[] = {
	{ offsetof(struct tlbs, dtlb), NULL, false, tlb_fields },
	{ offsetof(struct tlbs, itlb), NULL, false, tlb_fields },
	{ offsetof(struct tlbs, l2tlb), "dtlb", true, tlb_fields },
	{ offsetof(struct tlbs, l2itlb), "itlb", true, sized_fields },
	{ offsetof(struct tlbs, store_dtlb), "dtlb", false, tlb_fields },
};
#define TLB_KINDS (sizeof(tlb_kinds) / sizeof(*tlb_kinds))

static int no_policy(const struct scope *s)
{
	const struct yaml_node *none;

	return yaml_need(&none, s->reader->yaml, s->map, "policy", YAML_SCALAR,
			 s->reader->err);
}

/* Reads a TLB; `t` has the defaults for keys that the scope does not give. */
static int read_entries(const struct scope *s, const struct field *fields,
			struct tlb_text *t, struct tlb_geometry *out)
{
	int error = scope_read(s, fields, t);

	if (error)
		return error;
	if (!t->entries) {
		*out = (struct tlb_geometry){ .ways = 1 };
		return 0;
	}
	if (t->policy < 0)
		return no_policy(s);
	if (!t->ways)
		t->ways = t->entries;	/* fully associative */
	if (t->entries % t->ways)
		return scope_refuse(s, "ways", "'entries' must be a multiple "
				    "of 'ways'");
	if (policy_refusal((enum replacement)t->policy, t->ways))
		return scope_refuse(s, "policy", policy_refusal(
			(enum replacement)t->policy, t->ways));
	*out = (struct tlb_geometry){ true, (uint32_t)t->entries,
				      (uint32_t)t->ways,
				      (enum replacement)t->policy };
	return 0;
}

static int no_such_pages(const struct scope *s, const char *key, enum isa isa)
{
	return fact_error_key(s, yaml_get(s->map, key), "%s has no pages of %s",
			      isa_names[isa], key);
}

/* The entries that only pages of one size use, if the file gives them. */
static int read_sized(const struct scope *s, enum page_size size, bool second,
		      const struct geometry *g, int policy,
		      struct tlb_geometry *out)
{
	struct tlb_text t = { .policy = policy };
	struct scope own;
	bool present;
	int error = scope_open(&own, s, page_names[size], sized_fields,
			       &present);

	if (error || !present)
		return error;
	if (!page_of_isa(size, g->isa))
		return no_such_pages(s, page_names[size], g->isa);
	error = read_entries(&own, sized_fields, &t, out);
	if (!error && !out->present && !second)
		error = scope_refuse(&own, "entries",
				     "only a second level can have none");
	return error;
}

static int read_tlb(const struct scope *parent, const char *key,
		    const struct tlb_kind *kind, struct geometry *g)
{
	struct field fields[PAGE_SIZES + 5] = { { .key = NULL } };
	struct tlb_text t = { .policy = -1 };
	struct tlb_geometry all;
	struct scope s;
	bool present;
	int error;

	memcpy(fields, kind->fields, 4 * sizeof(*fields));
	for (int i = 0; i < PAGE_SIZES; i++)
		fields[4 + i].key = page_names[i];
	error = scope_open(&s, parent, key, fields, &present);
	if (error || !present)
		return error;
	error = read_entries(&s, kind->fields, &t, &all);
	for (int i = 0; i < PAGE_SIZES && !error; i++) {
		struct tlb_geometry *tlb = (struct tlb_geometry *)
			((char *)&g->tlbs[i] + kind->at);

		*tlb = all;
		error = read_sized(&s, (enum page_size)i, kind->second, g,
				   t.policy, tlb);
	}
	return error;
}

static int read_tlbs(const struct scope *top, struct geometry *g)
{
	struct scope s;
	bool present;
	int error = scope_open(&s, top, "tlbs", tlbs_fields, &present);

	if (error || !present)
		return error;
	for (size_t i = 0; i < TLB_KINDS && !error; i++) {
		const char *key = tlbs_fields[i].key;
		const char *required = tlb_kinds[i].required;

		error = read_tlb(&s, key, &tlb_kinds[i], g);
		if (!error && required && yaml_get(s.map, key) &&
		    !yaml_get(s.map, required))
			error = fact_error_key(&s, yaml_get(s.map, key),
					       tlb_kinds[i].second ?
					       "'%s' needs '%s' above it" :
					       "'%s' needs '%s', for loads",
					       key, required);
	}
	g->split_l2tlb = yaml_get(s.map, "l2itlb");
	return error;
}

struct walker_text {
	int reads;
	uint64_t levels, cached;
};

static const struct field walker_fields[] = {
	WORD_ROW("reads-through", walker_text, reads, true, walk_levels),
	COUNT_ROW("levels", walker_text, levels, true, 1, 5),
	COUNT_ROW("cached-levels", walker_text, cached, false, 0, 5),
	{ .key = NULL }
};

static int read_walker(const struct scope *top, struct geometry *g)
{
	struct walker_text w = { 0 };
	struct scope s;
	bool present;
	int error = scope_open(&s, top, "walker", walker_fields, &present);

	if (error || !present)
		return error;
	error = scope_read(&s, walker_fields, &w);
	if (error)
		return error;
	if (w.cached > w.levels)
		return scope_refuse(&s, "cached-levels",
			      "'cached-levels' cannot exceed 'levels'");
	if ((w.reads == WALK_L2 && !g->l2.present) ||
	    (w.reads == WALK_L3 && !g->l3.present))
		return scope_refuse(&s, "reads-through", "walks cannot read "
				    "through a level that is not there");
	g->walker = (struct walker_geometry){ (enum walk_level)w.reads,
					      (uint32_t)w.levels,
					      (uint32_t)w.cached };
	return 0;
}

/* ---- all of it ---------------------------------------------------------- */

struct order_text {
	int copy_back, cold;
};

static const struct field order_fields[] = {
	WORD_ROW("copy-back", order_text, copy_back, false, copy_backs),
	WORD_ROW("cold-fill", order_text, cold, false, cold_fills),
	{ .key = NULL }
};

static int read_order(const struct scope *top, struct order_text *out)
{
	struct scope s;
	bool present;
	int error = scope_open(&s, top, "order", order_fields, &present);

	return error || !present ? error : scope_read(&s, order_fields, out);
}

static const struct field line_field[] = {
	{ .key = "line", .kind = FIELD_COUNT, .min = MIN_LINE,
	  .max = MAX_LINE },
	{ .key = NULL }
};

/* `page`, the size of base pages. */
static int read_page(const struct scope *top, struct geometry *g)
{
	static const struct field field[] = {
		{ .key = "page", .kind = FIELD_COUNT, .min = 1,
		  .max = MAX_BYTES },
		{ .key = NULL }
	};
	uint64_t bytes = 4096;
	int error = scope_read(top, field, &bytes);

	for (int i = PAGE_4K; i <= PAGE_64K && !error; i++)
		if (bytes >> page_shape((enum page_size)i).bits == 1 &&
		    is_power_of_two(bytes) &&
		    page_of_isa((enum page_size)i, g->isa)) {
			g->page = (enum page_size)i;
			return 0;
		}
	return error ? error : scope_refuse(top, "page", g->isa == ISA_X86_64 ?
		"'page' can only be 4 KiB on x86-64" :
		"'page' is 4 KiB, 16 KiB or 64 KiB");
}

int hierarchy_read(const struct scope *top, struct geometry *out)
{
	struct order_text order = { 0 };
	struct geometry g = *out;
	uint64_t line = 64;
	int error = scope_read(top, line_field, &line);

	if (!error && !is_power_of_two(line))
		error = scope_refuse(top, "line",
				     "'line' must be a power of two");
	if (!error)
		error = read_page(top, &g);
	if (!error)
		error = read_order(top, &order);
	if (!error)
		error = read_caches(top, line, order.cold, &g);
	if (!error)
		error = read_tlbs(top, &g);
	if (!error)
		error = read_walker(top, &g);
	if (!error)
		error = models_read(top, &g);
	if (error)
		return error;
	g.copy_back = (enum copy_back)order.copy_back;
	g.by_size = true;
	if (!yaml_get(top->map, "page-map"))
		g.page_map.size = g.page;
	geometry_place(&g, &g.page_map);
	*out = g;
	return 0;
}
