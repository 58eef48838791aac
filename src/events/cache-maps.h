/* SPDX-License-Identifier: MIT */
/* What Linux programs for perf's generic names of hardware and cache events, by
 * kind of CPU. */
#ifndef EVENTS_CACHE_MAPS_H
#define EVENTS_CACHE_MAPS_H

#include "tables/events/tables.h"

enum cache_answer {
	CACHE_UNKNOWN,		/* the event of the name is not known here */
	CACHE_HAS_NONE,		/* Linux has no event for the name */
	CACHE_EMPTY,		/* nor for any hardware name, but those that the
				 * CPU file has */
	CACHE_CODE		/* *out is set */
};

/* perf's raw config; config1 is the value of an offcore response, or 0. */
struct cache_code { uint64_t config, config1; };

/* name: "LLC-loads", "cpu-cycles"; core: the PMU of the kind of core, or
 * NULL. */
enum cache_answer cache_map_find(struct cache_code *out, const char *name,
				 const struct cpu_match *match,
				 const char *core);

#endif
