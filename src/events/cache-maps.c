/* SPDX-License-Identifier: MIT */
/*
 * The events that Linux 6.12 programs for perf's generic cache names
 * (arch/x86/events/{amd,intel}/core.c, drivers/perf/arm_pmuv3.c), by kind of
 * CPU. A name that a kind's list lacks has no event there.
 */
#define _GNU_SOURCE	/* strcasestr */
#include "events/cache-maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Codes in hexadecimal. The first pattern that matches a CPU is taken. */
static const struct cache_map { const char *pattern, *codes; } maps[] = {
	{ "AuthenticAMD-(23|25|26)-[0-9A-F]+",
	  "L1-dcache-loads=40 L1-dcache-load-misses=c860 "
	  "L1-dcache-prefetches=ff5a L1-icache-loads=80 "
	  "L1-icache-load-misses=81 dTLB-loads=ff45 dTLB-load-misses=f045 "
	  "iTLB-loads=84 iTLB-load-misses=ff85 branch-loads=c2 "
	  "branch-load-misses=c3 " },
	{ "AuthenticAMD-(15|16|17|18|20|21|22)-[0-9A-F]+",
	  "L1-dcache-loads=40 L1-dcache-load-misses=141 "
	  "L1-dcache-prefetches=267 L1-dcache-prefetch-misses=167 "
	  "L1-icache-loads=80 L1-icache-load-misses=81 "
	  "L1-icache-prefetches=14b LLC-loads=37d LLC-load-misses=37e "
	  "LLC-stores=17f dTLB-loads=40 dTLB-load-misses=746 iTLB-loads=80 "
	  "iTLB-load-misses=385 branch-loads=c2 branch-load-misses=c3 "
	  "node-loads=b8e9 node-load-misses=98e9 " },
	{ "GenuineIntel-6-(4E|5E|8E|9E|A5|A6|55|55-[0-9A-F])",
	  "L1-dcache-loads=81d0 L1-dcache-load-misses=151 "
	  "L1-dcache-stores=82d0 L1-icache-load-misses=283 LLC-loads=1b7 "
	  "LLC-load-misses=1b7 LLC-stores=1b7 LLC-store-misses=1b7 "
	  "dTLB-loads=81d0 dTLB-load-misses=e08 dTLB-stores=82d0 "
	  "dTLB-store-misses=e49 iTLB-loads=2085 iTLB-load-misses=e85 "
	  "branch-loads=c4 branch-load-misses=c5 node-loads=1b7 "
	  "node-load-misses=1b7 node-stores=1b7 node-store-misses=1b7 " },
	{ "GenuineIntel-6-(6A|6C|7D|7E|8C|8D|A7)",
	  "L1-dcache-loads=81d0 L1-dcache-load-misses=151 "
	  "L1-dcache-stores=82d0 L1-icache-load-misses=283 LLC-loads=1b7 "
	  "LLC-load-misses=1b7 LLC-stores=1b7 LLC-store-misses=1b7 "
	  "dTLB-loads=81d0 dTLB-load-misses=e08 dTLB-stores=82d0 "
	  "dTLB-store-misses=e49 iTLB-load-misses=e85 branch-loads=c4 "
	  "branch-load-misses=c5 node-loads=1b7 node-load-misses=1b7 "
	  "node-stores=1b7 node-store-misses=1b7 " },
	{ "GenuineIntel-6-(8F|CF|AD|AE)",
	  "L1-dcache-loads=81d0 L1-dcache-load-misses=e124 "
	  "L1-dcache-stores=82d0 L1-icache-load-misses=e424 LLC-loads=12a "
	  "LLC-load-misses=12a LLC-stores=12a LLC-store-misses=12a "
	  "dTLB-loads=81d0 dTLB-load-misses=e12 dTLB-stores=82d0 "
	  "dTLB-store-misses=e13 iTLB-load-misses=e11 branch-loads=4c4 "
	  "branch-load-misses=4c5 node-loads=12a node-load-misses=12a " },
	{ "0x00000000410fd0[78]0",
	  "L1-dcache-loads=40 L1-dcache-load-misses=42 L1-dcache-stores=41 "
	  "L1-dcache-store-misses=43 L1-icache-loads=14 "
	  "L1-icache-load-misses=1 dTLB-loads=25 dTLB-load-misses=4c "
	  "dTLB-store-misses=4d iTLB-loads=26 iTLB-load-misses=2 LLC-loads=36 "
	  "LLC-load-misses=37 branch-loads=12 branch-load-misses=10 "
	  "node-loads=60 node-stores=61 " },
	{ "0x00000000410fd(0[2-6]|0[A-E]|4.)0",
	  "L1-dcache-loads=4 L1-dcache-load-misses=3 L1-icache-loads=14 "
	  "L1-icache-load-misses=1 dTLB-loads=25 dTLB-load-misses=5 "
	  "iTLB-loads=26 iTLB-load-misses=2 LLC-loads=36 LLC-load-misses=37 "
	  "branch-loads=12 branch-load-misses=10 " },
	/* Apple: cycles and instructions alone, to M2; no driver for others */
	{ "0x00000000610f0[0-9A-F][0-9A-F]0", "" },
};

enum cache_answer cache_map_find(uint64_t *code, const char *name,
				 const struct cpu_match *match)
{
	char wanted[64];
	const char *found;

	snprintf(wanted, sizeof(wanted), "%.60s=", name);
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
		if (!table_pattern_matches(maps[i].pattern, match))
			continue;
		found = strcasestr(maps[i].codes, wanted);
		if (!found)
			return *maps[i].codes ? CACHE_HAS_NONE : CACHE_EMPTY;
		*code = strtoull(found + strlen(wanted), NULL, 16);
		return CACHE_CODE;
	}
	return CACHE_UNKNOWN;
}
