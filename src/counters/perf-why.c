/* SPDX-License-Identifier: MIT */
/*
 * Why an event was refused: one sentence with the cause, and the cure if there
 * is one, from the errno and the machine's limits. It fits ASSAY_WHY bytes.
 *
 * Order matters: "no PMU" comes before any permission, because a permission
 * would not help then.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "counters/perf-group.h"

static bool hardware(const struct encoding *event)
{
	return event->family == ENCODING_HARDWARE ||
	       event->family == ENCODING_CACHE ||
	       event->family == ENCODING_RAW;
}

static void no_pmu(char out[ASSAY_WHY], const struct perf_limits *limits)
{
	if (limits->claimed > 0)
		snprintf(out, ASSAY_WHY, "no hardware counters here: the CPU "
			 "claims %d (CPUID leaf 0xA), but the kernel drives no "
			 "PMU; see 'assay doctor'", limits->claimed);
	else if (limits->claimed == 0)
		snprintf(out, ASSAY_WHY, "no hardware counters here: CPUID "
			 "leaf 0xA reports none and the kernel has no core "
			 "PMU; see 'assay doctor'");
	else
		snprintf(out, ASSAY_WHY, "no hardware counters here: the "
			 "kernel has no core PMU; see 'assay doctor'");
}

static void no_entry(char out[ASSAY_WHY], const struct perf_limits *limits,
		     const struct perf_try *tried)
{
	const struct encoding *event = tried->event;

	if (hardware(event) && limits->sysfs && !limits->core_pmu)
		no_pmu(out, limits);
	else if (hardware(event) && !limits->sysfs)
		snprintf(out, ASSAY_WHY, "no PMU, or none that knows this "
			 "event: /sys is not readable here, so the two cannot "
			 "be told apart");
	else if (event->family == ENCODING_RAW)
		snprintf(out, ASSAY_WHY, "this CPU's PMU refuses code %.40s",
			 event->code);
	else if (hardware(event))
		snprintf(out, ASSAY_WHY, "this CPU's PMU has no such event; "
			 "try the vendor's name: 'assay list events'");
	else if (event->family == ENCODING_PMU)
		snprintf(out, ASSAY_WHY, "the PMU of type %u does not know "
			 "code %.40s", event->pmu_type, event->code);
	else
		snprintf(out, ASSAY_WHY, "this Linux kernel does not have the "
			 "event");
}

static void no_access(char out[ASSAY_WHY], const struct perf_limits *limits,
		      const struct perf_try *tried)
{
	if (limits->paranoid >= 3)
		snprintf(out, ASSAY_WHY, "perf_event_paranoid is %d: nothing "
			 "may be counted; needs CAP_PERFMON, or as root: "
			 "sysctl kernel.perf_event_paranoid=2",
			 limits->paranoid);
	else if (tried->event->family == ENCODING_TRACEPOINT)
		snprintf(out, ASSAY_WHY, "tracepoints need CAP_PERFMON here, "
			 "or as root: sysctl kernel.perf_event_paranoid=-1");
	else if (tried->all && limits->paranoid >= 1)
		snprintf(out, ASSAY_WHY, "perf_event_paranoid is %d: counting "
			 "all programs of a CPU needs CAP_PERFMON, or as root: "
			 "sysctl kernel.perf_event_paranoid=0",
			 limits->paranoid);
	else if (tried->kernel && limits->paranoid >= 2)
		snprintf(out, ASSAY_WHY, "perf_event_paranoid is %d: counting "
			 "in the kernel needs CAP_PERFMON, or as root: "
			 "sysctl kernel.perf_event_paranoid=1",
			 limits->paranoid);
	else if (tried->event->family == ENCODING_PMU)
		snprintf(out, ASSAY_WHY, "this PMU counts for all programs: "
			 "needs CAP_PERFMON, or as root: "
			 "sysctl kernel.perf_event_paranoid=0");
	else if (tried->other)
		snprintf(out, ASSAY_WHY, "this process may not be watched "
			 "(EACCES): it is another user's or privileged; needs "
			 "CAP_PERFMON, or run assay as its user");
	else
		snprintf(out, ASSAY_WHY, "not permitted (EACCES, "
			 "perf_event_paranoid %d): needs CAP_PERFMON",
			 limits->paranoid);
}

static void not_allowed(char out[ASSAY_WHY], const struct perf_limits *limits,
			const struct perf_try *tried)
{
	if (limits->filtered)
		snprintf(out, ASSAY_WHY, "a seccomp filter forbids "
			 "perf_event_open (EPERM), as containers do; start it "
			 "with --cap-add PERFMON, or seccomp=unconfined");
	else if (tried->event->family == ENCODING_TRACEPOINT)
		snprintf(out, ASSAY_WHY, "this tracepoint may not be counted "
			 "per thread (EPERM)");
	else
		snprintf(out, ASSAY_WHY, "not permitted (EPERM, "
			 "perf_event_paranoid %d): needs CAP_PERFMON",
			 limits->paranoid);
}

static void bad_breakpoint(char out[ASSAY_WHY], const struct encoding *event)
{
	if (event->bp_type == 1)
		snprintf(out, ASSAY_WHY, "this CPU has no read-only "
			 "breakpoint; use :rw");
	else if (event->bp_type == 4)
		snprintf(out, ASSAY_WHY, "an execute breakpoint has length 8 "
			 "on x86 and 4 on AArch64, aligned");
	else
		snprintf(out, ASSAY_WHY, "a breakpoint needs length 1, 2, 4 "
			 "or 8 and a user address aligned to it; this one is "
			 "0x%llx/%llu", (unsigned long long)event->bp_addr,
			 (unsigned long long)event->bp_len);
}

static void not_valid(char out[ASSAY_WHY], const struct perf_try *tried)
{
	const struct encoding *event = tried->event;

	if (tried->alone)
		snprintf(out, ASSAY_WHY, "does not fit with the %u event%s "
			 "before it: too few counters, or another PMU; count "
			 "it in a run of its own", tried->members,
			 tried->members == 1 ? "" : "s");
	else if (event->family == ENCODING_BREAKPOINT)
		bad_breakpoint(out, event);
	else if (tried->cgroup)
		snprintf(out, ASSAY_WHY, "the kernel refuses to count code "
			 "%.40s of a control group (EINVAL): it needs "
			 "CONFIG_CGROUP_PERF", event->code);
	else if (event->family == ENCODING_PMU)
		snprintf(out, ASSAY_WHY, "this PMU refuses code %.40s for one "
			 "thread (EINVAL): it may count only per CPU or per "
			 "socket", event->code);
	else if (event->family == ENCODING_TRACEPOINT)
		snprintf(out, ASSAY_WHY, "the kernel has no tracepoint %.40s",
			 event->code);
	else
		snprintf(out, ASSAY_WHY, "the kernel refuses code %.40s "
			 "(EINVAL)", event->code);
}

void perf_why_too_many(char out[ASSAY_WHY], const struct perf_limits *limits,
		       unsigned members)
{
	snprintf(out, ASSAY_WHY, "does not fit: the PMU had no counter left "
		 "after %u event%s%s; count it in a run of its own", members,
		 members == 1 ? "" : "s", limits->watchdog ?
		 " (the NMI watchdog holds one)" : "");
}

static void no_slot(char out[ASSAY_WHY], const struct perf_try *tried)
{
	if (tried->event->family == ENCODING_BREAKPOINT)
		snprintf(out, ASSAY_WHY, "no breakpoint register is free: a "
			 "thread has few (4 on most CPUs), and %u are taken by "
			 "this run", tried->breakpoints);
	else
		snprintf(out, ASSAY_WHY, "no counter is free (ENOSPC)");
}

void perf_why(char out[ASSAY_WHY], const struct perf_limits *limits,
	      const struct perf_try *tried)
{
	if (hardware(tried->event) && limits->sysfs && !limits->core_pmu) {
		no_pmu(out, limits);
		return;
	}
	switch (tried->error) {
	case ENOENT:
	case ENODEV:
		no_entry(out, limits, tried);
		break;
	case EACCES:
		no_access(out, limits, tried);
		break;
	case EPERM:
		not_allowed(out, limits, tried);
		break;
	case EINVAL:
		not_valid(out, tried);
		break;
	case ENOSPC:
		no_slot(out, tried);
		break;
	case EOPNOTSUPP:
		snprintf(out, ASSAY_WHY, "the hardware cannot do this "
			 "(EOPNOTSUPP)");
		break;
	case EBUSY:
		snprintf(out, ASSAY_WHY, "another program holds this counter "
			 "exclusively (EBUSY)");
		break;
	case EBADF:
		snprintf(out, ASSAY_WHY, "this folder is no control group of "
			 "the hierarchy that counts (EBADF)");
		break;
	case ESRCH:
		snprintf(out, ASSAY_WHY, "there is no such process or thread "
			 "any more (ESRCH)");
		break;
	case E2BIG:
		snprintf(out, ASSAY_WHY, "this Linux kernel is older than the "
			 "event's options (E2BIG)");
		break;
	case EMFILE:
		snprintf(out, ASSAY_WHY, "too many open files: raise "
			 "'ulimit -n'");
		break;
	case ENOSYS:
		snprintf(out, ASSAY_WHY, "this kernel was built without "
			 "perf_event_open, or a sandbox hides it (ENOSYS)");
		break;
	default:
		snprintf(out, ASSAY_WHY, "perf_event_open failed: %s",
			 strerror(tried->error));
	}
}
