/* SPDX-License-Identifier: MIT */
/*
 * Identities (data/identities/NAME.yaml): laws between events that hold for
 * any workload, because of what the events are said to count: hits + misses =
 * accesses, refills <= accesses, what leaves one level arrives at the next.
 * A violated law needs no known answer: one of its events is wrong. The
 * schema is documented in docs/identity-file.md.
 *
 *	identities_load(&laws, cpu, aliases, data_dir, err);
 *	n = identities_check(laws, true, lookup, ctx, finding, room);
 *	for each finding with .state == IDENTITY_VIOLATED: print both sides
 *	identities_free(laws);
 */
#ifndef ANALYSIS_IDENTITY_H
#define ANALYSIS_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/error.h"
#include "assay/quantity.h"
#include "assay/record.h"
#include "assay/row.h"
#include "base/expr.h"

enum identity_relation { IDENTITY_EQUAL, IDENTITY_AT_MOST, IDENTITY_AT_LEAST };

struct identity_side {
	const char *text;	/* as written */
	struct expr expr;	/* names: indices into identities.event */
};

struct identity {
	const char *name;	/* "l1d-reads-and-writes" */
	const char *file;	/* name of the file that states it */
	const char *why;	/* one sentence: why it must hold */
	const char *source;
	enum identity_relation relation;
	struct identity_side left, right;
	double slack;		/* tolerated, as a share of the larger side */
	double offset;		/* and besides, in counts */
	int suspect;		/* the event to doubt first if it does not
				 * hold, or -1: any of them */
};

/* All laws for one CPU. Everything is owned by the set. */
struct identities {
	const struct identity *identity;
	size_t count;
	const char *const *event;	/* all that any law names */
	size_t events;
	void *owned;
};

/*
 * Loads the laws of every file whose patterns fit `cpu` or one of its aliases
 * (NULL-terminated; may be NULL). data_dir (may be NULL) replaces built-in
 * files of the same name. No fitting file: an empty set. Returns 0,
 * -ASSAY_EPARSE with file:line:col, or -ASSAY_ENOMEM.
 */
int identities_load(struct identities **out, const char *cpu,
		    const char *const *alias, const char *data_dir,
		    struct assay_error *err);
/* The laws of one text, whatever CPU they are for. */
int identities_parse(struct identities **out, const char *file,
		     const char *text, size_t bytes, struct assay_error *err);
void identities_free(struct identities *set);

enum identity_state {
	IDENTITY_HOLDS,
	IDENTITY_VIOLATED,
	IDENTITY_UNPROVEN,	/* holds, but rests on an event that a
				 * violated law makes doubtful: .doubt */
	IDENTITY_OPEN,		/* a side is absent or an estimate: .why */
	IDENTITY_STATES
};
extern const char *const identity_state_names[IDENTITY_STATES];
extern const char *const identity_relation_signs[];	/* "=", "<=", ">=" */

struct identity_finding {
	const struct identity *identity;	/* borrowed from the set */
	enum identity_state state;
	struct assay_value left, right;
	double excess;		/* VIOLATED: how far beyond, in counts; >= 0 */
	const char *doubt;	/* VIOLATED, UNPROVEN: the event to doubt
				 * first, or NULL */
	const char *why;	/* OPEN: the reason; else NULL */
};

/*
 * The count of an event by its name (any case), absent if it was not counted.
 * Reasons must outlive the findings.
 */
typedef struct assay_value identity_count_fn(void *ctx, const char *event);

/*
 * Checks every law that has all of its events; those with an event that was
 * not counted at all give no finding unless `open` asks for them. exact: no
 * slack and no offset (the software PMU, whose counts start together and know
 * no interrupts). Returns the number of findings, of which the first `room`
 * are filled in; violated ones first.
 */
struct identity_check {
	bool exact;
	bool open;		/* also those that could not be checked */
	identity_count_fn *count;
	void *ctx;
};
size_t identities_check(const struct identities *set,
			const struct identity_check *check,
			struct identity_finding *out, size_t room);

/* An identity_count_fn: ctx is a const struct assay_record *; the median. */
struct assay_value identity_record_count(void *ctx, const char *event);

/* Row "identity" {identity, verdict, left, sign, right, ... } of a finding. */
int identity_row(const struct identity_finding *finding, assay_row_fn *fn,
		 void *ctx);
/* Row "law" {name, law, why, ...}: what the set says, without counts. */
int identity_describe(const struct identity *identity, assay_row_fn *fn,
		      void *ctx);

#endif
