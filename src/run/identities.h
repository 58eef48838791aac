/* SPDX-License-Identifier: MIT */
/* The laws between events of a CPU, whatever name it goes by. */
#ifndef RUN_IDENTITIES_H
#define RUN_IDENTITIES_H

#include "analysis/identity.h"
#include "run/handle.h"

/*
 * As identities_load; the CPU's file, if there is one, adds its other names.
 * "": laws of any CPU only. The set is freed with identities_free().
 */
int cpu_identities_load(struct identities **out, const struct assay *assay,
	      const char *cpu, struct assay_error *err);

#endif
