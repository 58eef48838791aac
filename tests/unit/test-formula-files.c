/* SPDX-License-Identifier: MIT */
/* The built-in formula files, and the one of the documentation. */
#include "formula-text.h"

#include "base/data.h"
#include "cpus/cpu.h"

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
		{ "cortex-a76", NULL, "cortex-a78" },
		{ "cortex-a76", NULL, "neoverse-n2" },
		{ "arm-pies", "all", "cortex-a55" },
		{ "arm-pies", "reads", "cortex-a78" },
		{ "cortex-a53", NULL, "cortex-a53" },
		{ "cortex-a55", NULL, "cortex-a55" },
		{ "neoverse-v3", NULL, "neoverse-v3" },
		{ "k10", NULL, "amd-k10" }, { "k10-l2", NULL, "amd-k10" },
		{ "skylake", NULL, "i7-6700hq" },
		{ "skylake", NULL, "skylake-sp" },
		{ "skylake", NULL, "ice-lake-sp" },
		{ "skylake", NULL, "sapphire-rapids" },
		{ "skylake", NULL, "emerald-rapids" },
		{ "skylake", NULL, "granite-rapids" },
		{ "skylake", NULL, "alder-lake-p" },
		{ "lion-cove", NULL, "arrow-lake-p" },
		{ "intel-e-core", NULL, "alder-lake-e" },
		{ "intel-e-core", NULL, "arrow-lake-e" },
		{ "zen-fills", NULL, "amd-zen5" },
		{ "zen", NULL, "amd-zen2" }, { "zen", NULL, "amd-zen3" },
		{ "zen", NULL, "amd-zen4" }, { "zen", NULL, "amd-zen5" },
		{ "intel-server", NULL, "sapphire-rapids" },
		{ "intel-server", NULL, "emerald-rapids" },
		{ "intel-server", NULL, "granite-rapids" },
		{ "apple-m1", NULL, "apple-m1" },
		{ "apple-m1", NULL, "apple-m2" },
		{ "apple-m1", NULL, "apple-m3" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_events(rows[i][0], rows[i][1], rows[i][2]);
}

static void a_file_tells_all_about_itself(void **state)
{
	struct formula_file *f = parse(
		"schema: assay-formulas/1\nname: n\ntitle: t\nsource: s\n"
		"cpus: [x]\nevents: {a: EVENT.A, b: 'EVENT:B'}\nformulas:\n"
		"  - {metric: m, is: a - b}\n"
		"  - {quantity: loads, is: a, differs: d, note: o, source: u}\n"
		"  - {quantity: loads, is: b}\n");
	struct seen s = { 0 };

	(void)state;
	assert_int_equal(formula_describe(f, see, &s), 0);
	assert_string_equal(s.text, "formulas n\n"
			    "operand EVENT.A\noperand EVENT:B\n"
			    "formula metric\n"
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
		cmocka_unit_test(every_built_in_file_loads),
		cmocka_unit_test(formulas_name_events_of_their_cpus),
		cmocka_unit_test(a_file_tells_all_about_itself),
		cmocka_unit_test(the_documented_example_is_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
