/* SPDX-License-Identifier: MIT */
/*
 * Formula files: values, chains of reasons, pies that do not hide anything.
 */
#include "formula-text.h"

#include <stdbool.h>

#include "base/data.h"
#include "base/record.h"
#include "cpus/cpu.h"
#include "store/store.h"

static const struct formula *find(const struct formula_file *file,
				  const char *name)
{
	for (size_t i = 0; i < file->formulas; i++)
		if (strcmp(file->formula[i].name, name) == 0)
			return &file->formula[i];
	fail_msg("no formula '%s'", name);
	return NULL;
}

static const struct hypothesis *hypothesis(const struct formula_file *file,
					   const char *name)
{
	for (size_t i = 0; i < file->hypotheses; i++)
		if (strcmp(file->hypothesis[i].name, name) == 0)
			return &file->hypothesis[i];
	fail_msg("no hypothesis '%s'", name);
	return NULL;
}

struct given {
	const char *event;
	uint64_t value;
	const char *why;
};

/* One repetition of these events. */
static struct assay_record *counted(const struct given *given, unsigned n)
{
	struct assay_record *r = record_new(n, 1);

	assert_non_null(r);
	for (unsigned i = 0; i < n; i++) {
		strcpy(r->event[i].name, given[i].event);
		r->counts[i] = (struct assay_count){ .value = given[i].value };
		if (!given[i].why)
			continue;
		r->counts[i].state = ASSAY_COUNT_ABSENT;
		r->counts[i].why = given[i].why;
	}
	return r;
}

#define COUNTED(...)                                                          \
	counted((const struct given[]){ __VA_ARGS__ },                        \
		sizeof((const struct given[]){ __VA_ARGS__ }) /               \
			sizeof(struct given))

static struct assay_value value(const struct formula_file *file,
				const char *name,
				const struct assay_record *record)
{
	return formula_value(file, find(file, name), record);
}

#define HEAD "schema: assay-formulas/1\nname: n\ntitle: t\nsource: s\n"       \
	"cpus: [x]\n"

/* ---- values ------------------------------------------------------------- */

static const char chains[] = HEAD
	"events: {a: EVENT.A, b: 'EVENT:B'}\n"
	"formulas:\n"
	"  - {metric: m, is: a - b}\n"
	"  - {metric: ratio, is: m / a}\n"
	"  - {metric: twice, is: '2 * ratio + min(m, 0x10)'}\n"
	"  - {quantity: loads, is: a, differs: d, note: o, source: u}\n"
	"  - {quantity: loads, is: b}\n";

static void formulas_use_formulas(void **state)
{
	struct formula_file *f = parse(chains);
	struct assay_record *r = COUNTED({ "event.a", 100, NULL },
					 { "EVENT:B", 50, NULL });
	const struct formula *loads = find(f, "loads");

	(void)state;
	assert_true(value(f, "m", r).number == 50);
	assert_true(value(f, "ratio", r).number == 0.5);
	assert_true(value(f, "twice", r).number == 17);
	assert_null(value(f, "twice", r).why);
	assert_int_equal(loads->quantity, ASSAY_Q_loads);
	assert_string_equal(loads->differs, "d");
	assert_string_equal(loads->note, "o");
	assert_string_equal(loads->source, "u");
	assert_string_equal(loads->text, "a");
	assert_int_equal(find(f, "m")->quantity, -1);
	assert_string_equal(find(f, "m")->source, "s");
	assert_string_equal(find(f, "m")->differs, "");
	assert_int_equal(f->formulas, 5);
	assert_int_equal(f->events, 2);
	record_free(r);
	formula_free(f);
}

static void check_tree(const struct formula_file *f,
		       const struct expr_node *all, int at)
{
	const struct expr_node *n = &all[at];

	if (n->op == EXPR_NAME)
		assert_in_range(n->name, 0, f->events - 1);
	if (n->left >= 0)
		check_tree(f, all, n->left);
	if (n->right >= 0)
		check_tree(f, all, n->right);
}

/* The nodes of every formula name events only: what others rely on. */
static void named_formulas_become_subtrees(void **state)
{
	struct formula_file *f = parse(chains);

	(void)state;
	for (size_t i = 0; i < f->formulas; i++) {
		assert_true(f->formula[i].events > 0);
		check_tree(f, f->formula[i].expr.node, f->formula[i].expr.root);
	}
	formula_free(f);
}

static const struct {
	struct given a, b;
	const char *name, *why;
} absent[] = {
	{ { "EVENT.A", 1, NULL }, { "OTHER", 1, NULL }, "m",
	  "needs EVENT:B: not in the record" },
	{ { "EVENT.A", 1, NULL }, { "EVENT:B", 1, "no counter left" }, "m",
	  "needs EVENT:B: no counter left" },
	{ { "EVENT.A", 1, NULL }, { "EVENT:B", 1, "no counter left" }, "ratio",
	  "needs m, which needs EVENT:B: no counter left" },
	{ { "EVENT.A", 1, NULL }, { "EVENT:B", 1, "no counter left" }, "twice",
	  "needs ratio, which needs m, which needs EVENT:B: no counter left" },
	{ { "EVENT.A", 0, NULL }, { "EVENT:B", 0, NULL }, "ratio",
	  "division by zero" },
	{ { "EVENT.A", 0, NULL }, { "EVENT:B", 5, NULL }, "ratio",
	  "division by zero" },
	{ { "EVENT.A", 0, NULL }, { "EVENT:B", 5, NULL }, "twice",
	  "needs ratio: division by zero" },
	{ { "EVENT.A", 0, "dead" }, { "EVENT:B", 0, "dead" }, "twice",
	  "needs ratio, which needs m, which needs EVENT.A: dead" },
};

static void absence_names_its_chain(void **state)
{
	struct formula_file *f = parse(chains);

	(void)state;
	for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++) {
		struct assay_record *r = counted(&absent[i].a, 2);
		struct assay_value v = value(f, absent[i].name, r);

		assert_non_null(v.why);
		assert_string_equal(v.why, absent[i].why);
		/* one copy per text, however often it is asked for */
		assert_ptr_equal(v.why, value(f, absent[i].name, r).why);
		record_free(r);
	}
	formula_free(f);
}

static void an_events_own_reason_comes_first(void **state)
{
	struct formula_file *f = parse(chains);
	struct assay_record *r = COUNTED({ "EVENT.A", 1, NULL },
					 { "EVENT:B", 0, "not read" });

	(void)state;
	strcpy(r->event[1].why, "not on this CPU");
	assert_string_equal(value(f, "m", r).why,
			    "needs EVENT:B: not on this CPU");
	record_free(r);
	r = record_new(2, 0);	/* nothing was run */
	strcpy(r->event[0].name, "EVENT.A");
	strcpy(r->event[1].name, "EVENT:B");
	assert_string_equal(value(f, "m", r).why, "needs EVENT.A: not read");
	record_free(r);
	formula_free(f);
}

static void estimates_stay_estimates(void **state)
{
	struct formula_file *f = parse(chains);
	struct assay_record *r = COUNTED({ "EVENT.A", 100, NULL },
					 { "EVENT:B", 50, NULL });

	(void)state;
	r->counts[1].state = ASSAY_COUNT_SCALED;
	r->counts[1].enabled = 4;
	r->counts[1].running = 2;
	assert_true(value(f, "m", r).number == 0);
	assert_true(value(f, "m", r).estimate);
	assert_true(value(f, "twice", r).estimate);
	assert_false(formula_value(f, &f->formula[3], r).estimate);
	record_free(r);
	formula_free(f);
}

/* ---- the published metrics ---------------------------------------------- */

/* What the text of the article says, to its last digit. */
static const struct {
	const char *name, *printed;
} k10[] = {
	{ "dc_request_rate", "34.690%" }, { "dc_misses", "186936122" },
	{ "dc_miss_ratio", "8.802%" }, { "ic_request_rate", "26.632%" },
	{ "ic_misses", "169375" }, { "ic_miss_ratio", "0.010%" },
	{ "l2_requests", "205872375" }, { "l2_request_rate", "3.363%" },
	{ "l2_misses", "135484398" }, { "l2_miss_ratio", "65.810%" },
	{ "l3_request_rate", "0.537%" }, { "l3_miss_ratio", "49.612%" },
	{ "instructions", "6122320253" }, { "l1d_refills", "186936122" },
	{ "l3_read_misses", "16306069" },
};

static void the_k10_sample_gives_the_published_metrics(void **state)
{
	struct formula_file *f = load("k10", NULL);
	struct store store = { 0 };
	char text[40];

	(void)state;
	assert_int_equal(store_read(&store, "k10-sample", NULL, NULL), 0);
	for (size_t i = 0; i < sizeof(k10) / sizeof(*k10); i++) {
		struct assay_value v = value(f, k10[i].name, store.record[0]);

		if (v.why)
			fail_msg("%s: %s", k10[i].name, v.why);
		if (strchr(k10[i].printed, '%'))
			snprintf(text, sizeof(text), "%.3f%%", 100 * v.number);
		else
			snprintf(text, sizeof(text), "%.17g", v.number);
		assert_string_equal(text, k10[i].printed);
	}
	assert_string_equal(value(f, "l2_direct_miss_ratio",
				  store.record[0]).why,
			    "needs l2_direct_requests, which needs "
			    "REQUESTS_TO_L2:IC_DC_TLB: not in the record");
	formula_free(f);
	f = load("k10-l2", NULL);
	assert_true(value(f, "l2_misses_by_refills",
			  store.record[0]).number == 135484398);
	assert_true(value(f, "l2_misses_by_script",
			  store.record[0]).number == 146084145);
	assert_non_null(value(f, "l2_misses_direct", store.record[0]).why);
	formula_free(f);
	store_fini(&store);
}

/* ---- pies --------------------------------------------------------------- */

enum { L1D, L1D_REFILL, L2D, L2D_REFILL, L3D, L3D_REFILL, LL_MISS, EVENTS };

static const char *const all_events[EVENTS] = {
	"L1D_CACHE", "L1D_CACHE_REFILL", "L2D_CACHE", "L2D_CACHE_REFILL",
	"L3D_CACHE", "L3D_CACHE_REFILL", "LL_CACHE_MISS",
};
static const char *const read_events[EVENTS] = {
	"L1D_CACHE_RD", "L1D_CACHE_REFILL_RD", "L2D_CACHE_RD",
	"L2D_CACHE_REFILL_RD", "L3D_CACHE_RD", "L3D_CACHE_REFILL_RD",
	"LL_CACHE_MISS_RD",
};

/* The events, except those in the mask, which are absent. */
static struct assay_record *arm(const char *const *names, const int64_t *count,
				unsigned missing)
{
	struct given given[EVENTS];

	for (unsigned i = 0; i < EVENTS; i++)
		given[i] = (struct given){
			names[i], (uint64_t)count[i],
			missing >> i & 1 ? "not implemented" : NULL,
		};
	return counted(given, EVENTS);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/*
 * The pies worked out by hand in whole numbers, as the program that they come
 * from does (c: the counts), written independently of the file.
 */
static void by_hand(int64_t pie[6][PIE_PARTS], const int64_t *c)
{
	const int64_t l2 = least(c[L2D], c[L1D]), l3 = least(c[L3D], l2);
	const int64_t miss = most(c[LL_MISS], c[L3D_REFILL]);
	const int64_t rows[6][PIE_PARTS] = {
		{ c[L1D] - c[L2D_REFILL] - c[L3D_REFILL], c[L1D_REFILL],
		  c[L2D_REFILL], c[L3D_REFILL], c[L1D] + c[L1D_REFILL] },
		{ c[L1D] - c[L2D], c[L2D] - c[L3D], c[L3D] - c[L3D_REFILL],
		  c[L3D_REFILL], c[L1D] },
		{ c[L1D] - l2, l2 - l3, l3 - c[L3D_REFILL], c[L3D_REFILL],
		  c[L1D] },
		{ c[L1D] - c[L1D_REFILL], c[L1D_REFILL] - c[L2D_REFILL],
		  c[L2D_REFILL] - c[L3D_REFILL], c[L3D_REFILL], c[L1D] },
		{ most(0, c[L1D] - c[L1D_REFILL]),
		  most(0, c[L1D_REFILL] - c[L2D_REFILL]),
		  most(0, c[L2D_REFILL] - miss), miss, 0 },
		{ most(0, c[L1D] - c[L1D_REFILL]),
		  most(0, c[L1D_REFILL] - c[L2D_REFILL]),
		  most(0, c[L2D_REFILL] - c[LL_MISS]), c[LL_MISS], 0 },
	};

	memcpy(pie, rows, sizeof(rows));
	for (int h = 4; h < 6; h++)
		for (int i = 0; i < PIE_TOTAL; i++)
			pie[h][PIE_TOTAL] += pie[h][i];
}

static void check_pie(const struct pie *pie, const int64_t *hand)
{
	int64_t residual = hand[PIE_TOTAL];
	int negative = -1;

	for (int i = PIE_TOTAL - 1; i >= 0; i--) {
		residual -= hand[i];
		if (hand[i] < 0)
			negative = i;
	}
	for (int i = 0; i < PIE_PARTS; i++) {
		assert_null(pie->part[i].why);
		assert_true(pie->part[i].number == (double)hand[i]);
	}
	assert_null(pie->residual.why);
	assert_true(pie->residual.number == (double)residual);
	assert_int_equal(pie->negative, negative);
	assert_int_equal(pie->consistent, !residual && negative < 0);
}

static void hypotheses_are_those_of_the_program(void **state)
{
	static const char *const names[] = { "h1", "h2", "h3", "h4", "h5",
					     "h5r" };
	uint64_t random = 12345;
	unsigned negatives = 0;

	(void)state;
	for (int reads = 0; reads < 2; reads++) {
		struct formula_file *f = load("arm-pies",
					      reads ? "reads" : "all");

		assert_int_equal(f->hypotheses, 6);
		assert_string_equal(f->chosen, reads ? "reads" : "all");
		for (int n = 0; n < 500; n++) {
			int64_t hand[6][PIE_PARTS], count[EVENTS];
			struct assay_record *r;
			struct pie pie;

			for (int i = 0; i < EVENTS; i++) {
				random = random * 6364136223846793005u + 1;
				count[i] = (int64_t)(random >> 32) %
					   (n % 2 ? 100 : 2000000000);
			}
			by_hand(hand, count);
			r = arm(reads ? read_events : all_events, count, 0);
			for (int h = 0; h < 6; h++) {
				hypothesis_pie(f, hypothesis(f, names[h]), r,
					       &pie);
				check_pie(&pie, hand[h]);
				negatives += pie.negative >= 0;
			}
			record_free(r);
		}
		formula_free(f);
	}
	assert_true(negatives > 100);
}

static void check_absent(const struct formula_file *f, const char *name,
			 const struct assay_record *r, bool expected)
{
	struct pie pie;

	hypothesis_pie(f, hypothesis(f, name), r, &pie);
	assert_int_equal(pie.part[PIE_DRAM].why != NULL, expected);
	assert_int_equal(pie.residual.why != NULL, expected);
	if (expected)
		assert_false(pie.consistent);
}

/* On a Cortex-A76: 0x33 and 0xA2 do not exist, and are not 0. */
static void events_that_do_not_exist_are_not_zero(void **state)
{
	static const int64_t count[EVENTS] = { 100, 40, 41, 20, 30, 10, 10 };
	struct formula_file *f = load("arm-pies", "all");
	struct assay_record *r = arm(all_events, count, 1 << LL_MISS);
	struct pie pie;

	(void)state;
	check_absent(f, "h1", r, false);
	check_absent(f, "h4", r, false);
	check_absent(f, "h5", r, true);
	check_absent(f, "h5r", r, true);
	hypothesis_pie(f, hypothesis(f, "h5"), r, &pie);
	assert_string_equal(pie.part[PIE_L3].why,
			    "needs LL_CACHE_MISS: not implemented");
	assert_string_equal(pie.part[PIE_TOTAL].why,
			    "needs l3, which needs LL_CACHE_MISS: "
			    "not implemented");
	assert_null(pie.part[PIE_L1].why);
	assert_true(pie.part[PIE_L1].number == 60);
	record_free(r);
	formula_free(f);
	f = load("arm-pies", "reads");
	r = arm(read_events, count, 1 << L3D_REFILL);
	check_absent(f, "h1", r, true);
	check_absent(f, "h2", r, true);
	check_absent(f, "h3", r, true);
	check_absent(f, "h4", r, true);
	check_absent(f, "h5", r, true);
	check_absent(f, "h5r", r, false);
	record_free(r);
	formula_free(f);
}

static void a_negative_part_is_reported(void **state)
{
	static const int64_t count[EVENTS] = { 100, 40, 130, 20, 160, 10, 10 };
	struct formula_file *f = load("arm-pies", "all");
	struct assay_record *r = arm(all_events, count, 0);
	struct pie pie;

	(void)state;
	hypothesis_pie(f, hypothesis(f, "h2"), r, &pie);
	assert_true(pie.part[PIE_L1].number == -30);
	assert_true(pie.part[PIE_L2].number == -30);
	assert_int_equal(pie.negative, PIE_L1);
	assert_true(pie.residual.number == 0);
	assert_false(pie.consistent);
	record_free(r);
	formula_free(f);
}

static void the_true_pie_needs_a_witness(void **state)
{
	struct assay_record *r = record_new(0, 0);
	struct assay_value *truth = r->truth.of;
	struct pie pie;

	(void)state;
	true_pie(r, &pie);
	for (int i = 0; i < PIE_PARTS; i++)
		assert_ptr_equal(pie.part[i].why, record_not_known);
	assert_non_null(pie.residual.why);
	assert_false(pie.consistent);
	truth[ASSAY_Q_loads] = (struct assay_value){ .number = 90 };
	truth[ASSAY_Q_stores] = (struct assay_value){ .number = 10 };
	truth[ASSAY_Q_served_l1] = (struct assay_value){ .number = 70 };
	truth[ASSAY_Q_served_l2] = (struct assay_value){ .number = 20 };
	truth[ASSAY_Q_served_l3] = (struct assay_value){ .number = 7 };
	truth[ASSAY_Q_served_dram] = (struct assay_value){ .number = 3 };
	true_pie(r, &pie);
	assert_true(pie.part[PIE_TOTAL].number == 100);
	assert_true(pie.consistent);
	truth[ASSAY_Q_served_dram].number = 4;
	true_pie(r, &pie);
	assert_true(pie.residual.number == -1);
	assert_false(pie.consistent);
	/* an access that crosses a line is served twice */
	truth[ASSAY_Q_split_lines] = (struct assay_value){ .number = 1 };
	true_pie(r, &pie);
	assert_true(pie.part[PIE_TOTAL].number == 101);
	assert_true(pie.consistent);
	truth[ASSAY_Q_served_l1].number++;
	true_pie(r, &pie);
	assert_false(pie.consistent);
	truth[ASSAY_Q_stores] = (struct assay_value){ .why = "unseen" };
	true_pie(r, &pie);
	assert_string_equal(pie.part[PIE_TOTAL].why, "unseen");
	assert_string_equal(pie.residual.why, "unseen");
	assert_null(pie.part[PIE_DRAM].why);
	record_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formulas_use_formulas),
		cmocka_unit_test(named_formulas_become_subtrees),
		cmocka_unit_test(absence_names_its_chain),
		cmocka_unit_test(an_events_own_reason_comes_first),
		cmocka_unit_test(estimates_stay_estimates),
		cmocka_unit_test(the_k10_sample_gives_the_published_metrics),
		cmocka_unit_test(hypotheses_are_those_of_the_program),
		cmocka_unit_test(events_that_do_not_exist_are_not_zero),
		cmocka_unit_test(a_negative_part_is_reported),
		cmocka_unit_test(the_true_pie_needs_a_witness),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
