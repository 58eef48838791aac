/* SPDX-License-Identifier: MIT */
/*
 * From a name, a raw code or a quantity to an encoding. Only user of libpfm4.
 */
#ifndef EVENTS_EVENTS_H
#define EVENTS_EVENTS_H

#include "assay/error.h"
#include "assay/row.h"
#include "base/encoding.h"
#include "cpus/cpu.h"
#include "events/code.h"

enum events_for { EVENTS_PERF, EVENTS_SIM, EVENTS_NAMES };

struct events_target {
	enum events_for target;
	const struct cpu *cpu;	/* SIM: its events; PERF: the CPU file for
				 * this machine, or NULL */
	const struct geometry *geometry;	/* SIM: what runs; NULL: as
						 * .cpu says */
	const char *sysroot;	/* "/" normally; tests give another tree */
	bool recorded;		/* another machine than the one this runs on:
				 * what libpfm4 finds out does not count */
	const char *data_dir;	/* of further CPU files, or NULL */
	/* Finds .cpu when a name first asks for it; NULL: .cpu is all. */
	const struct cpu *(*find_cpu)(void *ctx);
	void *ctx;
};

/* .cpu, or what .find_cpu finds; or NULL. */
const struct cpu *events_cpu(const struct events_target *target);

/*
 * Parses a comma-separated list as -e takes it and appends to the group.
 * Commas inside slashes do not separate. An unknown name fails with
 * -ASSAY_ENOENT and "did you mean"; a known event that cannot be counted here
 * is appended with .absent set.
 */
int events_parse(struct group *group, const char *list,
		 const struct events_target *target, struct assay_error *err);

/*
 * libpfm4's tables of core PMUs for the CPU that this runs on, "skl, ..."; ""
 * if there is none, or if another machine (recorded) is meant.
 */
void events_tables(char *out, size_t room, bool recorded);

/* One row per event that can be named for the target, filtered by pattern
 * (substring, case-insensitive; NULL: all). */
int events_list(const struct events_target *target, const char *pattern,
		assay_row_fn *fn, void *ctx, struct assay_error *err);

/*
 * Takes an event or a code apart and says what it counts on target->cpu, or on
 * CPUs that have it if that is NULL. `layout` is of the codes where no CPU
 * decides. Rows: one "event"; then "field" (bits of the code), "unit" (of the
 * unit mask), "counts" (one property each), "remark", "erratum", "meant" (a
 * code that was probably meant) and "elsewhere" (other CPUs). Returns 0;
 * -ASSAY_ENOENT with "did you mean" if no CPU knows it; -ASSAY_EINVAL.
 */
int events_explain(const struct events_target *target,
		   enum code_layout layout, const char *text,
		   assay_row_fn *fn, void *ctx, struct assay_error *err);

/*
 * True if `code` ("r1e42", "0x42"), with which an event was counted, is on this
 * CPU not the event of that name; `why` then gets a sentence. Bits that the
 * event does not listen to do no harm.
 */
bool events_misprogrammed(char *why, size_t room, const struct cpu *cpu,
			  const char *name, const char *code);

#endif
