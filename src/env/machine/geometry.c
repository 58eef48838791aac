/* SPDX-License-Identifier: MIT */
/*
 * The caches and TLBs of a machine's first CPU that is online. Caches come from
 * /sys, which shows sets and ways; if /sys is hidden, from hwloc, then from
 * CPUID. TLBs come from CPUID. No source shows replacement policies: LRU is
 * assumed.
 */
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/env.h"
#include "env/machine/cpuid.h"
#include "env/machine/kinds.h"
#include "env/machine/machine.h"
#include "env/machine/probe.h"
#include "env/machine/sysfs-caches.h"
#include "env/machine/sysfs-topology.h"
#include "env/machine/topology.h"

/* CPUID describes the CPU that runs it. With several kinds of core, the first
 * CPU. */
static void go_to_first(struct probe *probe, struct env_affinity *old)
{
	struct core_kind kind[KINDS];

	if (core_kinds(kind, probe->sysroot) > 1)
		probe_move(probe, sysfs_first(probe->sysroot), old);
}

void env_cpuid_geometry(struct geometry *out, const char *sysroot)
{
	struct env_affinity old = { .changed = false };
	struct machine_id id;
	struct probe probe;

	memset(out, 0, sizeof(*out));
	probe_init_quiet(&probe, sysroot);
	machine_identify(&id, &probe);
	go_to_first(&probe, &old);
	cpuid_caches(out, &id, &probe);
	cpuid_tlbs(out, &id, &probe);
	env_unpin(&old);
}

int env_geometry(struct geometry *out, const char *sysroot,
		 struct assay_error *err)
{
	struct env_affinity old = { .changed = false };
	struct machine_id id;
	struct probe probe;

	(void)err;
	sysfs_caches(out, sysroot, sysfs_first(sysroot));
	probe_init_quiet(&probe, sysroot);
	machine_identify(&id, &probe);
	text_copy(out->name, sizeof(out->name), id.name);
	out->isa = id.isa == MACHINE_ARM ? ISA_AARCH64 : ISA_X86_64;
	if (!out->l1d.present && sysroot_is_live(sysroot))
		topology_caches(out);
	go_to_first(&probe, &old);
	if (!out->l1d.present)
		cpuid_caches(out, &id, &probe);
	cpuid_tlbs(out, &id, &probe);
	env_unpin(&old);
	return 0;
}
