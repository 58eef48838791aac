/* SPDX-License-Identifier: MIT */
/*
 * Caches and TLBs as CPUID describes them, of the CPU that the probe asks.
 * Parts that CPUID does not describe are unchanged; only x86 has CPUID.
 */
#ifndef ENV_MACHINE_CPUID_H
#define ENV_MACHINE_CPUID_H

#include "base/geometry.h"
#include "env/machine/machine.h"
#include "env/machine/probe.h"

/*
 * l1d, l1i, l2 and l3, from Intel's leaf 4 or AMD's 8000_001D, which have the
 * same layout (SDM 2A, APM 3), or from AMD's older leaves.
 */
void cpuid_caches(struct geometry *out, const struct machine_id *id,
		  const struct probe *probe);

/*
 * `tlbs` for each page size, and dtlb, itlb, l2tlb, l2itlb and store_dtlb: the
 * TLBs for 4 KiB pages.
 */
void cpuid_tlbs(struct geometry *out, const struct machine_id *id,
		const struct probe *probe);

/*
 * The ways that an associativity code stands for (AMD APM 3, Fn8000_0006); 0:
 * the structure is switched off. The code of "fully associative" gives
 * `entries`.
 */
uint32_t cpuid_amd_ways(uint32_t code, uint32_t entries);

#endif
