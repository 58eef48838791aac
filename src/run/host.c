/* SPDX-License-Identifier: MIT */
/* Finding the CPU file of this machine, and the layout of its event codes. */
#include "run/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "env/machine/machine.h"

struct match {
	struct cpu_identity id;
	char name[ASSAY_NAME];
};

static int identify(struct machine_id *out, const struct assay *assay)
{
	struct probe *probe = malloc(sizeof(*probe));

	if (!probe)
		return -ASSAY_ENOMEM;
	probe_init_quiet(probe, assay->sysroot);
	machine_identify(out, probe);
	free(probe);
	return 0;
}

static int match_file(void *ctx, const struct cpu *cpu)
{
	struct match *m = ctx;

	if (!cpu_matches(cpu, &m->id))
		return 0;
	text_copy(m->name, sizeof(m->name), cpu->name);
	return 1;
}

static struct cpu *find(const struct assay *assay, const struct machine_id *id)
{
	struct match match = { .name = "" };
	struct cpu *cpu = NULL;

	match.id.vendor = id->vendor;
	match.id.family = id->family > 0 ? (unsigned)id->family : 0;
	match.id.model = id->model > 0 ? (unsigned)id->model : 0;
	match.id.implementer = id->midr >> 24;
	match.id.part = id->midr >> 4 & 0xfff;
	if (cpu_each(assay->data_dir, match_file, &match, NULL) == 1 &&
	    cpu_load(&cpu, match.name, assay->data_dir, NULL))
		return NULL;
	return cpu;
}

struct cpu *host_cpu(const struct assay *assay)
{
	struct machine_id id = { .isa = MACHINE_OTHER };

	if (identify(&id, assay) || id.isa == MACHINE_OTHER)
		return NULL;
	return find(assay, &id);
}

struct cpu *host_cpu_by_midr(const struct assay *assay, unsigned midr)
{
	const struct machine_id id = { .isa = MACHINE_ARM, .midr = midr };

	return find(assay, &id);
}

enum code_layout host_layout(const struct assay *assay)
{
	struct machine_id id = { .isa = MACHINE_OTHER };

	identify(&id, assay);
	if (id.isa != MACHINE_X86)
		return CODE_PMUV3;
	return strcmp(id.vendor, "AuthenticAMD") ? CODE_INTEL : CODE_AMD;
}
