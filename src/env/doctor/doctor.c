/* SPDX-License-Identifier: MIT */
/*
 * `assay doctor`: examines the machine part by part and adds a finding for each
 * thing that works, does not work, or disturbs. Most parts have a file of their
 * own. The order of the parts: a missing PMU hides a missing permission, and a
 * missing permission hides the rest.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "env/doctor/doctor.h"
#include "env/doctor/kernel-log.h"
#include "env/env.h"

static void add_seen(struct doctor *d, const struct log_seen *seen)
{
	const struct log_kind *k = seen->kind;
	char times[48] = "";

	if (seen->times > 1)
		snprintf(times, sizeof(times), " (%u such lines)",
			 seen->times);
	doctor_add(d, k->what, k->state, k->effect, k->cure, "%s%s",
		   seen->text, times);
}

static void find_in_log(struct doctor *d)
{
	struct log_seen seen[LOG_KINDS];
	const int n = kernel_log_read(seen, d->probe.sysroot);

	for (int i = 0; i < n; i++)
		add_seen(d, &seen[i]);
	if (n == 0)
		doctor_ok(d, "kernel log", "no complaint about counters, "
			  "clocks, heat or hardware");
	else if (n < 0 && n != -ENOENT)
		doctor_add(d, "kernel log", "info", "what the kernel found "
			   "out by itself is not known",
			   "as root: sysctl kernel.dmesg_restrict=0",
			   "/dev/kmsg: %s", strerror(-n));
}

static const struct {
	const char *part;
	void (*examine)(struct doctor *d);
} parts[] = {
	{ "counters", doctor_counters },
	{ "permission", doctor_permission },
	{ "identity", doctor_identity },
	{ "noise", doctor_noise },
	{ "memory", doctor_memory },
	{ "heat", doctor_heat },
	{ "mitigations", doctor_mitigation },
	{ "limits", doctor_limits },
	{ "kernel log", find_in_log },
	{ "control", doctor_control },
	{ "libraries", doctor_libraries },
};

int env_doctor(const char *sysroot, bool *hardware, assay_row_fn *fn,
	       void *ctx, struct assay_error *err)
{
	struct doctor d = { .fn = fn, .ctx = ctx };

	probe_init(&d.probe, sysroot);
	machine_identify(&d.id, &d.probe);
	env_geometry(&d.geometry, sysroot, NULL);
	machine_hypervisor(d.hypervisor, sizeof(d.hypervisor), &d.probe);
	machine_container(d.container, sizeof(d.container), &d.probe);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		d.part = parts[i].part;
		parts[i].examine(&d);
	}
	doctor_answer(&d);
	if (d.stopped)
		return error_set(err, -ASSAY_ESTOP, "stopped by the caller");
	*hardware = d.hardware;
	return 0;
}
