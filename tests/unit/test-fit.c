/* SPDX-License-Identifier: MIT */
/* Known sums are found again; what cannot be told apart is named. */
#include "check.h"

#include <math.h>

#include "analysis/fit/fit.h"

enum { SHAPES = 20, MOST_ROWS = 3 * SHAPES };

/* Two events; what they claim differs from shape to shape. */
struct made {
	struct fit_row row[MOST_ROWS];
	double count[2][MOST_ROWS], claim[2][MOST_ROWS];
	struct fit_column column[2];
	struct fit_panel panel;
};

/* The same numbers each time; large ones among them. */
static double drawn(unsigned shape, unsigned what)
{
	uint64_t x = (shape + 1) * UINT64_C(0x9e3779b97f4a7c15) ^
		     (what + 1) * UINT64_C(0xc2b2ae3d27d4eb4f);

	x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	x ^= x >> 32;
	return (double)(x % (UINT64_C(200) << shape % 14));
}

static void make(struct made *m, unsigned repeats)
{
	*m = (struct made){ .panel.rows = 0 };
	for (unsigned i = 0; i < SHAPES * repeats; i++) {
		const unsigned shape = i / repeats;
		struct fit_row *row = &m->row[i];

		*row = (struct fit_row){ .shape = shape, .truth = true };
		for (unsigned t = 0; t < FIT_TERMS; t++)
			row->term[t] = drawn(shape, t);
		row->term[FIT_runs] = 1;
		row->term[FIT_cycles] = row->term[FIT_passes] = NAN;
		row->term[FIT_faults] = row->term[FIT_switches] = NAN;
		for (unsigned c = 0; c < 2; c++)
			m->count[c][i] = m->claim[c][i] =
				drawn(shape, 100 + c);
	}
	for (unsigned c = 0; c < 2; c++)
		m->column[c] = (struct fit_column){
			.name = c ? "B" : "A", .claim_text = c ? "b" : "a",
			.count = m->count[c], .claim = m->claim[c] };
	m->panel = (struct fit_panel){ m->row, SHAPES * repeats, m->column, 2 };
}

static struct fit_result fit(const struct made *m)
{
	struct fit_result r;

	fit_event(&m->panel, 0, &r);
	return r;
}

static void test_claims(void **state)
{
	struct fit_result r;
	struct made m;

	(void)state;
	make(&m, 1);
	r = fit(&m);
	assert_int_equal(r.class_, ASSAY_CLASS_EXACT);
	assert_int_equal(r.good, SHAPES);
	assert_int_equal(r.twin, -1);
	memcpy(m.claim[1], m.claim[0], sizeof(m.claim[0]));
	assert_int_equal(fit(&m).twin, 1);	/* a tie is named */
}

static void test_changes(void **state)
{
	struct fit_result r;
	struct made m;

	(void)state;
	make(&m, 1);
	for (int i = 0; i < SHAPES; i++)
		m.count[0][i] *= 2;
	r = fit(&m);
	assert_int_equal(r.class_, ASSAY_CLASS_PROPORTIONAL);
	assert_true(r.model.factor == 2);
	memset(m.count[0], 0, sizeof(m.count[0]));
	assert_int_equal(fit(&m).class_, ASSAY_CLASS_DEAD);
	memcpy(m.count[0], m.claim[1], sizeof(m.count[0]));
	r = fit(&m);
	assert_int_equal(r.kind, FIT_OTHER);
	assert_int_equal(r.model.base, 1);
	make(&m, 1);
	for (int i = 0; i < SHAPES; i++)
		m.count[0][i] = fmod(m.claim[0][i], 65536);
	r = fit(&m);
	assert_int_equal(r.kind, FIT_WRAP);
	assert_int_equal(r.model.wrap, 16);
}

static void test_sums(void **state)
{
	struct fit_result r;
	struct made m;

	(void)state;
	make(&m, 1);
	for (int i = 0; i < SHAPES; i++)
		m.count[0][i] += 2 * m.row[i].term[FIT_walk_reads];
	r = fit(&m);
	assert_int_equal(r.kind, FIT_ADDS);
	assert_int_equal(r.class_, ASSAY_CLASS_BIASED);
	assert_int_equal(r.model.terms, 1);
	assert_int_equal(r.model.term[0], FIT_walk_reads);
	assert_true(r.model.amount[0] == 2);
	assert_int_equal(r.alternatives, 0);
	for (int i = 0; i < SHAPES; i++)
		m.count[0][i] += m.row[i].term[FIT_writebacks];
	r = fit(&m);
	assert_int_equal(r.model.terms, 2);
	assert_int_equal(r.model.term[0], FIT_writebacks);
	assert_int_equal(r.model.term[1], FIT_walk_reads);
	assert_true(r.model.amount[0] == 1 && r.model.amount[1] == 2);
}

/* The same number in each run is no bias; twice the claim is one beside it. */
static void test_constant(void **state)
{
	struct fit_result r;
	struct made m;

	(void)state;
	make(&m, 1);
	for (int i = 0; i < SHAPES; i++)
		m.count[0][i] += 5000;
	r = fit(&m);
	assert_int_equal(r.class_, ASSAY_CLASS_CONSTANT);
	for (int i = 0; i < SHAPES; i++)
		m.count[0][i] += m.claim[0][i];
	r = fit(&m);
	assert_int_equal(r.class_, ASSAY_CLASS_PROPORTIONAL);
	assert_true(r.model.factor == 2);
	assert_true(r.model.amount[0] == 5000);
	/* start and stop take nothing off */
	make(&m, 1);
	for (int i = 0; i < SHAPES; i++)
		m.count[0][i] = (m.claim[0][i] += 9000) - 5000;
	r = fit(&m);
	assert_int_equal(r.kind, FIT_CONSTANT);
	assert_int_equal(r.class_, ASSAY_CLASS_BIASED);
}

/* Twice as many of one thing as of the other, always: no telling. */
static void test_tie(void **state)
{
	char text[320];
	struct fit_result r;
	struct made m;

	(void)state;
	make(&m, 1);
	for (int i = 0; i < SHAPES; i++) {
		m.row[i].term[FIT_flushes] =
			2 * m.row[i].term[FIT_walk_reads];
		m.count[0][i] += 4 * m.row[i].term[FIT_walk_reads];
	}
	r = fit(&m);
	assert_int_equal(r.alternatives, 1);
	assert_int_equal(r.alternative[0].term[0], FIT_flushes);
	assert_true(r.alternative[0].amount[0] == 2);
	fit_text(text, sizeof(text), &m.panel, 0, &r);
	assert_string_equal(text, "what is claimed + 4 per page-walk read; "
			    "fits as well: what is claimed + 2 per flush "
			    "instruction");
}

/* Runs of one shape that differ: by multiples of 3, never less; or around. */
static void test_random_part(void **state)
{
	static const int few[] = { 0, 6, 3 }, around[] = { -7, 2, 5 };
	struct fit_result r;
	struct made m;

	(void)state;
	make(&m, 3);
	for (int i = 0; i < 3 * SHAPES; i++)
		m.count[0][i] += few[(i + i / 3) % 3];
	r = fit(&m);
	assert_int_equal(r.class_, ASSAY_CLASS_INTERRUPTS);
	assert_true(r.model.interrupt == 3);
	make(&m, 3);
	for (int i = 0; i < 3 * SHAPES; i++)
		m.count[0][i] += around[(i + i / 3) % 3];
	r = fit(&m);
	assert_int_equal(r.class_, ASSAY_CLASS_UNSTABLE);
	assert_true(r.model.noise == 7);
}

static void test_degenerate(void **state)
{
	struct made m;

	(void)state;
	make(&m, 1);
	m.panel.rows = 0;
	assert_int_equal(fit(&m).class_, ASSAY_CLASS_INCONCLUSIVE);
	m.panel.rows = 2;	/* too few to explain anything */
	m.count[0][0] += 1;
	assert_int_equal(fit(&m).kind, FIT_NONE);
	make(&m, 1);
	for (int i = 0; i < SHAPES; i++)
		m.claim[0][i] = NAN;
	assert_int_equal(fit(&m).class_, ASSAY_CLASS_INCONCLUSIVE);
	assert_false(fit(&m).measured);
	for (int i = 0; i < SHAPES; i++)
		m.claim[0][i] = m.count[0][i] = 0;
	assert_int_equal(fit(&m).class_, ASSAY_CLASS_INCONCLUSIVE);
}

static void test_structure(void **state)
{
	char text[320];
	struct made m;

	(void)state;
	make(&m, 1);
	for (int i = 0; i < SHAPES; i++) {
		m.row[i].term[FIT_passes] = 1 + i;
		m.count[0][i] = 3 * m.row[i].term[FIT_loads] + 5 * (1 + i) + 28;
	}
	assert_true(fit_structure(&m.panel, 0, text, sizeof(text)));
	assert_string_equal(text, "3 per load + 5 per pass + 28 per run, to "
			    "the last digit in all 20 shapes");
	m.count[0][7]++;
	assert_false(fit_structure(&m.panel, 0, text, sizeof(text)));
	m.panel.rows = 4;
	assert_false(fit_structure(&m.panel, 0, text, sizeof(text)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_claims),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_tie),
		cmocka_unit_test(test_random_part),
		cmocka_unit_test(test_constant),
		cmocka_unit_test(test_degenerate),
		cmocka_unit_test(test_structure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
