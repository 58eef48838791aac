/* SPDX-License-Identifier: MIT */
/*
 * Event tables held against each other and against themselves: which entries
 * are wrong, without hardware. audit_add() takes entries, audit_run() makes
 * the findings. Nothing here reads a file.
 */
#ifndef AUDIT_AUDIT_H
#define AUDIT_AUDIT_H

#include "tables/events/entry.h"

struct audit;

enum audit_confidence { AUDIT_LOW, AUDIT_MEDIUM, AUDIT_HIGH };
extern const char *const audit_confidence_names[];

/* Texts are borrowed for the call. */
struct audit_finding {
	const struct entry *entry;
	const char *class;	/* "dup", "cross", ... (docs/event-tables.md) */
	enum audit_confidence confidence;
	const char *here;	/* what is there */
	const char *others;	/* what others say, and who */
};

struct audit_count {
	size_t entries;		/* audited */
	size_t findings, high;
};

/* NULL: no memory. */
struct audit *audit_new(void);
void audit_free(struct audit *audit);

/* An entry_fn of a struct audit_adding. Keeps a copy. */
struct audit_adding {
	struct audit *audit;
	bool audited;		/* else the entry is a witness only */
	const char *cpu;	/* audited only if its table is for that CPU;
				 * NULL: always */
};
int audit_add(void *adding, const struct entry *entry);

/*
 * Calls fn for each finding, those of the highest confidence first. Returns 0,
 * fn's first non-zero result, or -ASSAY_ENOMEM.
 */
typedef int audit_fn(void *ctx, const struct audit_finding *finding);
int audit_run(struct audit *audit, audit_fn *fn, void *ctx,
	      struct audit_count *count);

#endif
