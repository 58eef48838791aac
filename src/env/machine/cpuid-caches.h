/* SPDX-License-Identifier: MIT */
/* The caches as the CPU itself tells them. */
#ifndef ENV_MACHINE_CPUID_CACHES_H
#define ENV_MACHINE_CPUID_CACHES_H

#include "base/geometry.h"
#include "env/machine/machine.h"

/*
 * Intel's leaf 4 or AMD's 8000_001D (same layout: SDM 2A, APM 3); what is not
 * told is not present. AArch64 tells nobody.
 */
void cpuid_caches(struct geometry *out, const struct machine_id *id,
		  const struct probe *probe);

#endif
