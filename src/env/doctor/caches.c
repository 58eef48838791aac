/* SPDX-License-Identifier: MIT */
/*
 * Cache sizes by the kernel against those by CPUID. identity.c compares the
 * third source, the CPU's model number.
 */
#include "base/text.h"
#include "env/doctor/doctor.h"
#include "env/machine/cpuid.h"

static void differs(char *out, size_t room, const char *name,
		    const struct cache_geometry *cpuid,
		    const struct cache_geometry *kernel)
{
	char first[32], second[32];

	text_bytes(first, sizeof(first), cache_bytes(cpuid));
	text_bytes(second, sizeof(second), cache_bytes(kernel));
	text_add(out, room, "; ", "%s %s by CPUID, %s by the kernel", name,
		 first, kernel->present ? second : "nothing");
}

void doctor_caches(struct doctor *d)
{
	struct geometry by_cpuid = { .name = "" };
	const struct {
		const char *name;
		const struct cache_geometry *cpuid, *kernel;
	} rows[] = {
		{ "L1d", &by_cpuid.l1d, &d->geometry.l1d },
		{ "L1i", &by_cpuid.l1i, &d->geometry.l1i },
		{ "L2", &by_cpuid.l2, &d->geometry.l2 },
		{ "L3", &by_cpuid.l3, &d->geometry.l3 },
	};
	char wrong[256] = "";
	unsigned compared = 0;

	cpuid_caches(&by_cpuid, &d->id, &d->probe);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!rows[i].cpuid->present)
			continue;
		compared++;
		if (cache_bytes(rows[i].cpuid) != cache_bytes(rows[i].kernel))
			differs(wrong, sizeof(wrong), rows[i].name,
				rows[i].cpuid, rows[i].kernel);
	}
	if (*wrong)
		doctor_add(d, "cache sizes", "warn",
			   "CPUID or the kernel has it wrong: predictions that "
			   "rest on sizes may be wrong", "assay topo --measure",
			   "%s", wrong);
	else if (compared)
		doctor_ok(d, "cache sizes", "CPUID and the kernel agree on %u "
			  "caches", compared);
}
