/* SPDX-License-Identifier: MIT */
/*
 * CPUs with several kinds of core: each kind has a PMU of its own, so an event
 * of "the" core PMU becomes one event per kind.
 */
#ifndef EVENTS_HYBRID_H
#define EVENTS_HYBRID_H

#include "assay/error.h"
#include "base/cpulist.h"
#include "base/encoding.h"

#define HYBRID_CORES 8

struct hybrid {
	unsigned cores;		/* kinds of core; 0 or 1: not hybrid */
	struct {
		char name[ASSAY_NAME];	/* of the PMU: "cpu_core" */
		uint32_t type;		/* perf_event_attr.type */
		struct cpulist cpus;
	} core[HYBRID_CORES];
};

/* Reads /sys/bus/event_source/devices below the sysroot. */
void hybrid_read(struct hybrid *out, const char *sysroot);

/*
 * Replaces every event of "the" core PMU by one event per kind of core, named
 * "PMU/EVENT/". core[e] (ASSAY_EVENTS elements) gets the kind + 1, or 0 for an
 * event of no kind. brace (see packing.h; may be NULL) is moved along with the
 * events. Nothing happens unless the machine is hybrid. Returns 0; or
 * -ASSAY_ENOSPC or -ASSAY_ENOMEM, and the group is unchanged.
 */
int hybrid_expand(const struct hybrid *hybrid, struct group *group,
		  unsigned char *core, unsigned char *brace,
		  struct assay_error *err);

#endif
