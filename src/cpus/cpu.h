/* SPDX-License-Identifier: MIT */
/*
 * CPU files (data/cpus/NAME.yaml): geometry, policies, what each event really
 * counts, errata; a source and a confidence for every fact. The schema is
 * documented in docs/cpu-file.md.
 */
#ifndef CPUS_CPU_H
#define CPUS_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"
#include "assay/row.h"
#include "base/expr.h"
#include "base/geometry.h"

/* What is known of an event beside what it adds up. */
enum cpu_trait_kind {
	CPU_SPECULATIVE,	/* what a mispredicted path does, too: yes, no */
	CPU_PREFETCHES,		/* what hardware prefetchers do: yes, no */
	CPU_WALKS,		/* reads of page tables: yes, no */
	CPU_WRITEBACKS,		/* lines on their way down: yes, no */
	CPU_PER,		/* thread, core, cluster, node, package */
	CPU_TRAITS
};
extern const char *const cpu_trait_names[CPU_TRAITS];	/* keys of the file */

struct cpu_trait {
	const char *value;	/* NULL: not known */
	const char *source;	/* as of a fact; "" */
	const char *note;	/* or "" */
	char confidence;
};

struct cpu_event {
	const char *name;
	uint64_t code;		/* as perf's raw config: event | umask << 8 |
				 * event bits 8..11 << 32 */
	const char *const *alias;	/* NULL-terminated, may be empty */
	bool present;		/* the software PMU counts it */
	bool implemented;	/* the CPU counts it; true if present */
	struct expr counts;	/* present: signals (enum signal indices) */
	const char *counts_text;	/* as written, or "" */
	struct expr says;	/* what the vendor's text says instead; the
				 * first of errata tells why */
	const char *says_text;	/* as written, or "": the same as counts */
	const char *says_source;	/* as of a fact; "" */
	char says_confidence;
	unsigned pages;		/* bit per enum page_size: only what happens in
				 * such pages counts; 0: in all */
	const char *absent;	/* not present: the reason */
	const char *meaning;	/* one sentence, or "" */
	const char *source;	/* key of a source, or "" */
	char confidence;	/* D R M F G */
	struct cpu_trait trait[CPU_TRAITS];	/* as the file says */
	const char *const *errata;	/* keys of the file's errata,
					 * NULL-terminated; NULL: none */
};

/* Bits of the unit mask of one event select, and what they stand for. */
struct cpu_unit {
	unsigned bits;
	const char *meaning, *source;
	char confidence;
};

/* All units of an event select. units == 0: it has no unit mask. */
struct cpu_units {
	unsigned select;
	const struct cpu_unit *unit;
	size_t units;
};

/* What Linux programs for one of perf's generic names. */
struct cpu_generic {
	const char *name;
	bool present;
	uint64_t code;		/* as in struct cpu_event */
	const char *note, *source;
	char confidence;
};

struct cpu_fact {
	const char *path;	/* "caches.l1d.ways" */
	const char *value;	/* as written in the file */
	const char *source;	/* one or more keys of the sources */
	char confidence;
	const char *note;	/* a remark, or "" */
};

struct cpu_source {
	const char *key, *text;
};

/*
 * How such a CPU names itself. A hint only: two chips of one name may differ.
 * 0 or "" or an empty list: not said.
 */
#define CPU_MATCHES 16
struct cpu_match {
	uint64_t implementer, part;	/* MIDR_EL1 */
	const char *vendor;		/* CPUID leaf 0, "" on Arm */
	uint64_t family;
	unsigned models, steppings;
	uint64_t model[CPU_MATCHES], stepping[CPU_MATCHES];
};

struct cpu {
	const char *name;	/* "cortex-a72" */
	const char *title;	/* "Arm Cortex-A72 (BCM2711)" */
	const char *file;	/* where it was read from */
	const char *const *alias;	/* other names; NULL-terminated */
	struct cpu_match match;
	struct geometry geometry;
	unsigned counters, counter_bits;
	const struct cpu_event *event;
	size_t events;
	const struct cpu_units *units;
	size_t selects;		/* event selects whose units are known */
	const struct cpu_generic *generic;
	size_t generics;
	const struct cpu_fact *fact;
	size_t facts;
	const char *const *erratum;	/* "ID: text", NULL-terminated */
	const struct cpu_source *cited;
	size_t cites;
	void *owned;		/* the file's memory */
};

/*
 * Loads a CPU by name, alias or path ("x.yaml", "./x"): data_dir/cpus first, if
 * data_dir is not NULL, then the built-in ones. Returns 0; -ASSAY_ENOENT with
 * a suggestion; -ASSAY_EPARSE with file:line:col, the line and a caret.
 */
int cpu_load(struct cpu **out, const char *name_or_path, const char *data_dir,
	     struct assay_error *err);
void cpu_free(struct cpu *cpu);

/*
 * By name or alias (case-insensitive; '.' and ':' are the same), or by code
 * ("0x42", "r42", in hexadecimal); or NULL.
 */
const struct cpu_event *cpu_event_find(const struct cpu *cpu,
				       const char *name);

/* A code as text, "0x42" or "r42": hexadecimal, nothing behind it, at most 16
 * digits. False: the text has another form. */
bool cpu_code_parse(uint64_t *out, const char *text);

/* By code alone, or NULL. */
const struct cpu_event *cpu_event_coded(const struct cpu *cpu, uint64_t code);

/* The event that counts if this code is programmed: unit masks are ignored where
 * the event has none. */
const struct cpu_event *cpu_event_programmed(const struct cpu *cpu,
					     uint64_t code);

/* The units of an event select, or NULL: the file does not say. */
const struct cpu_units *cpu_units_find(const struct cpu *cpu, unsigned select);

/* One of perf's generic names, or NULL: the file does not say. */
const struct cpu_generic *cpu_generic_find(const struct cpu *cpu,
					   const char *name);

/*
 * A trait as the file says it, or else as it follows from what the event adds
 * up or, for speculation, from what its vendor's names mean. The note then
 * says so. Texts live as long as the CPU; *out is filled in any case.
 */
void cpu_event_trait(struct cpu_trait *out, const struct cpu_event *event,
		     enum cpu_trait_kind kind);

/*
 * Does the file describe a CPU that calls itself so? `vendor` is CPUID's or "";
 * then implementer and part are MIDR's.
 */
struct cpu_identity {
	const char *vendor;
	unsigned family, model;
	unsigned implementer, part;
};
bool cpu_matches(const struct cpu *cpu, const struct cpu_identity *id);

/* Calls fn for each CPU file, sorted by name; non-zero stops and is returned.
 * The CPU is freed after the call. */
typedef int cpu_fn(void *ctx, const struct cpu *cpu);
int cpu_each(const char *data_dir, cpu_fn *fn, void *ctx,
	     struct assay_error *err);

/*
 * The CPU that a text describes; file is its name in messages. As cpu_load,
 * for texts that are no files.
 */
int cpu_parse(struct cpu **out, const char *file, const char *text,
	      size_t bytes, struct assay_error *err);

/* One row per CPU file: name, title, caches, events. */
int cpu_list(const char *data_dir, assay_row_fn *fn, void *ctx,
	     struct assay_error *err);
/* One row per fact, then one per event, per erratum and per source. */
int cpu_describe(const struct cpu *cpu, assay_row_fn *fn, void *ctx);

#endif
