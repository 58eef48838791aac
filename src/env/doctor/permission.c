/* SPDX-License-Identifier: MIT */
/* The part "permission": perf_event_paranoid, capabilities, sandbox, tracefs */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "env/doctor/doctor.h"

enum { CAP_SYS_ADMIN_BIT = 21, CAP_PERFMON_BIT = 38 };

static bool privileged(const struct doctor *d, char *why, size_t room)
{
	char status[4096], caps[32];
	uint64_t effective = 0;

	sysfile_text(status, sizeof(status), d->probe.sysroot,
		     "/proc/self/status");
	if (sysfile_key(caps, sizeof(caps), status, "CapEff"))
		effective = strtoull(caps, NULL, 16);
	if (effective >> CAP_PERFMON_BIT & 1)
		snprintf(why, room, "%s CAP_PERFMON", d->probe.uid == 0 ?
			 "you are root with" : "you have");
	else if (effective >> CAP_SYS_ADMIN_BIT & 1)
		snprintf(why, room, "you have CAP_SYS_ADMIN");
	else
		snprintf(why, room, d->probe.uid == 0 ?
			 "you are root without CAP_PERFMON" :
			 "you have no CAP_PERFMON");
	return (effective >> CAP_PERFMON_BIT |
		effective >> CAP_SYS_ADMIN_BIT) & 1;
}

static const char lower[] = "as root: sysctl kernel.perf_event_paranoid=2, or "
	"setcap cap_perfmon=ep on assay";

static void add_paranoid(struct doctor *d)
{
	char why[64];
	const bool free = privileged(d, why, sizeof(why));
	int64_t level;

	if (!sysfile_number(&level, d->probe.sysroot,
			    "/proc/sys/kernel/perf_event_paranoid")) {
		doctor_blocks(d, "use a kernel with CONFIG_PERF_EVENTS, and a "
			      "readable /proc", "this kernel counts nothing");
		doctor_add(d, "perf_event_paranoid", "bad",
			   "this kernel counts nothing",
			   "use a kernel with CONFIG_PERF_EVENTS, and a "
			   "readable /proc",
			   "/proc/sys/kernel/perf_event_paranoid is not there");
		return;
	}
	if (free)
		doctor_ok(d, "perf_event_paranoid", "%d is no obstacle: %s",
			  (int)level, why);
	else if (level >= 3) {
		doctor_add(d, "perf_event_paranoid", "bad",
			   "nothing may be counted, not even your own program",
			   lower, "%d, and %s", (int)level, why);
		doctor_blocks(d, lower, "kernel.perf_event_paranoid is %d, "
			      "and %s", (int)level, why);
	} else if (level == 2)
		doctor_add(d, "perf_event_paranoid", "ok",
			   "your own programs are counted in user code only: "
			   "no context-switches, no tracepoints",
			   "as root: sysctl kernel.perf_event_paranoid=1, or "
			   "setcap cap_perfmon=ep on assay",
			   "2, and %s", why);
	else
		doctor_ok(d, "perf_event_paranoid", "%d: your own programs are "
			  "counted, in user code and in the kernel; %s",
			  (int)level, why);
}

static const char admit[] = "docker, podman: --cap-add PERFMON, or "
	"--security-opt seccomp=unconfined; Kubernetes: "
	"securityContext.capabilities.add: [PERFMON]";

static void add_sandbox(struct doctor *d)
{
	const int error = d->probe.open[PROBE_SOFTWARE];
	char status[4096], mode[8] = "0";

	sysfile_text(status, sizeof(status), d->probe.sysroot,
		     "/proc/self/status");
	sysfile_key(mode, sizeof(mode), status, "Seccomp");
	if (!d->container[0] && strcmp(mode, "2"))
		return;
	if (error == EPERM || error == ENOSYS) {
		doctor_add(d, "sandbox", "bad",
			   "the sandbox forbids perf_event_open", admit,
			   "%s%sseccomp mode %s", d->container,
			   d->container[0] ? ", " : "", mode);
		doctor_blocks(d, admit, "a sandbox (%s) forbids "
			      "perf_event_open", d->container[0] ?
			      d->container : "seccomp");
	} else
		doctor_ok(d, "sandbox", "%s%sseccomp mode %s: no obstacle",
			  d->container, d->container[0] ? ", " : "", mode);
}

static void add_tracepoints(struct doctor *d)
{
	const char *root = d->probe.sysroot;
	const int n = sysfile_list(root, "/sys/kernel/tracing/events", NULL,
				   NULL);

	if (n > 0 || sysfile_list(root, "/sys/kernel/debug/tracing/events",
				  NULL, NULL) > 0)
		doctor_ok(d, "tracepoints", "their numbers are readable in "
			  "tracefs");
	else if (n == -EACCES)
		doctor_add(d, "tracepoints", "ok",
			   "ordinary users cannot name tracepoints",
			   "as root: mount -o remount,mode=755 "
			   "/sys/kernel/tracing",
			   "tracefs is readable for root only");
	else
		doctor_add(d, "tracepoints", "warn",
			   "no tracepoint can be named",
			   "as root: mount -t tracefs tracefs "
			   "/sys/kernel/tracing",
			   "/sys/kernel/tracing/events is not readable");
}

void doctor_permission(struct doctor *d)
{
	add_paranoid(d);
	add_sandbox(d);
	add_tracepoints(d);
}
