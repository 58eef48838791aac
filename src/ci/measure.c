/* SPDX-License-Identifier: MIT */
/* See measure.h. */
#include "ci/measure.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

int ci_side_init(struct ci_side *out, const struct ci_program *program,
		 const char *tag, struct assay_error *err)
{
	*out = (struct ci_side){ .program = program, .tag = tag };
	out->run = calloc(CI_LAYOUTS, sizeof(*out->run));
	return out->run ? 0 : error_memory(err);
}

void ci_side_fini(struct ci_side *side)
{
	ci_lines_fini(&side->lines);
	free(side->run);
	side->run = NULL;
}

/* The counts of a quantity in the layouts that both sides have. */
static unsigned take(double *out, const struct ci_side *side,
		     enum assay_quantity q, unsigned most)
{
	unsigned n = side->program ? side->runs : side->kept[q];

	n = n < most ? n : most;

	for (unsigned i = 0; i < n; i++)
		out[i] = side->run[i].number[q];
	return n;
}

bool ci_side_moves(const struct ci_side *side, const struct ci_budget *budget,
		   char *why, size_t room)
{
	const enum assay_quantity q = budget->quantity;
	const unsigned at[2] = { 0, side->last };

	for (unsigned i = 0; i < side->runs; i++) {
		if (!*side->run[i].why[q])
			continue;
		text_copy(why, room, side->run[i].why[q]);
		return true;
	}
	for (unsigned i = 0; i < side->repeated; i++) {
		const double a = side->run[at[i]].number[q];
		const double b = side->again[i].number[q];

		if (at[i] >= budget->layouts || ci_judge_still(budget, a, b))
			continue;
		snprintf(why, room, "it does not hold still: %.0f and %.0f in "
			 "two runs of one build%s", a, b,
			 side->run[0].threads > 1 ? ", which has threads" : "");
		return true;
	}
	return false;
}

int ci_measure_judge(struct ci_judged *out, const struct ci_budget *budget,
		     const struct ci_side *base, const struct ci_side *head,
		     struct assay_error *err)
{
	double old[CI_LAYOUTS], new[CI_LAYOUTS];
	unsigned n = take(old, base, budget->quantity, budget->layouts);
	unsigned m = take(new, head, budget->quantity, budget->layouts);
	struct ci_judged not = { .verdict = CI_NOT_JUDGED };

	if (ci_side_moves(base, budget, not.why, sizeof(not.why)) ||
	    ci_side_moves(head, budget, not.why, sizeof(not.why))) {
		*out = not;
		return 0;
	}
	return ci_judge(out, budget, old, new, n < m ? n : m, err);
}

/* ---- running ------------------------------------------------------------ */

static void add(struct run_job *job, size_t *jobs, struct ci_side *side,
		unsigned layout, struct run *run, struct ci_lines *lines)
{
	if (side->program)
		job[(*jobs)++] = (struct run_job){
			side->program, side->tag, layout, run, lines };
}

static int run(const struct ci_measurement *m, const struct run_job *job,
	       size_t jobs, struct assay_error *err)
{
	return ci_run_jobs(job, jobs, m->assay, m->ci, m->folder, err);
}

/* Layout 0, by line, and again for what does not hold still. */
static int run_first(const struct ci_measurement *m, struct ci_side *base,
		     struct ci_side *head, struct assay_error *err)
{
	struct ci_side *const side[] = { base, head };
	struct run_job job[4];
	size_t jobs = 0;

	for (int i = 0; i < 2; i++)
		add(job, &jobs, side[i], 0, &side[i]->run[0],
		    &side[i]->lines);
	for (int i = 0; i < 2; i++)
		add(job, &jobs, side[i], 0, &side[i]->again[0], NULL);
	for (int i = 0; i < 2; i++)
		if (side[i]->program)
			side[i]->runs = side[i]->repeated = 1;
	return run(m, job, jobs, err);
}

/* Must a further layout be run for any budget? */
static bool any_open(const struct ci_measurement *m, const struct ci_side *base,
		     const struct ci_side *head)
{
	double old[CI_LAYOUTS], new[CI_LAYOUTS];
	char why[200];

	for (size_t i = 0; i < m->budgets; i++) {
		const struct ci_budget *b = &m->budget[i];
		unsigned n = take(new, head, b->quantity, b->layouts);

		if (take(old, base, b->quantity, b->layouts) < n ||
		    ci_side_moves(base, b, why, sizeof(why)) ||
		    ci_side_moves(head, b, why, sizeof(why)))
			continue;
		if (ci_judge_open(b, old, new, n))
			return true;
	}
	return false;
}

static unsigned layouts_wanted(const struct ci_measurement *m)
{
	unsigned n = 1;

	for (size_t i = 0; i < m->budgets; i++)
		if (m->budget[i].layouts > n)
			n = m->budget[i].layouts;
	return n;
}

/* As many further layouts as can be run at once. */
static int run_more(const struct ci_measurement *m, struct ci_side *base,
		    struct ci_side *head, struct assay_error *err)
{
	struct ci_side *const side[] = { base, head };
	const unsigned wanted = layouts_wanted(m);
	struct run_job job[2 * CI_LAYOUTS];
	size_t jobs = 0;

	do {
		for (int i = 0; i < 2; i++) {
			if (!side[i]->program)
				continue;
			add(job, &jobs, side[i], side[i]->runs,
			    &side[i]->run[side[i]->runs], NULL);
			side[i]->runs++;
		}
	} while (head->runs < wanted && jobs + 2 <= ci_run_workers());
	return run(m, job, jobs, err);
}

int ci_measure(const struct ci_measurement *m, struct ci_side *base,
	       struct ci_side *head, struct assay_error *err)
{
	int rc = run_first(m, base, head, err);

	while (rc == 0 && any_open(m, base, head))
		rc = run_more(m, base, head, err);
	return rc;
}

int ci_measure_all(const struct ci_measurement *m, struct ci_side *side,
		   struct assay_error *err)
{
	struct run_job job[CI_LAYOUTS + 2];
	size_t jobs = 0;

	side->runs = layouts_wanted(m);
	side->last = side->runs - 1;
	side->repeated = side->last ? 2 : 1;
	for (unsigned i = 0; i < side->runs; i++)
		add(job, &jobs, side, i, &side->run[i],
		    i ? NULL : &side->lines);
	add(job, &jobs, side, 0, &side->again[0], NULL);
	if (side->last)
		add(job, &jobs, side, side->last, &side->again[1], NULL);
	return run(m, job, jobs, err);
}
