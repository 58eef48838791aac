/* SPDX-License-Identifier: MIT */
/* Writes what a machine reports as sections of a CPU file. */
#include "cpus/hierarchy-write.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"

/* Tree-PLRU is possible for powers of two only. */
static const char *guess_policy(uint32_t ways)
{
	return ways <= 64 && !(ways & (ways - 1)) ? "tree-plru" : "lru";
}

static void put_cache(FILE *out, const char *name,
		      const struct cache_geometry *c)
{
	char size[32];

	if (!c->present)
		return;
	text_bytes(size, sizeof(size), cache_bytes(c));
	fprintf(out, "  %s:\n    size: %s | D kernel\n    ways: %u | D kernel\n"
		"    line: %u | D kernel\n    policy: %s | G guess\n", name,
		size, c->ways, c->line_bytes, guess_policy(c->ways));
}

/* One TLB (at: its offset in struct tlbs), with a row for each page size. */
static void put_tlb(FILE *out, const char *name, size_t at,
		    const struct geometry *g)
{
	for (int i = 0; i < PAGE_SIZES; i++) {
		struct tlb_geometry t;

		memcpy(&t, (const char *)&g->tlbs[i] + at, sizeof(t));
		if (!t.present && i == PAGE_4K)
			return;
		if (t.present && i == PAGE_4K)
			fprintf(out, "  %s:\n    entries: %u | D kernel\n"
				"    ways: %u | D kernel\n    policy: lru | G "
				"guess\n", name, t.entries, t.ways);
		else if (t.present)
			fprintf(out, "    %s:\n      entries: %u | D kernel\n"
				"      ways: %u | D kernel\n", page_names[i],
				t.entries, t.ways);
	}
}

/* If code does not share l2tlb, "l2itlb" is written even without entries. */
static void put_l2itlb(FILE *out, const struct geometry *g)
{
	const struct tlbs *small = &g->tlbs[PAGE_4K];

	if (!g->split_l2tlb || !small->itlb.present)
		return;
	if (small->l2tlb.present && !small->l2itlb.present)
		fprintf(out, "  l2itlb:\n    entries: 0 | D kernel\n");
	put_tlb(out, "l2itlb", offsetof(struct tlbs, l2itlb), g);
}

static void put_tlbs(FILE *out, const struct geometry *g)
{
	fprintf(out, "\ntlbs:\n");
	put_tlb(out, "dtlb", offsetof(struct tlbs, dtlb), g);
	put_tlb(out, "store-dtlb", offsetof(struct tlbs, store_dtlb), g);
	put_tlb(out, "itlb", offsetof(struct tlbs, itlb), g);
	put_tlb(out, "l2tlb", offsetof(struct tlbs, l2tlb), g);
	put_l2itlb(out, g);
	fprintf(out, "\nwalker:\n  from: G guess\n  reads-through: %s\n"
		"  levels: 4\n  cached-levels: 3\n",
		g->l2.present ? "l2" : "l1d");
}

void hierarchy_write(FILE *out, const struct geometry *g)
{
	fprintf(out, "caches:\n");
	put_cache(out, "l1d", &g->l1d);
	put_cache(out, "l1i", &g->l1i);
	put_cache(out, "l2", &g->l2);
	if (g->l2.present)
		put_cache(out, "l3", &g->l3);
	if (g->tlbs[PAGE_4K].dtlb.present)
		put_tlbs(out, g);
}
