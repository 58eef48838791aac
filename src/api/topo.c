/* SPDX-License-Identifier: MIT */
/*
 * The machine's shape as rows: caches and TLBs as the kernel, CPUID and the
 * CPU file report them, packages, cores, memory nodes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/host.h"
#include "base/loading/library.h"
#include "base/row.h"
#include "base/text.h"
#include "env/env.h"
#include "env/machine/kinds.h"
#include "env/machine/sysfs-caches.h"
#include "env/machine/sysfs-topology.h"
#include "env/machine/topology.h"

struct topo {
	const char *sysroot;
	int first;			/* the CPU that kernel, cpuid and file
					 * describe */
	struct geometry kernel, cpuid, file;
	char cpu_file[ASSAY_NAME];	/* its name; "": none fits */
	struct topology machine;
	struct core_kind kind[KINDS];
	size_t kinds;			/* 0 or 1: all cores are alike */
	assay_row_fn *fn;
	void *ctx;
};

/* Why a number of the topology is not known. */
static const char *why_unknown(void)
{
	return library_is_here(LIBRARY_HWLOC) ? "neither hwloc nor /sys tells" :
	       libraries[LIBRARY_HWLOC].brief;
}

static struct assay_field bytes_field(const char *name, uint64_t bytes,
				      const char *why)
{
	struct assay_field f = field_count(name, bytes);

	f.flags = ASSAY_FIELD_BYTES;
	f.unit = "B";
	if (bytes)
		return f;
	return (struct assay_field){ .name = name, .text = why,
				     .kind = ASSAY_FIELD_ABSENT };
}

static struct assay_field number_field(const char *name, uint64_t number,
				       const char *why)
{
	struct assay_field f = bytes_field(name, number, why);

	f.flags = 0;
	f.unit = NULL;
	return f;
}

/* ---- caches ------------------------------------------------------------- */

static const char elsewhere[] = "asked for the first CPU's caches only";

/* The source that is believed: the kernel, then CPUID, then the CPU file. */
static const struct cache_geometry *
believed(const struct cache_geometry *const source[3], const char **who)
{
	static const char *const names[] = { "kernel", "CPUID", "CPU file" };

	for (int i = 0; i < 3; i++)
		if (cache_bytes(source[i])) {
			*who = names[i];
			return source[i];
		}
	return NULL;
}

/* A finding where sources report different sizes, or where one source's ways x
 * sets x line is not its size. */
static void cache_finding(char *out, size_t room, const struct topo *t,
			  const char *name,
			  const struct cache_geometry *const source[3],
			  int cpu)
{
	static const char *const who[] = { "the kernel", "CPUID",
					   "the CPU file" };
	const char *ignored;
	const struct cache_geometry *first = believed(source, &ignored);
	bool differ = false;
	size_t used = 0;
	char bytes[32];

	sysfs_cache_refused(out, room, t->sysroot, cpu, name);
	for (int i = 0; i < 3; i++)
		differ |= cache_bytes(source[i]) &&
			  cache_bytes(source[i]) != cache_bytes(first);
	if (*out || !differ)
		return;
	for (int i = 0; i < 3 && used < room; i++) {
		if (!cache_bytes(source[i]))
			continue;
		text_bytes(bytes, sizeof(bytes), cache_bytes(source[i]));
		used += (size_t)snprintf(out + used, room - used,
					 "%s%s says %s", used ? ", " : "",
					 who[i], bytes);
	}
}

/* h: the caches of that name with one size; NULL: the kernel lists none. */
static int cache_row(const struct topo *t, const char *name,
		     const struct cache_geometry *const source[3],
		     const struct topology_cache *h)
{
	const bool here = !h || h->first == t->first;
	const char *who = "", *none = "the kernel does not tell";
	const struct cache_geometry *c = believed(source, &who);
	char finding[160];

	if (!c && !(h && h->bytes))
		return 0;
	cache_finding(finding, sizeof(finding), t, name, source,
		      here ? t->first : h->first);
	const struct assay_field field[] = {
		field_text("cache", name),
		bytes_field("size", c ? cache_bytes(c) : h->bytes, ""),
		number_field("ways", c ? c->ways : 0, none),
		number_field("sets", c ? c->sets * c->slices : 0, none),
		number_field("line", c ? c->line_bytes : 0, none),
		number_field("of them", h ? h->count : 0, t->machine.known ?
			     "hwloc does not see this cache" :
			     why_unknown()),
		field_text("shared by", h ? h->cpus : ""),
		field_text("from", c ? who :
			   t->machine.known ? "hwloc" : "/sys"),
		bytes_field("kernel", cache_bytes(source[0]), none),
		bytes_field("CPUID", cache_bytes(source[1]), here ?
			    "CPUID does not tell" : elsewhere),
		bytes_field("CPU file", cache_bytes(source[2]), here ?
			    "no CPU file fits" : elsewhere),
		field_text("finding", finding),
	};

	return row_emit(t->fn, t->ctx, "cache", field,
			sizeof(field) / sizeof(field[0]));
}

/* CPUID and the CPU file describe the first CPU's caches only. */
static int size_row(const struct topo *t, const char *name, size_t offset,
		    const struct topology_cache *h)
{
	static const struct cache_geometry absent;
	const bool here = !h || h->first == t->first;
	struct geometry other;
	const struct geometry *const from[] = { here ? &t->kernel : &other,
						&t->cpuid, &t->file };
	const struct cache_geometry *source[3];

	if (!here)
		sysfs_caches(&other, t->sysroot, h->first);
	for (int i = 0; i < 3; i++)
		source[i] = offset && (here || !i) ? (const void *)
			    ((const char *)from[i] + offset) : &absent;
	return cache_row(t, name, source, h);
}

static int cache_rows(const struct topo *t)
{
	static const struct { const char *name; size_t offset; } caches[] = {
		{ "L1d", offsetof(struct geometry, l1d) },
		{ "L1i", offsetof(struct geometry, l1i) },
		{ "L2", offsetof(struct geometry, l2) }, { "L2i", 0 },
		{ "L3", offsetof(struct geometry, l3) }, { "L4", 0 },
	};
	const struct topology *m = &t->machine;
	int rc = 0;

	for (size_t i = 0; i < sizeof(caches) / sizeof(caches[0]); i++) {
		bool listed = false;

		for (unsigned n = 0; n < m->caches && !rc; n++) {
			if (strcmp(m->cache[n].name, caches[i].name))
				continue;
			listed = true;
			rc = size_row(t, caches[i].name, caches[i].offset,
				      &m->cache[n]);
		}
		if (!listed && !rc)
			rc = size_row(t, caches[i].name, caches[i].offset,
				      NULL);
	}
	return rc;
}

/* ---- TLBs --------------------------------------------------------------- */

static int tlb_row(const struct topo *t, const char *name,
		   const struct tlb_geometry *cpuid,
		   const struct tlb_geometry *file)
{
	const struct tlb_geometry *b = cpuid->present ? cpuid : file;

	if (!b->present)
		return 0;
	const struct assay_field field[] = {
		field_text("TLB", name),
		number_field("entries", b->entries, ""),
		number_field("ways", b->ways, ""),
		bytes_field("reach of 4 KiB pages", b->entries * 4096ull, ""),
		field_text("from", cpuid->present ? "CPUID" : "CPU file"),
		number_field("CPUID", cpuid->entries, "CPUID does not tell"),
		number_field("CPU file", file->entries, "no CPU file fits"),
	};

	return row_emit(t->fn, t->ctx, "tlb", field,
			sizeof(field) / sizeof(field[0]));
}

static const char *second_name(const struct topo *t)
{
	const struct geometry *g = t->cpuid.l2tlb.present ? &t->cpuid :
							    &t->file;

	return g->split_l2tlb ? "L2 dTLB" : "L2 TLB";
}

static const char *first_name(const struct topo *t)
{
	const struct geometry *g = t->cpuid.dtlb.present ? &t->cpuid : &t->file;

	return g->store_dtlb.present ? "L1 dTLB (loads)" : "L1 dTLB";
}

static int tlb_rows(const struct topo *t)
{
	int rc = tlb_row(t, first_name(t), &t->cpuid.dtlb, &t->file.dtlb);

	if (!rc)
		rc = tlb_row(t, "L1 dTLB (stores)", &t->cpuid.store_dtlb,
			     &t->file.store_dtlb);
	if (!rc)
		rc = tlb_row(t, "L1 iTLB", &t->cpuid.itlb, &t->file.itlb);
	if (!rc)
		rc = tlb_row(t, second_name(t), &t->cpuid.l2tlb,
			     &t->file.l2tlb);
	if (!rc)
		rc = tlb_row(t, "L2 iTLB", &t->cpuid.l2itlb, &t->file.l2itlb);
	return rc;
}

/* ---- kinds of cores ----------------------------------------------------- */

static int kind_row(const struct topo *t, const struct core_kind *k)
{
	static const char none[] = "the kernel does not tell";
	static const char no_tlb[] = "neither CPUID nor a CPU file tells";
	const struct assay_field field[] = {
		field_text("core PMU", k->pmu),
		field_text("CPUs", k->cpus),
		number_field("cores", k->cores, none),
		bytes_field("L1d", cache_bytes(&k->geometry.l1d), none),
		bytes_field("L1i", cache_bytes(&k->geometry.l1i), none),
		bytes_field("L2", cache_bytes(&k->geometry.l2), none),
		number_field("L2 caches", k->l2, none),
		bytes_field("L3", cache_bytes(&k->geometry.l3), none),
		number_field("L1 dTLB", k->geometry.dtlb.entries, no_tlb),
		number_field("L2 TLB", k->geometry.l2tlb.entries, no_tlb),
	};

	return row_emit(t->fn, t->ctx, "kind", field,
			sizeof(field) / sizeof(field[0]));
}

/* TLBs of x86 are from CPUID, those of an Arm core from the CPU file that its
 * MIDR selects. */
static void kind_tlbs(struct core_kind *k, const struct assay *assay)
{
	struct cpu *cpu = k->midr ? host_cpu_by_midr(assay, k->midr) : NULL;

	core_kind_tlbs(k, assay->sysroot);
	if (!cpu)
		return;
	k->geometry.dtlb = cpu->geometry.dtlb;
	k->geometry.l2tlb = cpu->geometry.l2tlb;
	cpu_free(cpu);
}

static int kind_rows(struct topo *t, const struct assay *assay)
{
	int rc = 0;

	for (size_t i = 0; i < t->kinds && t->kinds > 1 && !rc; i++) {
		kind_tlbs(&t->kind[i], assay);
		rc = kind_row(t, &t->kind[i]);
	}
	if (t->kinds > 1)
		t->machine.kinds = (unsigned)t->kinds;
	return rc;
}

/* ---- the machine -------------------------------------------------------- */

static int part_row(const struct topo *t, const char *what, uint64_t count,
		    const char *note)
{
	const struct assay_field field[] = {
		field_text("part", what),
		number_field("number", count, why_unknown()),
		field_text("note", note),
	};

	return row_emit(t->fn, t->ctx, "part", field, 3);
}

static int machine_rows(const struct topo *t, const struct assay *assay)
{
	const struct topology *m = &t->machine;
	char memory[48] = "", cpu[2 * ASSAY_NAME + 32], kinds[64] = "";
	int rc;

	if (m->memory_bytes)
		snprintf(memory, sizeof(memory), "%.1f GiB",
			 (double)m->memory_bytes / (1 << 30));
	if (m->kinds > 1)
		snprintf(kinds, sizeof(kinds), "of %u kinds", m->kinds);
	snprintf(cpu, sizeof(cpu), "%s; CPU file: %s", assay->machine.cpu,
		 *t->cpu_file ? t->cpu_file : "none fits");
	rc = part_row(t, "packages", m->packages, cpu);
	if (!rc)
		rc = part_row(t, "memory nodes", m->nodes, memory);
	if (!rc)
		rc = part_row(t, "cores", m->cores, kinds);
	return rc ? rc : part_row(t, "CPUs", m->cpus, m->cores ?
				  m->cpus > m->cores ? "with SMT" :
				  "one per core" : "");
}

int assay_topo(struct assay *assay, assay_row_fn *fn, void *ctx,
	       struct assay_error *err)
{
	struct topo t = { .sysroot = assay->sysroot, .fn = fn, .ctx = ctx,
			  .first = sysfs_first(assay->sysroot) };
	struct cpu *cpu = host_cpu(assay);
	int rc = env_geometry(&t.kernel, assay->sysroot, err);

	env_cpuid_geometry(&t.cpuid, assay->sysroot);
	if (cpu) {
		t.file = cpu->geometry;
		text_copy(t.cpu_file, sizeof(t.cpu_file), cpu->name);
		cpu_free(cpu);
	}
	topology_read(&t.machine, assay->sysroot);
	t.kinds = core_kinds(t.kind, assay->sysroot);
	if (!rc)
		rc = cache_rows(&t);
	if (!rc)
		rc = tlb_rows(&t);
	if (!rc)
		rc = kind_rows(&t, assay);
	if (!rc)
		rc = machine_rows(&t, assay);
	return rc;
}
