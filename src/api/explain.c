/* SPDX-License-Identifier: MIT */
/* assay_explain(): what an event name or a code counts on a named CPU, on this
 * machine's CPU, or, if that has no CPU file, in general. */
#include <string.h>

#include "run/host.h"
#include "base/text.h"
#include "events/events.h"

/* The CPU's file; else target->asked, if tables have such a CPU. */
static int find_cpu(struct cpu **file, struct events_target *target,
		    const struct assay *assay, const char *name,
		    struct assay_error *err)
{
	int rc = cpu_load_sold(file, name, assay->data_dir, err);

	target->layout = host_layout(assay);
	if (rc == -ASSAY_ENOENT &&
	    events_table_cpu(&target->layout, name, assay->tables)) {
		target->asked = name;
		rc = 0;
	}
	return rc;
}

int assay_explain(struct assay *assay, const char *event, const char *cpu,
		  assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	struct events_target target = {
		.target = EVENTS_PERF, .sysroot = assay->sysroot,
		.recorded = strcmp(assay->sysroot, "/") != 0,
		.data_dir = assay->data_dir, .tables = assay->tables,
		.named = cpu != NULL,
	};
	struct cpu *file = NULL;
	struct cpu_match match;
	int rc = cpu ? find_cpu(&file, &target, assay, cpu, err) : 0;

	if (rc < 0)
		return rc;
	if (!cpu) {
		file = host_cpu(assay);
		target.layout = host_layout(assay);
		target.match = host_match(&match, assay) ? &match : NULL;
	}
	if (file)
		target.layout = events_layout(file);
	target.cpu = file;
	rc = events_explain(&target, target.layout, event, fn, ctx, err);
	cpu_free(file);
	return rc;
}
