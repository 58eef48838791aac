/* SPDX-License-Identifier: MIT */
/*
 * Event codes bit by bit: how each kind of core PMU lays out perf's raw config
 * word (64 bits: event select, unit mask, edge, inv, cmask, ...), which bits
 * perf passes on to the PMU, and how wrongly written codes can be read. Pure
 * functions over constant tables.
 */
#ifndef EVENTS_CODE_H
#define EVENTS_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum code_layout {
	CODE_INTEL,		/* IA32_PERFEVTSELx */
	CODE_AMD,		/* PERF_CTLx: the event select has 12 bits */
	CODE_PMUV3,		/* PMEVTYPERn_EL0.evtCount */
	CODE_LAYOUTS
};

struct code_field {
	const char *name;	/* "event", "umask", ...; "reserved" */
	unsigned char low, high;	/* bits of the config word */
	bool kept;		/* perf passes the bits on, else drops them */
	const char *meaning;	/* one sentence */
};

/* All fields of a layout from bit 0 to 63, without gaps; *fields: how many. */
const struct code_field *code_fields(enum code_layout layout, size_t *fields);

/* The bits of one field, shifted down to bit 0. */
uint64_t code_field_value(const struct code_field *field, uint64_t config);

/* The complete event select: on AMD it is in two fields. */
uint64_t code_event(enum code_layout layout, uint64_t config);

/* The config that perf passes on: bits that perf drops are 0. */
uint64_t code_kept(enum code_layout layout, uint64_t config);

/*
 * The config of an event select and a unit mask. On AMD the select has 12
 * bits; its upper 4 go to bits 35:32. On Intel's CPUs from Lunar Lake on the
 * unit mask has 16; its upper 8 go to bits 47:40.
 */
uint64_t code_encode(enum code_layout layout, unsigned select,
		     unsigned umask);

/* The config with event select and unit mask alone, as CPU files have it. */
uint64_t code_plain(enum code_layout layout, uint64_t config);

/*
 * Reads digits as some old AMD scripts wrote them, "cUUEEE": a leading c, two
 * digits of unit mask, three of event select ("cf74e0": umask f7, event 4e0),
 * or "cUEE" ("c47d"). Returns false if the digits have no such form.
 */
bool code_concatenated(const char *digits, uint64_t *config);

#endif
