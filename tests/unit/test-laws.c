/* SPDX-License-Identifier: MIT */
/*
 * The laws between events (data/identities) on every built-in CPU, over drawn
 * streams of all that a stream may hold: accesses across lines and pages, code,
 * branches, prefetch instructions, flushes, streaming stores; prefetchers off
 * and on. And no event adds up to less than nothing.
 */
#include "check.h"
#include "draw.h"

#include "analysis/identity.h"
#include "base/access.h"
#include "base/data.h"
#include "base/text.h"
#include "cpus/cpu.h"
#include "cpus/signals.h"
#include "sim/sim.h"

#define RECORDS 30000
#define LAWS 96
#define STREAMS 4

/*
 * Of the models alone, in which nothing is speculative, on its way, or of
 * another core. In small letters: signals.
 */
static const char model[] =
	"schema: assay-identities/1\n"
	"name: model\ntitle: t\nsource: s\ncpus: ['*']\nidentities:\n"
#define LAW(name, left, is, right) \
	"  - {name: " name ", left: '" left "', is: '" is "', right: '" right \
	"', why: w}\n"
	LAW("a", "L2D_TLB", "=", "L1D_TLB_REFILL + L1I_TLB_REFILL")
	LAW("b", "L2D_TLB_REFILL", "=", "DTLB_WALK + ITLB_WALK")
	LAW("c", "DTLB_WALK", "=", "L2D_TLB_REFILL_RD + L2D_TLB_REFILL_WR")
	LAW("d", "L1D_TLB_REFILL", "=", "L2D_TLB_RD + L2D_TLB_WR")
	LAW("e", "L3D_CACHE", "=", "L3D_CACHE_RD + L3D_CACHE_ALLOCATE")
	LAW("f", "LL_CACHE_MISS_RD", "=", "dram_read")
	LAW("g", "LL_CACHE_RD + LL_CACHE_MISS_RD", ">=", "L2D_CACHE_REFILL")
	LAW("h", "L3D_CACHE_REFILL", "=", "dram_read")
	LAW("i", "LDST_SPEC", "=", "LD_SPEC + ST_SPEC")
	LAW("j", "BR_PRED", "=", "BR_IMMED_SPEC + BR_INDIRECT_SPEC")
	LAW("k", "L2D_CACHE_RD", ">=", "L1D_CACHE_REFILL + L1I_CACHE_REFILL")
	LAW("l", "MEM_LOAD_RETIRED.L1_HIT + MEM_LOAD_RETIRED.L1_MISS", "=",
	    "MEM_INST_RETIRED.ALL_LOADS")
	LAW("m", "MEM_LOAD_RETIRED.L2_MISS", "=",
	    "MEM_LOAD_RETIRED.L3_HIT + MEM_LOAD_RETIRED.L3_MISS")
	LAW("n", "MEM_LOAD_RETIRED.L1_MISS", "<=",
	    "L2_RQSTS.ALL_DEMAND_DATA_RD")
	LAW("o", "L2_RQSTS.MISS", "=", "LONGEST_LAT_CACHE.REFERENCE")
	LAW("p", "OFFCORE_REQUESTS.ALL_DATA_RD", "<=", "L2_RQSTS.MISS")
	LAW("q", "MEM_INST_RETIRED.STLB_MISS_LOADS", "=",
	    "DTLB_LOAD_MISSES.WALK_COMPLETED")
	LAW("r", "L2_LINES_OUT.SILENT + L2_LINES_OUT.NON_SILENT", "<=",
	    "L2_LINES_IN.ALL")
	LAW("s", "L2_LINES_OUT.USELESS_HWPF", "<=",
	    "L2_LINES_OUT.SILENT + L2_LINES_OUT.NON_SILENT")
	LAW("t", "REQUESTS_TO_L2_GROUP1:ALL_NO_PREFETCH", "=",
	    "CORE_TO_L2_ACCESS_STATUS:HIT + CORE_TO_L2_ACCESS_STATUS:MISS")
	LAW("u", "ANY_DATA_CACHE_FILLS:ALL", "=", "MAB_ALLOCATION_BY_TYPE:ALL")
	LAW("v", "DATA_CACHE_REFILLS:ALL", "=",
	    "REQUESTS_TO_L2:DC + REQUESTS_TO_L2:HW_PREFETCH")
	LAW("w", "NORTHBRIDGE_READ_RESPONSES:ALL", "=", "READ_REQUEST_TO_L3")
	LAW("x", "L3_CACHE_MISSES", "=", "dram_read")
	/* not of E cores, which count no prefetch of L2 here: they have no
	 * L2_RQSTS.MISS, and an absent event makes the law absent */
	LAW("y", "LONGEST_LAT_CACHE.MISS + 0 * L2_RQSTS.MISS", "=", "dram_read")
	LAW("z", "L1_DTLB_HIT + L1_DTLB_MISS_L2_DTLB_HIT + L1_L2_DTLB_MISS",
	    ">=", "DATA_CACHE_ACCESSES");

static uint64_t seed, record[RECORDS + 1];
static unsigned modelled[LAWS];

struct counted {
	const struct cpu *cpu;
	const uint64_t *signal;
	bool mixed;	/* reads of the second-level TLB have code among them */
};

static uint64_t draw(uint64_t below)
{
	return (draw_next(&seed) >> 20) % below;
}

static struct assay_value of_signal(const void *ctx, int name)
{
	const uint64_t *signal = ctx;

	return (struct assay_value){ .number = (double)signal[name] };
}

/* Of an event, or of a signal. */
static struct assay_value count(void *ctx, const char *name)
{
	const struct counted *c = ctx;
	const struct cpu_event *e = cpu_event_find(c->cpu, name);
	const int signal = signal_find(name);

	if (signal >= 0 && signal < SIGNALS)
		return of_signal(c->signal, signal);
	if (!e || !e->present || (c->mixed && strstr(name, "L2D_TLB_") == name &&
				  strstr(name, "_RD")))
		return (struct assay_value){ .why = "not counted" };
	return expr_value(&e->counts, of_signal, c->signal);
}

/* Near, farther off and far; every other one within 16 KiB. */
static uint64_t address(void)
{
	return ACCESS_ARENA_BASE + draw(UINT64_C(1) << (14 + draw(2) *
							draw(12)));
}

static uint64_t draw_access(bool aligned)
{
	const unsigned log2_bytes = (unsigned)draw(5);
	const unsigned what = (unsigned)draw(40);
	enum access_kind kind = what < 2 ? ACCESS_STORE_NT : what < 4 ?
				ACCESS_FLUSH : what < 7 ? ACCESS_PREFETCH :
				what < 18 ? ACCESS_STORE : ACCESS_LOAD;
	const uint64_t mask = aligned ? ((uint64_t)1 << log2_bytes) - 1 : 0;

	return access_pack(kind, log2_bytes, 8 + (unsigned)draw(8),
			   address() & ~mask);
}

static uint64_t draw_flow(void)
{
	const uint64_t to = ACCESS_CODE_BASE + 4 * draw(1 << 18);

	switch (draw(8)) {
	case 0: return access_pack(ACCESS_CALL, 0, 1, to);
	case 1: return access_pack(ACCESS_RETURN, 0, 2, to);
	case 2: return access_pack(ACCESS_JUMP, 0, 3, to);
	case 3: return access_pack(ACCESS_FETCH, 2, 0, to);
	default:
		return access_pack(ACCESS_BRANCH, draw(4) != 0,
				   4 + (unsigned)draw(4), 1);
	}
}

/* One instruction in each record, but for fetches; and as many again. */
static void draw_stream(unsigned stream)
{
	seed = UINT64_C(0x9e3779b97f4a7c15) * (stream + 1);
	for (size_t i = 0; i < RECORDS; i++)
		record[i] = draw(4) ? draw_access(stream % 2) : draw_flow();
	record[RECORDS] = access_pack(ACCESS_RETIRE, 0, 0, 2 * RECORDS);
}

/* How many of the laws do not hold; checked[i]: how often law i could be. */
static unsigned broken(const struct counted *c, const struct identities *laws,
		       const char *where, unsigned *checked)
{
	const struct identity_check check = { true, false, count, (void *)c };
	struct identity_finding f[LAWS];
	const size_t n = identities_check(laws, &check, f, LAWS);
	unsigned wrong = 0;

	assert_true(n <= LAWS);
	for (; wrong < n && f[wrong].state == IDENTITY_VIOLATED; wrong++)
		print_error("%s: %s: %s %.0f, %s %.0f\n", where,
			    f[wrong].identity->name,
			    f[wrong].identity->left.text, f[wrong].left.number,
			    f[wrong].identity->right.text,
			    f[wrong].right.number);
	for (size_t i = 0; checked && i < n; i++)
		checked[f[i].identity - laws->identity]++;
	return wrong;
}

static unsigned negative(const struct counted *c, const char *where)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < c->cpu->events; i++) {
		const struct cpu_event *e = &c->cpu->event[i];

		if (!e->present || expr_value(&e->counts, of_signal,
					      c->signal).number >= 0)
			continue;
		print_error("%s: %s is negative\n", where, e->name);
		wrong++;
	}
	return wrong;
}

/* How much is wrong of one CPU after one stream. */
static unsigned try(const struct cpu *cpu, const struct identities *laws,
		    const struct identities *models, unsigned stream)
{
	struct geometry g = cpu->geometry;
	struct counted c = { cpu, NULL, false };
	char where[96];
	unsigned wrong;
	void *memory;
	struct sim *sim;

	for (unsigned i = 0; i < g.prefetchers; i++)
		g.prefetcher[i].on = stream / 2 % 2;
	memory = aligned_alloc(64, (sim_bytes(&g, NULL) + 63) & ~(size_t)63);
	assert_non_null(memory);
	sim = sim_init(memory, &g);
	draw_stream(stream);
	sim_feed(sim, record, RECORDS + 1);
	c.signal = sim_signals(sim);
	snprintf(where, sizeof(where), "%s, stream %u", cpu->name, stream);
	wrong = negative(&c, where) + broken(&c, laws, where, NULL);
	c.mixed = !strcmp(cpu->name, "neoverse-v3");	/* so says Arm */
	wrong += broken(&c, models, where, modelled);
	free(memory);
	return wrong;
}

static unsigned try_all(const char *name, const struct identities *models)
{
	struct identities *laws = NULL;
	struct cpu *cpu = NULL;
	unsigned wrong = 0;

	assert_int_equal(cpu_load(&cpu, name, NULL, NULL), 0);
	assert_int_equal(identities_load(&laws, name, cpu->alias, NULL, NULL),
			 0);
	for (unsigned stream = 0; stream < STREAMS; stream++)
		wrong += try(cpu, laws, models, stream);
	identities_free(laws);
	cpu_free(cpu);
	return wrong;
}

static void hold_everywhere(void **state)
{
	struct identities *models = NULL;
	unsigned wrong = 0;

	(void)state;
	assert_int_equal(identities_parse(&models, "model", model,
					  strlen(model), NULL), 0);
	for (const struct data_file *f = data_files; f->path; f++) {
		char name[64];

		if (strncmp(f->path, "cpus/", 5))
			continue;
		text_copy(name, sizeof(name), f->path + 5);
		*strstr(name, ".yaml") = '\0';
		wrong += try_all(name, models);
	}
	for (size_t i = 0; i < models->count; i++)
		if (!modelled[i])
			fail_msg("no CPU has the events of law %s",
				 models->identity[i].name);
	identities_free(models);
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hold_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
