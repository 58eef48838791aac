/* SPDX-License-Identifier: MIT */
/*
 * perf_event_open: filling its attr from an encoding, and the call.
 *
 * Scope by default: user code only, so that a count does not depend on what
 * the kernel does meanwhile. Three kinds of event happen in the kernel only
 * and would read 0 that way, so the default counts them in the kernel, too:
 * context switches, migrations and tracepoints.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/text.h"
#include "counters/perf-group.h"

static const uint32_t family_type[] = {
	[ENCODING_HARDWARE] = PERF_TYPE_HARDWARE,
	[ENCODING_CACHE] = PERF_TYPE_HW_CACHE,
	[ENCODING_SOFTWARE] = PERF_TYPE_SOFTWARE,
	[ENCODING_RAW] = PERF_TYPE_RAW,
	[ENCODING_BREAKPOINT] = PERF_TYPE_BREAKPOINT,
	[ENCODING_TRACEPOINT] = PERF_TYPE_TRACEPOINT,
};

bool perf_in_hardware(const struct encoding *event)
{
	return event->family == ENCODING_HARDWARE ||
	       event->family == ENCODING_CACHE ||
	       event->family == ENCODING_RAW || event->family == ENCODING_PMU;
}

static bool kernel_only(const struct encoding *event)
{
	if (event->family == ENCODING_TRACEPOINT)
		return true;
	return event->family == ENCODING_SOFTWARE &&
	       (event->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		event->config == PERF_COUNT_SW_CPU_MIGRATIONS ||
		event->config == PERF_COUNT_SW_CGROUP_SWITCHES);
}

static unsigned scope_of(const struct encoding *event)
{
	if (event->scope)
		return event->scope;
	return kernel_only(event) ? ENCODING_USER | ENCODING_KERNEL :
				    ENCODING_USER;
}

static bool breakpoint_fill(struct perf_event_attr *attr,
			    const struct encoding *event, const char *watched,
			    char why[ASSAY_WHY])
{
	attr->bp_type = event->bp_type;
	attr->bp_len = event->bp_len;
	attr->bp_addr = event->bp_addr;
	if (!event->bp_symbol[0])
		return true;
	if (strcmp(event->bp_symbol, "watched")) {
		snprintf(why, ASSAY_WHY, "no symbol '%.40s' here: only "
			 "addresses and 'watched' (the kernel's own word) are "
			 "known", event->bp_symbol);
		return false;
	}
	if (!watched) {
		snprintf(why, ASSAY_WHY, "this kernel has no watched word");
		return false;
	}
	attr->bp_addr = (uintptr_t)watched;
	return true;
}

bool perf_attr_fill(struct perf_event_attr *attr, const struct encoding *event,
		    const char *watched, char why[ASSAY_WHY])
{
	const unsigned scope = scope_of(event);

	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	if (event->absent[0]) {
		text_copy(why, ASSAY_WHY, event->absent);
		return false;
	}
	if (event->family == ENCODING_NAME) {
		snprintf(why, ASSAY_WHY, "'%.100s' is only a name: perf has no "
			 "code for it", event->name);
		return false;
	}
	attr->type = event->family == ENCODING_PMU ?
		     event->pmu_type : family_type[event->family];
	attr->config = event->config;
	attr->config1 = event->config1;
	attr->config2 = event->config2;
	attr->exclude_user = !(scope & ENCODING_USER);
	attr->exclude_kernel = !(scope & ENCODING_KERNEL);
	attr->exclude_hv = !(scope & ENCODING_HYPERVISOR);
	attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
			    PERF_FORMAT_TOTAL_TIME_ENABLED |
			    PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (event->family != ENCODING_BREAKPOINT)
		return true;
	return breakpoint_fill(attr, event, watched, why);
}

int perf_open(struct perf_event_attr *attr, pid_t pid, int cpu, int leader)
{
	const long fd = syscall(SYS_perf_event_open, attr, pid, cpu, leader,
				PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

int perf_open_cgroup(struct perf_event_attr *attr, int folder, int cpu,
		     int leader)
{
	const long fd = syscall(SYS_perf_event_open, attr, folder, cpu, leader,
				PERF_FLAG_FD_CLOEXEC | PERF_FLAG_PID_CGROUP);

	return fd < 0 ? -errno : (int)fd;
}
