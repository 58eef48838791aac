/* SPDX-License-Identifier: MIT */
/* The sections of a CPU file that a machine reports. */
#ifndef CPUS_HIERARCHY_WRITE_H
#define CPUS_HIERARCHY_WRITE_H

#include <stdio.h>

#include "base/geometry.h"

/* The text of the source `kernel`. */
#define HIERARCHY_KERNEL "what this machine's kernel and CPUID report"

/*
 * Writes `caches` and, if the machine reports TLBs, `tlbs` and `walker`, as
 * YAML with the sources `kernel` (what *g holds) and `guess` (the rest).
 */
void hierarchy_write(FILE *out, const struct geometry *g);

#endif
