/* SPDX-License-Identifier: MIT */
/*
 * CPU files: every built-in one loads and says what its sources say; events are
 * found by name, alias, code.
 */
#include "check.h"

#include "assay/error.h"
#include "base/data.h"
#include "base/text.h"
#include "cpus/cpu.h"
#include "cpus/names/products.h"
#include "cpus/signals.h"

/* ---- built-in files ----------------------------------------------------- */

static struct cpu *load(const char *name)
{
	struct assay_error err = { 0 };
	struct cpu *cpu = NULL;

	if (cpu_load(&cpu, name, NULL, &err))
		fail_msg("%s", err.text);
	return cpu;
}

/* What must hold of an event, whatever the CPU. */
static void check_event(const struct cpu *cpu, const struct cpu_event *e)
{
	assert_true(strchr("DRMFG", e->confidence) && e->confidence);
	assert_true(*e->source);
	/* what is fitted names what it was fitted to, and that is no model */
	if (e->confidence == 'F' && strstr(e->source, "model"))
		fail_msg("%s: fitted, by %s", e->name, e->source);
	assert_ptr_equal(cpu_event_find(cpu, e->name), e);
	for (const char *const *a = e->alias; *a; a++)
		assert_ptr_equal(cpu_event_find(cpu, *a), e);
	if (e->present) {
		assert_true(e->implemented && e->counts.nodes > 0);
		assert_true(*e->meaning && *e->counts_text && !*e->absent);
	} else {
		assert_int_equal(e->counts.nodes, 0);
		assert_true(*e->absent && !*e->counts_text);
	}
}

/* A remark does not take back what the confidence says, and says why a fact
 * still stands on memory. */
static void check_fact(const struct cpu_fact *f)
{
	assert_true(f->confidence && *f->source);
	if (f->confidence == 'R' && !*f->note)
		fail_msg("%s: recalled, without the reason", f->path);
	if (f->confidence != 'G' && strstr(f->note, "guess"))
		fail_msg("%s: %c, and a guess", f->path, f->confidence);
}

static char confidence(const struct cpu *cpu, const char *path)
{
	for (size_t i = 0; i < cpu->facts; i++)
		if (strcmp(cpu->fact[i].path, path) == 0)
			return cpu->fact[i].confidence;
	return 0;
}

/* Cycles made of nanoseconds are a guess where the clock is one. */
static void check_latency(const struct cpu *cpu)
{
	if (confidence(cpu, "cycles.ghz") == 'G' &&
	    confidence(cpu, "cycles.dram-extra") != 'G')
		fail_msg("%s: cycles.dram-extra", cpu->name);
}

static void every_file_loads(void **state)
{
	unsigned files = 0;
	char name[64];

	(void)state;
	for (const struct data_file *f = data_files; f->path; f++) {
		struct cpu *cpu;

		if (strncmp(f->path, "cpus/", 5))
			continue;
		text_copy(name, sizeof(name), f->path + 5);
		*strstr(name, ".yaml") = '\0';
		cpu = load(name);
		assert_string_equal(cpu->name, name);
		assert_string_equal(cpu->geometry.name, name);
		assert_true(cpu->geometry.l1d.present && cpu->counters);
		assert_true(cpu->geometry.cycles.l1_hit > 0);
		for (size_t i = 0; i < cpu->events; i++)
			check_event(cpu, &cpu->event[i]);
		for (size_t i = 0; i < cpu->facts; i++)
			check_fact(&cpu->fact[i]);
		check_latency(cpu);
		cpu_free(cpu);
		files++;
	}
	assert_true(files >= 12);
}

/* What differs in a product is in the facts of the CPU of its name. */
static void every_product_loads(void **state)
{
	struct assay_error err = { 0 };
	struct products all;
	unsigned described = 0;

	(void)state;
	assert_int_equal(products_load(&all, NULL, &err), 0);
	for (size_t i = 0; i < all.products; i++) {
		struct cpu *cpu;

		if (!*all.product[i].cpu)
			continue;
		if (cpu_load_sold(&cpu, all.product[i].key, NULL, &err))
			fail_msg("%s", err.text);
		for (size_t k = 0; k < cpu->facts; k++)
			check_fact(&cpu->fact[k]);
		cpu_free(cpu);
		described++;
	}
	assert_true(described >= 40);
	products_free(&all);
}

static void cortex_a72(void **state)
{
	struct cpu *cpu = load("cortex-a72");
	const struct geometry *g = &cpu->geometry;

	(void)state;
	assert_int_equal(g->isa, ISA_AARCH64);
	assert_int_equal(g->l1d.sets, 256);
	assert_int_equal(g->l1d.ways, 2);
	assert_int_equal(g->l1d.policy, REPLACE_LRU);
	assert_int_equal(g->l2.sets, 1024);
	assert_int_equal(g->l2.ways, 16);
	assert_int_equal(g->l2.inclusion, INCLUDE_ALL);
	assert_false(g->l3.present);
	assert_int_equal(g->dtlb.entries, 32);
	assert_int_equal(g->dtlb.ways, 32);
	assert_int_equal(g->l2tlb.entries, 1024);
	assert_int_equal(g->l2tlb.ways, 4);
	assert_int_equal(g->walker.reads_through, WALK_L2);
	assert_true(g->cycles.l1_hit == 4.01 && g->cycles.l2_hit == 20.9);
	assert_true(g->cycles.dram_extra == 186.5);
	assert_int_equal(cpu->counters, 6);
	assert_int_equal(cpu->match.implementer, 0x41);
	assert_int_equal(cpu->match.part, 0xd08);
	cpu_free(cpu);
}

static void cortex_a76(void **state)
{
	struct cpu *cpu = load("cortex-a76");
	const struct geometry *g = &cpu->geometry;

	(void)state;
	assert_int_equal(cache_bytes(&g->l2), 512 << 10);
	assert_int_equal(cache_bytes(&g->l3), 2 << 20);
	assert_int_equal(g->l3.inclusion, INCLUDE_EXCLUSIVE);
	assert_int_equal(g->walker.reads_through, WALK_L1D);
	assert_int_equal(g->l2tlb.ways, 5);
	cpu_free(cpu);
}

/* x86 lists, slices, policies that only some have. */
static void i7_6700hq(void **state)
{
	struct cpu *cpu = load("skl");
	const struct geometry *g = &cpu->geometry;

	(void)state;
	assert_string_equal(cpu->name, "i7-6700hq");
	assert_int_equal(g->isa, ISA_X86_64);
	assert_int_equal(g->l3.slices, 4);
	assert_int_equal(g->l3.sets, 2048);
	assert_int_equal(g->l2.policy, REPLACE_QLRU_H00_M1_R2_U1);
	assert_true(g->l2.silent_clean && g->l2.loud_from_dram);
	assert_int_equal(g->prefetchers, 4);
	assert_string_equal(g->prefetcher[3].name, "streamer");
	assert_int_equal(g->prefetcher[3].trains_on, 2);
	assert_int_equal(cpu->match.models, 1);
	assert_int_equal(cpu->match.model[0], 0x5e);
	assert_string_equal(cpu->match.vendor, "GenuineIntel");
	cpu_free(cpu);
}

/* ---- what events count -------------------------------------------------- */

/* Every signal is its index + 1. */
static struct assay_value by_index(const void *ctx, int name)
{
	(void)ctx;
	assert_in_range(name, 0, CPU_SIGNALS - 1);
	return (struct assay_value){ .number = name + 1 };
}

#define SIGNAL(name) (CPU_SIGNAL_##name + 1.0)

static double count(const struct cpu *cpu, const char *name)
{
	const struct cpu_event *e = cpu_event_find(cpu, name);

	assert_non_null(e);
	assert_true(e->present);
	return expr_value(&e->counts, by_index, NULL).number;
}

static void a72_events(void **state)
{
	struct cpu *cpu = load("cortex-a72");
	const double reads = SIGNAL(l2_load) + SIGNAL(l2_store) +
			     SIGNAL(l2_walk) + SIGNAL(l2_fetch) +
			     SIGNAL(l2_prefetch);

	(void)state;
	assert_true(count(cpu, "0x40") == SIGNAL(l1d_load));
	assert_true(count(cpu, "0x42") == SIGNAL(l1d_load_miss));
	assert_true(count(cpu, "0x50") == reads);
	assert_true(count(cpu, "0x05") ==
		    count(cpu, "0x4C") + count(cpu, "0x4D"));
	assert_true(count(cpu, "0x16") == reads + SIGNAL(l2_writeback));
	assert_true(count(cpu, "0x13") == SIGNAL(loads) + SIGNAL(stores));
	cpu_free(cpu);
}

/* On the A76, page walks look up L1D, and the two halves make the whole. */
static void a76_events(void **state)
{
	struct cpu *cpu = load("cortex-a76");

	(void)state;
	assert_true(count(cpu, "L1D_CACHE") == SIGNAL(l1d_load) +
		    SIGNAL(l1d_store) + SIGNAL(l1d_walk));
	assert_true(count(cpu, "0x04") ==
		    count(cpu, "0x40") + count(cpu, "0x41"));
	assert_true(count(cpu, "0x03") ==
		    count(cpu, "0x42") + count(cpu, "0x43"));
	assert_true(count(cpu, "0x03") ==
		    count(cpu, "0x44") + count(cpu, "0x45"));
	assert_true(count(cpu, "0x16") ==
		    count(cpu, "0x50") + count(cpu, "0x51"));
	assert_true(count(cpu, "0x2B") ==
		    count(cpu, "0xA0") + SIGNAL(l3_writeback));
	assert_true(count(cpu, "0x36") == count(cpu, "0xA0"));
	assert_true(count(cpu, "0x37") == count(cpu, "0x2A"));
	assert_true(count(cpu, "0x13") == SIGNAL(loads) + SIGNAL(stores));
	assert_true(count(cpu, "0x66") == SIGNAL(loads));
	cpu_free(cpu);
}

static void absent_events(void **state)
{
	static const char *const codes[] = { "0x06", "0x07", "0x1F", "0x27",
		"0x28", "0x2C", "0x32", "0x33", "0xA2" };
	struct cpu *cpu = load("cortex-a76");
	const struct cpu_event *e;

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		e = cpu_event_find(cpu, codes[i]);
		assert_non_null(e);
		assert_false(e->present || e->implemented);
		assert_non_null(strstr(e->absent, "not implemented"));
	}
	e = cpu_event_find(cpu, "UNALIGNED_LD_SPEC");
	assert_false(e->present);
	assert_true(e->implemented);
	cpu_free(cpu);
}

/* `cycles` is the model of base/geometry.h. */
static void cycles_are_the_model(void **state)
{
	static const char *const names[] = { "cortex-a72", "cortex-a76" };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct cpu *cpu = load(names[i]);
		const struct cycle_model *c = &cpu->geometry.cycles;
		const double last = i ? c->l3_hit : c->l2_hit;
		const double is = count(cpu, "CPU_CYCLES");
		const double should =
			c->per_instruction * SIGNAL(instructions) +
			c->l1_hit * SIGNAL(served_l1) +
			c->l2_hit * SIGNAL(served_l2) +
			c->l3_hit * SIGNAL(served_l3) +
			(last + c->dram_extra) * SIGNAL(served_dram) +
			c->dtlb_miss * (SIGNAL(dtlb_load_miss) +
					SIGNAL(dtlb_store_miss)) +
			c->page_walk * (SIGNAL(walks_load) +
					SIGNAL(walks_store)) +
			c->mispredict * SIGNAL(mispredicts) +
			c->restart * SIGNAL(passes);

		assert_true(is > should * (1 - 1e-12) &&
			    is < should * (1 + 1e-12));
		cpu_free(cpu);
	}
}

static void lookup(void **state)
{
	struct cpu *cpu = load("cortex-a72");
	const struct cpu_event *e = cpu_event_find(cpu, "L1D_CACHE_LD");

	(void)state;
	assert_non_null(e);
	assert_int_equal(e->code, 0x40);
	assert_ptr_equal(cpu_event_find(cpu, "l1d_cache_ld"), e);
	assert_ptr_equal(cpu_event_find(cpu, "L1D_CACHE_RD"), e);
	assert_ptr_equal(cpu_event_find(cpu, "0x40"), e);
	assert_ptr_equal(cpu_event_find(cpu, "0x0040"), e);
	assert_ptr_equal(cpu_event_find(cpu, "r40"), e);
	assert_ptr_equal(cpu_event_find(cpu, "R40"), e);
	assert_null(cpu_event_find(cpu, "40"));
	assert_null(cpu_event_find(cpu, "0x"));
	assert_null(cpu_event_find(cpu, "0xfff"));
	assert_null(cpu_event_find(cpu, "r4g"));
	assert_null(cpu_event_find(cpu, "r 40"));
	assert_null(cpu_event_find(cpu, "r00000000000000040"));
	assert_null(cpu_event_find(cpu, ""));
	cpu_free(cpu);
}

/* perf's raw code: event | umask << 8 | bits 8..11 of the event << 32 */
static void codes_of_x86(void **state)
{
	struct cpu *k10 = load("k10"), *skl = load("i7-6700hq");
	const struct cpu_event *e = cpu_event_find(k10, "READ_REQUEST_TO_L3");

	(void)state;
	assert_int_equal(e->code, 0x40000f7e0);
	assert_ptr_equal(cpu_event_find(k10, "r40000f7e0"), e);
	assert_int_equal(cpu_event_find(k10, "DATA_CACHE_REFILLS:L2")->code,
			 0x1e42);
	assert_ptr_equal(cpu_event_find(k10, "data_cache_refills.l2"),
			 cpu_event_find(k10, "r1e42"));
	assert_ptr_equal(cpu_event_find(skl, "l2_lines_in:all"),
			 cpu_event_find(skl, "r1ff1"));
	/* 041 has no unit masks: those given are ignored; 042 has some */
	assert_string_equal(cpu_event_find(k10, "r141")->name,
			    "DATA_CACHE_MISSES");
	assert_null(cpu_event_coded(k10, 0x141));
	assert_null(cpu_event_find(k10, "r8142"));
	assert_null(cpu_event_find(skl, "r7fc0"));
	cpu_free(k10);
	cpu_free(skl);
}

/* ---- names -------------------------------------------------------------- */

static void names_and_suggestions(void **state)
{
	static const struct { const char *name, *said; } rows[] = {
		{ "cortex-a27",
		  "no CPU is called 'cortex-a27'; did you mean 'cortex-a72'?" },
		{ "sapphire",
		  "no CPU is called 'sapphire'; did you mean 'sapphire-rapids'?" },
		{ "rasberry-pi-5",
		  "no CPU is called 'rasberry-pi-5'; did you mean 'raspberry-pi-5'?" },
		{ "vax-11/780 ", "cannot read 'vax-11/780 ': "
		  "No such file or directory" },
		{ "pentium-pro", "no CPU is called 'pentium-pro'\n"
		  "try: assay list cpus" },
		{ "../cpus/cortex-a72",
		  "cannot read '../cpus/cortex-a72': No such file or directory" },
	};
	struct assay_error err = { 0 };
	struct cpu *cpu = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(cpu_load(&cpu, rows[i].name, NULL, &err),
				 -ASSAY_ENOENT);
		assert_string_equal(err.text, rows[i].said);
		assert_null(cpu);
	}
	cpu = load("Raspberry-PI-4");
	assert_string_equal(cpu->name, "cortex-a72");
	cpu_free(cpu);
	cpu_free(NULL);
}

/* ---- rows --------------------------------------------------------------- */

struct seen {
	unsigned cpus, facts, events, errata, sources, stop_after;
	bool a72_ways;
};

static const char *text_of(const struct assay_row *row, const char *name)
{
	for (size_t i = 0; i < row->fields; i++)
		if (!strcmp(row->field[i].name, name))
			return row->field[i].text;
	return "";
}

static int see(void *ctx, const struct assay_row *row)
{
	struct seen *s = ctx;

	s->cpus += !strcmp(row->type, "cpu");
	s->facts += !strcmp(row->type, "fact");
	s->events += !strcmp(row->type, "event");
	s->errata += !strcmp(row->type, "erratum");
	s->sources += !strcmp(row->type, "source");
	if (!strcmp(text_of(row, "fact"), "caches.l1d.ways") &&
	    !strcmp(text_of(row, "value"), "2") &&
	    !strcmp(text_of(row, "confidence"), "D") &&
	    !strcmp(text_of(row, "source"), "wiki72"))
		s->a72_ways = true;
	return s->stop_after && s->cpus + s->facts == s->stop_after;
}

static void rows(void **state)
{
	struct cpu *cpu = load("cortex-a72");
	struct seen s = { 0 }, few = { .stop_after = 3 };
	struct assay_error err = { 0 };

	(void)state;
	assert_int_equal(cpu_describe(cpu, NULL, see, &s), 0);
	assert_int_equal(s.facts, cpu->facts);
	assert_int_equal(s.events, cpu->events);
	assert_int_equal(s.sources, cpu->cites);
	assert_true(s.a72_ways);
	assert_int_equal(s.cpus, 1);
	assert_int_not_equal(cpu_describe(cpu, NULL, see, &few), 0);
	assert_int_equal(few.facts, 2);	/* and what the CPU is called */
	cpu_free(cpu);
	assert_int_equal(cpu_list(NULL, see, &s, &err), 0);
	assert_true(s.cpus >= 1 + 12);
	few = (struct seen){ .stop_after = 2 };
	assert_int_not_equal(cpu_list(NULL, see, &few, &err), 0);
	assert_int_equal(few.cpus, 2);
}

static void holds(const struct geometry *g, enum page_size size,
		  uint32_t dtlb, uint32_t itlb, uint32_t l2tlb,
		  uint32_t l2itlb)
{
	struct geometry placed = *g;

	geometry_place(&placed, &(struct page_map){ .size = size });
	assert_int_equal(placed.page_map.size, size);
	assert_int_equal(placed.dtlb.entries, dtlb);
	assert_int_equal(placed.itlb.entries, itlb);
	assert_int_equal(placed.l2tlb.entries, l2tlb);
	assert_int_equal(placed.l2itlb.entries, l2itlb);
	assert_int_equal(placed.l2itlb.present, l2itlb > 0);
	geometry_place(&placed, &g->page_map);
	assert_memory_equal(&placed, g, sizeof(placed));
}

/* Entries of their own, and those that all sizes share. */
static void pages_have_sizes(void **state)
{
	struct cpu *skylake = load("i7-6700hq"), *k10 = load("amd-k10"),
		   *m1 = load("apple-m1"), *ice = load("ice-lake-sp");

	(void)state;
	holds(&skylake->geometry, PAGE_4K, 64, 128, 1536, 0);
	holds(&skylake->geometry, PAGE_2M, 32, 8, 1536, 0);
	holds(&skylake->geometry, PAGE_1G, 4, 128, 16, 0);
	holds(&k10->geometry, PAGE_4K, 48, 32, 512, 512);
	holds(&k10->geometry, PAGE_2M, 48, 16, 128, 0);
	assert_int_equal(k10->geometry.tlbs[PAGE_2M].l2tlb.ways, 2);
	assert_int_equal(k10->geometry.page_map.size, PAGE_4K);
	assert_true(k10->geometry.split_l2tlb);
	assert_false(skylake->geometry.split_l2tlb);
	holds(&m1->geometry, PAGE_16K, 160, 192, 3072, 0);
	assert_int_equal(m1->geometry.page, PAGE_16K);
	assert_int_equal(m1->geometry.page_map.size, PAGE_16K);
	for (int i = 0; i < PAGE_SIZES; i++)
		assert_int_equal(ice->geometry.tlbs[i].store_dtlb.entries, 16);
	assert_int_equal(ice->geometry.store_dtlb.ways, 16);
	assert_false(skylake->geometry.store_dtlb.present);
	cpu_free(ice);
	cpu_free(skylake);
	cpu_free(k10);
	cpu_free(m1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_file_loads),
		cmocka_unit_test(every_product_loads),
		cmocka_unit_test(cortex_a72),
		cmocka_unit_test(cortex_a76),
		cmocka_unit_test(i7_6700hq),
		cmocka_unit_test(a72_events),
		cmocka_unit_test(a76_events),
		cmocka_unit_test(absent_events),
		cmocka_unit_test(cycles_are_the_model),
		cmocka_unit_test(lookup),
		cmocka_unit_test(codes_of_x86),
		cmocka_unit_test(names_and_suggestions),
		cmocka_unit_test(rows),
		cmocka_unit_test(pages_have_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
