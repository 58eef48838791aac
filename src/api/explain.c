/* SPDX-License-Identifier: MIT */
/* assay_explain(): what an event name or a code counts on a named CPU, on this
 * machine's CPU, or, if that has no CPU file, in general. */
#include <string.h>

#include "run/host.h"
#include "base/text.h"
#include "events/events.h"

/* Is it the CPU of the last question? NULL: this machine's. */
static bool is_kept(const struct assay *assay, const char *name)
{
	return assay->explains && (!name || *name) &&
	       !strcmp(assay->explained, name ? name : "");
}

static void keep(struct assay *assay, const char *name, struct cpu *file)
{
	cpu_free(assay->explained_file);
	assay->explained_file = file;
	assay->explains = !name || strlen(name) < sizeof(assay->explained);
	text_copy(assay->explained, sizeof(assay->explained),
		  name ? name : "");
}

/* target->cpu, from the CPU's file; target->asked, if tables have a CPU of that
 * name and there is no file, or one of the core in a product: a product may
 * have more events, or more kinds of core. */
static int find_cpu(struct events_target *target, struct assay *assay,
		    const char *name, struct assay_error *err)
{
	const bool kept = is_kept(assay, name);
	struct cpu *file = kept ? assay->explained_file : NULL;
	int rc = kept ? 0 : cpu_load_sold(&file, name, assay->data_dir, err);
	const bool listed = (file ? *file->product != '\0' :
				    !rc || rc == -ASSAY_ENOENT) &&
		events_table_cpu(&target->layout, name, assay->tables);

	if (rc && !listed)
		return rc;
	if (!kept)
		keep(assay, name, file);
	target->cpu = listed ? NULL : file;
	target->asked = listed ? name : NULL;
	return 0;
}

int assay_explain(struct assay *assay, const char *event, const char *cpu,
		  assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	struct events_target target = {
		.target = EVENTS_PERF, .sysroot = assay->sysroot,
		.recorded = strcmp(assay->sysroot, "/") != 0,
		.data_dir = assay->data_dir, .tables = assay->tables,
		.files = assay->files, .layout = host_layout(assay),
		.named = cpu != NULL,
	};
	struct cpu_match match;
	int rc = cpu ? find_cpu(&target, assay, cpu, err) : 0;

	if (rc < 0)
		return rc;
	if (!cpu) {
		if (!is_kept(assay, NULL))
			keep(assay, NULL, host_cpu(assay));
		target.cpu = assay->explained_file;
		target.match = host_match(&match, assay) ? &match : NULL;
	}
	if (target.cpu)
		target.layout = events_layout(target.cpu);
	return events_explain(&target, target.layout, event, fn, ctx, err);
}
