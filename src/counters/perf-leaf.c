/* SPDX-License-Identifier: MIT */
/* What CPUID says of the counters; the bits mean the same on any machine. */
#include "counters/perf-group.h"

void perf_leaf_a_decode(struct perf_leaf_a *out, uint32_t eax, uint32_t ebx,
			uint32_t edx)
{
	const unsigned events = eax >> 24;

	*out = (struct perf_leaf_a){ .version = eax & 0xff };
	if (!out->version)
		return;
	out->general = eax >> 8 & 0xff;
	out->general_bits = eax >> 16 & 0xff;
	out->missing = events < 32 ? ebx & ((UINT32_C(1) << events) - 1) : ebx;
	/* Version 1 had no fixed counters, and EDX was not defined. */
	if (out->version > 1) {
		out->fixed = edx & 0x1f;
		out->fixed_bits = edx >> 5 & 0xff;
	}
}
