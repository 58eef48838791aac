/* SPDX-License-Identifier: MIT */
/*
 * The readers of a CPU file's sections, from the parsed file to struct cpu. The
 * keys are documented in docs/cpu-file.md. cpu-read.c calls hierarchy.c, then
 * pmu.c; hierarchy.c calls models.c; pmu.c calls event-traits.c.
 *
 * `top` is the scope of the whole file, `pmu` and `event` those of the section
 * and of one event. Every reader returns 0, or -ASSAY_EPARSE (or -ASSAY_ENOMEM)
 * with the place of the wrong key or value. What it reads belongs to the
 * reader's pool.
 */
#ifndef CPUS_CPU_READ_H
#define CPUS_CPU_READ_H

#include "cpus/cpu.h"
#include "cpus/fact.h"
#include "cpus/yaml.h"

/*
 * The file. *cpu is zeroed but for cpu->owned, the struct pool that all of the
 * CPU is allocated from.
 */
int cpu_read(struct cpu *cpu, const struct yaml *yaml,
	     struct assay_error *err);

/*
 * line, page, order, caches, tlbs, walker, and the models below: all of struct
 * geometry. out->isa must be set. Values that no machine can have, alone or
 * together, are refused at one of them.
 */
int hierarchy_read(const struct scope *top, struct geometry *out);

/*
 * The sections that model behaviour: prefetchers, predictor, page-map and
 * cycles. The caches of *out must have been read.
 */
int models_read(const struct scope *top, struct geometry *out);

/*
 * The cycle model of base/geometry.h as an expression over signals. A term
 * whose constant is 0 is left out; without constants the expression is empty.
 */
void models_cycles(struct expr *out, const struct geometry *geometry);

/*
 * pmu: counters, events, unit masks and generic names. cpu->geometry must have
 * been read: the name `cycles` in an event's sum stands for its cycle model.
 */
int pmu_read(const struct scope *top, struct cpu *cpu);

/* Traits, page sizes, counters and errata of one event; `pmu` has the default of
 * `per`. counters: how many the PMU has. */
int event_traits_read(const struct scope *event, const struct scope *pmu,
		      unsigned counters, struct cpu_event *out);

/* pmu.umasks: event select -> bits of the unit mask -> fact. */
int units_read(const struct scope *pmu, struct cpu *cpu);

/* pmu.linux: perf's generic name -> fact, a code or "none". */
int generics_read(const struct scope *pmu, struct cpu *cpu);

#endif
