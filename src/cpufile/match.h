/* SPDX-License-Identifier: MIT */
/* How a CPU that a table is for identifies itself. */
#ifndef CPUFILE_MATCH_H
#define CPUFILE_MATCH_H

#include "tables/events/tables.h"

/*
 * The registers that a pattern of a mapfile.csv ("GenuineIntel-6-(97|9A)") or
 * of known-cpus.def fits. More models than a CPU file can hold: .models is 0.
 * False: nothing says which registers the CPU has.
 */
bool match_of_pattern(struct cpu_match *out, const char *pattern);

/* The pattern of the CPU: the known one, else a table's; or NULL. */
const char *match_pattern(const struct event_tables *tables,
			  const struct table_cpu *cpu);

#endif
