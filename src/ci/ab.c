/* SPDX-License-Identifier: MIT */
/* assay_ci_ab(): two builds of a program, under equal conditions. */
#include <string.h>

#include "base/text.h"
#include "ci/layout.h"
#include "ci/rows.h"

enum { LAYOUTS = 8 };

static const struct ci_budget default_budgets[] = {
	{ ASSAY_Q_instructions, { "instructions", "", true, true, 0.5 }, 1 },
	{ ASSAY_Q_l1d_refills, { "l1d_refills", "", true, true, 1 }, LAYOUTS },
	{ ASSAY_Q_dram_reads, { "dram_reads", "", true, true, 1 }, LAYOUTS },
};
enum { BUDGETS = sizeof(default_budgets) / sizeof(*default_budgets) };

static int check(const struct assay_ci *ci, const struct ci_program *base,
		 const struct ci_program *head, struct assay_error *err)
{
	if (ci->layouts > CI_LAYOUTS)
		return error_set(err, -ASSAY_EINVAL, "at most %d layouts",
				 CI_LAYOUTS);
	if (base->isa == head->isa)
		return 0;
	return error_set(err, -ASSAY_EUNAVAIL, "'%.200s' is for %s and "
			 "'%.200s' for %s: their counts cannot be compared",
			 base->path, isa_names[base->isa], head->path,
			 isa_names[head->isa]);
}

/* Both sides have one argv[0]: its length moves the stack. */
static int find(struct ci_program *base, struct ci_program *head,
		const struct assay_ci *ci, const char *const name[2],
		char *const *arguments, struct assay_error *err)
{
	const char *slash = strrchr(name[0], '/');
	int rc;

	*base = (struct ci_program){
		.name = slash ? slash + 1 : name[0],
		.folder = ci->folder, .argument = arguments, .cpu = ci->cpu,
		.output = ci->output,
	};
	*head = *base;
	rc = ci_program_find(base, name[0], err);
	if (rc == 0)
		rc = ci_program_find(head, name[1], err);
	return rc ? rc : check(ci, base, head, err);
}

/* Measures both sides, and emits the rows. */
static int compare(const struct ci_measurement *m, const struct ci_rows *rows,
		   struct ci_side *base, struct ci_side *head,
		   struct assay_error *err)
{
	int rc = ci_measure(m, base, head, err);

	if (rc == 0)
		rc = ci_rows_budgets(rows, m, base, head, err);
	if (rc == 0)
		rc = ci_rows_remarks(rows, base);
	return rc ? rc : ci_rows_remarks(rows, head);
}

static int run_sides(struct ci_measurement *m, const struct ci_rows *rows,
		     const struct ci_program program[2],
		     struct assay_error *err)
{
	struct ci_side base, head = { .run = NULL };
	struct scratch folder;
	int rc = ci_side_init(&base, &program[0], "base", err);

	if (rc == 0)
		rc = ci_side_init(&head, &program[1], "head", err);
	if (rc == 0)
		rc = layout_folder_make(&folder, err);
	if (rc == 0) {
		m->folder = folder.folder;
		rc = compare(m, rows, &base, &head, err);
		scratch_remove(&folder);
	}
	ci_side_fini(&base);
	ci_side_fini(&head);
	return rc;
}

int assay_ci_ab(struct assay *assay, const struct assay_ci *ci,
		const char *base, const char *head, char *const *arguments,
		assay_row_fn *fn, void *ctx, struct assay_ci_outcome *outcome,
		struct assay_error *err)
{
	struct ci_program program[2];
	struct ci_budget budget[BUDGETS];
	struct assay_ci_outcome counted = { .budgets = 0 };
	struct ci_measurement m = { .assay = assay, .ci = ci,
				    .budget = budget, .budgets = BUDGETS };
	struct ci_rows rows = { NULL, fn, ctx, ci->most, &counted };
	int rc;

	memcpy(budget, default_budgets, sizeof(budget));
	for (int i = 0; ci->layouts && i < BUDGETS; i++)
		if (budget[i].layouts > 1)
			budget[i].layouts = ci->layouts;
	rc = find(&program[0], &program[1], ci,
		  (const char *const[]){ base, head }, arguments, err);
	rows.benchmark = program[0].name;
	if (rc == 0)
		rc = run_sides(&m, &rows, program, err);
	if (rc == 0)
		*outcome = counted;
	return rc;
}
