/* SPDX-License-Identifier: MIT */
/* Rows to shapes, shapes to verdicts. */
#include "analysis/judge/judge.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/judge/parts.h"

const char *const judge_sure_words[] = { "low", "medium", "high" };
const char *const judge_label_words[] = {
	"no truth", "bounds", "within", "agrees", "unsure", "below", "above",
	"zero",
};

struct judging {
	const struct judge_input *in;
	const struct judge_row **row;	/* sorted */
	struct judge_shape *shape, **list;
	size_t shapes;
	struct judge_sink sink;
	struct judge_room *room;
	struct judge_each *each;	/* list, one per program with terms */
};

/* Equal texts mostly have one address. */
static int text_order(const char *a, const char *b)
{
	return a == b ? 0 : strcmp(a, b);
}

static int shape_order(const struct judge_row *x, const struct judge_row *y)
{
	int c = text_order(x->machine, y->machine);

	c = c ? c : text_order(x->microcode, y->microcode);
	c = c ? c : text_order(x->event, y->event);
	c = c ? c : text_order(x->program, y->program);
	return c ? c : text_order(x->shape, y->shape);
}

static int by_shape(const void *a, const void *b)
{
	const struct judge_row *const *x = a, *const *y = b;
	const int c = shape_order(*x, *y);

	return c ? c : (*x > *y) - (*x < *y);
}

static bool same_machine(const struct judge_row *x, const struct judge_row *y)
{
	return !text_order(x->machine, y->machine) &&
	       !text_order(x->microcode, y->microcode);
}

static int by_place(const void *a, const void *b)
{
	const struct judge_row *x = (*(struct judge_shape *const *)a)->row[0];
	const struct judge_row *y = (*(struct judge_shape *const *)b)->row[0];
	int c = text_order(x->machine, y->machine);

	c = c ? c : text_order(x->microcode, y->microcode);
	c = c ? c : text_order(x->program, y->program);
	c = c ? c : text_order(x->shape, y->shape);
	return c ? c : text_order(x->event, y->event);
}

static void find_shapes(struct judging *j)
{
	const struct judge_input *in = j->in;

	for (size_t i = 0; i < in->rows; i++)
		j->row[i] = &in->row[i];
	qsort(j->row, in->rows, sizeof(*j->row), by_shape);
	for (size_t i = 0; i < in->rows; i++) {
		if (!i || shape_order(j->row[i - 1], j->row[i]))
			j->shape[j->shapes++].row = j->row + i;
		j->shape[j->shapes - 1].rows++;
	}
}

static bool same_event(const struct judge_row *x, const struct judge_row *y)
{
	return same_machine(x, y) && !text_order(x->event, y->event);
}

/* End of the shapes of one event in one program. */
static size_t program_end(const struct judging *j, size_t from)
{
	const struct judge_row *x = j->shape[from].row[0];
	size_t to = from;

	while (to < j->shapes && same_event(x, j->shape[to].row[0]) &&
	       !text_order(x->program, j->shape[to].row[0]->program))
		to++;
	return to;
}

static bool is_any_counted(const struct judge_each *each)
{
	for (unsigned k = 0; k < each->covariates; k++)
		if (each->counted[k])
			return true;
	return false;
}

static bool is_open(struct judge_list list)
{
	for (size_t i = 0; i < list.shapes; i++)
		if (list.shape[i]->label >= JUDGE_UNSURE)
			return true;
	return false;
}

static void settle(const struct judging *j, struct judge_list list,
		   const struct judge_each *each)
{
	for (size_t i = 0; i < list.shapes; i++) {
		list.shape[i]->each = is_any_counted(each) ? each : NULL;
		judge_settle(list.shape[i], j->in, j->room);
	}
}

/* Measures one program: first the counts that covariates add, then the shapes
 * after these counts are taken off. */
static int measure_program(struct judging *j, struct judge_list list)
{
	const unsigned all = j->in->covariates;
	const unsigned two = (judge_covariate(j->in, "interrupts") >= 0) +
			     (judge_covariate(j->in, "page_faults") >= 0);
	struct judge_each *each = calloc(1, sizeof(*each));
	int rc = each ? 0 : -ASSAY_ENOMEM;

	if (rc)
		return rc;
	*each = (struct judge_each){ .name = j->in->covariate,
		.covariates = all < JUDGE_COVARIATES ? all : JUDGE_COVARIATES,
		.next = j->each };
	j->each = each;
	rc = judge_covariates(list, j->in, each);
	settle(j, list, each);
	if (!rc && all > two && !j->in->no_margins && is_open(list)) {
		rc = judge_least(list, each);
		settle(j, list, each);
	}
	if (is_any_counted(each))
		return rc;
	j->each = each->next;
	free(each);
	return rc;
}

static int measure(struct judging *j)
{
	struct judge_room room;
	size_t most = 0, to;
	int rc = 0;

	for (size_t i = 0; i < j->shapes; i++)
		most = j->shape[i].rows > most ? j->shape[i].rows : most;
	if (judge_room_open(&room, most))
		return -ASSAY_ENOMEM;
	j->room = &room;
	for (size_t i = 0; i < j->shapes; i++) {
		judge_collect(&j->shape[i], j->in, &room);
		j->list[i] = &j->shape[i];
	}
	for (size_t from = 0; from < j->shapes && !rc; from = to) {
		to = program_end(j, from);
		rc = measure_program(j, (struct judge_list){ j->list + from,
				     to - from });
	}
	judge_room_close(&room);
	return rc;
}

/* Compares the events of each place (program and shape); the list is sorted by
 * place. Without a sink marks the doubts, with a sink hands out violated
 * laws. */
static int look_around(struct judging *j, const struct judge_sink *sink)
{
	int rc = 0;
	size_t to;

	for (size_t from = 0; from < j->shapes && !rc; from = to) {
		for (to = from; to < j->shapes; to++)
			if (!same_machine(j->list[from]->row[0],
					  j->list[to]->row[0]))
				break;
		rc = judge_laws((struct judge_list){ j->list + from,
				to - from }, sink);
	}
	for (size_t from = 0; from < j->shapes && !sink; from = to) {
		to = judge_place((struct judge_list){ j->list, j->shapes },
				 from);
		judge_doubts((struct judge_list){ j->list + from, to - from });
	}
	return rc;
}

static int judge_events(struct judging *j)
{
	int rc = 0;
	size_t to;

	for (size_t from = 0; from < j->shapes && !rc; from = to) {
		const struct judge_row *row = j->shape[from].row[0];

		for (to = from; to < j->shapes; to++)
			if (!same_event(row, j->shape[to].row[0]))
				break;
		rc = judge_event(j->shape + from, to - from, &j->sink);
	}
	return rc;
}

static int work(struct judging *j, judge_shape_fn *evidence)
{
	int rc = measure(j);

	qsort(j->list, j->shapes, sizeof(*j->list), by_place);
	rc = rc ? rc : look_around(j, NULL);
	for (size_t i = 0; i < j->shapes && evidence && !rc; i++)
		if (evidence(j->sink.ctx, &j->shape[i]))
			rc = -ASSAY_ESTOP;
	rc = rc ? rc : judge_events(j);
	rc = rc ? rc : look_around(j, &j->sink);
	return rc ? rc : judge_microcodes((struct judge_list){ j->list,
					  j->shapes }, &j->sink);
}

static size_t count_shapes(const struct judge_input *in)
{
	return in->rows ? in->rows : 1;
}

int judge_run(const struct judge_input *input, judge_verdict_fn *verdict,
	      judge_shape_fn *shape, void *ctx)
{
	struct judging j = { .in = input, .sink = { verdict, ctx } };
	const size_t room = count_shapes(input);
	int rc = -ASSAY_ENOMEM;

	j.row = malloc(room * sizeof(*j.row));
	j.shape = calloc(room, sizeof(*j.shape));
	j.list = malloc(room * sizeof(*j.list));
	if (j.row && j.shape && j.list) {
		find_shapes(&j);
		rc = work(&j, shape);
	}
	while (j.each) {
		struct judge_each *const next = j.each->next;

		free(j.each);
		j.each = next;
	}
	free(j.row);
	free(j.shape);
	free(j.list);
	return rc;
}
