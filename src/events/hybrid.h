/* SPDX-License-Identifier: MIT */
/*
 * CPUs with several kinds of core: each kind has a PMU of its own, so one
 * event is as many as there are kinds.
 */
#ifndef EVENTS_HYBRID_H
#define EVENTS_HYBRID_H

#include <stdbool.h>

#include "assay/error.h"
#include "base/cpulist.h"
#include "base/encoding.h"

#define HYBRID_CORES 8

struct hybrid {
	unsigned cores;		/* kinds; below 2 nothing is hybrid */
	struct {
		char name[ASSAY_NAME];	/* of the PMU: "cpu_core" */
		uint32_t type;		/* perf_event_attr.type */
		struct cpulist cpus;
	} core[HYBRID_CORES];
};

/* What /sys/bus/event_source/devices below the sysroot says. */
void hybrid_read(struct hybrid *out, const char *sysroot);

/*
 * Replaces every event of "the" core PMU by one per kind of core, named
 * "PMU/EVENT/". core[e] gets the kind + 1, or 0 for events of no kind; brace
 * (see packing.h; or NULL) goes along. Returns 0 or -ASSAY_ENOSPC.
 */
int hybrid_expand(const struct hybrid *hybrid, struct group *group,
		  unsigned char *core, unsigned char *brace,
		  struct assay_error *err);

#endif
