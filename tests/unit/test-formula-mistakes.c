/* SPDX-License-Identifier: MIT */
/* Formula files: mistakes are shown where they are. */
#include "check.h"

#include "analysis/formulas/formula.h"

#define HEAD "schema: assay-formulas/1\nname: n\ntitle: t\nsource: s\n"       \
	"cpus: [x]\n"
#define FORMULA(text) HEAD "events: [A, B]\nformulas:\n  - " text "\n"
#define PIE(text) HEAD "events: [A]\nhypotheses:\n  - " text "\n"

/* at: what the caret points to, the last such place in the text. */
#define TIMES_11(name, x) "{metric: " name ", is: " x "+" x "+" x "+" x "+" x \
	"+" x "+" x "+" x "+" x "+" x "+" x "}\n  - "

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
	  "an event's name has no spaces, and commas between slashes only" },
	{ HEAD "events: {a: 'cpu/b=1,c/,d'}\n", ",d",
	  "an event's name has no spaces, and commas between slashes only" },
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
	  "unknown key 'unit'; a formula takes: quantity, metric, is, "
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
	{ FORMULA(TIMES_11("a", "A") TIMES_11("b", "a") TIMES_11("c", "b")
		  TIMES_11("d", "c") TIMES_11("e", "d") TIMES_11("f", "e")
		  "{metric: g, is: f * B}"), "e+e+e+e+e+e+e+e+e+e+e",
	  "with the formulas that it names, the expression is too long (more "
	  "than 1048576 terms and operators, or 32 formulas deep)" },
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
	assert_string_equal(err.text, "'k10' has no variant and no formula "
			    "'reads'");
	assert_int_equal(formula_load(&file, "arm-peis", NULL, NULL, &err),
			 -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "did you mean 'arm-pies'?"));
	assert_null(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_are_shown_where_they_are),
		cmocka_unit_test(variants_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
