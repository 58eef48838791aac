/* SPDX-License-Identifier: MIT */
/* The kinds of core: the core PMUs that list their CPUs; see kinds.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpulist.h"
#include "base/sysfile.h"
#include "base/text.h"
#include "env/env.h"
#include "env/machine/cpuid.h"
#include "env/machine/kinds.h"
#include "env/machine/machine.h"
#include "env/machine/sysfs-caches.h"
#include "env/machine/sysfs-topology.h"

static const char cpu_folder[] = SYSFS_CPUS;
static const char devices[] = "/sys/bus/event_source/devices";

struct kind_list {
	struct core_kind *kind;
	size_t kinds;
	const char *sysroot;
};

static void count_event(void *ctx, const char *name)
{
	/* a name with a dot, "mem-loads.unit", is no event */
	*(unsigned *)ctx += strchr(name, '.') == NULL;
}

static unsigned named_events(const char *sysroot, const char *pmu)
{
	unsigned n = 0;
	char folder[160];

	snprintf(folder, sizeof(folder), "%s/%.80s/events", devices, pmu);
	sysfile_list(sysroot, folder, count_event, &n);
	return n;
}

unsigned core_events(const char *sysroot)
{
	struct core_kind kind[KINDS];

	return core_kinds(kind, sysroot) ? kind[0].events :
					   named_events(sysroot, "cpu");
}

/* ---- the kinds ---------------------------------------------------------- */

static void count_parts(struct core_kind *k, const struct cpulist *cpus,
			const char *sysroot)
{
	struct topology t = { .known = false };

	sysfs_parts(&t, sysroot, cpus);
	k->cores = t.cores;
	k->l2 = 0;
	for (unsigned i = 0; i < t.caches; i++)
		if (!strcmp(t.cache[i].name, "L2"))
			k->l2 += t.cache[i].count;
}

/* The kind's CPUs that are online; false if there are none. */
static bool read_cpus(struct cpulist *out, const struct kind_list *s,
		      const char *pmu)
{
	struct cpulist online;
	char path[160];

	snprintf(path, sizeof(path), "%s/%.80s/cpus", devices, pmu);
	if (!sysfs_list(out, s->sysroot, path))
		return false;
	if (sysfs_online(&online, s->sysroot))
		cpulist_and(out, &online);
	return cpulist_first(out) >= 0;
}

/* Only core PMUs have a file "cpus"; uncore PMUs have "cpumask". */
static void add_kind(void *ctx, const char *name)
{
	struct kind_list *s = ctx;
	struct core_kind *k = &s->kind[s->kinds];
	struct cpulist cpus;
	int64_t midr;

	if (s->kinds == KINDS || strlen(name) >= sizeof(k->pmu) ||
	    !read_cpus(&cpus, s, name))
		return;
	text_copy(k->pmu, sizeof(k->pmu), name);
	cpulist_text(k->cpus, sizeof(k->cpus), &cpus);
	k->first = cpulist_first(&cpus);
	k->midr = sysfile_number(&midr, s->sysroot, "%s/cpu%d/regs/"
				 "identification/midr_el1", cpu_folder,
				 k->first) ? (unsigned)midr : 0;
	k->events = named_events(s->sysroot, name);
	sysfs_caches(&k->geometry, s->sysroot, k->first);
	count_parts(k, &cpus, s->sysroot);
	s->kinds++;
}

static int by_first(const void *a, const void *b)
{
	const struct core_kind *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

size_t core_kinds(struct core_kind out[KINDS], const char *sysroot)
{
	struct kind_list s = { .kind = out, .sysroot = sysroot };

	sysfile_list(sysroot, devices, add_kind, &s);
	qsort(out, s.kinds, sizeof(*out), by_first);
	return s.kinds;
}

void core_kind_tlbs(struct core_kind *kind, const char *sysroot)
{
	struct env_affinity old = { .changed = false };
	struct machine_id id;
	struct probe probe;

	probe_init_quiet(&probe, sysroot);
	machine_identify(&id, &probe);
	if (!probe_move(&probe, kind->first, &old))
		return;
	cpuid_tlbs(&kind->geometry, &id, &probe);
	env_unpin(&old);
}
