/* SPDX-License-Identifier: MIT */
/* The laws between events of a CPU, whatever name it goes by. */
#ifndef API_LAWS_H
#define API_LAWS_H

#include "analysis/identity.h"
#include "api/handle.h"

/*
 * As identities_load; the CPU's file, if there is one, adds its other names.
 * "": laws of any CPU only. The set is freed with identities_free().
 */
int laws_load(struct identities **out, const struct assay *assay,
	      const char *cpu, struct assay_error *err);

#endif
