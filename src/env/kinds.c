/* SPDX-License-Identifier: MIT */
/* Core PMUs that list their CPUs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "env/env.h"
#include "env/kinds.h"
#include "env/sysfile.h"

static const char cpu_folder[] = "/sys/devices/system/cpu";
static const char devices[] = "/sys/bus/event_source/devices";

struct search {
	struct core_kind *kind;
	size_t kinds;
	const char *sysroot;
};

static void one_event(void *ctx, const char *name)
{
	/* "mem-loads.unit" and the like are no events */
	*(unsigned *)ctx += strchr(name, '.') == NULL;
}

static unsigned named_events(const char *sysroot, const char *pmu)
{
	unsigned n = 0;
	char folder[160];

	snprintf(folder, sizeof(folder), "%s/%.80s/events", devices, pmu);
	sysfile_list(sysroot, folder, one_event, &n);
	return n;
}

unsigned core_events(const char *sysroot)
{
	struct core_kind kind[KINDS];

	return core_kinds(kind, sysroot) ? kind[0].events :
					   named_events(sysroot, "cpu");
}

/* Uncore PMUs have a "cpumask" instead. */
static void one_pmu(void *ctx, const char *name)
{
	struct search *s = ctx;
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
	env_cpu_caches(&k->geometry, s->sysroot, k->first);
	s->kinds++;
}

struct tally {
	const char *sysroot;
	unsigned cpus, cores, told;
};

static void one_cpu(void *ctx, const char *name)
{
	struct tally *t = ctx;
	char siblings[64];

	if (strncmp(name, "cpu", 3) || name[3] < '0' || name[3] > '9')
		return;
	t->cpus++;
	if (sysfile_text(siblings, sizeof(siblings), t->sysroot, "%s/%s/"
			 "topology/thread_siblings_list", cpu_folder, name) <=
	    0)
		return;
	t->told++;
	t->cores += strtoul(siblings, NULL, 10) ==
		    strtoul(name + 3, NULL, 10);
}

static struct tally tally(const char *sysroot)
{
	struct tally t = { .sysroot = sysroot };

	sysfile_list(sysroot, cpu_folder, one_cpu, &t);
	return t;
}

unsigned core_cpus(const char *sysroot)
{
	return tally(sysroot).cpus;
}

unsigned core_cores(const char *sysroot)
{
	const struct tally t = tally(sysroot);

	return t.told == t.cpus ? t.cores : 0;
}

static int by_first(const void *a, const void *b)
{
	const struct core_kind *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

size_t core_kinds(struct core_kind out[KINDS], const char *sysroot)
{
	struct search s = { .kind = out, .sysroot = sysroot };

	sysfile_list(sysroot, devices, one_pmu, &s);
	qsort(out, s.kinds, sizeof(*out), by_first);
	return s.kinds;
}
