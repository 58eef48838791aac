/* SPDX-License-Identifier: MIT */
/*
 * The part "counters": which events can be counted. First the PMUs of /sys and
 * CPUID; then trial openings in user scope: for an ordinary user, the EACCES of
 * kernel scope would hide a missing PMU.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/doctor/doctor.h"

static const char devices[] = "/sys/bus/event_source/devices";

/* x86 gives its core PMU type 4; Arm's and hybrid ones list their CPUs. */
static void one_pmu(void *ctx, const char *name)
{
	struct doctor *d = ctx;
	const char *root = d->probe.sysroot;
	int64_t type;

	if (!(sysfile_number(&type, root, "%s/%s/type", devices, name) &&
	      type == 4) && !sysfile_exists(root, "%s/%s/cpus", devices, name))
		return;
	text_add(d->pmus, sizeof(d->pmus), ", ", "%s", name);
}

/* AMD APM 3: 8000_0022 since Zen 4, and before it 8000_0001 ECX bit 23. */
static void amd_claimed(char *out, size_t room, const struct doctor *d)
{
	struct probe_cpuid c;

	if (probe_cpuid(&d->probe, 0x80000022, 0, &c) && c.eax & 1)
		snprintf(out, room, "CPUID 8000_0022: version 2, %u counters; ",
			 c.ebx & 15);
	else if (probe_cpuid(&d->probe, 0x80000001, 0, &c))
		snprintf(out, room, "CPUID 8000_0001: %s; ", c.ecx >> 23 & 1 ?
			 "6 counters" : "the 4 counters of old, or none");
}

/* The number of counters by CPUID; "" if CPUID does not describe them. */
static void claimed(char *out, size_t room, const struct doctor *d)
{
	struct probe_cpuid c;

	text_copy(out, room, "");
	if (!strcmp(d->id.vendor, "AuthenticAMD"))
		amd_claimed(out, room, d);
	else if (!strcmp(d->id.vendor, "GenuineIntel") &&
		 probe_cpuid(&d->probe, 0xa, 0, &c))
		snprintf(out, room, "CPUID leaf 0xA: version %u, %u "
			 "counters; ", c.eax & 0xff,
			 c.eax & 0xff ? (c.eax >> 8) & 0xff : 0);
}

/* How to get a PMU from each hypervisor. */
static const struct { const char *hypervisor, *cure; } cures[] = {
	{ "KVM", "QEMU: -cpu host,pmu=on; libvirt: <cpu mode="
	  "'host-passthrough'/> and <features><pmu state='on'/></features>; "
	  "small cloud guests and microVMs have none: take a bare-metal type" },
	{ "KVM or QEMU", "QEMU: leave pmu=off away from -cpu, and use KVM" },
	{ "Nitro (KVM)", "take a larger or a .metal instance: small ones have "
	  "no virtual PMU" },
	{ "VMware", "VM settings, CPU: enable 'Virtualize CPU performance "
	  "counters'" },
	{ "Hyper-V", "on the host: Set-VMProcessor NAME -Perfmon @('pmu') "
	  "with the VM off" },
	{ "Xen", "boot the hypervisor with vpmu=on" },
	{ "QEMU TCG", "use KVM with -cpu host,pmu=on: TCG emulates no x86 "
	  "PMU" },
};

static const char *cure_for(const struct doctor *d)
{
	if (!d->hypervisor[0])
		return "use a kernel with CONFIG_HW_PERF_EVENTS (AArch64: and "
		       "a 'pmu' node in the device tree)";
	for (size_t i = 0; i < sizeof(cures) / sizeof(cures[0]); i++)
		if (!strcmp(d->hypervisor, cures[i].hypervisor))
			return cures[i].cure;
	return "ask the hypervisor for a virtual PMU, or use bare metal";
}

static const char no_hardware[] =
	"no cycles, cache, TLB or branch event can be counted: use timing, "
	"--on sim:CPU, or --on replay:FILE";

/* Sets the reason of a missing PMU; permission.c sets that of permissions. */
static void block(struct doctor *d)
{
	if (d->hypervisor[0])
		doctor_blocks(d, cure_for(d), "it is a virtual machine (%s) "
			      "whose hypervisor offers no PMU", d->hypervisor);
	else
		doctor_blocks(d, cure_for(d),
			      "its kernel drives no PMU of this CPU");
}

static void add_hardware(struct doctor *d, int listed)
{
	const int error = d->probe.open[PROBE_HARDWARE];
	char claim[80], room[24], place[192];

	claimed(claim, sizeof(claim), d);
	if (listed < 0)
		snprintf(place, sizeof(place), "%s is not readable", devices);
	else if (d->pmus[0])
		snprintf(place, sizeof(place), "PMU %s", d->pmus);
	else
		snprintf(place, sizeof(place), "no core PMU in %s", devices);
	d->hardware = error == 0;
	if (error && listed >= 0 && !d->pmus[0])
		block(d);
	doctor_add(d, "hardware counters", error ? "bad" : "ok",
		   error ? no_hardware : "",
		   !error ? "" : d->pmus[0] || listed < 0 ?
		   "see 'permission' below" : cure_for(d),
		   "%s%s; perf_event_open(cycles:u): %s", claim, place,
		   probe_open_text(error, room));
}

static void add_watchdog(struct doctor *d)
{
	int64_t on;

	if (!sysfile_number(&on, d->probe.sysroot,
			    "/proc/sys/kernel/nmi_watchdog") || !on)
		return;
	doctor_add(d, "NMI watchdog", "warn",
		   "one hardware counter is taken: a group of as many events "
		   "as the PMU has counters never runs",
		   "as root: sysctl kernel.nmi_watchdog=0",
		   "kernel.nmi_watchdog = %d", (int)on);
}

/* The cure for an opening that failed: for lack of registers, or permission. */
static const char *refusal_cure(int error)
{
	if (error == ENOSPC)
		return "end debuggers and other counters of addresses; a "
		       "hypervisor may also hide the registers";
	if (error == EOPNOTSUPP || error == ENODEV)
		return "the CPU, or its hypervisor, does not have them";
	return "see 'permission' below";
}

static void add_open(struct doctor *d, const char *what, enum probe_open kind,
		     const char *good, const char *effect)
{
	const int error = d->probe.open[kind];
	char room[24];

	if (error)
		doctor_add(d, what, "bad", effect, refusal_cure(error),
			   "perf_event_open: %s",
			   probe_open_text(error, room));
	else
		doctor_add(d, what, "ok", "", "", "%s", good);
}

/* Regions of a few hundred cycles need counters that can be read without a
 * system call. */
static void add_user_reads(struct doctor *d, const char *pmu)
{
	const char *root = d->probe.sysroot;
	int64_t allowed;

	if (sysfile_number(&allowed, root, "%s/%s/rdpmc", devices, pmu))
		doctor_add(d, "user-space reads", allowed ? "ok" : "warn",
			   allowed ? "" : "each reading costs a system call",
			   allowed ? "" : "as root: echo 1 > the file named "
			   "here", "%s/%s/rdpmc = %d", devices, pmu,
			   (int)allowed);
	else if (sysfile_number(&allowed, root,
				"/proc/sys/kernel/perf_user_access"))
		doctor_add(d, "user-space reads", allowed ? "ok" : "warn",
			   allowed ? "" : "each reading costs a system call",
			   allowed ? "" : "as root: sysctl "
			   "kernel.perf_user_access=1",
			   "kernel.perf_user_access = %d", (int)allowed);
}

static void add_providers(struct doctor *d)
{
	const bool perf = d->probe.open[PROBE_SOFTWARE] == 0;

	doctor_add(d, "--on perf", !perf ? "bad" : d->hardware ? "ok" : "warn",
		   perf ? "" : "nothing can be counted through the kernel",
		   perf ? "" : "see 'permission' below", "%s",
		   !perf ? "perf_event_open does not work" : d->hardware ?
		   "all events" : "software events, breakpoints and "
		   "tracepoints only");
	doctor_ok(d, "--on sim:CPU", "the software PMU needs nothing");
	doctor_ok(d, "--on replay:FILE", "saved records need nothing");
	doctor_ok(d, "--on time", "loads are timed: levels, latencies and "
		  "shares");
	doctor_ok(d, "--on null", "timing without counts");
}

void doctor_counters(struct doctor *d)
{
	const int listed = sysfile_list(d->probe.sysroot, devices, one_pmu, d);
	char first[sizeof(d->pmus)];

	add_hardware(d, listed);
	if (d->pmus[0]) {
		text_copy(first, sizeof(first), d->pmus);
		first[strcspn(first, ",")] = '\0';
		add_watchdog(d);
		add_user_reads(d, first);
	}
	add_open(d, "software events", PROBE_SOFTWARE,
		 "page-faults, task-clock, context-switches ...",
		 "not even page faults can be counted");
	add_open(d, "breakpoints", PROBE_BREAKPOINT,
		 "accesses to one address can be counted exactly",
		 "accesses to one address cannot be counted");
	add_providers(d);
}
