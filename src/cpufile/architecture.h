/* SPDX-License-Identifier: MIT */
/* Events that mean the same on all CPUs of an architecture. */
#ifndef CPUFILE_ARCHITECTURE_H
#define CPUFILE_ARCHITECTURE_H

#include "cpufile/listed.h"

/* The expression of the event with that code on the vendor's CPUs; or NULL. */
const char *architecture_counts(const struct cpu_match *match, uint64_t code);

/* Makes *out the list of these events. Returns 0 or -ASSAY_ENOMEM. */
int architecture_list(struct listed *out, const struct cpu_match *match,
		      struct assay_error *err);

#endif
