/* SPDX-License-Identifier: MIT */
/*
 * The core events that the event tables at hand list for a CPU, and which of
 * them a CPU file can hold.
 */
#ifndef CPUFILE_LISTED_H
#define CPUFILE_LISTED_H

#include "cpus/pool.h"
#include "tables/events/tables.h"

/* Whether a CPU file can hold the entry. */
enum listed_form {
	LISTED_PLAIN,		/* an event select and a unit mask */
	LISTED_OLD,		/* deprecated */
	LISTED_FIXED,		/* of a fixed counter: no select */
	LISTED_WIDE,		/* has more than a select and a mask */
};

struct listed_event {
	enum listed_form form;
	const char *name, *alias, *text;	/* never NULL */
	uint64_t code;		/* as in struct cpu_event */
	uint64_t counters;	/* bit per general counter; 0: not said */
	bool topic;		/* of caches, TLBs, branches, time ... */
};

struct listed {
	struct pool *pool;
	struct listed_event *event;
	size_t events, room;
	enum entry_source source;	/* the table's */
	const char *table;	/* "EMR" */
	const char *file;	/* "events/emeraldrapids_core.json": one of its
				 * files, with the folder */
	bool cores[CPU_CORES];	/* in the order of cpu_cores */
};

/*
 * Reads the list. The vendor's own table comes before Linux's. core: "P", "E"
 * or "LP", of a CPU with several kinds of core, else NULL. Returns 0;
 * -ASSAY_ENOENT: no table at hand has events of the CPU or of the core;
 * -ASSAY_EINVAL: the core must be named; or the error of a bad table. Free
 * *out with listed_free().
 */
int listed_read(struct listed *out, const struct event_tables *tables,
		const struct table_cpu *cpu, const char *core,
		struct assay_error *err);
void listed_free(struct listed *list);

/* The plain event with that code and, if name is not NULL, that name; NULL:
 * none. */
const struct listed_event *listed_find(const struct listed *list,
				       uint64_t code, const char *name);

#endif
