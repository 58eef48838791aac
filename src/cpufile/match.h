/* SPDX-License-Identifier: MIT */
/* How a CPU that a table is for identifies itself. */
#ifndef CPUFILE_MATCH_H
#define CPUFILE_MATCH_H

#include "tables/events/tables.h"

/*
 * The registers of the CPU of that name: those that the pattern of
 * known-cpus.def or of the tables (or NULL) fits ("GenuineIntel-6-(97|9A)"),
 * and the steppings, if the pattern names some. If the table is for more models than a
 * CPU file can hold, .models is 0. False: nothing says which registers the CPU
 * has.
 */
bool match_find(struct cpu_match *out, const struct event_tables *tables,
		const struct table_cpu *cpu);

/* Arm's CPUs that have no AArch64. */
bool match_is_32_bit(const struct cpu_match *match);

#endif
