/* SPDX-License-Identifier: MIT */
/* The doctor's findings, and the machine as a folder that can be replayed. */
#include "api/doctor-names.h"
#include "base/row.h"
#include "base/text.h"
#include "env/env.h"
#include "env/machine/sysfs-topology.h"

static int machine_row(const struct assay *assay, assay_row_fn *fn, void *ctx)
{
	const struct assay_machine *m = &assay->machine;
	struct cpulist online;
	const unsigned cpus = sysfs_online(&online, assay->sysroot);
	const struct assay_field field[] = {
		field_text("assay", assay_version()),
		field_text("host", m->host),
		field_text("cpu", m->cpu),
		cpus ? field_count("cpus", cpus) : (struct assay_field){
			.name = "cpus", .kind = ASSAY_FIELD_ABSENT,
			.text = "/sys/devices/system/cpu is not visible" },
		field_text("kernel", m->kernel),
		field_text("isa", m->isa),
	};

	return row_emit(fn, ctx, "machine", field,
			sizeof(field) / sizeof(field[0]));
}

int assay_doctor(struct assay *assay, bool *can_count, assay_row_fn *fn,
		 void *ctx, struct assay_error *err)
{
	struct doctor_names names = { assay, fn, ctx, false };

	if (machine_row(assay, fn, ctx))
		return error_set(err, -ASSAY_ESTOP, "stopped by the caller");
	return env_doctor(assay->sysroot, can_count, doctor_names_row, &names,
			  err);
}

int assay_machine_write(struct assay *assay, FILE *out,
			struct assay_error *err)
{
	return env_dump(out, assay->sysroot, err);
}
