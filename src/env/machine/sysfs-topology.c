/* SPDX-License-Identifier: MIT */
/* Counting the parts of a machine in /sys; see sysfs-topology.h. */
#include "env/machine/sysfs-topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"

/* The CPUs; those whose core is known; and cores, by their first CPUs. */
struct cpu_counts {
	const char *sysroot;
	struct cpulist all;
	unsigned cpus, cores, with_cores;
};

/* The CPUs that share a part with this CPU, from the CPU's `file`. */
static bool sharers(struct cpulist *out, const char *sysroot, unsigned cpu,
		    const char *file)
{
	char text[256];

	return sysfile_text(text, sizeof(text), sysroot, SYSFS_CPUS
			    "/cpu%u/%s", cpu, file) > 0 &&
	       cpulist_parse(out, text) == 0;
}

unsigned sysfs_shared(const char *sysroot, const struct cpulist *cpus,
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

static void count_cpu(void *ctx, const char *name)
{
	struct cpu_counts *t = ctx;
	const int cpu = sysfile_index(name, "cpu");
	char siblings[64];

	if (cpu < 0)
		return;
	t->cpus++;
	if (cpu < CPULIST_CPUS)
		t->all.bits[cpu / 64] |= UINT64_C(1) << cpu % 64;
	if (sysfile_text(siblings, sizeof(siblings), t->sysroot, SYSFS_CPUS
			 "/%s/topology/thread_siblings_list", name) <= 0)
		return;
	t->with_cores++;
	t->cores += strtol(siblings, NULL, 10) == cpu;
}

static void count_cpus(struct cpu_counts *t, const char *sysroot)
{
	*t = (struct cpu_counts){ .sysroot = sysroot };
	sysfile_list(sysroot, SYSFS_CPUS, count_cpu, t);
}

unsigned sysfs_cpus(const char *sysroot)
{
	struct cpu_counts t;

	count_cpus(&t, sysroot);
	return t.cpus;
}

/* ---- memory nodes ------------------------------------------------------- */

struct nodes {
	const char *sysroot;
	unsigned count;
	uint64_t bytes;
};

/* A node's meminfo has a line "Node 0 MemTotal:       16121856 kB". */
static void count_node(void *ctx, const char *name)
{
	struct nodes *n = ctx;
	char text[4096];
	const char *total;

	if (sysfile_index(name, "node") < 0)
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
	const struct cpu_counts *counts;
};

/* "L1d", "L2"; "" for a level outside 1 to 4. */
static void name_cache(char out[8], int64_t level, const char *type)
{
	*out = '\0';
	if (level < 1 || level > 4)
		return;
	snprintf(out, 8, "L%d%s", (int)level, level > 1 ? "" :
		 !strcmp(type, "Instruction") ? "i" : "d");
}

static void read_sharers(struct topology_cache *c, const struct cpu_counts *t,
			 const char *index)
{
	struct cpulist list;
	char file[64];

	snprintf(file, sizeof(file), "cache/%.8s/shared_cpu_list", index);
	c->count = sysfs_shared(t->sysroot, &t->all, file);
	if (sysfile_text(c->cpus, sizeof(c->cpus), t->sysroot, SYSFS_CPUS
			 "/cpu0/%s", file) <= 0 ||
	    !sharers(&list, t->sysroot, 0, file))
		return;
	for (unsigned cpu = 0; cpu < CPULIST_CPUS; cpu++)
		c->sharers += cpulist_has(&list, cpu);
}

/* Adds the cache "indexN" of CPU 0. A cache has the same index on each CPU. */
static void add_cache(void *ctx, const char *index)
{
	const struct caches *caches = ctx;
	const char *sysroot = caches->counts->sysroot;
	struct topology *out = caches->out;
	struct topology_cache c = { "", 0, 0, 0, "" };
	char type[32], size[32];
	int64_t level;

	if (strncmp(index, "index", 5) || strlen(index) > 8 ||
	    out->caches == TOPOLOGY_CACHES ||
	    !sysfile_number(&level, sysroot, SYSFS_CPUS "/cpu0/cache/%s/level",
			    index) ||
	    sysfile_text(type, sizeof(type), sysroot, SYSFS_CPUS
			 "/cpu0/cache/%s/type", index) <= 0)
		return;
	name_cache(c.name, level, type);
	if (!*c.name)
		return;
	if (sysfile_text(size, sizeof(size), sysroot, SYSFS_CPUS
			 "/cpu0/cache/%s/size", index) > 0)
		text_count(&c.bytes, size, NULL);
	read_sharers(&c, caches->counts, index);
	out->cache[out->caches++] = c;
}

void sysfs_topology(struct topology *out, const char *sysroot)
{
	struct nodes nodes = { .sysroot = sysroot };
	struct cpu_counts t;
	struct caches caches = { out, &t };

	count_cpus(&t, sysroot);
	out->cpus = t.cpus;
	out->cores = t.with_cores == t.cpus ? t.cores : 0;
	out->packages = sysfs_shared(sysroot, &t.all,
				     "topology/package_cpus_list");
	sysfile_list(sysroot, "/sys/devices/system/node", count_node, &nodes);
	out->nodes = nodes.count;
	out->memory_bytes = nodes.bytes;
	sysfile_list(sysroot, SYSFS_CPUS "/cpu0/cache", add_cache, &caches);
}
