/* SPDX-License-Identifier: MIT */
/* Counting the parts of a machine in /sys; see sysfs-topology.h. */
#include "env/machine/sysfs-topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"

/* ---- lists of CPUs ------------------------------------------------------ */

typedef int parse_fn(struct cpulist *out, const char *text);

static bool read_cpus(struct cpulist *out, const char *sysroot,
		      const char *path, parse_fn *parse)
{
	char text[4096];
	const int n = sysfile_text(text, sizeof(text), sysroot, "%s", path);

	return n > 0 && n < (int)sizeof(text) - 1 && !parse(out, text);
}

bool sysfs_list(struct cpulist *out, const char *sysroot, const char *path)
{
	return read_cpus(out, sysroot, path, cpulist_parse);
}

struct folders { const char *sysroot; struct cpulist *online; };

static void add_folder(void *ctx, const char *name)
{
	const struct folders *f = ctx;
	const int cpu = sysfile_index(name, "cpu");
	int64_t online;

	if (cpu >= 0 && (!sysfile_number(&online, f->sysroot, SYSFS_CPUS
					 "/%s/online", name) || online))
		cpulist_add(f->online, (unsigned)cpu);
}

unsigned sysfs_online(struct cpulist *out, const char *sysroot)
{
	struct folders folders = { sysroot, out };

	*out = (struct cpulist){ { 0 } };
	if (!sysfs_list(out, sysroot, SYSFS_CPUS "/online"))
		sysfile_list(sysroot, SYSFS_CPUS, add_folder, &folders);
	return cpulist_count(out);
}

int sysfs_first(const char *sysroot)
{
	struct cpulist online;

	return sysfs_online(&online, sysroot) ? cpulist_first(&online) : 0;
}

/* ---- parts that CPUs share ---------------------------------------------- */

/* Files in a CPU's folder; the first that is there counts. Old kernels have
 * maps only; recorded machines have lists. */
static const struct cpu_file { const char *name; parse_fn *parse; }
core_files[] = {
	{ "topology/core_cpus", cpulist_parse_map },
	{ "topology/thread_siblings", cpulist_parse_map },
	{ "topology/thread_siblings_list", cpulist_parse },
	{ NULL, NULL }
}, package_files[] = {
	{ "topology/package_cpus", cpulist_parse_map },
	{ "topology/core_siblings", cpulist_parse_map },
	{ "topology/package_cpus_list", cpulist_parse },
	{ "topology/core_siblings_list", cpulist_parse },
	{ NULL, NULL }
}, cache_files[] = {
	{ "shared_cpu_map", cpulist_parse_map },
	{ "shared_cpu_list", cpulist_parse },
	{ NULL, NULL }
};

/* Some of a machine's CPUs, while their parts are counted. */
struct scan {
	struct topology *out;
	const char *sysroot;
	const struct cpulist *cpus;
	unsigned cpu;		/* the CPU whose caches are listed */
	struct shape { int64_t level; char type[16]; uint64_t bytes; }
		shape[16];	/* of index0, index1 ... of the CPUs before */
};

/* The CPUs that share a part with scan->cpu, as the file says. */
static bool sharers(struct cpulist *out, const struct scan *scan,
		    const char *folder, const struct cpu_file *file)
{
	char path[128];

	for (; file->name; file++) {
		snprintf(path, sizeof(path), SYSFS_CPUS "/cpu%u/%s%s",
			 scan->cpu, folder, file->name);
		if (!read_cpus(out, scan->sysroot, path, file->parse))
			continue;
		cpulist_and(out, scan->cpus);
		return true;
	}
	return false;
}

/* AMD's family 21 lists the two cores of a module as one core's threads, but
 * gives each core an id of its own. */
static void remove_cores(struct cpulist *core, const struct scan *scan)
{
	static const char path[] = SYSFS_CPUS "/cpu%u/topology/core_id";
	int64_t mine, id;

	if (!sysfile_number(&mine, scan->sysroot, path, scan->cpu))
		return;
	for (unsigned cpu = 0; cpu < CPULIST_CPUS; cpu++)
		if (cpulist_has(core, cpu) &&
		    sysfile_number(&id, scan->sysroot, path, cpu) &&
		    id != mine)
			core->bits[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
}

static bool core_of(struct cpulist *out, const struct scan *scan)
{
	if (!sharers(out, scan, "", core_files))
		return false;
	remove_cores(out, scan);
	return true;
}

/* Itanium's firmware gives some caches an empty list: those are a core's. */
static bool cache_sharers(struct cpulist *out, const struct scan *scan,
			  const char *index)
{
	char folder[32];

	snprintf(folder, sizeof(folder), "cache/%.8s/", index);
	return sharers(out, scan, folder, cache_files) &&
	       (cpulist_has(out, scan->cpu) || core_of(out, scan));
}

bool sysfs_core(struct cpulist *out, const char *sysroot, int cpu)
{
	struct cpulist online;
	const struct scan scan = { .sysroot = sysroot, .cpus = &online,
				   .cpu = (unsigned)cpu };

	sysfs_online(&online, sysroot);
	return core_of(out, &scan);
}

static bool is_first(const struct cpulist *part, const struct scan *scan)
{
	return cpulist_first(part) == (int)scan->cpu;
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

struct topology_cache *topology_cache(struct topology *t, const char *name,
				      uint64_t bytes)
{
	struct topology_cache *c = t->cache;

	for (unsigned i = 0; i < t->caches; i++, c++)
		if (!strcmp(c->name, name) && c->bytes == bytes)
			return c;
	if (t->caches == TOPOLOGY_CACHES)
		return NULL;
	t->caches++;
	*c = (struct topology_cache){ .bytes = bytes, .first = -1 };
	text_copy(c->name, sizeof(c->name), name);
	return c;
}

/* "L1d", "L2"; "" for a level outside 1 to 4. */
static void name_cache(char out[8], const struct shape *shape)
{
	const bool code = !strcmp(shape->type, "Instruction");

	*out = '\0';
	if (shape->level >= 1 && shape->level <= 4)
		snprintf(out, 8, "L%d%s", (int)shape->level, code ? "i" :
			 shape->level == 1 ? "d" : "");
}

/* A recorded machine has these files for one CPU of each kind: the other CPUs
 * are like the last one before them that has the files. */
static void read_shape(struct shape *shape, const struct scan *scan,
		       const char *index)
{
	char folder[64], size[32];
	int64_t level;

	snprintf(folder, sizeof(folder), SYSFS_CPUS "/cpu%u/cache/%.8s",
		 scan->cpu, index);
	if (!sysfile_number(&level, scan->sysroot, "%s/level", folder))
		return;
	*shape = (struct shape){ .level = level };
	sysfile_text(shape->type, sizeof(shape->type), scan->sysroot,
		     "%s/type", folder);
	if (sysfile_text(size, sizeof(size), scan->sysroot, "%s/size",
			 folder) > 0)
		text_count(&shape->bytes, size, NULL);
}

static void add_cache(void *ctx, const char *index)
{
	struct scan *scan = ctx;
	const int n = sysfile_index(index, "index");
	struct topology_cache *c;
	char name[8];
	struct cpulist cpus;
	bool shared;

	if (n < 0 || n >= 16 || strlen(index) > 8)
		return;
	read_shape(&scan->shape[n], scan, index);
	name_cache(name, &scan->shape[n]);
	shared = cache_sharers(&cpus, scan, index);
	if (!*name || (shared && !is_first(&cpus, scan)))
		return;
	c = topology_cache(scan->out, name, scan->shape[n].bytes);
	if (!c)
		return;
	if (c->first < 0) {
		c->first = (int)scan->cpu;
		c->sharers = shared ? cpulist_count(&cpus) : 0;
		if (shared)
			cpulist_text(c->cpus, sizeof(c->cpus), &cpus);
	}
	c->count += shared;
}

/* ---- all ---------------------------------------------------------------- */

void sysfs_parts(struct topology *out, const char *sysroot,
		 const struct cpulist *cpus)
{
	struct scan scan = { .out = out, .sysroot = sysroot, .cpus = cpus };
	bool cores = true, packages = true;
	struct cpulist part;
	char folder[64];

	for (; scan.cpu < CPULIST_CPUS; scan.cpu++) {
		if (!cpulist_has(cpus, scan.cpu))
			continue;
		cores &= core_of(&part, &scan);
		out->cores += cores && is_first(&part, &scan);
		packages &= sharers(&part, &scan, "", package_files);
		out->packages += packages && is_first(&part, &scan);
		snprintf(folder, sizeof(folder), SYSFS_CPUS "/cpu%u/cache",
			 scan.cpu);
		sysfile_list(sysroot, folder, add_cache, &scan);
	}
	out->cores = cores ? out->cores : 0;
	out->packages = packages ? out->packages : 0;
}

void sysfs_topology(struct topology *out, const char *sysroot)
{
	struct nodes nodes = { .sysroot = sysroot };
	struct cpulist online;

	out->cpus = sysfs_online(&online, sysroot);
	sysfs_parts(out, sysroot, &online);
	sysfile_list(sysroot, "/sys/devices/system/node", count_node, &nodes);
	out->nodes = nodes.count;
	out->memory_bytes = nodes.bytes;
}
