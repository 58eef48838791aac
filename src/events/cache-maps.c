/* SPDX-License-Identifier: MIT */
/*
 * The events that Linux 6.12 programs for perf's generic names of hardware and
 * cache events (arch/x86/events/{amd,intel}/core.c, drivers/perf/arm_pmuv3.c),
 * by kind of CPU. A name that a kind's list lacks has no event there.
 */
#define _GNU_SOURCE	/* strcasestr */
#include "events/cache-maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The names of a kind of CPU: "NAME=CODE " or "NAME=CODE/CONFIG1 ", both in
 * hexadecimal. "?": Linux has an event, whose code depends on the machine or
 * is none of a general counter.
 */
#define INTEL \
	"cpu-cycles=3c instructions=c0 cache-references=4f2e " \
	"cache-misses=412e branch-instructions=c4 branch-misses=c5 " \
	"bus-cycles=13c ref-cycles=? "

/* Skylake's offcore responses, and Ice Lake's, with all bits of snoops. */
#define SKYLAKE \
	INTEL "L1-dcache-loads=81d0 L1-dcache-load-misses=151 " \
	"L1-dcache-stores=82d0 L1-icache-load-misses=283 " \
	"LLC-loads=1b7/3fc0010001 LLC-load-misses=1b7/3ffc020001 " \
	"LLC-stores=1b7/3fc0010002 LLC-store-misses=1b7/3ffc020002 " \
	"dTLB-loads=81d0 dTLB-load-misses=e08 dTLB-stores=82d0 " \
	"dTLB-store-misses=e49 iTLB-load-misses=e85 branch-loads=c4 " \
	"branch-load-misses=c5 node-loads=1b7/1fc4000001 " \
	"node-load-misses=1b7/1ff8000001 node-stores=1b7/1fc4000002 " \
	"node-store-misses=1b7/1ff8000002 "

#define GOLDEN_COVE \
	INTEL "L1-dcache-loads=81d0 L1-dcache-load-misses=e124 " \
	"L1-dcache-stores=82d0 L1-icache-load-misses=e424 " \
	"LLC-loads=12a/10001 LLC-load-misses=12a/3fbfc00001 " \
	"LLC-stores=12a/3f3ffc0002 LLC-store-misses=12a/3f3fc00002 " \
	"dTLB-loads=81d0 dTLB-load-misses=e12 dTLB-stores=82d0 " \
	"dTLB-store-misses=e13 iTLB-load-misses=e11 branch-loads=4c4 " \
	"branch-load-misses=4c5 node-loads=12a/10c000001 " \
	"node-load-misses=12a/3fb3000001 "

#define GRACEMONT \
	INTEL "L1-dcache-loads=81d0 L1-dcache-stores=82d0 " \
	"L1-icache-loads=380 L1-icache-load-misses=280 " \
	"LLC-loads=1b7/10001 LLC-load-misses=1b7/3f04000001 " \
	"LLC-stores=1b7/10002 LLC-store-misses=1b7/3f04000002 " \
	"dTLB-loads=81d0 dTLB-load-misses=e08 dTLB-stores=82d0 " \
	"dTLB-store-misses=e49 iTLB-load-misses=481 branch-loads=c4 " \
	"branch-load-misses=c5 "

#define ZEN \
	"cpu-cycles=76 instructions=c0 cache-references=ff60 " \
	"cache-misses=964 branch-instructions=c2 branch-misses=c3 " \
	"L1-dcache-loads=40 L1-dcache-load-misses=c860 " \
	"L1-dcache-prefetches=ff5a L1-icache-loads=80 " \
	"L1-icache-load-misses=81 dTLB-loads=ff45 dTLB-load-misses=f045 " \
	"iTLB-loads=84 iTLB-load-misses=ff85 branch-loads=c2 " \
	"branch-load-misses=c3 "

/* Each core has some of these events: Linux asks the PMU which. */
#define ARM \
	"cpu-cycles=11 instructions=8 cache-references=4 cache-misses=3 " \
	"branch-instructions=? branch-misses=10 bus-cycles=? " \
	"stalled-cycles-frontend=? stalled-cycles-backend=? " \
	"L1-icache-loads=14 L1-icache-load-misses=1 dTLB-loads=25 " \
	"iTLB-loads=26 iTLB-load-misses=2 LLC-loads=36 LLC-load-misses=37 " \
	"branch-loads=12 branch-load-misses=10 "

/* P cores as Golden Cove, E cores as Gracemont, up to Arrow Lake. */
#define HYBRID "GenuineIntel-6-(97|9A|B7|BA|BF|AA|AC|B5|BD|C6)"

/* The first pattern that matches a CPU is taken. */
static const struct cache_map {
	const char *pattern;
	const char *core;	/* PMU of the kind of core; NULL: there is one */
	const char *codes;
} maps[] = {
	{ "AuthenticAMD-23-([0-9A-F]|[125][0-9A-F])", NULL,
	  ZEN "stalled-cycles-frontend=287 stalled-cycles-backend=187 " },
	{ "AuthenticAMD-(23-[0-9A-F]+|25-([0-9A-F]|[2-5][0-9A-F]))", NULL,
	  ZEN "stalled-cycles-frontend=a9 " },
	{ "AuthenticAMD-(25|26)-[0-9A-F]+", NULL,
	  ZEN "stalled-cycles-frontend=a9 ref-cycles=100000120 " },
	{ "AuthenticAMD-(15|16|17|18|20|21|22)-[0-9A-F]+", NULL,
	  "cpu-cycles=76 instructions=c0 cache-references=77d "
	  "cache-misses=77e branch-instructions=c2 branch-misses=c3 "
	  "stalled-cycles-frontend=d0 stalled-cycles-backend=d1 "
	  "L1-dcache-loads=40 L1-dcache-load-misses=141 "
	  "L1-dcache-prefetches=267 L1-dcache-prefetch-misses=167 "
	  "L1-icache-loads=80 L1-icache-load-misses=81 "
	  "L1-icache-prefetches=14b LLC-loads=37d LLC-load-misses=37e "
	  "LLC-stores=17f dTLB-loads=40 dTLB-load-misses=746 iTLB-loads=80 "
	  "iTLB-load-misses=385 branch-loads=c2 branch-load-misses=c3 "
	  "node-loads=b8e9 node-load-misses=98e9 " },
	{ "GenuineIntel-6-(4E|5E|8E|9E|A5|A6|55|55-[0-9A-F])", NULL,
	  SKYLAKE "iTLB-loads=2085 " },
	{ "GenuineIntel-6-(6A|6C|7D|7E|8C|8D|A7)", NULL, SKYLAKE },
	{ "GenuineIntel-6-(8F|CF|AD|AE)", NULL, GOLDEN_COVE },
	{ HYBRID, "cpu_core", GOLDEN_COVE },
	{ HYBRID, "cpu_atom", GRACEMONT },
	{ "GenuineIntel-6-(BE|AF|B6)", NULL, GRACEMONT },
	{ "0x00000000410fd0[78]0", NULL,
	  ARM "L1-dcache-loads=40 L1-dcache-load-misses=42 "
	  "L1-dcache-stores=41 L1-dcache-store-misses=43 "
	  "dTLB-load-misses=4c dTLB-store-misses=4d node-loads=60 "
	  "node-stores=61 " },
	{ "0x00000000410fd0[34]0", NULL,
	  ARM "L1-dcache-loads=4 L1-dcache-load-misses=3 "
	  "L1-dcache-prefetch-misses=c2 dTLB-load-misses=5 node-loads=60 "
	  "node-stores=61 " },
	{ "0x00000000410fd(0[256]|0[A-E]|[48].)0", NULL,
	  ARM "L1-dcache-loads=4 L1-dcache-load-misses=3 "
	  "dTLB-load-misses=5 " },
	/* Apple: cycles and instructions alone, to M2; no driver for others */
	{ "0x00000000610f0[0-9A-F][0-9A-F]0", NULL, "" },
};

static bool is_map(const struct cache_map *map, const struct cpu_match *match,
		   const char *core)
{
	return table_pattern_matches(map->pattern, match) &&
	       (!map->core || (core && !strcmp(core, map->core)));
}

enum cache_answer cache_map_find(struct cache_code *out, const char *name,
				 const struct cpu_match *match,
				 const char *core)
{
	char wanted[64], *end;
	const char *found;

	snprintf(wanted, sizeof(wanted), "%.60s=", name);
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
		if (!is_map(&maps[i], match, core))
			continue;
		found = strcasestr(maps[i].codes, wanted);
		if (!found)
			return *maps[i].codes ? CACHE_HAS_NONE : CACHE_EMPTY;
		found += strlen(wanted);
		if (*found == '?')
			return CACHE_UNKNOWN;
		out->config = strtoull(found, &end, 16);
		out->config1 = *end == '/' ? strtoull(end + 1, NULL, 16) : 0;
		return CACHE_CODE;
	}
	return CACHE_UNKNOWN;
}
