/* SPDX-License-Identifier: MIT */
/* Sets of CPUs, as people and the kernel write them: "0-3,8". */
#ifndef BASE_CPULIST_H
#define BASE_CPULIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPULIST_CPUS 4096

struct cpulist { uint64_t bits[CPULIST_CPUS / 64]; };

/* Returns 0, or -ASSAY_EINVAL: empty, no such list, or a CPU too high. */
int cpulist_parse(struct cpulist *out, const char *text);

/* The same from a map, "00000000,000000ff": hexadecimal, the highest CPUs
 * first, a comma before each 32 CPUs. */
int cpulist_parse_map(struct cpulist *out, const char *text);

bool cpulist_has(const struct cpulist *list, unsigned cpu);

void cpulist_add(struct cpulist *list, unsigned cpu);

/* Removes the CPUs that `other` lacks. */
void cpulist_and(struct cpulist *list, const struct cpulist *other);

unsigned cpulist_count(const struct cpulist *list);

/* The lowest CPU; -1 if the list is empty. */
int cpulist_first(const struct cpulist *list);

/* Writes "0-3,8"; ranges that do not fit into room are replaced by "...". */
void cpulist_text(char *out, size_t room, const struct cpulist *list);

#endif
