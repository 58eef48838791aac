/* SPDX-License-Identifier: MIT */
/* The caches as CPUID tells them. */
#include <string.h>

#include "env/cpuid-caches.h"

static struct cache_geometry *slot_of(struct geometry *g, uint32_t eax)
{
	const unsigned type = eax & 31, level = eax >> 5 & 7;

	if (level == 1)
		return type == 2 ? &g->l1i : &g->l1d;
	if (type == 2)
		return NULL;
	return level == 2 ? &g->l2 : level == 3 ? &g->l3 : NULL;
}

void cpuid_caches(struct geometry *out, const struct machine_id *id,
		  const struct probe *probe)
{
	const uint32_t leaf = strcmp(id->vendor, "AuthenticAMD") ?
			      4 : 0x8000001d;
	struct cache_geometry *slot;
	struct probe_cpuid c;

	if (id->isa != MACHINE_X86)
		return;
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
