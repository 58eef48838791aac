/* SPDX-License-Identifier: MIT */
/*
 * The TLBs as the CPU itself tells them: Intel in CPUID leaf 0x18 and before
 * that, for 4 KiB pages, in the bytes of leaf 2, AMD in Fn8000_0005, _0006 and,
 * for 1 GiB, _0019. AArch64 tells nobody.
 */
#include <string.h>

#include "env/machine/tlb.h"

static void set_tlb(struct tlb_geometry *tlb, uint32_t entries, uint32_t ways)
{
	if (!entries || !ways || entries % ways)
		return;
	*tlb = (struct tlb_geometry){ .present = true, .entries = entries,
				      .ways = ways };
}

enum { TLB_DATA = 1, TLB_CODE = 2, TLB_LOADS = 4, TLB_STORES = 5 };

/* Intel SDM 2A, CPUID leaf 0x18: one subleaf per structure. */
static void leaf_18(struct geometry *g, const struct probe_cpuid *c)
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

/* Intel SDM 2A, CPUID leaf 2: what a byte stands for. ways 0: full. */
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

static void leaf_2_byte(struct geometry *g, uint8_t byte)
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

/* A register counts if its top bit is clear; the lowest byte of EAX is none. */
static void leaf_2(struct geometry *g, const struct probe_cpuid *c)
{
	const uint32_t word[4] = { c->eax & ~255u, c->ebx, c->ecx, c->edx };

	for (int r = 0; r < 4; r++)
		for (int b = 0; b < 32 && !(word[r] >> 31); b += 8)
			leaf_2_byte(g, (uint8_t)(word[r] >> b));
}

static void intel_tlbs(struct geometry *g, const struct probe *probe)
{
	struct probe_cpuid c;
	uint32_t last;

	if (probe_cpuid(probe, 0x18, 0, &c)) {
		last = c.eax < 64 ? c.eax : 64;
		for (uint32_t sub = 0; sub <= last; sub++)
			if (probe_cpuid(probe, 0x18, sub, &c))
				leaf_18(g, &c);
	}
	if (!g->tlbs[PAGE_4K].dtlb.present && probe_cpuid(probe, 2, 0, &c))
		leaf_2(g, &c);
}

uint32_t tlb_amd_ways(uint32_t code, uint32_t entries)
{
	static const uint32_t ways[16] = {
		[1] = 1, [2] = 2, [3] = 3, [4] = 4, [5] = 6, [6] = 8,
		[8] = 16, [10] = 32, [11] = 48, [12] = 64, [13] = 96,
		[14] = 128,
	};

	return code == 15 ? entries : ways[code & 15];
}

enum { ZEN5 = 0x1a };	/* the first family that counts by 32 */

/*
 * What the second level's number of entries counts: AMD APM 3, Fn8000_0021 EAX
 * bit 14. Hypervisors hide that bit and not the number; 0: so it is here.
 */
static uint32_t amd_l2_unit(const struct machine_id *id,
			    const struct probe *probe)
{
	struct probe_cpuid c;

	if (probe_cpuid(probe, 0x80000021, 0, &c) && c.eax >> 14 & 1)
		return 32;
	return id->family < ZEN5;
}

/* A register of Fn8000_0005: data in the upper half. */
static void amd_first(struct tlbs *t, uint32_t reg)
{
	uint32_t entries = reg >> 16 & 0xff, ways = reg >> 24;

	set_tlb(&t->dtlb, entries, ways == 0xff ? entries : ways);
	entries = reg & 0xff;
	ways = reg >> 8 & 0xff;
	set_tlb(&t->itlb, entries, ways == 0xff ? entries : ways);
}

/* One of Fn8000_0006 and _0019: data in the upper half. */
static void amd_coded(struct tlb_geometry *data, struct tlb_geometry *code,
		      uint32_t reg, uint32_t unit)
{
	uint32_t entries = (reg >> 16 & 0xfff) * unit;

	set_tlb(data, entries, tlb_amd_ways(reg >> 28, entries));
	entries = (reg & 0xfff) * unit;
	set_tlb(code, entries, tlb_amd_ways(reg >> 12 & 15, entries));
}

static void amd_second(struct tlbs *t, uint32_t reg, uint32_t unit)
{
	amd_coded(&t->l2tlb, &t->l2itlb, reg, unit);
}

static void amd_tlbs(struct geometry *g, const struct machine_id *id,
		     const struct probe *probe)
{
	struct tlbs *small = &g->tlbs[PAGE_4K], *large = &g->tlbs[PAGE_2M],
		    *huge = &g->tlbs[PAGE_1G];
	const uint32_t unit = amd_l2_unit(id, probe);
	struct probe_cpuid c;

	if (probe_cpuid(probe, 0x80000005, 0, &c)) {
		amd_first(small, c.ebx);
		amd_first(large, c.eax);
	}
	if (probe_cpuid(probe, 0x80000006, 0, &c)) {
		amd_second(small, c.ebx, unit);
		amd_second(large, c.eax, unit);
		g->split_l2tlb = true;
	}
	if (probe_cpuid(probe, 0x80000019, 0, &c)) {
		amd_coded(&huge->dtlb, &huge->itlb, c.eax, 1);
		amd_second(huge, c.ebx, unit);
	}
}

void tlb_fill(struct geometry *out, const struct machine_id *id,
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
