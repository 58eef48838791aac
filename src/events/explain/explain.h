/* SPDX-License-Identifier: MIT */
/*
 * The parts of `assay explain`. resolve.c finds out what a text names
 * and fills a struct subject; explain.c, code.c and ../other-cpus.c turn
 * the subject into rows. A function that emits rows returns 0, or the first
 * non-zero result of the caller's row function.
 */
#ifndef EVENTS_EXPLAIN_H
#define EVENTS_EXPLAIN_H

#include "events/resolvers.h"

enum { EXPLAIN_TEXT = 1600 };

/* The event or code that is explained. */
struct subject {
	const struct events_target *target;	/* .core is set */
	enum code_layout layout;	/* of config */
	assay_row_fn *fn;		/* gets the rows */
	void *ctx;
	char asked[ASSAY_NAME];		/* as the user wrote it */
	char name[ASSAY_NAME];		/* without modifiers */
	const char *kind;		/* "a code", "an event of the CPU" */
	char event[ASSAY_NAME];		/* full name of the event; "" if there
					 * is none */
	bool coded;			/* config is set */
	uint64_t config;		/* perf's raw config */
	const struct cpu_event *event_here;	/* in target->cpu, or NULL */
	char meaning[EXPLAIN_TEXT];	/* of an event that no CPU file has; or
					 * "" */
	char source[400];	/* of the meaning: a table's file and line; or
				 * "" */
	char terms[240];	/* of an event that config alone does not
				 * select: "CHA/event=0x35/"; or "" */
	uint64_t config1;	/* of perf; 0: none is needed */
	bool fixed, deprecated;	/* as the table says */
	char others[480];	/* the name's other codes in tables, or the
				 * code's other events: a remark, or "" */
	unsigned cores;		/* kinds of core that the table has it for */
	char of_other[480];	/* the code's event on another kind of core, or
				 * "" */
	bool of_others;		/* an event of other CPUs or cores alone */
	bool unknown;		/* nothing at hand knows or denies the name */
	char absent[400];		/* why the event cannot be counted; or
					 * "" */
	unsigned scope, precise;	/* as in struct event_item */
	char unsupported[8];
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

/* "the sum of A, B and C", the units of the unit mask; false: the CPU file does
 * not say what they are. */
bool explain_units(char *out, size_t room, const struct subject *s);

/* Is the unit mask of an event empty that counts only what the mask names? */
bool explain_counts_nothing(const struct subject *s);

/* Does the name begin with the PMU of a core ("cpu/", "armv8...")? */
bool explain_core_pmu(const char *name);
/* Has the CPU's unit mask 8 bits, where others of its layout have 16? */
bool explain_narrow_umask(const struct subject *s);
/* Fills config and config1 from "PMU/TERM,.../". 0 or an error. */
int explain_terms(struct subject *s, struct assay_error *err);

/* cpu_each() for the target's CPU files. */
int explain_each_cpu(const struct subject *s, cpu_fn *fn, void *ctx,
		     struct assay_error *err);
const char *explain_cpu_name(const struct subject *s);
/* The name in the tables of the CPU: FOUND, NOT_MINE or an error; and of the
 * CPU's other kinds of core. */
int explain_by_table(struct subject *s, struct assay_error *err);
int explain_by_other_core(struct subject *s, struct assay_error *err);
/* "CHA/event=0x36,umask=0x1/", as explain writes the code of such an event. */
int explain_by_unit(struct subject *s, struct assay_error *err);
/* Whose events "cpu_atom/.../" names: sets target->core, or refuses. */
int explain_core(struct events_target *target, const char *text,
		 struct assay_error *err);
/* The tables' event of a code that the CPU file does not describe. */
int explain_code_by_table(struct subject *s, struct assay_error *err);
/* Fills .absent and .unknown for a name that nothing of the CPU has. */
int explain_not_found(struct subject *s, struct assay_error *err);
int explain_table_remarks(const struct subject *s);

/* Rows "field", "unit", "remark" and "meant". */
int explain_code(const struct subject *s);
/* A row "meant", with what the CPU knows of the code. */
int explain_meant(const struct subject *s, uint64_t config, const char *why);
/* The code of "X.all" where tables have X's parts alone: a row "meant". */
int explain_all(const struct subject *s);

/* Remarks on perf's modifier p. */
int explain_precise(const struct subject *s);

/* One row "remark"; printf-like. */
int explain_remark(const struct subject *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Rows "elsewhere": the same name or code in other CPU files and, if no file
 * has the name, in libpfm4's tables. Returns a negative code for a bad file.
 */
int explain_elsewhere(const struct subject *s, struct assay_error *err);

#endif
