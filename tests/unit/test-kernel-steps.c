/* SPDX-License-Identifier: MIT */
/*
 * The native loops, single-stepped: instructions, branches and taken branches
 * of each shape equal the closed form to the last one.
 */
#include "check.h"

#include "kernel-shape.h"
#include "singlestep.h"

struct job {
	const struct kernel *kernel;
	struct assay_shape shape;
	struct arena arena;
};

static void run_job(void *ctx)
{
	struct job *job = ctx;

	job->kernel->run(&job->shape, &job->arena);
}

static bool expect_count(const char *text, const struct assay_expectation *e,
			 enum assay_quantity quantity, uint64_t counted)
{
	const struct assay_expected *row = assay_expectation_find(e, quantity);

	if (row && row->exact && row->value == (double)counted)
		return true;
	print_error("%s: %s: counted %llu, expected %.0f%s\n", text,
		    assay_quantity_name(quantity),
		    (unsigned long long)counted, row ? row->value : -1,
		    row && !row->exact ? " (not exact)" : "");
	return false;
}

static bool check_text(const char *text)
{
	struct assay_expectation e = { .rows = 0 };
	struct assay_error err = { .code = 0 };
	struct step_counts steps;
	struct job job;
	const char *why;
	bool right;

	job.kernel = shape_text(&job.shape, text, &err);
	if (!job.kernel)
		fail_msg("%s: %s", text, err.text);
	shape_arena(&job.arena, job.kernel, &job.shape);
	if (singlestep(run_job, &job, (uintptr_t)__start_assay_kernels,
		       (uintptr_t)__stop_assay_kernels, &steps, &why)) {
		printf("skipped: %s\n", why);
		exit(77);
	}
	job.kernel->expect(&job.shape, ISA_X86_64, NULL, false, &e);
	right = expect_count(text, &e, ASSAY_Q_instructions,
			     steps.instructions);
	right &= expect_count(text, &e, ASSAY_Q_branches, steps.branches);
	right &= expect_count(text, &e, ASSAY_Q_branches_taken, steps.taken);
	shape_arena_free(&job.arena);
	return right;
}

static void steps_equal_closed_form(void **state)
{
	static const char *const texts[] = {
#define SHAPE(text) text,
#include "kernel-shapes.def"
#undef SHAPE
	};
	bool right = true;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		right &= check_text(texts[i]);
	assert_true(right);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_equal_closed_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
