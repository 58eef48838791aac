/* SPDX-License-Identifier: MIT */
/*
 * Event names and raw codes to encodings for perf, for the software PMU, or for
 * files whose names are taken as they are; lists of names; and what an event
 * counts. The room is the only user of libpfm4.
 */
#ifndef EVENTS_EVENTS_H
#define EVENTS_EVENTS_H

#include "assay/error.h"
#include "assay/row.h"
#include "base/encoding.h"
#include "cpus/cpu-files.h"
#include "events/code.h"
#include "tables/events/tables.h"

/* Who counts: perf; the software PMU; nobody, so that any name is accepted. */
enum events_for { EVENTS_PERF, EVENTS_SIM, EVENTS_NAMES };

struct events_target {
	enum events_for target;
	const struct cpu *cpu;	/* SIM: its events; PERF: the CPU file for
				 * this machine, or NULL */
	const struct geometry *geometry;	/* SIM: the geometry that is
						 * simulated; NULL: .cpu's */
	const char *sysroot;	/* "/" normally; tests give another tree */
	bool recorded;		/* sysroot is another machine: libpfm4, which
				 * asks this CPU, is not used for its names */
	const char *data_dir;	/* of further CPU files, or NULL */
	bool elapsed;		/* the caller measures "duration_time" */
	struct tables_at_hand *tables;	/* event tables, or NULL */
	struct cpu_files *files;	/* explain: all CPU files */
	enum code_layout layout;	/* of the core PMU's codes */
	bool named;		/* explain: the user named the CPU */
	const char *asked;	/* name of a CPU that has no file, or NULL */
	const struct cpu_match *match;	/* of such a CPU, or NULL */
	const char *core;	/* explain: only tables' entries for this kind
				 * of core, "cpu_atom"; NULL: for all */
	/* Loads .cpu when a name first needs it; NULL: only .cpu is used. */
	const struct cpu *(*find_cpu)(void *ctx);
	void *ctx;
};

/* Is it the name of a CPU that tables know? *layout: of its codes. */
bool events_table_cpu(enum code_layout *layout, const char *name,
		      struct tables_at_hand *hand);

/* perf's name for the elapsed time in ns, which no counter counts. */
extern const char events_elapsed[];

/* .cpu, else the CPU that .find_cpu finds; or NULL. */
static inline const struct cpu *events_cpu(const struct events_target *target)
{
	return target->cpu || !target->find_cpu ? target->cpu :
	       target->find_cpu(target->ctx);
}

/*
 * Parses a comma-separated list as -e takes it and appends the events to the
 * group. Commas inside slashes do not separate. A known event that cannot be
 * counted here is appended with .absent set. On an error the group is
 * unchanged: -ASSAY_ENOENT with "did you mean" for an unknown name,
 * -ASSAY_EINVAL, -ASSAY_ERANGE, or -ASSAY_ENOSPC for too many events.
 */
int events_parse(struct group *group, const char *list,
		 const struct events_target *target, struct assay_error *err);

/*
 * Names libpfm4's tables of core PMUs for this CPU, "skl (500 events), ...";
 * "" if it has no table, or if the machine is a recorded one.
 */
void events_tables(char *out, size_t room, bool recorded);

/*
 * Calls fn for each event and unit mask in libpfm4's tables of the CPU (NULL:
 * of all CPUs, and of all their units). Returns fn's first non-zero result.
 */
int events_libpfm4(const struct table_cpu *cpu, entry_fn *fn, void *ctx);
bool events_libpfm4_has(const struct table_cpu *cpu);

/*
 * One row per event that can be named for the target, those of its tables
 * among them, and whose name contains
 * the pattern (case-insensitive; NULL: all). Returns 0, or -ASSAY_ESTOP if fn
 * returned non-zero.
 */
int events_list(const struct events_target *target, const char *pattern,
		assay_row_fn *fn, void *ctx, struct assay_error *err);

/*
 * Explains an event or a code: its fields, and what it counts on target->cpu,
 * or, if target->cpu is NULL, on the CPUs that have it. `layout` is the layout
 * of codes if no CPU is given. Rows: one "event"; then "counts" (one property
 * each), "erratum", "field" (bits of the code), "unit" (of the unit mask),
 * "remark", "meant" (a code that was probably meant) and "elsewhere" (other
 * CPUs). Returns 0; -ASSAY_ENOENT with "did you mean" if no CPU has the event;
 * -ASSAY_EINVAL; -ASSAY_ESTOP if fn returned non-zero.
 */
int events_explain(const struct events_target *target,
		   enum code_layout layout, const char *text,
		   assay_row_fn *fn, void *ctx, struct assay_error *err);

/*
 * True if a count that was saved under `name` was made with a code ("r1e42",
 * "0x42") that selects another event on this CPU; `why` then gets a sentence.
 * Bits of the code that the event ignores make no difference.
 */
bool events_misprogrammed(char *why, size_t room, const struct cpu *cpu,
			  const char *name, const char *code);

/*
 * The code that the tables at hand, or libpfm4's, have for an event of the
 * target's CPU, in any table's spelling: sets .config and .config1, or .absent.
 * target->layout is that of its codes. pmu: the kind of core, "cpu_atom"; "":
 * any. Returns 1; 0: no table has the event; or an error of the tables.
 */
int events_table_code(struct encoding *out, const struct events_target *target,
		      const char *name, const char *pmu,
		      struct assay_error *err);

/* What the last question could not read of the tables at hand,
 * "FILE:line:col: ..."; "": it could read all. */
const char *events_left_out(const struct events_target *target);

/* The layout of the codes of the CPU's core PMU. */
enum code_layout events_layout(const struct cpu *cpu);

#endif
