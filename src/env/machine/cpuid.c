/* SPDX-License-Identifier: MIT */
/*
 * Caches and TLBs from CPUID. Intel describes TLBs in leaf 0x18 and, on older
 * CPUs, those for 4 KiB pages in the bytes of leaf 2; AMD in Fn8000_0005, _0006
 * and, for 1 GiB pages, _0019. Caches: leaf 4 and Fn8000_001D; see cpuid.h.
 */
#include <string.h>

#include "env/machine/cpuid.h"

/* ---- TLBs ---------------------------------------------------------------- */

static void set_tlb(struct tlb_geometry *tlb, uint32_t entries, uint32_t ways)
{
	if (!entries || !ways || entries % ways)
		return;
	*tlb = (struct tlb_geometry){ .present = true, .entries = entries,
				      .ways = ways };
}

enum { TLB_DATA = 1, TLB_CODE = 2, TLB_LOADS = 4, TLB_STORES = 5 };

/* Intel SDM 2A, CPUID leaf 0x18: one subleaf per structure. */
static void add_leaf_18(struct geometry *g, const struct probe_cpuid *c)
{
	static const struct { int bit; enum page_size size; } sizes[] = {
		{ 0, PAGE_4K }, { 1, PAGE_2M }, { 3, PAGE_1G }
	};
	const uint32_t type = c->edx & 31, level = (c->edx >> 5) & 7;
	const bool full = c->edx >> 8 & 1;
	const uint32_t sets = c->ecx & 0xffff;
	const uint32_t entries = (c->ebx >> 16) * sets;
	const uint32_t ways = full ? entries : c->ebx >> 16;

	for (int i = 0; i < 3; i++) {
		if (!(c->ebx >> sizes[i].bit & 1))
			continue;
		if (type == TLB_CODE && level == 1)
			set_tlb(&g->tlbs[sizes[i].size].itlb, entries, ways);
		else if (level == 1 && (type == TLB_DATA || type == TLB_LOADS))
			set_tlb(&g->tlbs[sizes[i].size].dtlb, entries, ways);
		else if (level == 1 && type == TLB_STORES)
			set_tlb(&g->tlbs[sizes[i].size].store_dtlb, entries,
				ways);
		else if (level == 2 && type == TLB_CODE)
			set_tlb(&g->tlbs[sizes[i].size].l2itlb, entries, ways);
		else if (level == 2)
			set_tlb(&g->tlbs[sizes[i].size].l2tlb, entries, ways);
	}
	g->split_l2tlb |= level == 2 && type == TLB_CODE;
}

/* Intel SDM 2A, CPUID leaf 2: the TLB of each byte. code: for instructions;
 * ways 0: fully associative. */
static const struct descriptor {
	uint8_t byte, level, code;
	uint16_t entries, ways;
} descriptors[] = {
	{ 0x01, 1, 1, 32, 4 }, { 0x03, 1, 0, 64, 4 }, { 0x4f, 1, 1, 32, 4 },
	{ 0x50, 1, 1, 64, 0 }, { 0x51, 1, 1, 128, 0 }, { 0x57, 1, 0, 16, 4 },
	{ 0x59, 1, 0, 16, 0 }, { 0x5b, 1, 0, 64, 0 }, { 0x5c, 1, 0, 128, 0 },
	{ 0x61, 1, 1, 48, 0 }, { 0x64, 1, 0, 512, 4 }, { 0x6a, 1, 0, 64, 8 },
	{ 0xa0, 1, 0, 32, 0 }, { 0xb0, 1, 1, 128, 4 }, { 0xb2, 1, 1, 64, 4 },
	{ 0xb3, 1, 0, 128, 4 }, { 0xb5, 1, 1, 64, 8 }, { 0xb6, 1, 1, 128, 8 },
	{ 0xba, 1, 0, 64, 4 }, { 0xc1, 2, 0, 1024, 8 },
	{ 0xc3, 2, 0, 1536, 6 }, { 0xca, 2, 0, 512, 4 },
};

static void add_descriptor(struct geometry *g, uint8_t byte)
{
	struct tlbs *small = &g->tlbs[PAGE_4K];

	for (size_t i = 0; i < sizeof(descriptors) / sizeof(descriptors[0]);
	     i++) {
		const struct descriptor *d = &descriptors[i];

		if (d->byte == byte)
			set_tlb(d->level == 2 ? &small->l2tlb : d->code ?
				&small->itlb : &small->dtlb, d->entries,
				d->ways ? d->ways : d->entries);
	}
}

/* A register is valid if its top bit is clear; AL is no descriptor. */
static void add_leaf_2(struct geometry *g, const struct probe_cpuid *c)
{
	const uint32_t word[4] = { c->eax & ~255u, c->ebx, c->ecx, c->edx };

	for (int r = 0; r < 4; r++)
		for (int b = 0; b < 32 && !(word[r] >> 31); b += 8)
			add_descriptor(g, (uint8_t)(word[r] >> b));
}

static void intel_tlbs(struct geometry *g, const struct probe *probe)
{
	struct probe_cpuid c;
	uint32_t last;

	if (probe_cpuid(probe, 0x18, 0, &c)) {
		last = c.eax < 64 ? c.eax : 64;
		for (uint32_t sub = 0; sub <= last; sub++)
			if (probe_cpuid(probe, 0x18, sub, &c))
				add_leaf_18(g, &c);
	}
	if (!g->tlbs[PAGE_4K].dtlb.present && probe_cpuid(probe, 2, 0, &c))
		add_leaf_2(g, &c);
}

uint32_t cpuid_amd_ways(uint32_t code, uint32_t entries)
{
	static const uint32_t ways[16] = {
		[1] = 1, [2] = 2, [3] = 3, [4] = 4, [5] = 6, [6] = 8,
		[8] = 16, [10] = 32, [11] = 48, [12] = 64, [13] = 96,
		[14] = 128,
	};

	return code == 15 ? entries : ways[code & 15];
}

enum { ZEN5 = 0x1a };	/* the first family with a unit of 32 entries */

/*
 * The unit of the second level's number of entries, 1 or 32: AMD APM 3,
 * Fn8000_0021 EAX bit 14. 0: unknown, because a hypervisor hides this bit but
 * not the number.
 */
static uint32_t amd_l2_unit(const struct machine_id *id,
			    const struct probe *probe)
{
	struct probe_cpuid c;

	if (probe_cpuid(probe, 0x80000021, 0, &c) && c.eax >> 14 & 1)
		return 32;
	return id->family < ZEN5;
}

/* A register of Fn8000_0005: the data TLB is in the upper half. */
static void set_amd_first(struct tlbs *t, uint32_t reg)
{
	uint32_t entries = reg >> 16 & 0xff, ways = reg >> 24;

	set_tlb(&t->dtlb, entries, ways == 0xff ? entries : ways);
	entries = reg & 0xff;
	ways = reg >> 8 & 0xff;
	set_tlb(&t->itlb, entries, ways == 0xff ? entries : ways);
}

/* A register of Fn8000_0006 or _0019: the data TLB is in the upper half. */
static void set_amd_coded(struct tlb_geometry *data, struct tlb_geometry *code,
			  uint32_t reg, uint32_t unit)
{
	uint32_t entries = (reg >> 16 & 0xfff) * unit;

	set_tlb(data, entries, cpuid_amd_ways(reg >> 28, entries));
	entries = (reg & 0xfff) * unit;
	set_tlb(code, entries, cpuid_amd_ways(reg >> 12 & 15, entries));
}

static void set_amd_second(struct tlbs *t, uint32_t reg, uint32_t unit)
{
	set_amd_coded(&t->l2tlb, &t->l2itlb, reg, unit);
}

static void amd_tlbs(struct geometry *g, const struct machine_id *id,
		     const struct probe *probe)
{
	struct tlbs *small = &g->tlbs[PAGE_4K], *large = &g->tlbs[PAGE_2M],
		    *huge = &g->tlbs[PAGE_1G];
	const uint32_t unit = amd_l2_unit(id, probe);
	struct probe_cpuid c;

	if (probe_cpuid(probe, 0x80000005, 0, &c)) {
		set_amd_first(small, c.ebx);
		set_amd_first(large, c.eax);
	}
	if (probe_cpuid(probe, 0x80000006, 0, &c)) {
		set_amd_second(small, c.ebx, unit);
		set_amd_second(large, c.eax, unit);
		g->split_l2tlb = true;
	}
	if (probe_cpuid(probe, 0x80000019, 0, &c)) {
		set_amd_coded(&huge->dtlb, &huge->itlb, c.eax, 1);
		set_amd_second(huge, c.ebx, unit);
	}
}

void cpuid_tlbs(struct geometry *out, const struct machine_id *id,
		const struct probe *probe)
{
	if (!strcmp(id->vendor, "GenuineIntel"))
		intel_tlbs(out, probe);
	else if (!strcmp(id->vendor, "AuthenticAMD"))
		amd_tlbs(out, id, probe);
	if (out->tlbs[PAGE_4K].dtlb.present)
		out->dtlb = out->tlbs[PAGE_4K].dtlb;
	if (out->tlbs[PAGE_4K].itlb.present)
		out->itlb = out->tlbs[PAGE_4K].itlb;
	if (out->tlbs[PAGE_4K].l2tlb.present)
		out->l2tlb = out->tlbs[PAGE_4K].l2tlb;
	if (out->tlbs[PAGE_4K].l2itlb.present)
		out->l2itlb = out->tlbs[PAGE_4K].l2itlb;
	if (out->tlbs[PAGE_4K].store_dtlb.present)
		out->store_dtlb = out->tlbs[PAGE_4K].store_dtlb;
}

/* ---- caches -------------------------------------------------------------- */

static struct cache_geometry *slot_of(struct geometry *g, uint32_t eax)
{
	const unsigned type = eax & 31, level = eax >> 5 & 7;

	if (level == 1)
		return type == 2 ? &g->l1i : &g->l1d;
	if (type == 2)
		return NULL;
	return level == 2 ? &g->l2 : level == 3 ? &g->l3 : NULL;
}

/* Intel's leaf 4 and AMD's 8000_001D have the same layout. */
static void read_subleaves(struct geometry *out, uint32_t leaf,
			   const struct probe *probe)
{
	struct cache_geometry *slot;
	struct probe_cpuid c;

	for (uint32_t sub = 0; sub < 8; sub++) {
		if (!probe_cpuid(probe, leaf, sub, &c) ||
		    (c.eax & 31) < 1 || (c.eax & 31) > 3)
			break;
		slot = slot_of(out, c.eax);
		if (!slot || c.ecx == UINT32_MAX)
			continue;
		*slot = (struct cache_geometry){
			.present = true, .slices = 1,
			.line_bytes = (c.ebx & 0xfff) + 1,
			.ways = (c.ebx >> 22) + 1,
			/* physical line partitions count as sets */
			.sets = (c.ecx + 1) * ((c.ebx >> 12 & 0x3ff) + 1),
		};
	}
}

static void set_cache(struct cache_geometry *slot, uint64_t bytes,
		      uint32_t ways, uint32_t line)
{
	const uint64_t lines = line ? bytes / line : 0;

	if (!lines || !ways || lines % ways)
		return;
	*slot = (struct cache_geometry){
		.present = true, .slices = 1, .line_bytes = line,
		.ways = ways, .sets = (uint32_t)(lines / ways),
	};
}

/* A first-level cache: size in KiB, ways (255: fully associative), line. */
static void set_first(struct cache_geometry *slot, uint32_t word)
{
	const uint64_t bytes = (uint64_t)(word >> 24) << 10;
	const uint32_t ways = word >> 16 & 0xff, line = word & 0xff;

	set_cache(slot, bytes, ways == 255 && line ?
		  (uint32_t)(bytes / line) : ways, line);
}

/* AMD before family 15h: Fn8000_0005 and _0006 (APM 3; BKDG of family 10h). */
static void amd_before_15h(struct geometry *out, const struct probe *probe)
{
	struct probe_cpuid c;

	if (probe_cpuid(probe, 0x80000005, 0, &c)) {
		set_first(&out->l1d, c.ecx);
		set_first(&out->l1i, c.edx);
	}
	if (!probe_cpuid(probe, 0x80000006, 0, &c))
		return;
	set_cache(&out->l2, (uint64_t)(c.ecx >> 16) << 10,
		  cpuid_amd_ways(c.ecx >> 12 & 15, 0), c.ecx & 0xff);
	set_cache(&out->l3, (uint64_t)(c.edx >> 18) << 19,
		  cpuid_amd_ways(c.edx >> 12 & 15, 0), c.edx & 0xff);
}

void cpuid_caches(struct geometry *out, const struct machine_id *id,
		  const struct probe *probe)
{
	const bool amd = !strcmp(id->vendor, "AuthenticAMD");

	if (id->isa != MACHINE_X86)
		return;
	read_subleaves(out, amd ? 0x8000001d : 4, probe);
	if (amd && !out->l1d.present)
		amd_before_15h(out, probe);
}
