/* SPDX-License-Identifier: MIT */
/* The part "limits": the CPUs, CPU time, rights and files that this process may
 * use. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/doctor/doctor.h"

static bool status_line(char *out, size_t room, const struct doctor *d,
			const char *key)
{
	char status[4096];

	return sysfile_text(status, sizeof(status), d->probe.sysroot,
			    "/proc/self/status") > 0 &&
	       sysfile_key(out, room, status, key);
}

/* Linux, include/uapi/linux/capability.h: those that measuring can need. */
static const struct { int bit; const char *name; } capabilities[] = {
	{ 14, "ipc_lock" }, { 17, "sys_rawio" }, { 19, "sys_ptrace" },
	{ 21, "sys_admin" }, { 23, "sys_nice" }, { 38, "perfmon" },
	{ 39, "bpf" },
};

static void add_capabilities(struct doctor *d)
{
	char line[32], text[128] = "";
	uint64_t mask;

	if (!status_line(line, sizeof(line), d, "CapEff"))
		return;
	mask = strtoull(line, NULL, 16);
	for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]);
	     i++)
		if (mask >> capabilities[i].bit & 1)
			text_add(text, sizeof(text), ", ", "%s",
				 capabilities[i].name);
	doctor_add(d, "capabilities", *text ? "ok" : "info",
		   mask >> 23 & 1 ? "" :
		   "--realtime and --nice below 0 need sys_nice", "",
		   "%s", *text ? text :
		   "none of those that measuring can need");
}

static void add_cpus(struct doctor *d)
{
	char allowed[128], online[128];

	if (!status_line(allowed, sizeof(allowed), d, "Cpus_allowed_list") ||
	    sysfile_text(online, sizeof(online), d->probe.sysroot,
			 "/sys/devices/system/cpu/online") <= 0 ||
	    !strcmp(allowed, online))
		return;
	doctor_add(d, "CPUs allowed", "ok", "--cpu can only be one of these",
		   "", "%s of %s", allowed, online);
}

/* The folder of this process below the cgroup tree: "0::/a/b" -> "/a/b". */
static void cgroup_folder(char *out, size_t room, const struct doctor *d)
{
	char text[1024];
	const char *at;

	text_copy(out, room, "");
	sysfile_text(text, sizeof(text), d->probe.sysroot,
		     "/proc/self/cgroup");
	at = strstr(text, "0::/");
	if (at && at[4] && !strstr(at, ".."))
		snprintf(out, room, "%.*s", (int)strcspn(at + 3, "\n"),
			 at + 3);
}

/* Quota and period in microseconds; a negative quota: none. */
static bool quota(double *cpus, const struct doctor *d)
{
	const char *root = d->probe.sysroot;
	char folder[256], text[64];
	int64_t q, p;
	long long most, period;

	cgroup_folder(folder, sizeof(folder), d);
	if (sysfile_text(text, sizeof(text), root, "/sys/fs/cgroup%s/cpu.max",
			 folder) <= 0)
		sysfile_text(text, sizeof(text), root,
			     "/sys/fs/cgroup/cpu.max");
	if (sscanf(text, "%lld %lld", &most, &period) != 2) {
		if (!sysfile_number(&q, root, "/sys/fs/cgroup/cpu/"
				    "cpu.cfs_quota_us") ||
		    !sysfile_number(&p, root, "/sys/fs/cgroup/cpu/"
				    "cpu.cfs_period_us"))
			return false;
		most = q;
		period = p;
	}
	if (most <= 0 || period <= 0)
		return false;
	*cpus = (double)most / (double)period;
	return true;
}

static void add_quota(struct doctor *d)
{
	double cpus;

	if (quota(&cpus, d))
		doctor_add(d, "CPU quota", "warn",
			   "the process is stopped for a part of each period: "
			   "long runs show gaps",
			   "docker: no --cpus; Kubernetes: no CPU limit, or "
			   "whole CPUs with the static CPU manager; systemd: "
			   "CPUQuota=", "%.2f CPUs", cpus);
}

static void add_perf(struct doctor *d)
{
	const char *root = d->probe.sysroot;
	int64_t rate, percent = 0, kib = 0;

	if (!sysfile_number(&rate, root, "/proc/sys/kernel/"
			    "perf_event_max_sample_rate"))
		return;
	sysfile_number(&percent, root,
		       "/proc/sys/kernel/perf_cpu_time_max_percent");
	sysfile_number(&kib, root, "/proc/sys/kernel/perf_event_mlock_kb");
	doctor_add(d, "perf limits", "info", "", "", "%" PRId64 " samples per "
		   "second, %" PRId64 " %% of a CPU, %" PRId64 " KiB of "
		   "buffers per user", rate, percent, kib);
}

/* The kernel keeps a part of each period for tasks that are not real-time. */
static void add_realtime(struct doctor *d)
{
	const char *root = d->probe.sysroot;
	int64_t runtime, period;

	if (!sysfile_number(&runtime, root,
			    "/proc/sys/kernel/sched_rt_runtime_us") ||
	    !sysfile_number(&period, root,
			    "/proc/sys/kernel/sched_rt_period_us") ||
	    period <= 0)
		return;
	if (runtime < 0)
		doctor_add(d, "real time", "info", "--realtime: nothing else "
			   "runs on that CPU meanwhile", "as root: sysctl "
			   "kernel.sched_rt_runtime_us=950000",
			   "not limited: kernel.sched_rt_runtime_us = %d",
			   (int)runtime);
	else if (runtime < period)
		doctor_add(d, "real time", "info", "--realtime: what runs "
			   "longer is stopped for the rest of each period", "",
			   "%" PRId64 " of each %" PRId64 " ms",
			   runtime / 1000, period / 1000);
}

/* The limit of open files: each event takes one file per CPU and thread. */
static void add_files(struct doctor *d)
{
	static const char key[] = "Max open files";
	char text[4096];
	const char *at;
	long most;

	if (sysfile_text(text, sizeof(text), d->probe.sysroot,
			 "/proc/self/limits") <= 0 || !(at = strstr(text, key)))
		return;
	most = strtol(at + sizeof(key) - 1, NULL, 10);
	if (most > 0 && most < 256)
		doctor_add(d, "open files", "warn",
			   "each event takes one file per CPU and thread: "
			   "groups fail with EMFILE", "ulimit -n 4096",
			   "%ld at most", most);
}

void doctor_limits(struct doctor *d)
{
	add_capabilities(d);
	add_cpus(d);
	add_quota(d);
	add_perf(d);
	add_files(d);
	add_realtime(d);
}
