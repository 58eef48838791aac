/* SPDX-License-Identifier: MIT */
/*
 * This machine as a CPU that can be simulated: its caches and TLBs as the
 * kernel and CPUID report them, the rest from the CPU file that fits, or, if
 * none does, guesses that say so.
 */
#ifndef RUN_HOST_MODEL_H
#define RUN_HOST_MODEL_H

#include "run/handle.h"
#include "cpus/cpu.h"

/*
 * *out is called "host" and is freed with cpu_free. file: the name of the CPU
 * file that it is made from, or "". Returns 0, or -ASSAY_ENOENT if the machine
 * does not tell its caches.
 */
int host_model(struct cpu **out, char *file, size_t room,
	       const struct assay *assay, struct assay_error *err);

#endif
