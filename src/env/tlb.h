/* SPDX-License-Identifier: MIT */
/* The TLBs for 4 KiB pages, as the CPU itself tells them. */
#ifndef ENV_TLB_H
#define ENV_TLB_H

#include "base/geometry.h"
#include "env/machine.h"
#include "env/probe.h"

/* Fills dtlb, itlb and l2tlb where CPUID tells them; leaves the others. */
void tlb_fill(struct geometry *out, const struct machine_id *id,
	      const struct probe *probe);

#endif
