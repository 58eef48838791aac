/* SPDX-License-Identifier: MIT */
/*
 * What a CPU file says of events beside their counts: traits and errata of each,
 * the units of unit masks, and what Linux's generic names stand for.
 */
#ifndef CPUS_EVENT_TRAITS_H
#define CPUS_EVENT_TRAITS_H

#include "cpus/fact.h"

/* Traits and errata of one event; `pmu` is the scope with the defaults. */
int traits_read(const struct scope *event, const struct scope *pmu,
		struct cpu_event *out);

/* pmu.umasks: event select -> bits -> fact. */
int units_read(const struct scope *pmu, struct cpu *cpu);

/* pmu.linux: generic name -> fact, a code or "none". */
int generics_read(const struct scope *pmu, struct cpu *cpu);

#endif
