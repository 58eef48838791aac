/* SPDX-License-Identifier: MIT */
/*
 * The resolvers of event names: one for each place that names come from. Each
 * turns a name into an encoding and lists the names that its place has.
 *
 * A resolver returns FOUND with *out filled (and out->absent, the reason, if
 * the event cannot be counted here); NOT_MINE if its place has no such name;
 * or a negative error code if the name has the resolver's form and is wrong.
 * On entry *out is zeroed but for its scope. A lister calls fn for each name
 * and returns 0 or fn's first non-zero result.
 */
#ifndef EVENTS_RESOLVERS_H
#define EVENTS_RESOLVERS_H

#include "assay/error.h"
#include "base/encoding.h"
#include "events/code.h"
#include "events/events.h"

enum { NOT_MINE, FOUND };

/* A name in a list of events. The strings are valid during the call only. */
struct event_name {
	const char *name;
	const char *kind;	/* "hardware", "tracepoint" ... */
	const char *code;	/* "" if the place does not give the code */
	const char *meaning;	/* one line, or "" */
	const char *absent;	/* why the event cannot be counted here; NULL:
				 * the event can be counted */
};

/* Returns 0; non-zero stops the listing. */
typedef int event_name_fn(void *ctx, const struct event_name *name);

/* ---- perf's names for hardware, cache and software events (generic.c) -- */

int generic_resolve(struct encoding *out, const char *name,
		    const struct events_target *target,
		    struct assay_error *err);
int generic_names(const struct events_target *target, event_name_fn *fn,
		  void *ctx);

/* "cpu-cycles" for "cycles"; a name without alias is returned unchanged. */
const char *generic_canonical(const char *name);

/* ---- the software PMU's own names (quantity.c) ------------------------- */

int quantity_resolve(struct encoding *out, const char *name,
		     const struct events_target *target,
		     struct assay_error *err);

/* Suggests the nearest quantity, if one is near enough. */
bool quantity_meant(struct assay_error *err, const char *name);

/* ---- the kernel's own events (pmu.c, breakpoint.c, tracepoint.c) ------- */

/* rNNN: a hexadecimal code of the core PMU. */
int raw_resolve(struct encoding *out, const char *name,
		const struct events_target *target, struct assay_error *err);
/* The forms of names that cannot be listed one by one: rNNN, mem:, PMU/.../ */
int raw_names(const struct events_target *target, event_name_fn *fn,
	      void *ctx);

/* mem:ADDRESS|SYMBOL[/BYTES][:r|w|rw|x] */
int breakpoint_resolve(struct encoding *out, const char *name,
		       const struct events_target *target,
		       struct assay_error *err);

/* PMU/TERM,.../ and the names in PMU/events */
int pmu_resolve(struct encoding *out, const char *name,
		const struct events_target *target, struct assay_error *err);
int pmu_names(const struct events_target *target, event_name_fn *fn,
	      void *ctx);

/* Binds a code to the PMU of one kind of core: of an unbound code each kind's PMU
 * counts something. False: the machine has no such PMU. */
bool pmu_bind(struct encoding *out, const char *sysroot, const char *pmu);
/* Has each kind of core a PMU of its own, "cpu_atom"? */
bool pmu_kinds(const char *sysroot);
bool pmu_has_event(const char *sysroot, const char *pmu, const char *name);

/* Does the kernel drive a core PMU? Also true if /sys cannot be read. */
bool pmu_core(const char *sysroot);
extern const char pmu_core_absent[];	/* the reason if pmu_core is false */

/*
 * False if an AArch64 PMU says that it lacks this architectural event (PMCEID,
 * which the kernel shows as the files in PMU/events). The kernel opens such an
 * event all the same, and the count stays 0.
 */
bool pmu_implements(const char *sysroot, uint64_t code);

int tracepoint_resolve(struct encoding *out, const char *name,
		       const struct events_target *target,
		       struct assay_error *err);
int tracepoint_names(const struct events_target *target, event_name_fn *fn,
		     void *ctx);

/* ---- CPU files (cpu-file.c, other-cpus.c) ------------------------------ */

/* The events of the target's own CPU file. */
int cpu_file_resolve(struct encoding *out, const char *name,
		     const struct events_target *target,
		     struct assay_error *err);
/* Events of the machine's other kinds of core, and "cpu_atom/NAME/". */
int other_core_resolve(struct encoding *out, const char *name,
		       const struct events_target *target,
		       struct assay_error *err);
int cpu_file_names(const struct events_target *target, event_name_fn *fn,
		   void *ctx);

/* Events of other CPUs' files and tables: FOUND, always with out->absent. */
int other_cpus_resolve(struct encoding *out, const char *name,
		       const struct events_target *target,
		       struct assay_error *err);

/* ---- libpfm4's tables (vendor.c) --------------------------------------- */

int vendor_resolve(struct encoding *out, const char *name,
		   const struct events_target *target,
		   struct assay_error *err);
/* The names in the tables of this machine's core PMUs. */
int vendor_names(const struct events_target *target, event_name_fn *fn,
		 void *ctx);
/* The names of the table that `name` begins with ("skl::..."). */
int vendor_table_names(const char *name, event_name_fn *fn, void *ctx);

/* An event of a table. The strings are valid during the call only. */
struct vendor_event {
	char name[192];		/* "skl::L2_LINES_OUT:SILENT" */
	const char *cpu;	/* "Intel Skylake" */
	const char *meaning;	/* of its unit mask if the name has one */
	uint64_t config;	/* perf's raw config */
	enum code_layout layout;
};
typedef int vendor_event_fn(void *ctx, const struct vendor_event *event);

/*
 * Calls fn for each table of a core PMU that has the name; for one table only
 * if the name begins with "table::". Non-zero stops and is returned.
 */
int vendor_find(const char *name, vendor_event_fn *fn, void *ctx);

/* ---- lists of names (item.c, events.c) --------------------------------- */

/* One event of a list as -e takes it, split into name and modifiers. */
struct event_item {
	char complete[ASSAY_NAME];	/* as the user wrote it */
	char name[ASSAY_NAME];	/* without modifiers */
	unsigned scope;		/* enum encoding_scope; 0: no modifier */
	unsigned precise;	/* number of p; p changes no count */
	char unsupported[8];	/* perf's modifiers that cannot be had here */
};

/* What a modifier of perf's that is not supported asks for; NULL: no such
 * modifier. */
const char *item_modifier(char letter);

/*
 * Parses the first item of *list and moves *list behind the item and its
 * comma. Commas inside slashes do not separate items. Returns 1; 0 at the end
 * of the list; -ASSAY_EINVAL or -ASSAY_ERANGE.
 */
int item_next(struct event_item *out, const char **list,
	      struct assay_error *err);

/*
 * The name of the target that is nearest to a mistyped one; false if no name is
 * near. Case and the difference between '.' and ':' do not matter.
 */
bool names_nearest(char out[ASSAY_NAME], const char *name,
		   const struct events_target *target);

#endif
