/* SPDX-License-Identifier: MIT */
/*
 * This machine as a CPU that can be simulated ("sim:host"): its caches and TLBs
 * as the kernel and CPUID report them, the rest from the CPU file that matches.
 * If no file matches, the rest is guessed and marked so (confidence G).
 */
#ifndef RUN_HOST_MODEL_H
#define RUN_HOST_MODEL_H

#include "run/handle.h"
#include "cpus/cpu.h"

/*
 * Makes *out, named "host"; free it with cpu_free(). file: gets the name of the
 * CPU file that *out is based on, or "". Returns 0, -ASSAY_ENOMEM, or
 * -ASSAY_ENOENT if no file matches and the machine reports no caches.
 */
int host_model(struct cpu **out, char *file, size_t room,
	       const struct assay *assay, struct assay_error *err);

#endif
