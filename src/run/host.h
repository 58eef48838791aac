/* SPDX-License-Identifier: MIT */
/* This machine in terms of CPU files. */
#ifndef RUN_HOST_H
#define RUN_HOST_H

#include "run/handle.h"
#include "cpus/cpu.h"
#include "events/code.h"

/*
 * The CPU file whose `match` fits the machine's CPUID or MIDR. The caller frees
 * it with cpu_free(). NULL: no file matches, or it cannot be read.
 */
struct cpu *host_cpu(const struct assay *assay);
/* The same for an Arm core with that MIDR. */
struct cpu *host_cpu_by_midr(const struct assay *assay, unsigned midr);

/* How this machine's PMU lays out event codes. */
enum code_layout host_layout(const struct assay *assay);

#endif
