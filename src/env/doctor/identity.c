/* SPDX-License-Identifier: MIT */
/* The part "identity": the CPU by which event tables are chosen, and whether a
 * hypervisor shows another model than the real one. */
#include <stdio.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/doctor/doctor.h"
#include "env/machine/kinds.h"
#include "env/machine/sysfs-topology.h"

static void describe(char *out, size_t room, const struct doctor *d)
{
	const struct machine_id *id = &d->id;

	if (id->isa == MACHINE_X86)
		snprintf(out, room, "%s, %s family %d model %d stepping %d",
			 id->name, id->vendor, id->family, id->model,
			 id->stepping);
	else if (id->midr)
		snprintf(out, room, "%s r%up%u, MIDR 0x%08x", id->name,
			 (id->midr >> 20) & 15, id->midr & 15, id->midr);
	else
		snprintf(out, room, "neither /proc/cpuinfo nor MIDR says");
}

static void add_cpu(struct doctor *d)
{
	const unsigned l1d = (unsigned)(cache_bytes(&d->geometry.l1d) >> 10);
	const unsigned l2 = (unsigned)(cache_bytes(&d->geometry.l2) >> 10);
	char text[192], masked[160];
	const bool known = d->id.isa != MACHINE_OTHER &&
			   (d->id.isa == MACHINE_X86 || d->id.midr);

	describe(text, sizeof(text), d);
	if (!known)
		doctor_add(d, "CPU", "warn", "no event table can be chosen",
			   "use raw codes: rNNN", "%s", text);
	else if (machine_masked(masked, sizeof(masked), &d->id, l1d, l2))
		doctor_add(d, "CPU", "warn",
			   "the hypervisor shows another model than the one "
			   "below: vendor event names may mean other events",
			   "use raw codes (rNNN) of the real CPU, or have its "
			   "model passed through",
			   "%s: %s", text, masked);
	else
		doctor_ok(d, "CPU", "%s", text);
}

static void add_hypervisor(struct doctor *d)
{
	if (!d->hypervisor[0])
		doctor_ok(d, "hypervisor", "none was seen");
	else
		doctor_add(d, "hypervisor", "ok",
			   "caches and memory are shared with other guests "
			   "that cannot be seen", "", "%s", d->hypervisor);
}

struct kinds {
	int count;
	int64_t capacity[8];
};

/* Collects the different values of cpu_capacity: one per kind of core. */
static void add_capacity(struct kinds *k, const char *sysroot, unsigned cpu)
{
	int64_t capacity;

	if (!sysfile_number(&capacity, sysroot, SYSFS_CPUS
			    "/cpu%u/cpu_capacity", cpu))
		return;
	for (int i = 0; i < k->count; i++)
		if (k->capacity[i] == capacity)
			return;
	if (k->count < 8)
		k->capacity[k->count++] = capacity;
}

/* "cpu_core: CPUs 0-7, L1d 48 KiB, L2 1280 KiB" */
static void kind_text(char *out, size_t room, const struct core_kind *k)
{
	const struct cache_geometry *const cache[] = { &k->geometry.l1d,
						       &k->geometry.l2 };
	static const char *const name[] = { "L1d", "L2" };
	char bytes[32];

	snprintf(out, room, "%s: CPUs %s", k->pmu, k->cpus);
	for (int i = 0; i < 2; i++) {
		if (!cache_bytes(cache[i]))
			continue;
		text_bytes(bytes, sizeof(bytes), cache_bytes(cache[i]));
		text_add(out, room, ", ", "%s %s", name[i], bytes);
	}
}

static void add_hybrid(struct doctor *d)
{
	struct kinds kinds = { .count = 0 };
	struct core_kind kind[KINDS];
	const size_t n = core_kinds(kind, d->probe.sysroot);
	char text[400] = "", one[160];
	struct cpulist online;

	sysfs_online(&online, d->probe.sysroot);
	for (unsigned cpu = 0; cpu < CPULIST_CPUS; cpu++)
		if (cpulist_has(&online, cpu))
			add_capacity(&kinds, d->probe.sysroot, cpu);
	if (kinds.count < 2 && n < 2)
		return;
	for (size_t i = 0; i < n && n > 1; i++) {
		kind_text(one, sizeof(one), &kind[i]);
		text_add(text, sizeof(text), "; ", "%s", one);
	}
	doctor_add(d, "core types", "warn",
		   n > 1 ? "an event counts only on cores of its own PMU" :
		   "the speed depends on the core, and caches may, too",
		   "pin to one core: --cpu N", "cores of %u kinds%s%s",
		   n > 1 ? (unsigned)n : (unsigned)kinds.count,
		   *text ? "; " : "", text);
}

void doctor_identity(struct doctor *d)
{
	add_cpu(d);
	doctor_caches(d);
	add_hypervisor(d);
	add_hybrid(d);
}
