/* SPDX-License-Identifier: MIT */
/*
 * Events that the CPU file does not describe: the event tables at hand, then
 * libpfm4's table of the CPU. A table says what an event is called, its code,
 * and what the vendor says that it counts.
 */
#ifndef EVENTS_TABLE_H
#define EVENTS_TABLE_H

#include "events/resolvers.h"

/* An entry of a table in the terms of the target. */
struct table_event {
	char name[ENTRY_NAME], text[1600];
	char source[400];	/* "perfmon SKL/events/skylake_core.json:9" */
	char cpu[80];		/* the table's name of the CPU */
	char terms[240];	/* "CHA/event=0x35,umask=0x5/"; "": of the core,
				 * and config is all */
	char others[400];	/* entries of the same name with other codes,
				 * "r2a2 of Linux cache.json:3; ..."; by code:
				 * other kinds of core's events; "" */
	unsigned cores;		/* bit per kind of core that has the event, in
				 * the order of cpu_cores; 0: any */
	bool differs;		/* kinds of core have other codes for the name */
	bool coded;		/* config is the core PMU's raw config */
	bool fixed;		/* counted on a fixed counter alone */
	bool deprecated;
	uint64_t config, config1;
};

/* What is known of the target's CPU besides its file. */
enum table_knowledge {
	TABLE_NONE,
	TABLE_PARTIAL,	/* libpfm4's table, or likwid's */
	TABLE_DAMAGED,	/* a list that cannot be read completely */
	TABLE_COMPLETE,	/* the vendor's or Linux's list of all core events */
};
/* A negative error code if the tables cannot be read. */
int table_knowledge(const struct events_target *target,
		    struct assay_error *err);

/* The CPU file, among all, of another kind of core of the target's CPU, whose
 * PMU is `core`. */
bool table_same_chip(const struct events_target *target, const struct cpu *cpu,
		     const char *core);

/*
 * The entry of the target's CPU with that name, in any table's spelling, or,
 * with name NULL, with that code. Returns FOUND, NOT_MINE, or an error for a
 * bad table.
 */
int table_find(struct table_event *out, const struct events_target *target,
	       enum code_layout layout, const char *name, uint64_t config,
	       struct assay_error *err);

/* The entry with that code and, in a register beside the code, that value. */
int table_find_value(struct table_event *out,
		     const struct events_target *target,
		     enum code_layout layout, uint64_t config, uint64_t config1,
		     struct assay_error *err);

/* Fills mine->others with the tables at hand's other codes of the name. */
int table_others(struct table_event *mine, const struct events_target *target,
		 enum code_layout layout, const char *name,
		 struct assay_error *err);

/*
 * Calls fn for each entry of the tables at hand with that name, of any CPU.
 * Returns fn's first non-zero result, or an error.
 */
typedef int table_event_fn(void *ctx, const struct table_event *event);
int table_each(const struct events_target *target, const char *name,
	       table_event_fn *fn, void *ctx, struct assay_error *err);

/*
 * Calls fn for each entry of the target's CPU with that name or alias, in any
 * spelling (NULL: for all), in the tables at hand and then in libpfm4's.
 * Returns fn's first non-zero result, or an error.
 */
int table_own(const struct events_target *target, const char *name,
	      table_event_fn *fn, void *ctx, struct assay_error *err);

/* The names that the tables at hand have for the target's CPU. */
int table_names(const struct events_target *target, event_name_fn *fn,
		void *ctx);

/* The resolver of -e: events of this machine's CPU in the tables at hand. */
int table_resolve(struct encoding *out, const char *name,
		  const struct events_target *target, struct assay_error *err);

#endif
