/* SPDX-License-Identifier: MIT */
/* assay_explain(): what an event name or a code counts on a named CPU, on this
 * machine's CPU, or, if that has no CPU file, in general. */
#include <string.h>

#include "run/host.h"
#include "base/text.h"
#include "events/events.h"

static enum code_layout layout_of(const struct cpu *cpu)
{
	if (cpu->geometry.isa == ISA_AARCH64)
		return CODE_PMUV3;
	return strcmp(cpu->match.vendor, "AuthenticAMD") ? CODE_INTEL :
							   CODE_AMD;
}

int assay_explain(struct assay *assay, const char *event, const char *cpu,
		  assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	struct cpu *file = NULL;
	int rc = cpu ? cpu_load(&file, cpu, assay->data_dir, err) : 0;

	if (rc < 0)
		return rc;
	if (!cpu)
		file = host_cpu(assay);
	const struct events_target target = {
		.target = EVENTS_PERF, .cpu = file,
		.sysroot = assay->sysroot,
		.recorded = strcmp(assay->sysroot, "/") != 0,
		.data_dir = assay->data_dir,
	};

	rc = events_explain(&target, file ? layout_of(file) :
			    host_layout(assay), event, fn, ctx, err);
	cpu_free(file);
	return rc;
}
