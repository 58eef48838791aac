/* SPDX-License-Identifier: MIT */
/*
 * What works on this machine, what does not, and what to do about it. Each
 * round is in its own file; the order is that of what hides what: no PMU
 * hides missing permission, and permission hides everything else.
 */
#include "base/text.h"
#include "env/doctor/doctor.h"
#include "env/env.h"

static const struct {
	const char *part;
	void (*go)(struct doctor *d);
} rounds[] = {
	{ "counters", doctor_counters },
	{ "permission", doctor_permission },
	{ "identity", doctor_identity },
	{ "noise", doctor_noise },
	{ "memory", doctor_memory },
	{ "heat", doctor_heat },
	{ "mitigations", doctor_mitigation },
	{ "limits", doctor_limits },
	{ "kernel log", doctor_log },
	{ "control", doctor_control },
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
	for (size_t i = 0; i < sizeof(rounds) / sizeof(rounds[0]); i++) {
		d.part = rounds[i].part;
		rounds[i].go(&d);
	}
	if (d.stopped)
		return error_set(err, -ASSAY_ESTOP, "stopped by the caller");
	*hardware = d.hardware;
	return 0;
}
