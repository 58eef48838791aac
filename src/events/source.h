/* SPDX-License-Identifier: MIT */
/*
 * The places that event names come from. Each source resolves a name to an
 * encoding and can say all the names that it knows.
 *
 * A resolver returns FOUND (out is filled; out->absent if it cannot be counted
 * here), NOT_MINE, or a negative code: the name is the source's, but wrong.
 */
#ifndef EVENTS_SOURCE_H
#define EVENTS_SOURCE_H

#include "assay/error.h"
#include "base/encoding.h"
#include "events/code.h"
#include "events/events.h"

enum { NOT_MINE, FOUND };

/* One name that a source knows. Strings are borrowed for the call. */
struct event_name {
	const char *name;
	const char *kind;	/* "hardware", "tracepoint" ... */
	const char *code;	/* "" if it is not told */
	const char *meaning;	/* one line, or "" */
	const char *absent;	/* cannot be counted here: why; or NULL */
};

/* Non-zero return stops. */
typedef int event_name_fn(void *ctx, const struct event_name *name);

int generic_resolve(struct encoding *out, const char *name,
		    const struct events_target *target,
		    struct assay_error *err);
int generic_names(const struct events_target *target, event_name_fn *fn,
		  void *ctx);

/* "cpu-cycles" for "cycles"; other names as they are. */
const char *generic_canonical(const char *name);

int raw_resolve(struct encoding *out, const char *name,
		const struct events_target *target, struct assay_error *err);
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
/* Does the kernel drive a core PMU? True if that cannot be seen. */
bool pmu_core(const char *sysroot);
extern const char pmu_core_absent[];
/*
 * False if this is an AArch64 PMU that says (PMCEID, which the kernel shows as
 * the files in PMU/events) that it does not have an architectural event. Such
 * an event opens all the same and reads 0.
 */
bool pmu_implements(const char *sysroot, uint64_t code);

int tracepoint_resolve(struct encoding *out, const char *name,
		       const struct events_target *target,
		       struct assay_error *err);
int tracepoint_names(const struct events_target *target, event_name_fn *fn,
		     void *ctx);

/* The CPU file of the target. */
int model_resolve(struct encoding *out, const char *name,
		  const struct events_target *target,
		  struct assay_error *err);
int model_names(const struct events_target *target, event_name_fn *fn,
		void *ctx);

/* Events of CPU files and tables of other CPUs: found, and absent. */
int other_resolve(struct encoding *out, const char *name,
		  const struct events_target *target,
		  struct assay_error *err);

/* libpfm4. near: only PMUs that this name could belong to; NULL: present. */
int vendor_resolve(struct encoding *out, const char *name,
		   const struct events_target *target,
		   struct assay_error *err);
int vendor_names(const struct events_target *target, event_name_fn *fn,
		 void *ctx);
/* The names of the table that name has as prefix ("skl::..."). */
int vendor_table_names(const char *name, event_name_fn *fn, void *ctx);

/* An event of one of libpfm4's tables. Strings are borrowed for the call. */
struct vendor_event {
	char name[192];		/* "skl::L2_LINES_OUT:SILENT" */
	const char *cpu;	/* "Intel Skylake" */
	const char *meaning;	/* of its unit mask if it has one */
	uint64_t config;
	enum code_layout layout;
	bool here;		/* a table of this machine's CPU */
};
typedef int vendor_event_fn(void *ctx, const struct vendor_event *event);

/*
 * Calls fn for each table that knows the name: one if it says "table::", else
 * all tables of core PMUs. Non-zero stops and is returned.
 */
int vendor_find(const char *name, vendor_event_fn *fn, void *ctx);

#endif
