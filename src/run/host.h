/* SPDX-License-Identifier: MIT */
/* The CPU file for this machine, and how its PMU lays out codes. */
#ifndef RUN_HOST_H
#define RUN_HOST_H

#include "run/handle.h"
#include "cpus/cpu.h"
#include "events/code.h"

/* The file whose `match` fits what the CPU says of itself; owned by the
 * caller. NULL: there is none, or it cannot be read. */
struct cpu *host_cpu(const struct assay *assay);
/* Likewise for an Arm core with that MIDR. */
struct cpu *host_cpu_by_midr(const struct assay *assay, unsigned midr);

enum code_layout host_layout(const struct assay *assay);

#endif
