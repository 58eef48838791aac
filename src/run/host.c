/* SPDX-License-Identifier: MIT */
/* This machine: finds its CPU file, and makes a model of the file or of
 * guesses. */
#include "run/host.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cpus/hierarchy-write.h"
#include "cpus/pool.h"
#include "env/env.h"
#include "env/machine/machine.h"

struct match {
	struct cpu_identity id;
	char name[ASSAY_NAME];
};

static int identify(struct machine_id *out, const struct assay *assay)
{
	struct probe *probe = malloc(sizeof(*probe));

	if (!probe)
		return -ASSAY_ENOMEM;
	probe_init_quiet(probe, assay->sysroot);
	machine_identify(out, probe);
	free(probe);
	return 0;
}

static int match_file(void *ctx, const struct cpu *cpu)
{
	struct match *m = ctx;

	if (!cpu_matches(cpu, &m->id))
		return 0;
	text_copy(m->name, sizeof(m->name), cpu->name);
	return 1;
}

static struct cpu *find(const struct assay *assay, const struct machine_id *id)
{
	struct match match = { .name = "" };
	struct cpu *cpu = NULL;

	match.id.vendor = id->vendor;
	match.id.family = id->family > 0 ? (unsigned)id->family : 0;
	match.id.model = id->model > 0 ? (unsigned)id->model : 0;
	match.id.implementer = id->midr >> 24;
	match.id.part = id->midr >> 4 & 0xfff;
	if (cpu_each(assay->data_dir, match_file, &match, NULL) == 1 &&
	    cpu_load(&cpu, match.name, assay->data_dir, NULL))
		return NULL;
	return cpu;
}

bool host_match(struct cpu_match *out, const struct assay *assay)
{
	struct machine_id id = { .isa = MACHINE_OTHER };

	if (identify(&id, assay) || id.isa == MACHINE_OTHER)
		return false;
	/* Of a vendor without event tables nothing can be found. */
	*out = (struct cpu_match){
		.implementer = id.midr >> 24, .part = id.midr >> 4 & 0xfff,
		.vendor = !strcmp(id.vendor, "AuthenticAMD") ? "AuthenticAMD" :
			  !strcmp(id.vendor, "GenuineIntel") ? "GenuineIntel" :
			  "",
		.family = id.family > 0 ? (unsigned)id.family : 0,
		.models = id.model > 0, .model = { (unsigned)id.model },
		.steppings = id.stepping >= 0,
		.stepping = { (unsigned)id.stepping },
	};
	return true;
}

struct cpu *host_cpu(const struct assay *assay)
{
	struct machine_id id = { .isa = MACHINE_OTHER };

	if (identify(&id, assay) || id.isa == MACHINE_OTHER)
		return NULL;
	return find(assay, &id);
}

struct cpu *host_cpu_by_midr(const struct assay *assay, unsigned midr)
{
	const struct machine_id id = { .isa = MACHINE_ARM, .midr = midr };

	return find(assay, &id);
}

/* A hybrid chip's P core has the match; its E core's file ends with -e. */
struct cpu *host_cpu_by_pmu(const struct assay *assay, const char *pmu)
{
	struct cpu *cpu = host_cpu(assay);
	char name[ASSAY_NAME];
	size_t length;

	if (!cpu || strcmp(pmu, "cpu_atom"))
		return cpu;
	text_copy(name, sizeof(name), cpu->name);
	cpu_free(cpu);
	cpu = NULL;
	length = strlen(name);
	if (length < 2 || strcmp(name + length - 2, "-p"))
		return NULL;
	name[length - 1] = 'e';
	return cpu_load(&cpu, name, assay->data_dir, NULL) ? NULL : cpu;
}

enum code_layout host_layout(const struct assay *assay)
{
	struct machine_id id = { .isa = MACHINE_OTHER };

	identify(&id, assay);
	if (id.isa != MACHINE_X86)
		return CODE_PMUV3;
	return strcmp(id.vendor, "AuthenticAMD") ? CODE_INTEL : CODE_AMD;
}

/* ---- a CPU file patched ------------------------------------------------- */

enum { MOST_FACTS = 48 };

/* Values that the machine reports and that replace the file's. */
struct patch {
	struct cpu *cpu;
	struct pool *pool;	/* the CPU's: owns texts and arrays */
	struct cpu_fact fact[MOST_FACTS];
	size_t facts;
	bool failed;		/* out of memory */
};

static void add_fact(struct patch *p, const char *part, const char *key,
		     uint64_t number, bool bytes)
{
	char path[64], value[32];
	struct cpu_fact *f = &p->fact[p->facts];

	if (p->facts == MOST_FACTS)
		return;
	snprintf(path, sizeof(path), "%s.%s", part, key);
	snprintf(value, sizeof(value), "%" PRIu64, number);
	if (bytes)
		text_bytes(value, sizeof(value), number);
	*f = (struct cpu_fact){
		.path = pool_text(p->pool, path, strlen(path)),
		.value = pool_text(p->pool, value, strlen(value)),
		.source = "kernel", .confidence = 'D', .note = "",
	};
	p->failed |= !f->path || !f->value;
	p->facts++;
}

/* The kernel reports no slices, and the file's number does not divide sets. */
static void guess_slices(struct patch *p, const char *part, uint32_t slices)
{
	const size_t at = p->facts;

	add_fact(p, part, "slices", slices, false);
	if (p->facts == at)
		return;
	p->fact[at].confidence = 'G';
	p->fact[at].note = "not reported; the file's number does not divide "
			   "the sets";
}

/* The hash over slices cannot be read from the machine: the file's stays. */
static void patch_cache(struct patch *p, const char *part,
			struct cache_geometry *to,
			const struct cache_geometry *from)
{
	const uint32_t slices = to->present ? to->slices : 1;

	if (!from->present)
		return;
	if (!to->present)
		*to = *from;
	to->ways = from->ways;
	to->line_bytes = from->line_bytes;
	to->slices = from->sets % slices ? 1 : slices;
	to->sets = from->sets / to->slices;
	add_fact(p, part, "size", cache_bytes(to), true);
	add_fact(p, part, "ways", to->ways, false);
	add_fact(p, part, "line", to->line_bytes, false);
	if (to->slices != slices)
		guess_slices(p, part, to->slices);
}

/* The member of *tlbs at that offset. */
static struct tlb_geometry *tlb_at(struct tlbs *tlbs, size_t at)
{
	return (struct tlb_geometry *)((char *)tlbs + at);
}

static void patch_entries(struct tlb_geometry *to,
			  const struct tlb_geometry *from)
{
	to->present = true;
	to->entries = from->entries;
	to->ways = from->ways;
}

/*
 * One TLB (at: its offset in struct tlbs) for all page sizes. A page size that
 * the machine does not report, and whose TLB in the file equals that of 4 KiB
 * pages, gets what is reported for 4 KiB pages.
 */
static void patch_tlb(struct patch *p, const char *name, size_t at,
		      const struct geometry *machine)
{
	struct tlbs *tlbs = p->cpu->geometry.tlbs, reported[PAGE_SIZES];
	const struct tlb_geometry was = *tlb_at(tlbs, at);
	char part[32];

	memcpy(reported, machine->tlbs, sizeof(reported));
	for (int i = 0; was.present && i < PAGE_SIZES; i++) {
		struct tlb_geometry *to = tlb_at(tlbs + i, at);
		const struct tlb_geometry *from = tlb_at(reported + i, at);
		const bool shared = to->present && to->ways == was.ways &&
				    to->entries == was.entries;

		if (!from->present && shared)
			from = tlb_at(reported, at);
		if (!from->present)
			continue;
		patch_entries(to, from);
		if (from == tlb_at(reported, at) && i != PAGE_4K)
			continue;
		snprintf(part, sizeof(part), "tlbs.%s%s%s", name,
			 i ? "." : "", i ? page_names[i] : "");
		add_fact(p, part, "entries", to->entries, false);
		add_fact(p, part, "ways", to->ways, false);
	}
}

static bool replaced(const struct patch *p, const char *path)
{
	for (size_t i = 0; i < p->facts; i++)
		if (p->fact[i].path && !strcmp(p->fact[i].path, path))
			return true;
	return false;
}

/* The CPU's facts become the file's without those replaced, and the patch's. */
static void merge_facts(struct patch *p)
{
	struct cpu *cpu = p->cpu;
	struct cpu_source *cited = pool_array(p->pool, cpu->cites + 1,
					      sizeof(*cited));
	struct cpu_fact *all = pool_array(p->pool, cpu->facts + p->facts,
					  sizeof(*all));
	size_t n = 0;

	p->failed |= !all || !cited;
	if (p->failed)
		return;
	for (size_t i = 0; i < cpu->facts; i++)
		if (!replaced(p, cpu->fact[i].path))
			all[n++] = cpu->fact[i];
	memcpy(all + n, p->fact, p->facts * sizeof(*all));
	cpu->fact = all;
	cpu->facts = n + p->facts;
	memcpy(cited, cpu->cited, cpu->cites * sizeof(*cited));
	cited[cpu->cites] = (struct cpu_source){ "kernel", HIERARCHY_KERNEL };
	cpu->cited = cited;
	cpu->cites++;
}

static int patch_file(struct cpu *cpu, const struct geometry *g,
		      const struct assay *assay, struct assay_error *err)
{
	struct patch p = { .cpu = cpu, .pool = cpu->owned };
	struct geometry *to = &cpu->geometry;
	char title[ASSAY_NAME + 64];

	patch_cache(&p, "caches.l1d", &to->l1d, &g->l1d);
	patch_cache(&p, "caches.l1i", &to->l1i, &g->l1i);
	patch_cache(&p, "caches.l2", &to->l2, &g->l2);
	if (to->l2.present)
		patch_cache(&p, "caches.l3", &to->l3, &g->l3);
	patch_tlb(&p, "dtlb", offsetof(struct tlbs, dtlb), g);
	patch_tlb(&p, "store-dtlb", offsetof(struct tlbs, store_dtlb), g);
	patch_tlb(&p, "itlb", offsetof(struct tlbs, itlb), g);
	patch_tlb(&p, "l2tlb", offsetof(struct tlbs, l2tlb), g);
	patch_tlb(&p, "l2itlb", offsetof(struct tlbs, l2itlb), g);
	geometry_place(to, &(struct page_map){
		.kind = to->page_map.kind, .size = to->page_map.size,
		.seed = to->page_map.seed });
	merge_facts(&p);
	snprintf(title, sizeof(title), "this machine: %s, after %s",
		 assay->machine.cpu, cpu->name);
	cpu->title = pool_text(p.pool, title, strlen(title));
	cpu->name = "host";
	text_copy(to->name, sizeof(to->name), "host");
	return p.failed || !cpu->title ? error_memory(err) : 0;
}

/* ---- no CPU file matches: a CPU file is written and parsed -------------- */

/* Events under plain names, because the vendor's names are not known. */
static const struct { const char *name, *counts, *means; } events[] = {
	{ "INSTRUCTIONS", "instructions", "instructions retired" },
	{ "CYCLES", "cycles", "cycles of the model" },
	{ "LOADS", "loads", "load instructions retired" },
	{ "STORES", "stores", "store instructions retired" },
	{ "BRANCHES", "branches", "branches retired" },
	{ "BRANCH_MISSES", "mispredicts", "branches mispredicted" },
	{ "L1D_MISSES", "l1d_load_miss + l1d_store_miss",
	  "loads and stores that missed L1D" },
	{ "L2_MISSES", "l2_load_miss + l2_store_miss",
	  "loads and stores that missed L2" },
	{ "DRAM_READS", "dram_read", "lines read from memory" },
	{ "DTLB_MISSES", "dtlb_load_miss + dtlb_store_miss",
	  "loads and stores that missed the data TLB" },
};

/* Copies the characters that may stand in a quoted YAML string. */
static void plain(char *out, size_t room, const char *text)
{
	size_t n = 0;

	for (; *text && n + 1 < room; text++)
		if (*text >= ' ' && *text < 127 && *text != '"' &&
		    *text != '\\')
			out[n++] = *text;
	out[n] = '\0';
}

static void describe(FILE *out, const struct geometry *g,
		     const struct assay *assay)
{
	char cpu[ASSAY_NAME];

	plain(cpu, sizeof(cpu), assay->machine.cpu);
	fprintf(out, "schema: assay-cpu/1\nname: host\ntitle: \"this machine: "
		"%s\"\nisa: %s\nsources:\n  kernel: %s\n  guess: not reported "
		"by the machine\n", cpu, isa_names[g->isa], HIERARCHY_KERNEL);
	hierarchy_write(out, g);
	fprintf(out, "predictor:\n  from: G guess\n  kind: tage\n"
		"  entries: 8192\n  history: 256\n  return-stack: 32\n"
		"page-map:\n  from: G guess\n  kind: random\n  seed: 1\n"
		"cycles:\n  from: G guess\n  l1-hit: 4\n  l2-hit: 14\n"
		"  l3-hit: 50\n  dram-extra: 250\n  mispredict: 15\n"
		"pmu:\n  from: G guess\n  counters: 8\n  bits: 64\n  events:\n");
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		fprintf(out, "    %s:\n      code: %zu\n      counts: %s\n"
			"      means: %s\n", events[i].name, i + 1,
			events[i].counts, events[i].means);
}

static int guess_cpu(struct cpu **out, const struct geometry *g,
		     const struct assay *assay, struct assay_error *err)
{
	char *text = NULL;
	size_t bytes;
	FILE *file = open_memstream(&text, &bytes);
	int rc;

	if (file)
		describe(file, g, assay);
	rc = !file || fclose(file) ? error_memory(err) :
	     cpu_parse(out, "this machine", text, bytes, err);
	free(text);
	return rc;
}

int host_model(struct cpu **out, char *file, size_t room,
	       const struct assay *assay, struct assay_error *err)
{
	struct geometry g;
	struct cpu *cpu;
	int rc = env_geometry(&g, assay->sysroot, err);

	text_copy(file, room, "");
	if (rc)
		return rc;
	cpu = host_cpu(assay);
	if (!cpu && !g.l1d.present) {
		error_set(err, -ASSAY_ENOENT, "this machine does not report "
			  "its caches, and no CPU file matches it");
		error_add(err, "try: assay list cpus");
		return -ASSAY_ENOENT;
	}
	if (!cpu)
		return guess_cpu(out, &g, assay, err);
	text_copy(file, room, cpu->name);
	rc = patch_file(cpu, &g, assay, err);
	if (rc)
		cpu_free(cpu);
	else
		*out = cpu;
	return rc;
}
