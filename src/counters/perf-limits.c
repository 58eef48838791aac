/* SPDX-License-Identifier: MIT */
/*
 * What limits counting on this machine, by /sys, /proc and CPUID. An errno of
 * perf_event_open alone is ambiguous: ENOENT means "no PMU" or "no such event",
 * and ordinary users may get EACCES instead of either.
 */
#include <stdlib.h>

#include "base/sysfile.h"
#include "counters/perf-group.h"

#define DEVICES "/sys/bus/event_source/devices"

struct pmus {
	const char *sysroot;
	bool core;
};

/* A core PMU has type 4 on x86; on Arm and hybrid CPUs it lists its CPUs. */
static void find_core_pmu(void *ctx, const char *name)
{
	struct pmus *p = ctx;
	int64_t type;

	p->core |= (sysfile_number(&type, p->sysroot, DEVICES "/%s/type",
				   name) && type == 4) ||
		   sysfile_exists(p->sysroot, DEVICES "/%s/cpus", name);
}

/* Does /proc/self/status say that a seccomp filter is installed (mode 2)? */
static bool is_filtered(const char *sysroot)
{
	char text[8192], mode[8];

	return sysfile_text(text, sizeof(text), sysroot, "/proc/self/status") >
	       0 && sysfile_key(mode, sizeof(mode), text, "Seccomp") &&
	       atoi(mode) == 2;
}

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

static int read_claimed(void)
{
	uint32_t eax, ebx, edx;
	struct perf_leaf_a leaf;

	if (!perf_arch_leaf_a(&eax, &ebx, &edx))
		return -1;
	perf_leaf_a_decode(&leaf, eax, ebx, edx);
	return (int)leaf.general;
}

void perf_limits_read(struct perf_limits *out, const char *sysroot)
{
	struct pmus pmus = { .sysroot = sysroot };
	int64_t paranoid = -9, watchdog = 0;

	sysfile_number(&paranoid, sysroot,
		       "/proc/sys/kernel/perf_event_paranoid");
	sysfile_number(&watchdog, sysroot, "/proc/sys/kernel/nmi_watchdog");
	*out = (struct perf_limits){
		.sysfs = sysfile_list(sysroot, DEVICES, find_core_pmu,
				      &pmus) >= 0,
		.claimed = read_claimed(), .paranoid = (int)paranoid,
		.watchdog = watchdog > 0, .filtered = is_filtered(sysroot),
	};
	out->core_pmu = pmus.core;
}
