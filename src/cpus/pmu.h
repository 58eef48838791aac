/* SPDX-License-Identifier: MIT */
/* The `pmu` section of a CPU file: counters, and what each event counts. */
#ifndef CPUS_PMU_H
#define CPUS_PMU_H

#include "cpus/fact.h"

/* Fills cpu->counters, counter_bits, event and events; geometry must be read
 * before, for the name `cycles`. */
int pmu_read(const struct scope *top, struct cpu *cpu);

/* The texts of a list or of one scalar, as a NULL-terminated array. */
int pmu_words(struct reader *reader, const struct yaml_node *node,
	      const char *const **out);

#endif
