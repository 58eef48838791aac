/* SPDX-License-Identifier: MIT */
/*
 * One entry of an event table as published (intel/perfmon, Linux's pmu-events,
 * ARM-software/data, likwid, PAPI, libpfm4) in one normal form. The readers
 * write down what the table's own tools make of the entry, mistakes included;
 * whether the entry is right is not decided here.
 */
#ifndef TABLES_EVENTS_ENTRY_H
#define TABLES_EVENTS_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"

enum {
	ENTRY_NAME = 256,	/* bytes of the longest name, with its NUL */
	CODE_LIST = 4,		/* numbers in one field of an encoding */
};

enum entry_source {
	ENTRY_PERFMON, ENTRY_LINUX, ENTRY_ARM, ENTRY_LIKWID, ENTRY_PAPI,
	ENTRY_LIBPFM4,
	ENTRY_ASSAY,		/* our CPU and formula files */
	ENTRY_NOWHERE,		/* of ENTRY_BAD: a folder, or any file */
	ENTRY_SOURCES
};
extern const char *const entry_source_names[ENTRY_SOURCES];

/* Which parts of an encoding the table gives. */
enum code_part {
	CODE_SELECT = 1 << 0, CODE_UMASK = 1 << 1, CODE_EXTENSION = 1 << 2,
	CODE_CMASK = 1 << 3, CODE_INV = 1 << 4, CODE_EDGE = 1 << 5,
	CODE_ANY = 1 << 6, CODE_MSR = 1 << 7, CODE_CONFIG = 1 << 8,
	CODE_PORTS = 1 << 9, CODE_FILTER = 1 << 10, CODE_OPTIONS = 1 << 11,
};

/*
 * An encoding. A number whose part is not given is 0. Texts are never NULL.
 */
struct event_code {
	const char *unit;	/* as written, "CHA", "L3PMC", "CBOX0"; "": the
				 * core PMU */
	const char *counters;	/* as written, "0,1,2,3", "PMC0|PMC1"; "" */
	bool fixed;		/* a fixed counter: select and umask are no
				 * codes of a general counter */
	unsigned given;		/* bits of enum code_part */
	unsigned selects, umasks, msrs;	/* numbers in the lists. A list of
					 * several is still one event: each
					 * number goes with its MSR */
	uint64_t select[CODE_LIST];
	uint64_t umask[CODE_LIST];	/* core: 8 bits; Linux's uncore: up to
					 * 32, the upper ones the extension */
	uint64_t msr[CODE_LIST];
	uint64_t msr_value;
	uint64_t extension;	/* UMaskExt; likwid: the second number, bits
				 * of the config register */
	uint64_t ports, classes;	/* PortMask, FCMask */
	uint64_t filter;	/* FILTER_VALUE; likwid: the third number, a
				 * cmask on old CPUs, else an MSR's value */
	unsigned cmask;
	bool inv, edge, any;
	uint64_t config;	/* CODE_CONFIG: perf's config as one number */
	const char *options;	/* Filter; likwid's options that no field has,
				 * "MATCH0=0x11,NID=0x1"; "" */
};

enum entry_kind {
	ENTRY_EVENT,
	ENTRY_METRIC,		/* .formula over events or aliases */
	ENTRY_MEMBER,		/* of a likwid group: .name counts on the
				 * counter .code.counters */
	ENTRY_PROSE,		/* of a likwid group: a formula in its text */
	ENTRY_PRESET,		/* of PAPI: .formula is the kind of derivation,
				 * .operands the events, .constants the RPN */
	ENTRY_UNREAD,		/* a line that the table's own tool does not
				 * read: .why */
	ENTRY_GENERIC,		/* perf's generic name, as Linux's driver
				 * programs it: .code, or the event .alias */
	ENTRY_COUNTERS,		/* .operands has all counters that likwid knows
				 * of the CPU, "|PMC0|PMC1|" */
	ENTRY_BAD,		/* what cannot be read, an entry, the rest of a
				 * file, a file or a folder: .why. .name and
				 * .table may be "" */
};

/* The texts are never NULL, and valid during the call only. */
struct entry {
	enum entry_kind kind;
	enum entry_source source;
	const char *file;
	unsigned line, col;	/* of the entry's first character, from 1; of
				 * ENTRY_BAD: of the mistake; 0: none is known */
	const char *table;	/* whose: "SKL", "amdzen4", "arm/cortex-a76",
				 * "skl"; "" if the file does not say */
	const char *name;	/* as written */
	const char *alias;	/* a second name in the table, or "" */
	const char *text;	/* what the table says that it counts; of
				 * ENTRY_UNREAD: the line; or "" */
	const char *group;	/* likwid's group, or the EVENT line that a
				 * UMASK line falls under; MetricGroup; PAPI's
				 * block, "line 12" of its first CPU; "" */
	const char *formula;
	const char *operands;	/* perfmon: "a=NAME;b=NAME;"; ours:
				 * "NAME;NAME;"; PAPI: commas between;
				 * likwid: the options that may be
				 * given, "EVENT_OPTION_EDGE_MASK|..." */
	const char *constants;	/* perfmon: as .operands */
	const char *why;	/* of ENTRY_UNREAD; or how the entry is read
				 * otherwise than its author meant; or "" */
	bool deprecated;
	bool limit;		/* ENTRY_BAD: a limit of assay's or of this
				 * machine, no mistake of the table */
	struct event_code code;
};

/* Copies a text of an entry for people to read: cut to the room, with blanks
 * for line ends and tabs, and without control characters. */
void entry_text(char *out, size_t room, const char *text);

/* The PMU of the kind of core that the entry is for, "cpu_atom"; "": of any, or
 * of no core. */
const char *entry_core(const struct entry *entry);

/* An entry whose texts are empty. */
struct entry entry_empty(void);

/* Non-zero stops the reading and is returned. */
typedef int entry_fn(void *ctx, const struct entry *entry);

/* Two encodings compared part by part. A part that only one of them gives
 * makes MAY_EQUAL, unless the part that is given is 0. */
enum code_equality { CODE_EQUAL, CODE_MAY_EQUAL, CODE_DIFFERENT };
enum code_equality event_code_compare(const struct event_code *a,
				      const struct event_code *b);

/*
 * "0x1A6, 0x1a7" or "134": up to `most` numbers, hexadecimal with 0x, else
 * decimal. Returns how many; -1: something else stands there, or more.
 */
int code_numbers(uint64_t *out, int most, const char *text);

/*
 * Names of different tables compared: upper case; '.', ':', '-' and blanks
 * become one '_'; "UNC_" and the unit behind it are dropped (unit may be "").
 */
void entry_normal_name(char out[ENTRY_NAME], const char *name,
		       const char *unit);

#endif
