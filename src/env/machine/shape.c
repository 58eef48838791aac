/* SPDX-License-Identifier: MIT */
/* The shape of a machine, as /sys lists it. */
#include "env/machine/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"

struct tally {
	const char *sysroot;
	struct cpulist all;
	unsigned cpus, cores, told;
};

static bool sharers(struct cpulist *out, const char *sysroot, unsigned cpu,
		    const char *file)
{
	char text[256];

	return sysfile_text(text, sizeof(text), sysroot, SHAPE_CPUS
			    "/cpu%u/%s", cpu, file) > 0 &&
	       cpulist_parse(out, text) == 0;
}

unsigned shape_shared(const char *sysroot, const struct cpulist *cpus,
		      const char *file)
{
	struct cpulist counted = { { 0 } }, list;
	unsigned n = 0;

	for (unsigned cpu = 0; cpu < CPULIST_CPUS; cpu++) {
		if (!cpulist_has(cpus, cpu))
			continue;
		if (!sharers(&list, sysroot, cpu, file))
			return 0;
		n += !cpulist_has(&counted, cpu);
		for (size_t i = 0; i < CPULIST_CPUS / 64; i++)
			counted.bits[i] |= list.bits[i];
	}
	return n;
}

static void one_cpu(void *ctx, const char *name)
{
	struct tally *t = ctx;
	unsigned long cpu;
	char siblings[64];

	if (strncmp(name, "cpu", 3) || name[3] < '0' || name[3] > '9')
		return;
	t->cpus++;
	cpu = strtoul(name + 3, NULL, 10);
	if (cpu < CPULIST_CPUS)
		t->all.bits[cpu / 64] |= UINT64_C(1) << cpu % 64;
	if (sysfile_text(siblings, sizeof(siblings), t->sysroot, SHAPE_CPUS
			 "/%s/topology/thread_siblings_list", name) <= 0)
		return;
	t->told++;
	t->cores += strtoul(siblings, NULL, 10) == cpu;
}

static void count(struct tally *t, const char *sysroot)
{
	*t = (struct tally){ .sysroot = sysroot };
	sysfile_list(sysroot, SHAPE_CPUS, one_cpu, t);
}

unsigned shape_cpus(const char *sysroot)
{
	struct tally t;

	count(&t, sysroot);
	return t.cpus;
}

/* ---- memory nodes ------------------------------------------------------- */

struct nodes {
	const char *sysroot;
	unsigned count;
	uint64_t bytes;
};

/* "Node 0 MemTotal:       16121856 kB" */
static void one_node(void *ctx, const char *name)
{
	struct nodes *n = ctx;
	char text[4096];
	const char *total;

	if (strncmp(name, "node", 4) || name[4] < '0' || name[4] > '9')
		return;
	n->count++;
	if (sysfile_text(text, sizeof(text), n->sysroot,
			 "/sys/devices/system/node/%s/meminfo", name) <= 0)
		return;
	total = strstr(text, "MemTotal:");
	if (total)
		n->bytes += strtoull(total + strlen("MemTotal:"), NULL, 10) <<
			    10;
}

/* ---- caches ------------------------------------------------------------- */

struct caches {
	struct topology *out;
	const struct tally *tally;
};

/* "L1d", "L2"; "" for what is none of them. */
static void name_cache(char out[8], int64_t level, const char *type)
{
	*out = '\0';
	if (level < 1 || level > 4)
		return;
	snprintf(out, 8, "L%d%s", (int)level, level > 1 ? "" :
		 !strcmp(type, "Instruction") ? "i" : "d");
}

static void share(struct topology_cache *c, const struct tally *t,
		  const char *index)
{
	struct cpulist list;
	char file[64];

	snprintf(file, sizeof(file), "cache/%.8s/shared_cpu_list", index);
	c->count = shape_shared(t->sysroot, &t->all, file);
	if (sysfile_text(c->cpus, sizeof(c->cpus), t->sysroot, SHAPE_CPUS
			 "/cpu0/%s", file) <= 0 ||
	    !sharers(&list, t->sysroot, 0, file))
		return;
	for (unsigned cpu = 0; cpu < CPULIST_CPUS; cpu++)
		c->sharers += cpulist_has(&list, cpu);
}

/* Caches have the same index on each CPU. */
static void one_cache(void *ctx, const char *index)
{
	const struct caches *caches = ctx;
	const char *sysroot = caches->tally->sysroot;
	struct topology *out = caches->out;
	struct topology_cache c = { "", 0, 0, 0, "" };
	char type[32], size[32];
	int64_t level;

	if (strncmp(index, "index", 5) || strlen(index) > 8 ||
	    out->caches == TOPOLOGY_CACHES ||
	    !sysfile_number(&level, sysroot, SHAPE_CPUS "/cpu0/cache/%s/level",
			    index) ||
	    sysfile_text(type, sizeof(type), sysroot, SHAPE_CPUS
			 "/cpu0/cache/%s/type", index) <= 0)
		return;
	name_cache(c.name, level, type);
	if (!*c.name)
		return;
	if (sysfile_text(size, sizeof(size), sysroot, SHAPE_CPUS
			 "/cpu0/cache/%s/size", index) > 0)
		text_count(&c.bytes, size, NULL);
	share(&c, caches->tally, index);
	out->cache[out->caches++] = c;
}

void shape_read(struct topology *out, const char *sysroot)
{
	struct nodes nodes = { .sysroot = sysroot };
	struct tally t;
	struct caches caches = { out, &t };

	count(&t, sysroot);
	out->cpus = t.cpus;
	out->cores = t.told == t.cpus ? t.cores : 0;
	out->packages = shape_shared(sysroot, &t.all,
				     "topology/package_cpus_list");
	sysfile_list(sysroot, "/sys/devices/system/node", one_node, &nodes);
	out->nodes = nodes.count;
	out->memory_bytes = nodes.bytes;
	sysfile_list(sysroot, SHAPE_CPUS "/cpu0/cache", one_cache, &caches);
}
