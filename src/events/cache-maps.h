/* SPDX-License-Identifier: MIT */
/* What Linux programs for perf's generic cache names, by kind of CPU. */
#ifndef EVENTS_CACHE_MAPS_H
#define EVENTS_CACHE_MAPS_H

#include "tables/events/tables.h"

enum cache_answer {
	CACHE_UNKNOWN,		/* no map of this kind of CPU is at hand */
	CACHE_HAS_NONE,		/* Linux has no event for the name */
	CACHE_EMPTY,		/* nor for any hardware name, but those that the
				 * CPU file has */
	CACHE_CODE		/* *code is set: perf's raw config */
};
/* name: "LLC-loads". */
enum cache_answer cache_map_find(uint64_t *code, const char *name,
				 const struct cpu_match *match);

#endif
