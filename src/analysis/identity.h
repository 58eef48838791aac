/* SPDX-License-Identifier: MIT */
/*
 * Identities (data/identities/NAME.yaml): equations and inequalities between
 * events that hold for every workload, by the definitions of the events: hits
 * + misses = accesses, refills <= accesses, write-backs of one level = writes
 * to the next. If an identity is violated, one of its events is wrong, whatever
 * the true counts are. The schema is documented in docs/identity-file.md.
 *
 *	identities_load(&set, cpu, aliases, data_dir, err);
 *	n = identities_check(set, &check, finding, room);
 *	for each finding with .state == IDENTITY_VIOLATED: print both sides
 *	identities_free(set);
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
	const char *text;	/* as written in the file */
	struct expr expr;	/* names: indices into identities.event */
};

struct identity {
	const char *name;	/* "l1d-reads-and-writes" */
	const char *file;	/* name of the file that states the identity */
	const char *why;	/* one sentence: why the identity must hold */
	const char *source;
	enum identity_relation relation;
	struct identity_side left, right;
	double slack;		/* tolerated difference, as a share of the
				 * larger side, plus ... */
	double offset;		/* ... this many counts */
	int suspect;		/* the event to doubt first if the identity is
				 * violated, or -1: none in particular */
};

/* All identities for one CPU. The set owns everything. */
struct identities {
	const struct identity *identity;
	size_t count;
	const char *const *event;	/* the events of all identities */
	size_t events;
	void *owned;
};

/*
 * Loads the identities of every file whose patterns fit `cpu` or one of its
 * aliases (NULL-terminated; may be NULL). Files in data_dir (may be NULL)
 * replace built-in files of the same name. If no file fits, the set is empty.
 * Returns 0, -ASSAY_EPARSE with file:line:col, or -ASSAY_ENOMEM.
 */
int identities_load(struct identities **out, const char *cpu,
		    const char *const *alias, const char *data_dir,
		    struct assay_error *err);
/* The identities of one text, for whichever CPU; `file` names the text. */
int identities_parse(struct identities **out, const char *file,
		     const char *text, size_t bytes, struct assay_error *err);
void identities_free(struct identities *set);

/* Does a side of the identity have the event of that index? */
bool identity_has(const struct identity *identity, int event);

enum identity_state {
	IDENTITY_HOLDS,
	IDENTITY_VIOLATED,
	IDENTITY_UNPROVEN,	/* holds, but has an event that a violated
				 * identity makes doubtful: .doubt */
	IDENTITY_OPEN,		/* a side is absent or an estimate: .why */
	IDENTITY_STATES
};
extern const char *const identity_state_names[IDENTITY_STATES];
extern const char *const identity_relation_signs[];	/* "=", "<=", ">=" */

struct identity_finding {
	const struct identity *identity;	/* borrowed from the set */
	enum identity_state state;
	struct assay_value left, right;
	double excess;		/* VIOLATED: the difference of the sides in
				 * the forbidden direction, in counts; > 0 */
	const char *doubt;	/* VIOLATED, UNPROVEN: the event to doubt
				 * first, or NULL */
	const char *why;	/* OPEN: the reason; else NULL */
};

/*
 * The count of the event of that name (any case), or absent with a reason that
 * outlives the findings.
 */
typedef struct assay_value identity_count_fn(void *ctx, const char *event);

struct identity_check {
	bool exact;		/* no slack and no offset: the software PMU,
				 * whose counters start together and see no
				 * interrupts */
	bool open;		/* report also identities that have an event
				 * without a count */
	identity_count_fn *count;
	void *ctx;		/* of count */
};
/*
 * Checks the set. Returns the number of findings, of which the first `room` are
 * filled in; violated identities come first.
 */
size_t identities_check(const struct identities *set,
			const struct identity_check *check,
			struct identity_finding *out, size_t room);

/* Row "identity" {identity, verdict, left, sign, right, ... } of a finding. */
int identity_row(const struct identity_finding *finding, assay_row_fn *fn,
		 void *ctx);
/* Row "law" {identity, law, why, ...} of an identity, without counts. */
int identity_describe(const struct identity *identity, assay_row_fn *fn,
		      void *ctx);

#endif
