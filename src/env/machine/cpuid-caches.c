/* SPDX-License-Identifier: MIT */
/* The caches as CPUID tells them. */
#include <string.h>

#include "env/machine/cpuid-caches.h"
#include "env/machine/tlb.h"

static struct cache_geometry *slot_of(struct geometry *g, uint32_t eax)
{
	const unsigned type = eax & 31, level = eax >> 5 & 7;

	if (level == 1)
		return type == 2 ? &g->l1i : &g->l1d;
	if (type == 2)
		return NULL;
	return level == 2 ? &g->l2 : level == 3 ? &g->l3 : NULL;
}

/* Intel's leaf 4 and AMD's 8000_001D look alike. */
static void by_subleaves(struct geometry *out, uint32_t leaf,
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

/* A first cache: KiB, ways (255: all), line. */
static void set_first(struct cache_geometry *slot, uint32_t word)
{
	const uint64_t bytes = (uint64_t)(word >> 24) << 10;
	const uint32_t ways = word >> 16 & 0xff, line = word & 0xff;

	set_cache(slot, bytes, ways == 255 && line ?
		  (uint32_t)(bytes / line) : ways, line);
}

/* AMD before family 15h: Fn8000_0005 and _0006 (APM 3; BKDG of family 10h). */
static void amd_of_old(struct geometry *out, const struct probe *probe)
{
	struct probe_cpuid c;

	if (probe_cpuid(probe, 0x80000005, 0, &c)) {
		set_first(&out->l1d, c.ecx);
		set_first(&out->l1i, c.edx);
	}
	if (!probe_cpuid(probe, 0x80000006, 0, &c))
		return;
	set_cache(&out->l2, (uint64_t)(c.ecx >> 16) << 10,
		  tlb_amd_ways(c.ecx >> 12 & 15, 0), c.ecx & 0xff);
	set_cache(&out->l3, (uint64_t)(c.edx >> 18) << 19,
		  tlb_amd_ways(c.edx >> 12 & 15, 0), c.edx & 0xff);
}

void cpuid_caches(struct geometry *out, const struct machine_id *id,
		  const struct probe *probe)
{
	const bool amd = !strcmp(id->vendor, "AuthenticAMD");

	if (id->isa != MACHINE_X86)
		return;
	by_subleaves(out, amd ? 0x8000001d : 4, probe);
	if (amd && !out->l1d.present)
		amd_of_old(out, probe);
}
