/* SPDX-License-Identifier: MIT */
/* One event or code on its way through the files of explain. */
#ifndef EVENTS_EXPLAIN_H
#define EVENTS_EXPLAIN_H

#include "events/source.h"

enum { EXPLAIN_TEXT = 400 };

struct subject {
	const struct events_target *target;
	enum code_layout layout;
	assay_row_fn *fn;
	void *ctx;
	char asked[ASSAY_NAME];		/* with modifiers */
	char name[ASSAY_NAME];		/* without */
	const char *kind;		/* "code", "event of the CPU", ... */
	char event[192];		/* its full name; "" if it has none */
	bool coded;
	uint64_t config;		/* as it is programmed */
	const struct cpu_event *known;	/* of target->cpu, or NULL */
	char meaning[EXPLAIN_TEXT];	/* where no CPU file tells; or "" */
	char absent[ASSAY_WHY];		/* why it cannot be counted; or "" */
	unsigned scope, precise;
};

/* What the name or code is: fills all but the first four members. */
int explain_resolve(struct subject *s, const char *text,
		    struct assay_error *err);

/* Event select and unit mask alone, as CPU files have them. */
uint64_t explain_base(enum code_layout layout, uint64_t config);

/* "DATA_CACHE_REFILLS" of any event with this select; "" if there is none. */
void explain_stem(char out[ASSAY_NAME], const struct subject *s);

/* Bits of the unit mask that no unit of the event stands for. */
unsigned explain_idle_bits(const struct subject *s);

/* Rows "field", "unit", "remark" and "meant". */
int explain_code(const struct subject *s);

/* A row "remark"; printf-like. explain-remark.c */
int explain_remark(const struct subject *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Rows "elsewhere": the same name or code in other CPU files and, if no file
 * knows the name, in libpfm4's tables. */
int explain_elsewhere(const struct subject *s, struct assay_error *err);

#endif
