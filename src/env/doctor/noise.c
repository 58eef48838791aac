/* SPDX-License-Identifier: MIT */
/* The part "noise": what disturbs times and shared caches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/doctor/doctor.h"
#include "env/machine/sysfs-topology.h"

static void add_load(struct doctor *d, unsigned n)
{
	char text[64];
	double load;

	if (sysfile_text(text, sizeof(text), d->probe.sysroot,
			 "/proc/loadavg") <= 0)
		return;
	load = strtod(text, NULL);
	if (!n)
		doctor_add(d, "load", "info", "", "",
			   "%.1f; how many CPUs there are is not visible",
			   load);
	else if (load > 0.5 * n)
		doctor_add(d, "load", "warn",
			   "times are disturbed: expect 20 % or more",
			   "stop other work, or pin to an idle CPU: --cpu N",
			   "%.1f on %u CPU%s", load, n, n == 1 ? "" : "s");
	else
		doctor_ok(d, "load", "%.1f on %u CPU%s", load, n,
			  n == 1 ? "" : "s");
}

static void add_clock(struct doctor *d)
{
	char text[64];

	if (sysfile_text(text, sizeof(text), d->probe.sysroot,
			 SYSFS_CPUS "/cpu%d/cpufreq/scaling_governor",
			 sysfs_first(d->probe.sysroot)) <= 0)
		doctor_add(d, "core clock", "warn",
			   "it may change unseen: compare core cycles, not ns",
			   "", "no cpufreq here: who sets it is not visible");
	else if (!strcmp(text, "performance"))
		doctor_ok(d, "core clock", "governor '%s'", text);
	else
		doctor_add(d, "core clock", "warn",
			   "the clock follows the load: short runs look slow",
			   "as root: cpupower frequency-set -g performance",
			   "governor '%s'", text);
}

static void add_smt(struct doctor *d)
{
	struct cpulist core = { { 0 } };
	char text[64];
	int64_t on;

	if (!sysfile_number(&on, d->probe.sysroot,
			    "/sys/devices/system/cpu/smt/active"))
		return;
	if (!on) {
		doctor_add(d, "SMT", d->hypervisor[0] ? "info" : "ok", "",
			   "", d->hypervisor[0] ?
			   "none visible; the host may still run another "
			   "guest on this core" : "off");
		return;
	}
	sysfs_core(&core, d->probe.sysroot, sysfs_first(d->probe.sysroot));
	cpulist_text(text, sizeof(text), &core);
	doctor_add(d, "SMT", "warn",
		   "the other thread of a core shares its L1, L2, TLBs and "
		   "some counters",
		   "leave the sibling idle, or as root: echo off > "
		   "/sys/devices/system/cpu/smt/control",
		   cpulist_count(&core) > 1 ? "on: CPUs %s are one core" :
		   "on; not seen on CPU %s", text);
}

static void add_shared_l3(struct doctor *d, unsigned n)
{
	const uint64_t bytes = cache_bytes(&d->geometry.l3);
	char size[32];

	if (!bytes || !d->hypervisor[0])
		return;
	text_bytes(size, sizeof(size), bytes);
	doctor_add(d, "L3", "warn",
		   "other guests share it: the part that is yours is smaller "
		   "and changes", "trust 'assay sweep', not the reported size",
		   "%s reported for %u CPU%s of a guest", size, n,
		   n == 1 ? "" : "s");
}

static void add_isolated(struct doctor *d)
{
	char text[128];

	if (sysfile_text(text, sizeof(text), d->probe.sysroot,
			 "/sys/devices/system/cpu/nohz_full") > 0 &&
	    strcmp(text, "(null)"))
		doctor_ok(d, "tickless CPUs", "%s", text);
	if (sysfile_text(text, sizeof(text), d->probe.sysroot,
			 "/sys/devices/system/cpu/isolated") > 0)
		doctor_ok(d, "isolated CPUs", "%s: pin there with --cpu", text);
}

/* /proc/stat: user nice system idle iowait irq softirq steal, since boot. */
static void add_steal(struct doctor *d)
{
	unsigned long long t[8], sum = 0;
	char text[256];
	double share;

	if (sysfile_text(text, sizeof(text), d->probe.sysroot, "/proc/stat") <=
	    0 || sscanf(text, "cpu %llu %llu %llu %llu %llu %llu %llu %llu",
			&t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6],
			&t[7]) != 8)
		return;
	for (int i = 0; i < 8; i++)
		sum += t[i];
	share = sum ? (double)t[7] / (double)sum : 0;
	if (share > 0.01)
		doctor_add(d, "steal", "warn", "the hypervisor gives this "
			   "CPU's time to other guests: times have gaps",
			   "a dedicated host, or a type with whole cores",
			   "%.1f %% of the time since the start",
			   100 * share);
	else if (d->hypervisor[0])
		doctor_ok(d, "steal", "%.1f %% of the time since the start",
			  100 * share);
}

/* Pages that the kernel moves (NUMA balancing) or merges (KSM) during a run. */
static void add_moving_memory(struct doctor *d)
{
	int64_t on;

	if (sysfile_number(&on, d->probe.sysroot,
			   "/proc/sys/kernel/numa_balancing") && on &&
	    sysfile_exists(d->probe.sysroot, "/sys/devices/system/node/node1"))
		doctor_add(d, "NUMA balancing", "warn",
			   "pages are unmapped to see who uses them: page "
			   "faults and TLB misses that nobody asked for",
			   "as root: sysctl kernel.numa_balancing=0",
			   "kernel.numa_balancing = %d", (int)on);
	if (sysfile_number(&on, d->probe.sysroot, "/sys/kernel/mm/ksm/run") &&
	    on == 1)
		doctor_add(d, "KSM", "warn", "equal pages are merged: several "
			   "buffers may be one in the caches",
			   "as root: echo 2 > /sys/kernel/mm/ksm/run",
			   "running");
}

static unsigned ones(const char *hex)
{
	return (unsigned)__builtin_popcountll(strtoull(hex, NULL, 16));
}

/* Compares "L3:0=7ff;1=7ff" with the mask of all ways. */
static void add_partition(struct doctor *d)
{
	char text[512], all[32];
	const char *at;

	if (sysfile_text(text, sizeof(text), d->probe.sysroot,
			 "/sys/fs/resctrl/schemata") <= 0 ||
	    sysfile_text(all, sizeof(all), d->probe.sysroot,
			 "/sys/fs/resctrl/info/L3/cbm_mask") <= 0 ||
	    !(at = strstr(text, "L3:")) || !(at = strchr(at, '=')))
		return;
	if (ones(at + 1) < ones(all))
		doctor_add(d, "L3 partition", "warn", "only a part of L3 is "
			   "yours", "as root: write the whole mask to "
			   "/sys/fs/resctrl/schemata", "%u of %u parts",
			   ones(at + 1), ones(all));
}

void doctor_noise(struct doctor *d)
{
	struct cpulist online;
	const unsigned n = sysfs_online(&online, d->probe.sysroot);

	add_load(d, n);
	add_steal(d);
	add_moving_memory(d);
	add_partition(d);
	add_clock(d);
	add_smt(d);
	add_shared_l3(d, n);
	add_isolated(d);
}
