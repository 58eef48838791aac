/* SPDX-License-Identifier: MIT */
/*
 * CPU files (data/cpus/NAME.yaml): geometry, replacement policies, what each
 * event really counts, and errata, with a source and a confidence for every
 * fact. docs/cpu-file.md documents the schema. A struct cpu is read from one
 * file, never changes, and owns all texts that it points to.
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

/* Traits of an event: whether the event also counts these accesses (yes, no),
 * and the unit of a count: line, access, core ... */
enum cpu_trait_kind {
	CPU_SPECULATIVE,	/* accesses on mispredicted paths */
	CPU_PREFETCHES,		/* accesses of hardware prefetchers */
	CPU_WALKS,		/* reads of page tables by page walks */
	CPU_WRITEBACKS,		/* write-backs of lines */
	CPU_PER,		/* thread, core, cluster, node, package */
	CPU_TRAITS
};
extern const char *const cpu_trait_names[CPU_TRAITS];	/* keys of the file */

struct cpu_trait {
	const char *value;	/* NULL: not known */
	const char *source;	/* keys of the sources, or "" */
	const char *note;	/* a remark, or "" */
	char confidence;
};

struct cpu_event {
	const char *name;
	uint64_t code;		/* as perf's raw config: event | umask << 8 |
				 * event bits 8..11 << 32 */
	const char *const *alias;	/* NULL-terminated, may be empty */
	bool present;		/* the software PMU counts it */
	bool implemented;	/* the CPU counts it; true if present is */
	struct expr counts;	/* present: signals (enum signal indices) */
	const char *counts_text;	/* as written, or "" */
	struct expr says;	/* the vendor's text, if it differs from counts;
				 * the first erratum explains why */
	const char *says_text;	/* as written, or "": the same as counts */
	const char *says_source;	/* keys of the sources, or "" */
	char says_confidence;
	unsigned pages;		/* bit per enum page_size: only accesses to
				 * pages of these sizes count; 0: to all */
	uint64_t counters;	/* bit per general counter that can count the
				 * event; 0: all */
	const char *absent;	/* if not present: the reason */
	const char *meaning;	/* one sentence, or "" */
	const char *source;	/* key of a source, or "" */
	char confidence;	/* D R M F G */
	struct cpu_trait trait[CPU_TRAITS];	/* those in the file */
	const char *const *errata;	/* keys of the file's errata,
					 * NULL-terminated; NULL: none */
};

/* A unit: bits of the unit mask of one event select, and their meaning. */
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

/* The event that Linux programs for one of perf's generic names. */
struct cpu_generic {
	const char *name;
	bool present;		/* Linux has an event for the name */
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
 * The CPU's own identification registers. A hint only: two chips with the same
 * values may differ. 0, "" or an empty list: the file does not give the value.
 */
#define CPU_MATCHES 16
struct cpu_match {
	uint64_t implementer, part;	/* MIDR_EL1 */
	const char *vendor;		/* CPUID leaf 0, "" on Arm */
	uint64_t family;
	unsigned models, steppings, other_parts;
	uint64_t model[CPU_MATCHES], stepping[CPU_MATCHES];
	uint64_t other_part[CPU_MATCHES];	/* the same core in other chips */
};

/* The kinds of core of x86 CPUs with several: "P", "E", "LP", and the name of
 * the PMU of each in Linux and in event tables. */
enum { CPU_CORES = 3 };
extern const char *const cpu_cores[CPU_CORES];
extern const char *const cpu_core_pmus[CPU_CORES];

/* The kind whose PMU has the name of that many bytes; -1: none. */
int cpu_core_of(const char *pmu, size_t bytes);

struct cpu {
	const char *name;	/* "cortex-a72" */
	const char *title;	/* "Arm Cortex-A72 (BCM2711)" */
	const char *file;	/* path of the file, or its built-in name */
	const char *const *alias;	/* other names; NULL-terminated */
	unsigned year;		/* of the first sale; 0: not known */
	const char *core;	/* the PMU of its kind of core, "cpu_atom"; NULL:
				 * the CPU has one kind */
	const char *product;	/* a sentence, if a product's name was asked
				 * for: what it is, and which core this is;
				 * or "" */
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
 * Loads a CPU by name, alias, path ("x.yaml", "./x") or the key of a product
 * ("graviton4"), from data_dir/cpus (if data_dir is not NULL), else from the
 * built-in files. The caller frees *out
 * (cpu_free). Returns 0; -ASSAY_ENOENT with a suggestion; -ASSAY_EPARSE with
 * file:line:col, the line and a caret; -ASSAY_ENOMEM.
 */
int cpu_load(struct cpu **out, const char *name_or_path, const char *data_dir,
	     struct assay_error *err);

/*
 * As cpu_load(), also by the names under which products are sold, "Core
 * i7-8550U" (cpus/names/products.h), which users type. Records have such names,
 * too, but a hypervisor may show another CPU's: for these there is cpu_load().
 */
int cpu_load_sold(struct cpu **out, const char *name_or_path,
		  const char *data_dir, struct assay_error *err);
void cpu_free(struct cpu *cpu);

/* Is it a path, or the name of a file? No file is read. */
bool cpu_is_file(const char *name_or_path, const char *data_dir);

/*
 * By name or alias (case-insensitive; '.' and ':' are the same), or by code
 * ("0x42", "r42", in hexadecimal); or NULL.
 */
const struct cpu_event *cpu_event_find(const struct cpu *cpu,
				       const char *name);

/* A code as text, "0x42" or "r42": hexadecimal, nothing behind it, at most 16
 * digits. False: the text has another form. */
bool cpu_code_parse(uint64_t *out, const char *text);

/* The event with exactly this code (perf's raw config), or NULL. */
const struct cpu_event *cpu_event_coded(const struct cpu *cpu, uint64_t code);

/*
 * The event that counts if this code is programmed, or NULL. The unit mask of
 * the code is ignored if, by the file, the event select has no unit mask.
 */
const struct cpu_event *cpu_event_programmed(const struct cpu *cpu,
					     uint64_t code);

/* The units of an event select; NULL if the file does not describe them. */
const struct cpu_units *cpu_units_find(const struct cpu *cpu, unsigned select);

/* One of perf's generic names; NULL if the file does not have it. */
const struct cpu_generic *cpu_generic_find(const struct cpu *cpu,
					   const char *name);

/* "l1d, l2": caches of levels up to 3 whose size or ways the file guesses. */
void cpu_guessed_caches(const struct cpu *cpu, int levels, char *out,
			size_t room);

/*
 * A trait from the file; else derived from the signals that the event adds up
 * or, for speculation, from the words in the vendor's name (the note says
 * which); else out->value is NULL. The texts live as long as the CPU.
 */
void cpu_event_trait(struct cpu_trait *out, const struct cpu_event *event,
		     enum cpu_trait_kind kind);

/*
 * Does the file describe a CPU with this identification? x86: vendor (of CPUID
 * leaf 0), family and model. Arm: vendor "", implementer and part of MIDR_EL1.
 */
struct cpu_identity {
	const char *vendor;
	unsigned family, model;
	unsigned implementer, part;
};
bool cpu_matches(const struct cpu *cpu, const struct cpu_identity *id);

/* Calls fn for each CPU file, sorted by name; a non-zero result stops and is
 * returned, as is the error of a bad file. The CPU is freed after the call. */
typedef int cpu_fn(void *ctx, const struct cpu *cpu);
int cpu_each(const char *data_dir, cpu_fn *fn, void *ctx,
	     struct assay_error *err);

/*
 * Parses the text of a CPU file; file is its name in messages. Otherwise as
 * cpu_load.
 */
int cpu_parse(struct cpu **out, const char *file, const char *text,
	      size_t bytes, struct assay_error *err);

/* One row per CPU file: name, title, caches, events. */
int cpu_list(const char *data_dir, assay_row_fn *fn, void *ctx,
	     struct assay_error *err);
/* The CPU as one row and in a few lines (cpus/cpu-about.h); then one row per
 * fact, per event, per erratum and per source. */
int cpu_describe(const struct cpu *cpu, const char *data_dir, assay_row_fn *fn,
		 void *ctx);

#endif
