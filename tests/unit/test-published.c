/* SPDX-License-Identifier: MIT */
/*
 * The built-in CPU files against what was published: every event of the lists
 * with its code, whether it exists, and what it counts; counters and geometry.
 */

#include "check.h"

#include "cpus/cpu.h"
#include "cpus/signals.h"

#define STEM 0x1000	/* several unit masks: only the select is given */

static const struct published {
	const char *cpu, *name;
	unsigned select, umask;
	bool implemented;
	const char *traits;
} events[] = {
#define X(...) { __VA_ARGS__ },
#include "published-events.def"
#undef X
};
#define EVENTS (sizeof(events) / sizeof(events[0]))

static struct cpu *load(const char *name)
{
	struct assay_error err = { 0 };
	struct cpu *cpu = NULL;

	if (cpu_load(&cpu, name, NULL, &err))
		fail_msg("%s: %s", name, err.text);
	return cpu;
}

static unsigned select_of(const struct cpu *cpu, uint64_t code)
{
	if (cpu->geometry.isa == ISA_AARCH64)
		return (unsigned)code;
	return (unsigned)((code & 0xff) | code >> 32 << 8);
}

/* By name, or the first whose name continues with a unit's. */
static const struct cpu_event *find(const struct cpu *cpu,
				    const struct published *p)
{
	const size_t length = strlen(p->name);
	const struct cpu_event *e = cpu_event_find(cpu, p->name);

	for (size_t i = 0; i < cpu->events && !e; i++)
		if (!strncmp(cpu->event[i].name, p->name, length) &&
		    strchr(":.", cpu->event[i].name[length]))
			e = &cpu->event[i];
	return e;
}

static void check_traits(const struct published *p, const struct cpu_event *e)
{
	static const enum cpu_trait_kind kinds[] = {
		CPU_SPECULATIVE, CPU_PREFETCHES, CPU_WALKS, CPU_WRITEBACKS
	};

	for (int i = 0; i < 4; i++) {
		struct cpu_trait t;

		cpu_event_trait(&t, e, kinds[i]);
		if (p->traits[i] != '-' &&
		    (!t.value || t.value[0] != p->traits[i]))
			fail_msg("%s %s: %s is '%s', published is '%c'",
				 p->cpu, p->name, cpu_trait_names[kinds[i]],
				 t.value ? t.value : "", p->traits[i]);
	}
}

static void check(const struct cpu *cpu, const struct published *p)
{
	const struct cpu_event *e = find(cpu, p);

	if (!e)
		fail_msg("%s has no %s", p->cpu, p->name);
	if (select_of(cpu, e->code) % 0x1000 != p->select &&
	    (e->code & 0xff) != p->select)
		fail_msg("%s %s: code 0x%llx", p->cpu, p->name,
			 (unsigned long long)e->code);
	if (p->umask && p->umask != STEM && (e->code >> 8 & 0xff) != p->umask)
		fail_msg("%s %s: code 0x%llx", p->cpu, p->name,
			 (unsigned long long)e->code);
	if (e->implemented != p->implemented)
		fail_msg("%s %s: implemented %d", p->cpu, p->name,
			 e->implemented);
	if (!e->present && !*e->absent)
		fail_msg("%s %s: no reason", p->cpu, p->name);
	if (!*e->source || !e->confidence)
		fail_msg("%s %s: no source", p->cpu, p->name);
	if (p->umask == STEM && !cpu_units_find(cpu, p->select))
		fail_msg("%s %s: units are not described", p->cpu, p->name);
	check_traits(p, e);
}

static void every_published_event_is_there(void **ctx)
{
	struct cpu *cpu = NULL;

	(void)ctx;
	for (size_t i = 0; i < EVENTS; i++) {
		if (!cpu || strcmp(cpu->name, events[i].cpu)) {
			cpu_free(cpu);
			cpu = load(events[i].cpu);
		}
		check(cpu, &events[i]);
	}
	cpu_free(cpu);
}

static const struct {
	const char *name;
	unsigned counters;
	unsigned l1d_kib, l1d_ways, l2_kib, l2_ways;
} cpus[] = {
	{ "cortex-a72", 6, 32, 2, 1024, 16 },
	{ "cortex-a76", 6, 64, 4, 512, 8 },
	{ "neoverse-n1", 6, 64, 4, 1024, 8 },
	{ "neoverse-v1", 6, 64, 4, 1024, 8 },
	{ "neoverse-v2", 6, 64, 4, 0, 8 },
	{ "cortex-a53", 6, 32, 4, 512, 16 },
	{ "cortex-a55", 6, 32, 4, 128, 4 },
	{ "cortex-a78", 6, 64, 4, 256, 8 },
	{ "neoverse-n2", 6, 64, 4, 1024, 8 },
	{ "neoverse-v3", 6, 64, 4, 2048, 8 },
	{ "amd-k10", 4, 64, 2, 512, 16 },
	{ "i7-6700hq", 4, 32, 8, 256, 4 },
	{ "skylake-sp", 4, 32, 8, 1024, 16 },
	{ "ice-lake-sp", 8, 48, 12, 1280, 20 },
	{ "sapphire-rapids", 8, 48, 12, 2048, 16 },
	{ "emerald-rapids", 8, 48, 12, 2048, 16 },
	{ "granite-rapids", 8, 48, 12, 2048, 16 },
	{ "alder-lake-p", 8, 48, 12, 1280, 10 },
	{ "alder-lake-e", 6, 32, 8, 2048, 16 },
	{ "arrow-lake-p", 10, 192, 12, 3072, 12 },
	{ "arrow-lake-e", 8, 32, 8, 4096, 16 },
	{ "amd-zen2", 6, 32, 8, 512, 8 },
	{ "amd-zen3", 6, 32, 8, 512, 8 },
	{ "amd-zen4", 6, 32, 8, 1024, 8 },
	{ "amd-zen5", 6, 48, 12, 1024, 16 },
	{ "apple-m1", 8, 128, 8, 12288, 12 },
	{ "apple-m2", 8, 128, 8, 16384, 16 },
	{ "apple-m3", 8, 128, 8, 16384, 16 },
};

static void geometry_is_as_published(void **ctx)
{
	(void)ctx;
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		struct cpu *cpu = load(cpus[i].name);
		const struct geometry *g = &cpu->geometry;

		if (cpu->counters != cpus[i].counters ||
		    cache_bytes(&g->l1d) != cpus[i].l1d_kib * 1024ull ||
		    g->l1d.ways != cpus[i].l1d_ways ||
		    (cpus[i].l2_kib &&
		     cache_bytes(&g->l2) != cpus[i].l2_kib * 1024ull) ||
		    g->l2.ways != cpus[i].l2_ways)
			fail_msg("%s: %u counters, L1D %llu of %u, L2 %llu of "
				 "%u", cpus[i].name, cpu->counters,
				 (unsigned long long)cache_bytes(&g->l1d),
				 g->l1d.ways,
				 (unsigned long long)cache_bytes(&g->l2),
				 g->l2.ways);
		cpu_free(cpu);
	}
}

/* Every fact of every file, with whoever said it. */
static int sourced(void *ctx, const struct cpu *cpu)
{
	(void)ctx;
	for (size_t i = 0; i < cpu->facts; i++)
		if (!cpu->fact[i].confidence || !*cpu->fact[i].source)
			fail_msg("%s: %s has no source", cpu->name,
				 cpu->fact[i].path);
	for (size_t i = 0; i < cpu->events; i++)
		if (!cpu->event[i].trait[CPU_PER].value)
			fail_msg("%s: %s is counted per what?", cpu->name,
				 cpu->event[i].name);
	for (size_t i = 0; i < cpu->generics; i++)
		if (cpu->generic[i].present &&
		    cpu->geometry.isa == ISA_AARCH64 &&
		    !cpu_event_coded(cpu, cpu->generic[i].code))
			fail_msg("%s: %s is 0x%llx, which is no event",
				 cpu->name, cpu->generic[i].name,
				 (unsigned long long)cpu->generic[i].code);
	/* The P core of a hybrid chip has the match of both its cores. */
	return cpu->generics && (cpu->match.family + cpu->match.part ||
				 strstr(cpu->name, "-lake-e")) ? 0 : -1;
}

static void every_fact_has_a_source(void **ctx)
{
	struct assay_error err = { 0 };

	(void)ctx;
	assert_int_equal(cpu_each(NULL, sourced, NULL, &err), 0);
}

/* ---- identity ----------------------------------------------------------- */

static int first_match(void *ctx, const struct cpu *cpu)
{
	struct cpu_identity *id = ctx;

	if (!cpu_matches(cpu, id))
		return 0;
	id->implementer = 0x1000 + cpu->counters;
	return 1;
}

static void files_match_their_cpus(void **ctx)
{
	static const struct {
		struct cpu_identity id;
		bool found;
	} all[] = {
		{ { "AuthenticAMD", 0x10, 2, 0, 0 }, true },
		{ { "AuthenticAMD", 0x19, 0x11, 0, 0 }, true },
		{ { "AuthenticAMD", 0x17, 0x71, 0, 0 }, true },
		{ { "AuthenticAMD", 0x17, 0x11, 0, 0 }, false },
		{ { "AuthenticAMD", 0x1a, 0x11, 0, 0 }, true },
		{ { "AuthenticAMD", 0x1b, 0x11, 0, 0 }, false },
		{ { "GenuineIntel", 6, 0x5e, 0, 0 }, true },
		{ { "GenuineIntel", 6, 0x5f, 0, 0 }, false },
		{ { "", 0, 0, 0x41, 0xd08 }, true },
		{ { "", 0, 0, 0x41, 0xd99 }, false },
		{ { "", 0, 0, 0, 0 }, false },
	};

	(void)ctx;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct cpu_identity id = all[i].id;

		assert_int_equal(cpu_each(NULL, first_match, &id, NULL),
				 all[i].found);
	}
}

/* ---- what a file may say ------------------------------------------------ */

static const char head[] =
	"schema: assay-cpu/1\nname: toy\ntitle: Toy\nisa: x86-64\n"
	"sources: {g: nobody}\n"
	"caches: {from: G g, l1d: {size: 4K, ways: 4, policy: lru}}\n"
	"errata: {slow: it is slow | G g}\n"
	"pmu:\n  from: G g\n  counters: 2\n  bits: 32\n";
static const char tail[] =
	"  events:\n"
	"    FILLS: {code: 0x42, umask: 1, counts: l1d_load_miss + "
	"l1d_prefetch_fill + l1d_walk_miss}\n"
	"    OUT_RETIRED: {code: 0x43, counts: l1d_evict_dirty}\n";

static int parse(struct cpu **out, struct assay_error *err, const char *middle,
		 const char *more)
{
	char text[2048];

	snprintf(text, sizeof(text), "%s%s%s%s", head, middle, tail, more);
	return cpu_parse(out, "toy", text, strlen(text), err);
}

static const struct { const char *middle, *more, *error; } wrong[] = {
	{ "  per: nod\n", "", "did you mean 'node'" },
	{ "", "    X: {code: 1, counts: loads, walks: maybe}\n",
	  "'walks' cannot be 'maybe'" },
	{ "", "    X: {code: 1, counts: loads, errata: [fast]}\n",
	  "no erratum 'fast'" },
	{ "", "    X: {code: 1, counts: loads, errata: [from]}\n",
	  "no erratum 'from'" },
	{ "  umasks: {0x42: {0x100: a}}\n", "", "not a number from 0 to 0xff" },
	{ "  umasks: {0x42: {0: a}}\n", "", "are none" },
	{ "  umasks: {0x42: {1: a, 3: b}}\n", "", "described already" },
	{ "  umasks: {0x4200: {1: a}}\n", "", "0 to 0xfff" },
	{ "  umasks: {0x42: a}\n", "", "must be a mapping" },
	{ "  linux: {cpu-cycles: fast}\n", "", "must be a code" },
};

static void mistakes_are_shown(void **ctx)
{
	(void)ctx;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct assay_error err = { 0 };
		struct cpu *cpu = NULL;

		assert_int_equal(parse(&cpu, &err, wrong[i].middle,
				       wrong[i].more), -ASSAY_EPARSE);
		if (!strstr(err.text, wrong[i].error))
			fail_msg("%s", err.text);
	}
}

static void traits_follow_from_counts(void **ctx)
{
	struct assay_error err = { 0 };
	const struct cpu_event *e;
	const struct cpu_generic *g;
	struct cpu_trait t;
	struct cpu *cpu;

	(void)ctx;
	if (parse(&cpu, &err, "  per: node\n  umasks: {0x42: {1: a, 6: b}, "
		  "0x43: {}}\n  linux: {cpu-cycles: 0x42, LLC-loads: none | "
		  "G g | why not}\n", "    X: {code: 1, counts: l1d_load, "
		  "walks: yes, per: core, errata: slow}\n"))
		fail_msg("%s", err.text);
	e = cpu_event_find(cpu, "FILLS");
	cpu_event_trait(&t, e, CPU_PREFETCHES);
	assert_string_equal(t.value, "yes");
	cpu_event_trait(&t, e, CPU_WALKS);
	assert_string_equal(t.value, "yes");
	cpu_event_trait(&t, e, CPU_WRITEBACKS);
	assert_string_equal(t.value, "no");
	cpu_event_trait(&t, e, CPU_SPECULATIVE);
	assert_null(t.value);
	cpu_event_trait(&t, e, CPU_PER);
	assert_string_equal(t.value, "node");
	e = cpu_event_find(cpu, "OUT_RETIRED");
	cpu_event_trait(&t, e, CPU_WRITEBACKS);
	assert_string_equal(t.value, "yes");
	cpu_event_trait(&t, e, CPU_SPECULATIVE);
	assert_string_equal(t.value, "no");
	e = cpu_event_find(cpu, "X");
	cpu_event_trait(&t, e, CPU_WALKS);
	assert_string_equal(t.value, "yes");
	cpu_event_trait(&t, e, CPU_PER);
	assert_string_equal(t.value, "core");
	assert_string_equal(e->errata[0], "slow");
	assert_int_equal(cpu_units_find(cpu, 0x42)->units, 2);
	assert_int_equal(cpu_units_find(cpu, 0x43)->units, 0);
	assert_null(cpu_units_find(cpu, 0x44));
	g = cpu_generic_find(cpu, "LLC-loads");
	assert_false(g->present);
	assert_string_equal(g->note, "why not");
	assert_int_equal(cpu_generic_find(cpu, "CPU-cycles")->code, 0x42);
	cpu_free(cpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_published_event_is_there),
		cmocka_unit_test(geometry_is_as_published),
		cmocka_unit_test(every_fact_has_a_source),
		cmocka_unit_test(files_match_their_cpus),
		cmocka_unit_test(mistakes_are_shown),
		cmocka_unit_test(traits_follow_from_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
