/* SPDX-License-Identifier: MIT */
/* What the readers of event tables share. */
#ifndef TABLES_EVENTS_READING_H
#define TABLES_EVENTS_READING_H

#include "store/pieces.h"
#include "tables/events/kept.h"
#include "tables/events/tables.h"

/* A file that is read. */
struct reading {
	const char *file;	/* its name in messages */
	const char *table;	/* whose events it has; "" */
	const char *core;	/* "cpu_core", "cpu_atom" on CPUs with two
				 * kinds of core; "" */
	const struct table_cpu *cpu;	/* only entries of this CPU; NULL: all.
					 * For files of many CPUs */
	struct kept_entries *std;	/* of an architecture's own files of
					 * Linux, for "ArchStdEvent"; or NULL */
	entry_fn *fn;
	void *ctx;
	struct assay_error *err;
};

/* An entry of this file and line; other texts are empty. */
struct entry reading_entry(const struct reading *r, enum entry_source source,
			   unsigned line);
/* Hands out that entry as ENTRY_BAD. */
int reading_bad(const struct reading *r, const struct entry *entry, bool limit,
		const char *why);

/* The readers return 0, or r->fn's first non-zero result; -ASSAY_ENOMEM or
 * -ASSAY_EUNAVAIL with *r->err. */

/* ---- files of lines; the text is changed ------------------------------- */

/* An event file of likwid as its generator, gen_events.pl, reads it. */
int read_likwid_events(const struct reading *r, char *text);
/* A performance group of likwid as read_group() of perfgroup.c reads it. */
int read_likwid_group(const struct reading *r, char *text);
/* The array of counters in a header of likwid's, perfmon_NAME_counters.h. */
int read_likwid_counters(const struct reading *r, char *text);
/* PAPI's papi_events.csv. */
int read_papi(const struct reading *r, char *text);

/* The maps of generic events in a driver of Linux. */
int read_kernel_maps(const struct reading *r, const char *text);

/* ---- perfmon's, Linux's and Arm's files (json.c) ----------------------- */

/* Which of them it is shows in the text. Other JSON has no entries. */
int read_json_table(const struct reading *r, const char *text, size_t bytes);

/* The readers of one parsed piece. Of a bad one: *p->fault, and -ASSAY_EPARSE,
 * or -ASSAY_ERANGE if the entry is beyond a limit of assay's. */
int read_perfmon_event(const struct reading *r, const struct piece *p);
int read_perfmon_metric(const struct reading *r, const struct piece *p);
int read_linux_entry(const struct reading *r, const struct piece *p);
int read_arm_event(const struct reading *r, const struct piece *p);

/* A member as text; "" if there is none. */
const char *member_text(const struct piece *p, const char *key, char room[24]);
/* As reading_entry(), at the piece. */
struct entry piece_entry(const struct reading *r, enum entry_source source,
			 const struct piece *p);
/* A member that holds one number; missing: *out stays, false. A bad one is an
 * error in *rc, if *rc is 0. */
bool member_number(const struct piece *p, const char *key, uint64_t *out,
		   int *rc);
/* The members that perfmon and Linux share. */
int member_code(struct event_code *out, const struct piece *p);

const struct entry *std_event_find(struct kept_entries *std, const char *name);

#endif
