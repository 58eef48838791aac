/* SPDX-License-Identifier: MIT */
/* CPUID on x86-64. */
#include <cpuid.h>

#include "env/machine/probe.h"

/* The first leaf of each range (0, 0x40000000, 0x80000000) has its highest. */
bool arch_cpuid(uint32_t leaf, uint32_t subleaf, struct probe_cpuid *out)
{
	const uint32_t range = leaf & 0xffff0000;
	uint32_t eax, ebx, ecx, edx;

	__cpuid(range, eax, ebx, ecx, edx);
	if (leaf > eax)
		return false;
	__cpuid_count(leaf, subleaf, eax, ebx, ecx, edx);
	*out = (struct probe_cpuid){ .leaf = leaf, .subleaf = subleaf,
				     .eax = eax, .ebx = ebx,
				     .ecx = ecx, .edx = edx };
	return true;
}

const char *arch_isa(void)
{
	return "x86-64";
}
