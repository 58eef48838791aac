/* SPDX-License-Identifier: MIT */
/* The identities between a CPU's events, found by any name of the CPU. */
#ifndef RUN_IDENTITIES_H
#define RUN_IDENTITIES_H

#include "analysis/identity.h"
#include "run/handle.h"

/*
 * As identities_load(), also under the aliases that the CPU's file gives. cpu
 * "": only identities that hold on any CPU. Free *out with identities_free().
 */
int cpu_identities_load(struct identities **out, const struct assay *assay,
			const char *cpu, struct assay_error *err);

/* As assay_check_identities(), with a set that is loaded; *violations grows. */
int cpu_identities_check(const struct identities *set,
			 const struct assay_record *record, assay_row_fn *fn,
			 void *ctx, unsigned *violations,
			 struct assay_error *err);

#endif
