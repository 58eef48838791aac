/* SPDX-License-Identifier: MIT */
/* Sets of CPUs, as people and the kernel write them: "0-3,8". */
#ifndef BASE_CPULIST_H
#define BASE_CPULIST_H

#include <stdbool.h>
#include <stdint.h>

#define CPULIST_CPUS 4096

struct cpulist { uint64_t bits[CPULIST_CPUS / 64]; };

/* Returns 0, or -ASSAY_EINVAL: empty, no such list, or a CPU too high. */
int cpulist_parse(struct cpulist *out, const char *text);

bool cpulist_has(const struct cpulist *list, unsigned cpu);

#endif
