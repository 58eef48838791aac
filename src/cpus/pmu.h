/* SPDX-License-Identifier: MIT */
/* The `pmu` section of a CPU file: counters, and what each event counts. */
#ifndef CPUS_PMU_H
#define CPUS_PMU_H

#include "cpus/fact.h"

/* Fills cpu->counters, counter_bits, event and events; geometry must be read
 * before, for the name `cycles`. */
int pmu_read(const struct scope *top, struct cpu *cpu);

#endif
