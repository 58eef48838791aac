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

/* ---- cores and caches of a kind ------------------------------------------ */

struct parts {
	struct core_kind *kind;
	const struct cpulist *cpus;
	const char *sysroot;
};

static unsigned *slot_of(struct core_kind *k, int64_t level, const char *type)
{
	const bool code = !strcmp(type, "Instruction");

	return level == 1 ? code ? &k->l1i : &k->l1d : code ? NULL :
	       level == 2 ? &k->l2 : level == 3 ? &k->l3 : NULL;
}

/* A cache has the same index on each CPU of a kind. */
static void count_cache(void *ctx, const char *name)
{
	const struct parts *p = ctx;
	char type[32], file[64];
	unsigned *slot;
	int64_t level;

	if (strncmp(name, "index", 5) || strlen(name) > 8 ||
	    !sysfile_number(&level, p->sysroot, "%s/cpu%d/cache/%s/level",
			    cpu_folder, p->kind->first, name) ||
	    sysfile_text(type, sizeof(type), p->sysroot, "%s/cpu%d/cache/%s/"
			 "type", cpu_folder, p->kind->first, name) <= 0)
		return;
	slot = slot_of(p->kind, level, type);
	snprintf(file, sizeof(file), "cache/%.8s/shared_cpu_list", name);
	if (slot)
		*slot = sysfs_shared(p->sysroot, p->cpus, file);
}

static void count_parts(struct core_kind *k, const char *sysroot)
{
	struct cpulist cpus;
	struct parts parts = { k, &cpus, sysroot };
	char folder[64];

	if (cpulist_parse(&cpus, k->cpus))
		return;
	k->cores = sysfs_shared(sysroot, &cpus,
				"topology/thread_siblings_list");
	snprintf(folder, sizeof(folder), "%s/cpu%d/cache", cpu_folder,
		 k->first);
	sysfile_list(sysroot, folder, count_cache, &parts);
}

/* ---- the kinds ---------------------------------------------------------- */

/* Only core PMUs have a file "cpus"; uncore PMUs have "cpumask". */
static void add_kind(void *ctx, const char *name)
{
	struct kind_list *s = ctx;
	struct core_kind *k = &s->kind[s->kinds];
	int64_t midr;

	if (s->kinds == KINDS || strlen(name) >= sizeof(k->pmu) ||
	    sysfile_text(k->cpus, sizeof(k->cpus), s->sysroot, "%s/%s/cpus",
			 devices, name) <= 0 ||
	    k->cpus[0] < '0' || k->cpus[0] > '9')
		return;
	text_copy(k->pmu, sizeof(k->pmu), name);
	k->first = (int)(strtoul(k->cpus, NULL, 10) & 0xffff);
	k->midr = sysfile_number(&midr, s->sysroot, "%s/cpu%d/regs/"
				 "identification/midr_el1", cpu_folder,
				 k->first) ? (unsigned)midr : 0;
	k->events = named_events(s->sysroot, name);
	sysfs_caches(&k->geometry, s->sysroot, k->first);
	k->cores = k->l1d = k->l1i = k->l2 = k->l3 = 0;
	count_parts(k, s->sysroot);
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
