/* SPDX-License-Identifier: MIT */
/*
 * The event tables at hand: checkouts or folders of intel/perfmon, Linux,
 * ARM-software/data, likwid or PAPI, or single files of them. What a folder or
 * a file is shows in its content. Files are read when entries are asked for.
 */
#ifndef TABLES_EVENTS_TABLES_H
#define TABLES_EVENTS_TABLES_H

#include "cpus/cpu.h"
#include "tables/events/kept.h"

struct event_tables;

/* The CPU whose entries are asked for. */
struct table_cpu {
	const char *const *names;	/* any of them; NULL-terminated */
	const struct cpu_match *match;	/* or NULL: by name alone */
};

/*
 * Finds the tables below each of the folders (or files), separated by ':'.
 * Links to folders are not followed. Returns 0; -ASSAY_ENOENT if there is no
 * such file or no table in a folder; -ASSAY_EPARSE; -ASSAY_ERANGE if there are
 * too many files; -ASSAY_ENOMEM. event_tables_free() frees *out.
 */
int event_tables_open(struct event_tables **out, const char *places,
		      struct assay_error *err);
void event_tables_free(struct event_tables *tables);

/* Leaves out the files that the others have, by whatever path: a folder and a
 * name in the folder. Returns how many. */
size_t event_tables_subtract(struct event_tables *tables,
			     const struct event_tables *others);

/*
 * The tables of a library handle: event_tables_open() is called when they are
 * first asked for. *out is NULL without places; the error of a bad table comes
 * each time. `places` (or NULL) is borrowed. NULL: no memory.
 */
struct tables_at_hand;
struct tables_at_hand *tables_at_hand_new(const char *places);
void tables_at_hand_free(struct tables_at_hand *hand);
int tables_at_hand(struct event_tables **out, struct tables_at_hand *hand,
		   struct assay_error *err);

/* Entries that a handle keeps for its next questions. */
struct tables_kept {
	char of[400];		/* whose, in the words of the one who keeps */
	struct kept_entries *entries;	/* owned; NULL: none yet */
	char bad[600];		/* why a file is not among them; "" */
};
enum tables_set { TABLES_OF_CPU, TABLES_OF_ALL, TABLES_SETS };
struct tables_kept *tables_kept(struct tables_at_hand *hand,
				enum tables_set set);

/*
 * Calls fn for each entry of a CPU (NULL: of all), in the order of the files'
 * names. What cannot be read is an ENTRY_BAD and takes nothing else away: an
 * entry; the rest of a file; a file, folder or link below a place. After 20 of
 * a file, one more says how many there are. Returns 0; fn's first non-zero
 * result; or, at the end, -ASSAY_EPARSE with the first bad entry or file in
 * *err.
 */
int event_tables_each(const struct event_tables *tables,
		      const struct table_cpu *cpu, entry_fn *fn, void *ctx,
		      struct assay_error *err);

/* Why a folder, file or link below the places could not be read; "": all could.
 */
const char *event_tables_unread(const struct event_tables *tables);

/* Is there a full list of the events of the CPU's cores, or of those of one kind
 * ("cpu_atom"; NULL: the CPU has one kind): the vendor's own? */
bool event_tables_complete(const struct event_tables *tables,
			   const struct table_cpu *cpu, const char *core);

/* A pattern of the CPU, of a mapfile.csv or a file; NULL: no table at hand is
 * for the CPU; "": none says. */
const char *event_tables_pattern(const struct event_tables *tables,
				 const struct table_cpu *cpu);

/* The kind of core that the first file is for: "cpu_core", "cpu_atom"; "". */
const char *event_tables_core(const struct event_tables *tables);

/*
 * Is a table of that name for the CPU? Names are equal in any case, without
 * the folders before them, or by the list of known names.
 */
bool table_named(const char *table, const struct table_cpu *cpu);
/* For many tables in turn; known: what table_known_names(cpu) returns. */
bool table_named_known(const char *table, const struct table_cpu *cpu,
		       const char *known);

/* The known names of the CPU with that name or, if no name is known, with
 * those identification registers: words with blanks between; NULL: none. */
const char *table_known_names(const struct table_cpu *cpu);

/* The pattern of that CPU ("AuthenticAMD-25-..."); NULL: none is known. */
const char *table_known_pattern(const struct table_cpu *cpu);

/* Does a pattern of a mapfile.csv ("GenuineIntel-6-55-[01234]") match? */
bool table_pattern_matches(const char *pattern, const struct cpu_match *match);

#endif
