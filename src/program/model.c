/* SPDX-License-Identifier: MIT */
#include "program/model.h"

#include <stdio.h>

#include "program/program.h"
#include "run/host.h"

static const char *const others[ISAS] = {
	[ISA_X86_64] = "skylake-sp", [ISA_AARCH64] = "neoverse-n1",
};

/* Is the machine's CPU one of that instruction set? why: else the reason. */
static bool is_host(const struct assay *assay, enum isa isa, char *why,
		    size_t room)
{
	struct assay_error err = { 0 };
	char file[ASSAY_NAME];
	struct cpu *cpu;
	bool same;

	if (host_model(&cpu, file, sizeof(file), assay, &err)) {
		snprintf(why, room, "%.300s", err.text);
		return false;
	}
	same = cpu->geometry.isa == isa;
	snprintf(why, room, same ? "the program is for %s, as this machine is" :
		 "the program is for %s, and this machine is not",
		 isa_names[isa]);
	cpu_free(cpu);
	return same;
}

int model_choose(struct model *out, const struct assay *assay,
		 const char *name, const char *plugin, struct assay_error *err)
{
	struct program program;
	int rc = program_find(&program, name, NULL, plugin, err);

	if (rc == 0)
		out->cpu = is_host(assay, program.binary.isa, out->why,
				   sizeof(out->why)) ? "host" :
			   others[program.binary.isa];
	return rc;
}
