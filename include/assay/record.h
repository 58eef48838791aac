/* SPDX-License-Identifier: MIT */
/*
 * A record: all that was seen in one run of one shape. Hardware ends here;
 * everything after it works the same on a live, saved or imported record.
 */
#ifndef ASSAY_RECORD_H
#define ASSAY_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/count.h"
#include "assay/noise.h"
#include "assay/quantity.h"
#include "assay/shape.h"

#define ASSAY_EVENTS 64		/* events in one record at most */
#define ASSAY_WHY 160
#define ASSAY_SCHEMA 1

/* A part of an event's count, where the provider knows it (sim: a signal). */
struct assay_event_term {
	char name[32];
	double value;		/* in the last repetition; signed */
};
#define ASSAY_EVENT_TERMS 8

struct assay_record_event {
	char name[ASSAY_NAME];	/* as the user asked for it */
	char code[48];		/* what was programmed, e.g. "0x42"; may be "" */
	char why[ASSAY_WHY];	/* absent in every repetition: the reason */
	unsigned terms;		/* 0: not known what the count is made of */
	struct assay_event_term term[ASSAY_EVENT_TERMS];
};

struct assay_machine {
	char host[ASSAY_NAME];
	char cpu[ASSAY_NAME];	/* what the CPU calls itself, or the CPU file's
				 * name for sim */
	char isa[16];		/* "x86-64", "aarch64" */
	char kernel[ASSAY_NAME];	/* uname -r; "" for sim */
	char hypervisor[32];	/* "" if none was seen */
	char microcode[24];	/* "0xf0"; "" if it is not known */
};

/* The place of a run in a parallel job. */
struct assay_place {
	char node[ASSAY_NAME];	/* "": the run was in no job */
	char job[64];	/* "": the launcher does not tell */
	int rank;		/* -1: the launcher does not tell */
};

struct assay_settings {
	int cpu;		/* pinned to, or -1 */
	unsigned warmup;	/* uncounted runs before the first */
	char page_map[ASSAY_NAME];	/* sim: "identity", "random:1" ... */
	char pages[ASSAY_NAME];	/* native: "4K", "thp" ..., as verified */
	char options[256];	/* further settings of the provider */
};

/*
 * .counts[r * events + e] is event e in repetition r. ns[r] is the wall time
 * of repetition r (0: not timed). The record owns counts, ns, frames
 * and strings.
 */
struct assay_record {
	struct assay_machine machine;
	struct assay_place place;
	char provider[24];
	struct assay_shape shape;
	struct assay_settings settings;
	struct assay_noise noise;	/* native runs: what was seen of it */
	unsigned events;
	struct assay_record_event event[ASSAY_EVENTS];
	unsigned repeats;
	struct assay_count *counts;
	uint64_t *ns;
	struct assay_quantities truth;	/* what the provider itself knows to be
					 * true (sim); else all absent */
	size_t frames;			/* 0: the placement is not known */
	uint64_t *frame;		/* physical 4 KiB frame of each page of
					 * the kernel's memory, from its start */
	uint64_t fast_forwarded;	/* sim: passes that were accounted for
					 * without simulating them */
	bool random_replacement;	/* sim: counts are one draw of many */
	uint64_t threads_on_one_core;	/* sim, programs: threads that shared
					 * the core of their process; 0: each
					 * process had one thread */
};

/*
 * Median over the repetitions of one event: absent if absent in any, an
 * estimate if any was scaled. Its error comes from the repetitions' spread
 * under random replacement if there are at least two, else from the count.
 */
ASSAY_API struct assay_value
assay_record_value(const struct assay_record *record, unsigned event);

/* The event of that name (case-insensitive), or -1. */
ASSAY_API int assay_record_find(const struct assay_record *record,
				const char *name);

#endif
