/* SPDX-License-Identifier: MIT */
/*
 * x86-64: the number of counters by CPUID leaf 0xA (Intel only), reading them
 * by RDPMC, and a PMUv3 provider that is unavailable.
 */
#include <cpuid.h>

#include "base/text.h"
#include "counters/perf-group.h"
#include "counters/perf-user.h"
#include "counters/provider.h"

bool perf_arch_leaf_a(uint32_t *eax, uint32_t *ebx, uint32_t *edx)
{
	unsigned a, b, c, d;

	if (!__get_cpuid(0, &a, &b, &c, &d))
		return false;
	if (b != signature_INTEL_ebx || a < 0xa)
		return false;
	__cpuid_count(0xa, 0, *eax, *ebx, c, *edx);
	return true;
}

uint64_t perf_arch_counter(uint32_t index)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
	return (uint64_t)high << 32 | low;
}

uint64_t perf_arch_user_config1(void)
{
	return 0;
}

/* ---- PMUv3: not on this ISA ---------------------------------------------- */

static int probe(const struct provider_config *config, struct assay_error *err)
{
	(void)config;
	return error_set(err, -ASSAY_EUNAVAIL, "PMUv3 is the PMU of AArch64 "
			 "cores, and this core is not AArch64; 'assay bare "
			 "run' has an emulated one");
}

static int open_group(void *state, const struct provider_config *config,
		      const struct group *group, struct assay_error *err)
{
	(void)state;
	(void)group;
	return probe(config, err);
}

const struct provider pmuv3_provider = {
	.name = "pmuv3",
	.summary = "the PMU's own registers: bare metal, or an AArch64 kernel "
		   "that leaves them to programs",
	.drive = DRIVE_NATIVE,
	.state_size = 1,
	.probe = probe,
	.open = open_group,
};
