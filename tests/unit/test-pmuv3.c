/* SPDX-License-Identifier: MIT */
/* The PMUv3 driver over registers in memory: what no emulator can be told. */
#include "fake-pmuv3.h"

#include "check.h"

/* The driver itself, compiled against the registers above. */
#include "../../src/counters/pmuv3-bare.c"
#include "../../src/counters/pmuv3-diagnose.c"
#include "../../src/counters/pmuv3.c"

#define HAS(event) (UINT64_C(1) << (event))

/* A core with what most have; six counters, all registers as after reset. */
static void reset(unsigned level)
{
	fake = (struct fake){
		.level = level, .counters = 6, .has_el2 = level == 2,
		.has_el3 = level == 3,
	};
	fake.reg[FAKE_id_aa64pfr0_el1] = (uint64_t)fake.has_el2 << 8 |
					 (uint64_t)fake.has_el3 << 12;
	fake.reg[FAKE_id_aa64dfr0_el1] = 1 << 8;	/* PMUv3 */
	fake.reg[FAKE_pmceid0_el0] = HAS(0x00) | HAS(0x04) | HAS(0x08) |
				     HAS(0x11);
	fake.reg[FAKE_mdcr_el2] = 6;
}

struct bench {
	struct pmuv3_state state;
	struct provider_config config;
	struct pmuv3_setup setup;
	struct group group;
	struct assay_count count[ASSAY_EVENTS];
	struct assay_error err;
};

static void ask(struct bench *b, uint64_t code, unsigned scope)
{
	struct encoding *e = &b->group.event[b->group.events++];

	*e = (struct encoding){ .family = ENCODING_RAW, .config = code,
				.scope = scope };
}

static struct bench *bench(enum pmuv3_mistake planted)
{
	struct bench *b = test_calloc(1, sizeof(*b));

	b->setup.planted = planted;
	b->config.pmuv3 = &b->setup;
	return b;
}

/* open, one region of n instructions, read; close is left to the caller. */
static void count_region(struct bench *b, uint64_t n, uint64_t cycles)
{
	const struct provider *p = &pmuv3_provider;

	assert_int_equal(p->open(&b->state, &b->config, &b->group, &b->err),
			 0);
	assert_int_equal(p->start(&b->state), 0);
	fake_run(n, cycles);
	assert_int_equal(p->stop(&b->state), 0);
	assert_int_equal(p->read(&b->state, b->count, NULL), 0);
}

static void done(struct bench *b)
{
	pmuv3_provider.close(&b->state);
	assert_int_equal(fake.wrong, 0);
	test_free(b);
}

static void check_absent(const struct assay_count *c, const char *why)
{
	assert_int_equal(c->state, ASSAY_COUNT_ABSENT);
	if (strncmp(c->why, why, strlen(why)))
		fail_msg("'%s' instead of '%s'", c->why, why);
}

static void check_value(const struct assay_count *c, uint64_t value)
{
	if (c->state != ASSAY_COUNT_PRESENT)
		fail_msg("absent: %s", c->why);
	assert_int_equal(c->value, value);
}

/* ---- counting ------------------------------------------------------------- */

static void counts_at_every_level(void **unused)
{
	(void)unused;
	for (unsigned level = 0; level <= 3; level++) {
		struct bench *b;

		reset(level);
		fake.reg[FAKE_pmuserenr_el0] = 1;
		b = bench(PMUV3_NO_MISTAKE);
		ask(b, 0x08, 0);
		ask(b, 0x11, 0);
		ask(b, 0x11, 0);
		count_region(b, 1000, 2500);
		check_value(&b->count[0], 1000);
		check_value(&b->count[2], 2500);
		/* the register writes of start and stop take a few cycles */
		assert_in_range(b->count[1].value, 2500, 2510);
		done(b);
	}
}

static void counts_regions_apart(void **unused)
{
	struct bench *b;

	(void)unused;
	reset(3);
	b = bench(PMUV3_NO_MISTAKE);
	ask(b, 0x08, 0);
	count_region(b, 7, 7);
	for (uint64_t n = 1; n < 100; n++) {
		fake_run(1000, 1000);	/* outside: not counted */
		pmuv3_provider.start(&b->state);
		fake_run(n, n);
		pmuv3_provider.stop(&b->state);
		fake_run(1000, 1000);
		pmuv3_provider.read(&b->state, b->count, NULL);
		check_value(&b->count[0], n);
	}
	done(b);
}

/* ---- mistakes, by name ---------------------------------------------------- */

static const struct mistake {
	unsigned level;
	enum pmuv3_mistake planted;
	const char *says;
} planted[] = {
	{ 3, PMUV3_SPME_OFF, "SPME off: MDCR_EL3.SPME is 0" },
	{ 2, PMUV3_NSH_MISSING, "NSH missing: " },
	{ 2, PMUV3_HPMN_0, "HPMN 0: MDCR_EL2.HPMN" },
	{ 1, PMUV3_OVERFLOW_LOST, "counter overflow: it wrapped" },
	{ 2, PMUV3_OVERFLOW_LOST, "counter overflow: it wrapped" },
	{ 3, PMUV3_OVERFLOW_LOST, "counter overflow: it wrapped" },
};

static void names_planted_mistakes(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof(planted) / sizeof(*planted); i++) {
		struct bench *b;

		reset(planted[i].level);
		b = bench(planted[i].planted);
		ask(b, 0x08, 0);
		count_region(b, 1000, 1000);
		check_absent(&b->count[0], planted[i].says);
		done(b);
	}
}

/* What the board, not the driver, gets wrong. */
static void names_the_boards_mistakes(void **unused)
{
	static const struct {
		unsigned counters, broken;
		const char *says;
	} boards[] = {
		{ 0, 0, "HPMN 0: PMCR_EL0.N is 0" },
		{ 6, 1, "the counter stands still while PMSWINC_EL0" },
	};

	(void)unused;
	for (size_t i = 0; i < 2; i++) {
		struct bench *b;

		reset(1);
		fake.counters = boards[i].counters;
		fake.broken = boards[i].broken;
		b = bench(PMUV3_NO_MISTAKE);
		ask(b, 0x08, 0);
		ask(b, 0x11, 0);
		count_region(b, 10, 20);
		check_absent(&b->count[0], boards[i].says);
		assert_int_equal(b->count[1].state, ASSAY_COUNT_PRESENT);
		done(b);
	}
	reset(1);
	fake.broken = 1u << 31;
	struct bench *b = bench(PMUV3_NO_MISTAKE);

	ask(b, 0x11, 0);
	count_region(b, 10, 20);
	check_absent(&b->count[0], "the counter stands still");
	done(b);
}

/* EL3 reset values that forbid everything are put right, and said if not. */
static void opens_what_reset_forbids(void **unused)
{
	struct bench *b;

	(void)unused;
	reset(2);
	fake.reg[FAKE_mdcr_el2] = 1 << 17 | 1 << 6 | 1 << 5;
	b = bench(PMUV3_NO_MISTAKE);
	ask(b, 0x08, 0);
	count_region(b, 77, 77);
	check_value(&b->count[0], 77);
	done(b);
	assert_int_equal(fake.reg[FAKE_mdcr_el2], 1 << 17 | 1 << 6 | 1 << 5);
}

static void refuses_events(void **unused)
{
	struct bench *b;

	(void)unused;
	reset(3);
	b = bench(PMUV3_NO_MISTAKE);
	ask(b, 0x03, 0);
	ask(b, 0x40, 0);		/* PMCEID says nothing of it */
	ask(b, 0x4004, 0);
	ask(b, 0x10000, 0);
	for (int i = 0; i < 7; i++)
		ask(b, 0x08, 0);
	ask(b, 0x08, ENCODING_USER);
	count_region(b, 5, 5);
	check_absent(&b->count[0], "not in PMCEID");
	check_absent(&b->count[1], "PMCEID does not cover this event");
	check_absent(&b->count[2], "not in PMCEID");
	check_absent(&b->count[3], "no event of PMUv3");
	for (int i = 4; i < 9; i++)	/* 0x40 has the sixth counter */
		check_value(&b->count[i], 5);
	check_absent(&b->count[9], "no counter left");
	check_absent(&b->count[10], "no counter left");
	check_absent(&b->count[11], "the event counts other exception");
	done(b);
}

/* ---- width ---------------------------------------------------------------- */

static void extends_by_overflow(void **unused)
{
	static const uint64_t lengths[] = { 0, 15, 16, 17, 1000000 };

	(void)unused;
	for (size_t i = 0; i < 5; i++) {
		struct bench *b;

		reset(1);
		b = bench(PMUV3_OVERFLOW);
		ask(b, 0x08, 0);
		count_region(b, lengths[i], lengths[i]);
		check_value(&b->count[0], lengths[i]);
		done(b);
	}
}

static void knows_what_it_cannot_know(void **unused)
{
	struct bench *b;

	(void)unused;
	/* 32 bits in so many cycles may have wrapped twice: absent */
	reset(1);
	b = bench(PMUV3_NO_MISTAKE);
	ask(b, 0x08, 0);
	count_region(b, UINT64_C(5) << 30, UINT64_C(6) << 30);
	check_absent(&b->count[0], "counter overflow: 32 bits may have");
	done(b);
	/* 64 bits, PMUv3p5: no question */
	reset(1);
	fake.wide = true;
	fake.reg[FAKE_id_aa64dfr0_el1] = 6 << 8;
	b = bench(PMUV3_NO_MISTAKE);
	ask(b, 0x08, 0);
	count_region(b, UINT64_C(5) << 40, UINT64_C(6) << 40);
	check_value(&b->count[0], UINT64_C(5) << 40);
	done(b);
}

/* ---- leaving it as it was ------------------------------------------------- */

static uint64_t draw(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *state >> 33;
}

static void dirty(uint64_t *seed)
{
	fake.reg[FAKE_pmcr_el0] = draw(seed) & 0xf9;	/* not P, C */
	fake.reg[FAKE_pmselr_el0] = draw(seed) % fake.counters;
	fake.reg[FAKE_pmccfiltr_el0] = draw(seed) << 26;
	fake.reg[FAKE_mdcr_el2] = draw(seed) & 0x200ff;
	fake.reg[FAKE_mdcr_el3] = draw(seed) & 0x20040;
	fake.enabled = draw(seed) & 0x3f;
	fake.overflow = draw(seed) & 0x8000003f;
	fake.interrupts = draw(seed) & 0x8000003f;
	fake.cycles = draw(seed);
	for (unsigned c = 0; c < fake.counters; c++) {
		/* of an event that does not happen here */
		fake.type[c] = (draw(seed) & 0xffff) | 0x4000;
		fake.value[c] = draw(seed);
	}
}

static void restores_on_close(void **unused)
{
	uint64_t seed = 1;

	(void)unused;
	for (int i = 0; i < 300; i++) {
		unsigned level = (unsigned)i % 4;
		struct fake before;
		struct bench *b;

		reset(level);
		dirty(&seed);
		fake.reg[FAKE_pmuserenr_el0] = 1;
		before = fake;
		b = bench((enum pmuv3_mistake)(i % 6));
		ask(b, 0x08, 0);
		ask(b, 0x11, 0);
		ask(b, 0x03, 0);
		count_region(b, 123, 456);
		done(b);
		fake.selr_unsynced = before.selr_unsynced;
		if (memcmp(&fake, &before, sizeof(fake)))
			fail_msg("round %d: registers differ", i);
	}
}

/* ---- where it cannot work ------------------------------------------------- */

static void says_why_not(void **unused)
{
	struct assay_error err = { 0 };

	(void)unused;
	reset(1);
	fake.reg[FAKE_id_aa64dfr0_el1] = 0;
	assert_int_equal(pmuv3_provider.probe(NULL, &err), -ASSAY_EUNAVAIL);
	assert_non_null(strstr(err.text, "no PMUv3"));
	reset(1);
	fake.reg[FAKE_id_aa64dfr0_el1] = 15 << 8;
	assert_int_equal(pmuv3_provider.probe(NULL, NULL), -ASSAY_EUNAVAIL);
	reset(0);
	assert_int_equal(pmuv3_provider.probe(NULL, &err), -ASSAY_EUNAVAIL);
	assert_non_null(strstr(err.text, "PMUSERENR_EL0.EN"));
	fake.reg[FAKE_pmuserenr_el0] = 1;
	assert_int_equal(pmuv3_provider.probe(NULL, &err), 0);
	assert_int_equal(fake.wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_at_every_level),
		cmocka_unit_test(counts_regions_apart),
		cmocka_unit_test(names_planted_mistakes),
		cmocka_unit_test(names_the_boards_mistakes),
		cmocka_unit_test(opens_what_reset_forbids),
		cmocka_unit_test(refuses_events),
		cmocka_unit_test(extends_by_overflow),
		cmocka_unit_test(knows_what_it_cannot_know),
		cmocka_unit_test(restores_on_close),
		cmocka_unit_test(says_why_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
