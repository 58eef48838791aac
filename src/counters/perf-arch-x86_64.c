/* SPDX-License-Identifier: MIT */
/*
 * x86-64: CPUID leaf 0xA, Intel's own statement of how many counters there
 * are, and RDPMC.
 */
#include <cpuid.h>

#include "counters/perf-group.h"
#include "counters/perf-user.h"

int perf_arch_counters(void)
{
	unsigned eax, ebx, ecx, edx;
	struct perf_leaf_a leaf;

	if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
		return -1;
	if (ebx != signature_INTEL_ebx || eax < 0xa)
		return -1;
	__cpuid_count(0xa, 0, eax, ebx, ecx, edx);
	perf_leaf_a_decode(&leaf, eax, ebx, edx);
	return (int)leaf.general;
}

uint64_t perf_arch_counter(uint32_t index)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
	return (uint64_t)high << 32 | low;
}

uint64_t perf_arch_user_config1(const char *sysroot)
{
	(void)sysroot;
	return 0;
}
