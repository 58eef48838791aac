/* SPDX-License-Identifier: MIT */
/* The TLBs as the CPU itself tells them. */
#ifndef ENV_MACHINE_TLB_H
#define ENV_MACHINE_TLB_H

#include "base/geometry.h"
#include "env/machine/machine.h"
#include "env/machine/probe.h"

/*
 * Fills `tlbs` where CPUID tells them, and dtlb, itlb, l2tlb ... with those for
 * 4 KiB pages; leaves the others.
 */
void tlb_fill(struct geometry *out, const struct machine_id *id,
	      const struct probe *probe);

/*
 * AMD APM 3, Fn8000_0006: what a code of associativity stands for; 0: off.
 * Fully associative is `entries`.
 */
uint32_t tlb_amd_ways(uint32_t code, uint32_t entries);

#endif
