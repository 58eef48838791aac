/* SPDX-License-Identifier: MIT */
/* AArch64 has no CPUID; its identity is in MIDR, which /sys shows. */
#include "env/machine/probe.h"

bool arch_cpuid(uint32_t leaf, uint32_t subleaf, struct probe_cpuid *out)
{
	(void)leaf;
	(void)subleaf;
	(void)out;
	return false;
}

const char *arch_isa(void)
{
	return "aarch64";
}
