/* SPDX-License-Identifier: MIT */
/*
 * The parts of `assay explain`. explain-resolve.c finds out what a text names
 * and fills a struct subject; explain.c, explain-code.c and other-cpus.c turn
 * the subject into rows. A function that emits rows returns 0, or the first
 * non-zero result of the caller's row function.
 */
#ifndef EVENTS_EXPLAIN_H
#define EVENTS_EXPLAIN_H

#include "events/resolvers.h"

enum { EXPLAIN_TEXT = 400 };

/* The event or code that is explained. */
struct subject {
	const struct events_target *target;
	enum code_layout layout;	/* of config */
	assay_row_fn *fn;		/* gets the rows */
	void *ctx;
	char asked[ASSAY_NAME];		/* as the user wrote it */
	char name[ASSAY_NAME];		/* without modifiers */
	const char *kind;		/* "a code", "an event of the CPU" */
	char event[192];		/* full name of the event; "" if there
					 * is none */
	bool coded;			/* config is set */
	uint64_t config;		/* perf's raw config */
	const struct cpu_event *event_here;	/* in target->cpu, or NULL */
	char meaning[EXPLAIN_TEXT];	/* of an event that no CPU file has; or
					 * "" */
	char absent[ASSAY_WHY];		/* why the event cannot be counted; or
					 * "" */
	unsigned scope, precise;	/* as in struct event_item */
};

/*
 * Finds out what the text names. The first four members of *s are given; this
 * fills the others. Returns 0; -ASSAY_ENOENT with a suggestion; -ASSAY_EINVAL.
 */
int explain_resolve(struct subject *s, const char *text,
		    struct assay_error *err);

/*
 * The name without unit mask ("DATA_CACHE_REFILLS") of the first event of the
 * CPU file with this event select; "" if the file has none.
 */
void explain_stem(char out[ASSAY_NAME], const struct subject *s);

/* The bits of the unit mask that are set and belong to no unit of the event. */
unsigned explain_unused_bits(const struct subject *s);

/* Rows "field", "unit", "remark" and "meant". */
int explain_code(const struct subject *s);

/* One row "remark"; printf-like. */
int explain_remark(const struct subject *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Rows "elsewhere": the same name or code in other CPU files and, if no file
 * has the name, in libpfm4's tables. Returns a negative code for a bad file.
 */
int explain_elsewhere(const struct subject *s, struct assay_error *err);

#endif
