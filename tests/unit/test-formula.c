/* SPDX-License-Identifier: MIT */
/*
 * Formula files: values, chains of reasons, pies that do not hide anything, and
 * mistakes that are shown where they are.
 */
#include "check.h"

#include <stdbool.h>

#include "analysis/formula.h"
#include "base/data.h"
#include "base/record.h"
#include "cpus/cpu.h"
#include "store/store.h"

static struct formula_file *parse(const char *text)
{
	struct formula_file *file = NULL;
	struct assay_error err = { 0 };

	if (formula_parse(&file, "f", text, strlen(text), NULL, &err) < 0)
		fail_msg("%s", err.text);
	return file;
}

static struct formula_file *load(const char *name, const char *variant)
{
	struct formula_file *file = NULL;
	struct assay_error err = { 0 };

	if (formula_load(&file, name, variant, NULL, &err) < 0)
		fail_msg("%s", err.text);
	return file;
}

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

/* The nodes of every formula name events only: what others rely on. */
static void named_formulas_are_copied_in(void **state)
{
	struct formula_file *f = parse(chains);

	(void)state;
	for (size_t i = 0; i < f->formulas; i++)
		for (int k = 0; k < f->formula[i].expr.nodes; k++) {
			const struct expr_node *n = &f->formula[i].expr.node[k];

			if (n->op == EXPR_NAME)
				assert_in_range(n->name, 0, f->events - 1);
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

/* ---- mistakes ----------------------------------------------------------- */

#define FORMULA(text) HEAD "events: [A, B]\nformulas:\n  - " text "\n"
#define PIE(text) HEAD "events: [A]\nhypotheses:\n  - " text "\n"

/* at: what the caret points to, the last such place in the text. */
static const struct {
	const char *text, *at, *error;
} broken[] = {
	{ "a: ]\n", "]", NULL },	/* the YAML library's own words */
	{ "[a]", "[a]", "'a formula file' must be a mapping, not a list" },
	{ "shcema: x\n", "shcema",
	  "unknown key 'shcema'; did you mean 'schema'?" },
	{ "name: n\n", "name", "'schema' is missing" },
	{ "schema: assay-formulas/2\n", "assay",
	  "schema 'assay-formulas/2' is not known; this program reads "
	  "'assay-formulas/1'" },
	{ "schema: assay-formulas/1\nname: ''\n", "'\n",
	  "'name' must not be empty" },
	{ "schema: assay-formulas/1\nname: n\ntitle: [t]\n", "[t]",
	  "'title' must be a single value, not a list" },
	{ "schema: assay-formulas/1\nname: n\ntitle: t\nsource: s\n", "schema",
	  "'cpus' must name the CPUs that this is for" },
	{ "schema: assay-formulas/1\nname: n\ntitle: t\nsource: s\ncpus: []\n",
	  "[]", "'cpus' must name the CPUs that this is for" },
	{ "schema: assay-formulas/1\nname: n\ntitle: t\nsource: s\n"
	  "cpus: [{a: b}]\n", "{a", "'a CPU' must be a single value, not a "
	  "mapping" },
	{ HEAD, "schema", "'events' is missing (or 'variants')" },
	{ HEAD "events: [A]\nvariants: {v: {A: A}}\n", "events",
	  "'events' and 'variants' exclude each other" },
	{ HEAD "events: A\n", "events",
	  "'events' must list events, or map operands to events" },
	{ HEAD "events: []\n", "events",
	  "'events' must list events, or map operands to events" },
	{ HEAD "events: [A]\n", "schema",
	  "there is no formula and no hypothesis" },
	{ HEAD "events: [A, B, A]\n", "A]", "'A' is declared twice" },
	{ HEAD "events: [A, 9B]\n", "9B",
	  "'9B' cannot stand in an expression: letters, digits, '_', '.' and "
	  "':' only" },
	{ HEAD "events: {a: ''}\n", "'}", "an event's name is missing here" },
	{ HEAD "events: {a: B C}\n", " C",
	  "an event's name has no spaces and no commas" },
	{ HEAD "events: {a: [B]}\n", "[B]",
	  "'an event' must be a single value, not a list" },
	{ HEAD "events: {l1: B}\n", "l1",
	  "'l1' is a part of a pie, so it cannot be an operand" },
	{ HEAD "variants: {}\n", "variants",
	  "'variants' must have 1 to 16 members" },
	{ HEAD "variants: {v: {a: A}, w: {b: A}}\n", "b: A",
	  "operand 'b' is missing in variant 'v'" },
	{ HEAD "variants: {v: {a: A, b: B}, w: {a: A}}\n", "b: B",
	  "operand 'b' is missing in variant 'w'" },
	{ HEAD "variants: {v: {a: A}, w: {a: ''}}\n", "'}}",
	  "an event's name is missing here" },
	{ HEAD "variants: {v: 7}\n", "7",
	  "'v' must be a mapping, not a single value" },
	/* formulas */
	{ HEAD "events: [A]\nformulas: {}\n", "{}",
	  "'formulas' must be a list, not a mapping" },
	{ FORMULA("{is: A}"), "{is", "a formula has either a 'quantity' or a "
	  "'metric'" },
	{ FORMULA("{metric: m, quantity: loads, is: A}"), "{metric",
	  "a formula has either a 'quantity' or a 'metric'" },
	{ FORMULA("{metric: m}"), "{metric", "'is' is missing" },
	{ FORMULA("{metric: m, is: A, unit: x}"), "unit",
	  "unknown key 'unit'; 'a formula' takes: quantity, metric, is, "
	  "claims, differs, source, note, warning, checked" },
	{ FORMULA("{metric: m, is: A, claims: laods}"), "laods",
	  "unknown quantity 'laods'; did you mean 'loads'?" },
	{ FORMULA("{quantity: loads, is: A, claims: stores}"), "claims: stores",
	  "'claims' is for metrics: this formula has a quantity" },
	{ FORMULA("{quantity: laods, is: A}"), "laods",
	  "unknown quantity 'laods'; did you mean 'loads'?" },
	{ FORMULA("{quantity: zzzzzzzzz, is: A}"), "zzzzzzzzz",
	  "unknown quantity 'zzzzzzzzz'; other names are metrics" },
	{ FORMULA("{metric: loads, is: A}"), "loads",
	  "'loads' is a quantity, not a metric" },
	{ FORMULA("{metric: A, is: A}"), "A, is",
	  "'A' is an operand already" },
	{ FORMULA("{metric: 'x y', is: A}"), "x y'",
	  "'x y' is not a name: letters, digits, '_', '.' and ':' only" },
	{ FORMULA("{metric: m, is: A}\n  - {metric: m, is: B}"), "m, is: B",
	  "metric 'm' is given twice" },
	{ FORMULA("{metric: m, is: A}"), "B]", "no formula uses 'B'" },
	/* expressions */
	{ FORMULA("{metric: m, is: ''}"), "'}", "expected a number, a name or "
	  "'(', but it ends here" },
	{ FORMULA("{metric: m, is: A + }"), " }",
	  "expected a number, a name or '(', but it ends here" },
	{ FORMULA("{metric: m, is: (A + B}"), "}", NULL },
	{ FORMULA("{metric: m, is: A B}"), "B}",
	  "expected an operator, not 'B'" },
	{ FORMULA("{metric: m, is: A + %}"), "%",
	  "expected a number, a name or '(', not '%'" },
	{ FORMULA("{metric: m, is: A + CACHE}"), "CACHE",
	  "'CACHE' is neither an operand of this file nor an earlier "
	  "formula" },
	{ FORMULA("{metric: mean, is: A + meen}"), "meen",
	  "'meen' is neither an operand of this file nor an earlier "
	  "formula" },
	{ FORMULA("{metric: mean, is: A}\n  - {metric: x, is: 2 * meen}"),
	  "meen", "unknown name 'meen'; did you mean 'mean'?" },
	{ FORMULA("{metric: m, is: m + 1}"), "m + 1", NULL },
	{ FORMULA("{metric: m, is: l1 + 1}"), "l1 + 1", NULL },
	{ FORMULA("{quantity: loads, is: A}\n  - {quantity: loads, is: B}\n"
		  "  - {metric: m, is: 1 + loads}"), "loads}",
	  "more than one formula is called 'loads'" },
	{ FORMULA("{metric: a, is: A+A+A+A+A+A+A+A+A+A+A}\n"
		  "  - {metric: b, is: a+a+a}\n"
		  "  - {metric: c, is: b*B}"), "a+a+a",
	  "with the formulas that it names, the expression is too long (more "
	  "than 64 terms and operators)" },
	/* hypotheses */
	{ PIE("{name: h}"), "{name", "'title' is missing" },
	{ PIE("{title: h}"), "{title", "'name' is missing" },
	{ PIE("{name: h, title: t, l1: A, l2: A, l3: A, dram: A}"), "{name",
	  "'total' is missing" },
	{ PIE("{name: h, title: t, l1: A, l2: A, l3: A, drem: A}"), "drem",
	  "unknown key 'drem'; did you mean 'dram'?" },
	{ PIE("{name: h, title: t, l1: A, l2: l1, l3: A, dram: A, total: A}"),
	  "l1, l3", NULL },
	{ PIE("{name: h, title: t, l1: A, l2: A, l3: A, dram: A, total: l4}"),
	  "l4", "unknown name 'l4'; did you mean 'l1'?" },
	{ PIE("{name: h, title: t, l1: A, l2: A, l3: A, dram: A, total: A}\n"
	      "  - {name: h, title: t, l1: A, l2: A, l3: A, dram: A, total: "
	      "A}"), "h, title: t, l1: A, l2: A, l3: A, dram: A, total: A}",
	  "hypothesis 'h' is given twice" },
};

/* The last place of `at`; "" is the end. */
static void place_of(const char *text, const char *at, unsigned *line,
		     unsigned *col)
{
	const char *found = *at ? NULL : text + strlen(text);

	for (const char *p = text; *at && (p = strstr(p, at)); p++)
		found = p;
	if (!found)
		fail_msg("no '%s' in %s", at, text);
	*line = *col = 1;
	for (const char *p = text; p < found; p++) {
		*col = *p == '\n' ? 1 : *col + 1;
		*line += *p == '\n';
	}
}

/* Two further lines: the source, and a caret under the column. */
static void check_caret(const char *shown, unsigned col)
{
	const char *source = strchr(shown, '\n'), *caret;

	assert_non_null(source);
	caret = strchr(source + 1, '\n');
	assert_non_null(caret);
	if (col <= 60)
		assert_int_equal(strspn(caret + 1, " \t"), col - 1);
	assert_int_equal(caret[1 + strspn(caret + 1, " \t")], '^');
}

static void mistakes_are_shown_where_they_are(void **state)
{
	char expected[600];

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		struct assay_error err = { 0 };
		struct formula_file *file = NULL;
		unsigned line, col;

		assert_int_equal(formula_parse(&file, "f", broken[i].text,
					       strlen(broken[i].text), NULL,
					       &err), -ASSAY_EPARSE);
		assert_null(file);
		place_of(broken[i].text, broken[i].at, &line, &col);
		snprintf(expected, sizeof(expected), "f:%u:%u: error: %s%s",
			 line, col, broken[i].error ? broken[i].error : "",
			 broken[i].error ? "\n" : "");
		if (strncmp(err.text, expected, strlen(expected)) != 0)
			fail_msg("%s\nexpected: %s\nin:\n%s", err.text,
				 expected, broken[i].text);
		check_caret(err.text, col);
	}
}

static void variants_are_checked(void **state)
{
	struct assay_error err = { 0 };
	struct formula_file *file = NULL;

	(void)state;
	assert_int_equal(formula_load(&file, "arm-pies", "read", NULL, &err),
			 -ASSAY_ENOENT);
	assert_string_equal(err.text, "'arm-pies' has no variant 'read'\n"
			    "did you mean 'reads'?");
	assert_int_equal(formula_load(&file, "k10", "reads", NULL, &err),
			 -ASSAY_ENOENT);
	assert_string_equal(err.text, "'k10' has no variant 'reads'");
	assert_int_equal(formula_load(&file, "arm-peis", NULL, NULL, &err),
			 -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "did you mean 'arm-pies'?"));
	assert_null(file);
}

/* ---- lists -------------------------------------------------------------- */

struct seen {
	unsigned rows, stop;
	char text[4096];
};

static int see(void *ctx, const struct assay_row *row)
{
	struct seen *s = ctx;
	size_t used = strlen(s->text);

	snprintf(s->text + used, sizeof(s->text) - used, "%s %s\n", row->type,
		 row->field[0].text);
	return ++s->rows == s->stop;
}

static void every_built_in_file_loads(void **state)
{
	struct seen s = { 0 };
	struct assay_error err = { 0 };
	unsigned files = 0;

	(void)state;
	if (formula_list(NULL, see, &s, &err) < 0)
		fail_msg("%s", err.text);
	for (const struct data_file *f = data_files; f->path; f++)
		files += strncmp(f->path, "formulas/", 9) == 0;
	assert_int_equal(s.rows, files);
	assert_non_null(strstr(s.text, "formulas arm-pies\n"));
	assert_non_null(strstr(s.text, "formulas k10\n"));
	s = (struct seen){ .stop = 1 };
	assert_int_equal(formula_list(NULL, see, &s, &err), -ASSAY_ESTOP);
	assert_int_equal(s.rows, 1);
}

static void check_events(const char *name, const char *variant,
			 const char *model)
{
	struct formula_file *f = load(name, variant);
	struct cpu *cpu;
	struct assay_error err = { 0 };

	if (cpu_load(&cpu, model, NULL, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < f->events; i++)
		if (!cpu_event_find(cpu, f->event[i]))
			fail_msg("%s does not have %s", model, f->event[i]);
	cpu_free(cpu);
	formula_free(f);
}

/* No event's name is made up: the CPU has it, or says why not. */
static void formulas_name_events_of_their_cpus(void **state)
{
	static const char *const rows[][3] = {
		{ "arm-pies", "all", "cortex-a76" },
		{ "arm-pies", "reads", "cortex-a76" },
		{ "arm-pies", "all", "neoverse-v2" },
		{ "arm-pies", "reads", "neoverse-n1" },
		{ "cortex-a72", NULL, "cortex-a72" },
		{ "cortex-a76", NULL, "cortex-a76" },
		{ "cortex-a76", NULL, "neoverse-n1" },
		{ "cortex-a76", NULL, "neoverse-v1" },
		{ "cortex-a76", NULL, "neoverse-v2" },
		{ "k10", NULL, "amd-k10" }, { "k10-l2", NULL, "amd-k10" },
		{ "skylake", NULL, "i7-6700hq" },
		{ "skylake", NULL, "skylake-sp" },
		{ "skylake", NULL, "ice-lake-sp" },
		{ "skylake", NULL, "sapphire-rapids" },
		{ "zen", NULL, "amd-zen3" }, { "zen", NULL, "amd-zen4" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_events(rows[i][0], rows[i][1], rows[i][2]);
}

static void a_file_tells_all_about_itself(void **state)
{
	struct formula_file *f = parse(chains);
	struct seen s = { 0 };

	(void)state;
	assert_int_equal(formula_describe(f, see, &s), 0);
	assert_string_equal(s.text, "formulas n\n"
			    "operand EVENT.A\noperand EVENT:B\n"
			    "formula metric\nformula metric\nformula metric\n"
			    "formula quantity\nformula quantity\n");
	formula_free(f);
	formula_free(NULL);
}

/* The example of the documentation is the last block with a schema. */
static void the_documented_example_is_a_file(void **state)
{
	char path[4096], text[65536], *from, *end;
	struct formula_file *f;
	FILE *in;

	(void)state;
	snprintf(path, sizeof(path), "%s/docs/formula-file.md",
		 getenv("ASSAY_SOURCE"));
	in = fopen(path, "r");
	assert_non_null(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	from = strstr(text, "```yaml\nschema:");
	assert_non_null(from);
	from += strlen("```yaml\n");
	end = strstr(from, "```");
	assert_non_null(end);
	*end = '\0';
	f = parse(from);
	assert_int_equal(f->formulas, 2);
	assert_int_equal(f->hypotheses, 1);
	formula_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formulas_use_formulas),
		cmocka_unit_test(named_formulas_are_copied_in),
		cmocka_unit_test(absence_names_its_chain),
		cmocka_unit_test(an_events_own_reason_comes_first),
		cmocka_unit_test(estimates_stay_estimates),
		cmocka_unit_test(the_k10_sample_gives_the_published_metrics),
		cmocka_unit_test(hypotheses_are_those_of_the_program),
		cmocka_unit_test(events_that_do_not_exist_are_not_zero),
		cmocka_unit_test(a_negative_part_is_reported),
		cmocka_unit_test(the_true_pie_needs_a_witness),
		cmocka_unit_test(mistakes_are_shown_where_they_are),
		cmocka_unit_test(variants_are_checked),
		cmocka_unit_test(every_built_in_file_loads),
		cmocka_unit_test(formulas_name_events_of_their_cpus),
		cmocka_unit_test(a_file_tells_all_about_itself),
		cmocka_unit_test(the_documented_example_is_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
