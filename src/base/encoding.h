/* SPDX-License-Identifier: MIT */
/*
 * An event as a provider needs it (struct encoding), and the events that are
 * counted together in one run (struct group). Plain values.
 */
#ifndef BASE_ENCODING_H
#define BASE_ENCODING_H

#include <stdint.h>

#include "assay/quantity.h"
#include "assay/record.h"
#include "base/expr.h"
#include "base/geometry.h"

enum encoding_family {
	ENCODING_HARDWARE,	/* perf's generic hardware events */
	ENCODING_CACHE,		/* perf's generic cache events */
	ENCODING_SOFTWARE,
	ENCODING_RAW,		/* config = event code of the core PMU */
	ENCODING_PMU,		/* .pmu_type: a PMU found in sysfs */
	ENCODING_BREAKPOINT,
	ENCODING_TRACEPOINT,
	ENCODING_NAME,		/* only a name: replay, null */
};

enum encoding_scope {
	ENCODING_USER = 1,
	ENCODING_KERNEL = 2,
	ENCODING_HYPERVISOR = 4,
};

struct encoding {
	char name[ASSAY_NAME];	/* as asked for */
	char code[48];		/* for people: "0x42", "r1ff1" ... */
	enum encoding_family family;
	uint32_t pmu_type;	/* perf_event_attr.type where family is PMU */
	uint64_t config, config1, config2;
	uint32_t bp_type;	/* BREAKPOINT: 1 R, 2 W, 3 RW, 4 X */
	uint64_t bp_addr, bp_len;
	char bp_symbol[ASSAY_NAME];	/* address is to be found by name */
	unsigned scope;		/* enum encoding_scope; 0: the default */
	const struct expr *counts;	/* sim: signals that the event adds up;
					 * borrowed from the CPU model */
	enum assay_quantity part[2];	/* sim: or the quantities that the
					 * event adds up, of .geometry */
	unsigned parts;
	const struct geometry *geometry;	/* borrowed */
	char absent[ASSAY_WHY];	/* not "": cannot be counted, and why */
};

struct group {
	unsigned events;
	struct encoding event[ASSAY_EVENTS];
};

#endif
