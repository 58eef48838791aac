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

struct cpu_event {
	const char *name;
	uint64_t code;		/* as perf's raw config: event | umask << 8 |
				 * event bits 8..11 << 32 */
	const char *const *alias;	/* NULL-terminated, may be empty */
	bool present;		/* the software PMU counts it */
	bool implemented;	/* the CPU counts it; true if present */
	struct expr counts;	/* present: signals (enum signal indices) */
	const char *counts_text;	/* as written, or "" */
	const char *absent;	/* not present: the reason */
	const char *meaning;	/* one sentence, or "" */
	const char *source;	/* key of a source, or "" */
	char confidence;	/* D R M F G */
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
