/* SPDX-License-Identifier: MIT */
/*
 * Event codes field by field: how each kind of PMU lays out the config word
 * that perf takes, what it keeps of it, and how codes go wrong.
 */
#ifndef EVENTS_CODE_H
#define EVENTS_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum code_layout {
	CODE_INTEL,		/* IA32_PERFEVTSELx */
	CODE_AMD,		/* PERF_CTLx: event select has 12 bits */
	CODE_PMUV3,		/* PMEVTYPERn_EL0.evtCount */
	CODE_LAYOUTS
};

struct code_field {
	const char *name;	/* "event", "umask", ...; "reserved" */
	unsigned char low, high;	/* bits of the config word */
	bool kept;		/* perf passes it on; else it is lost */
	const char *meaning;	/* one sentence */
};

/* All fields of a layout, bit 0 to 63 without gaps; *fields gets how many. */
const struct code_field *code_fields(enum code_layout layout, size_t *fields);

/* The bits of one field, shifted down. */
uint64_t code_field_value(const struct code_field *field, uint64_t config);

/* The whole event select: on AMD two fields make one number. */
uint64_t code_event(enum code_layout layout, uint64_t config);

/* What remains of a config after perf: bits that it does not keep are 0. */
uint64_t code_kept(enum code_layout layout, uint64_t config);

/*
 * The config of an event select and a unit mask; for AMD, select has 12 bits,
 * of which the upper 4 go to bits 35:32.
 */
uint64_t code_encode(enum code_layout layout, unsigned select,
		       unsigned umask);

/*
 * Reads digits as some old AMD scripts wrote them, "cUUEEE": a leading c, two
 * digits of unit mask, three of event select ("cf74e0": umask f7, event 4e0),
 * or "cUEE" ("c47d"). Returns false if the digits have no such form.
 */
bool code_concatenated(const char *digits, uint64_t *config);

#endif
