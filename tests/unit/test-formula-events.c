/* SPDX-License-Identifier: MIT */
/*
 * Every event that a built-in formula file names is an event of every CPU that
 * the file is for, and every CPU has formulas.
 */
#define _GNU_SOURCE	/* FNM_CASEFOLD */
#include "check.h"

#include <fnmatch.h>

#include "analysis/formulas/formula.h"
#include "cpus/cpu.h"
#include "cpus/data-file.h"

static bool fits(const struct formula_file *file, const struct cpu *cpu)
{
	for (const char *const *p = file->cpu; *p; p++) {
		if (!fnmatch(*p, cpu->name, FNM_CASEFOLD))
			return true;
		for (const char *const *a = cpu->alias; *a; a++)
			if (!fnmatch(*p, *a, FNM_CASEFOLD))
				return true;
	}
	return false;
}

/* Five hypotheses of a program that does not ask what a CPU has. */
static bool may_lack(const struct formula_file *file)
{
	return !strcmp(file->name, "arm-pies");
}

struct walk {
	struct formula_file *file[32];
	size_t files;
};

static int one_cpu(void *ctx, const struct cpu *cpu)
{
	const struct walk *w = ctx;
	unsigned formulas = 0;

	for (size_t f = 0; f < w->files; f++) {
		const struct formula_file *file = w->file[f];

		if (!fits(file, cpu))
			continue;
		formulas += (unsigned)file->formulas;
		for (size_t e = 0; e < file->events && !may_lack(file); e++) {
			const struct cpu_event *event =
				cpu_event_find(cpu, file->event[e]);

			if (!event || !event->implemented)
				fail_msg("%s is for %s, which has no %s",
					 file->name, cpu->name,
					 file->event[e]);
		}
	}
	if (formulas < 15)
		fail_msg("%s has %u formulas", cpu->name, formulas);
	return 0;
}

static void formulas_name_events_of_their_cpus(void **ctx)
{
	struct assay_error err = { 0 };
	struct walk walk = { .files = 0 };
	const char **names;

	(void)ctx;
	assert_int_equal(data_file_names(&names, "formulas", NULL, &err), 0);
	for (; names[walk.files]; walk.files++) {
		assert_true(walk.files < 32);
		if (formula_load(&walk.file[walk.files], names[walk.files],
				 NULL, NULL, &err))
			fail_msg("%s", err.text);
	}
	assert_int_equal(cpu_each(NULL, one_cpu, &walk, &err), 0);
	for (size_t f = 0; f < walk.files; f++)
		formula_free(walk.file[f]);
	free(names);
}

/* Who said it, and whether anybody ever compared it with anything. */
static void formulas_have_sources(void **ctx)
{
	struct assay_error err = { 0 };
	const char **names;
	unsigned checked = 0;

	(void)ctx;
	assert_int_equal(data_file_names(&names, "formulas", NULL, &err), 0);
	for (int i = 0; names[i]; i++) {
		struct formula_file *file;

		assert_int_equal(formula_load(&file, names[i], NULL, NULL,
					      &err), 0);
		for (size_t k = 0; k < file->formulas; k++) {
			assert_true(*file->formula[k].source);
			checked += *file->formula[k].checked != '\0';
		}
		formula_free(file);
	}
	free(names);
	assert_true(checked >= 15);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formulas_name_events_of_their_cpus),
		cmocka_unit_test(formulas_have_sources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
