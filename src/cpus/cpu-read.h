/* SPDX-License-Identifier: MIT */
/* From a parsed CPU file to a struct cpu; see docs/cpu-file.md. */
#ifndef CPUS_CPU_READ_H
#define CPUS_CPU_READ_H

#include "cpus/cpu.h"
#include "cpus/yaml.h"

/* cpu is zeroed but for cpu->owned, a struct pool that all of it goes to. */
int cpu_read(struct cpu *cpu, const struct yaml *yaml,
	     struct assay_error *err);

#endif
