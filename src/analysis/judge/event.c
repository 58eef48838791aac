/* SPDX-License-Identifier: MIT */
/* Verdicts of one event on one machine: of each program, of the regions of a
 * program, and of all programs together. */
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/parts.h"

struct verdicts {
	struct judge_verdict *v;	/* each program before its regions */
	size_t used, room;
	bool alive;		/* a shape counts half of its truth */
};

static struct judge_verdict *push(struct verdicts *all,
				  const struct judge_row *row)
{
	if (all->used == all->room) {
		const size_t room = all->room ? 2 * all->room : 8;
		void *grown = realloc(all->v, room * sizeof(*all->v));

		if (!grown)
			return NULL;
		all->v = grown;
		all->room = room;
	}
	all->v[all->used] = (struct judge_verdict){
		.machine = row->machine, .microcode = row->microcode,
		.event = row->event, .program = row->program,
		.parameter = "",
	};
	return &all->v[all->used++];
}

/* ---- a program ----------------------------------------------------------- */

static bool any_alive(struct judge_list list)
{
	for (size_t i = 0; i < list.shapes; i++)
		if (judge_is_alive(list.shape[i]))
			return true;
	return false;
}

static int by_parameter(const void *a, const void *b)
{
	const struct judge_shape *const *x = a, *const *y = b;

	if ((*x)->parameter != (*y)->parameter)
		return ((*x)->parameter > (*y)->parameter) -
		       ((*x)->parameter < (*y)->parameter);
	return strcmp((*x)->row[0]->shape, (*y)->row[0]->shape);
}

static int add_region(struct verdicts *all, struct judge_list list,
		      const char *parameter, const struct judge_facts *total)
{
	struct judge_verdict *v = push(all, list.shape[0]->row[0]);

	if (!v)
		return -ASSAY_ENOMEM;
	judge_gather(&v->facts, list, true);
	v->facts.alive = total->alive;
	v->facts.only_zero = false;	/* decided for the program only */
	v->parameter = parameter;
	v->from = list.shape[0]->parameter;
	v->to = list.shape[list.shapes - 1]->parameter;
	v->class_ = judge_decide(&v->facts);
	return 0;
}

/* Splits a program into stretches of shapes with equal labels. Each stretch is
 * a region with its own verdict. */
static int split(struct verdicts *all, size_t program, struct judge_list list,
		 const char *parameter)
{
	const struct judge_facts total = all->v[program].facts;
	struct judge_facts sum = { .factor = NAN, .constant = NAN };
	size_t to;

	for (size_t from = 0; from < list.shapes; from = to) {
		enum judge_label label;
		int rc;

		to = judge_stretch(list, from, &label);
		rc = add_region(all, (struct judge_list){ list.shape + from,
				to - from }, parameter, &total);
		if (rc)
			return rc;
		judge_combine(&sum, &all->v[all->used - 1].facts,
			      all->v[all->used - 1].class_);
	}
	sum.programs = 1;
	sum.worst = total.worst;
	sum.only_zero = total.only_zero;
	all->v[program].facts = sum;
	all->v[program].class_ = judge_decide(&sum);
	return 0;
}

/* Whether one verdict describes all shapes of a program. */
static bool is_one(const struct judge_facts *f, struct judge_list list)
{
	enum judge_label label;

	return f->wrapped ||
	       f->marks & (JUDGE_RATE | JUDGE_EMPTY | JUDGE_ACCUSED) ||
	       (f->line && f->label < JUDGE_ZERO && !f->unstable) ||
	       judge_stretch(list, 0, &label) == list.shapes;
}

static int add_program(struct verdicts *all, struct judge_list list)
{
	const char *parameter = judge_parameter(list);
	const size_t at = all->used;
	struct judge_verdict *v = push(all, list.shape[0]->row[0]);

	if (!v)
		return -ASSAY_ENOMEM;
	qsort((void *)list.shape, list.shapes, sizeof(*list.shape),
	      by_parameter);
	judge_gather(&v->facts, list, false);
	v->facts.alive = any_alive(list) || (v->facts.hidden && all->alive);
	v->class_ = judge_decide(&v->facts);
	return is_one(&v->facts, list) ? 0 : split(all, at, list, parameter);
}

/* ---- over programs ------------------------------------------------------- */

static bool is_excess(const struct judge_verdict *v)
{
	return v->facts.lone && !v->facts.combined &&
	       v->class_ == ASSAY_CLASS_BIASED && v->facts.worst &&
	       v->facts.worst->mean > v->facts.worst->expected &&
	       v->facts.worst->expected > 0;
}

/*
 * Whether start-up explains the excess of all programs. Each program has one
 * shape and counts too much; the excess is the same number in all programs,
 * clearly not the same share of the truth, and on average at most 0.1 % of the
 * least truth.
 */
static bool same_excess(const struct verdicts *all)
{
	double sum = 0, shares = 0, least = INFINITY, n = (double)all->used;
	bool shared = true;

	for (size_t i = 0; i < all->used; i++) {
		const struct judge_shape *s = all->v[i].facts.worst;

		if (!is_excess(&all->v[i]))
			return false;
		sum += s->mean - s->expected;
		shares += (s->mean - s->expected) / s->expected;
		least = fmin(least, s->expected);
	}
	for (size_t i = 0; i < all->used; i++) {
		const struct judge_shape *s = all->v[i].facts.worst;
		const double off = s->mean - s->expected;
		const double room = 3 * s->half + 3;

		if (fabs(off - sum / n) > room)
			return false;
		shared &= fabs(off - shares / n * s->expected) <= 5 * room;
	}
	return n >= 2 && !shared && sum / n <= 0.001 * least;
}

static void over_programs(struct verdicts *all)
{
	if (!same_excess(all))
		return;
	for (size_t i = 0; i < all->used; i++) {
		struct judge_verdict *v = &all->v[i];

		v->facts.same_over_programs = true;
		v->facts.constant = v->facts.worst->mean -
				    v->facts.worst->expected;
		v->class_ = judge_decide(&v->facts);
	}
}

/* ---- all ----------------------------------------------------------------- */

static void sum_up(struct judge_verdict *out, const struct verdicts *all)
{
	*out = all->v[0];
	out->program = NULL;
	out->facts = (struct judge_facts){ .factor = NAN, .constant = NAN };
	out->part = all->v;
	out->parts = all->used;
	for (size_t i = 0; i < all->used; i++) {
		const struct judge_verdict *v = &all->v[i];

		if (*v->parameter)
			continue;
		judge_combine(&out->facts, &v->facts, v->class_);
		if (!out->facts.worst || v->class_ == judge_decide(&out->facts))
			out->facts.worst = v->facts.worst;
	}
	out->class_ = judge_decide(&out->facts);
}

/* Lets .part of each program point to the program's regions, which follow the
 * program in the array. */
static void link_regions(struct verdicts *all)
{
	for (size_t i = 0; i < all->used; i++) {
		struct judge_verdict *v = &all->v[i];

		v->part = v + 1;
		if (!*v->parameter)
			while (i + 1 + v->parts < all->used &&
			       *v[1 + v->parts].parameter)
				v->parts++;
	}
}

static int give_all(struct verdicts *all, const struct judge_sink *sink)
{
	struct judge_verdict sum;
	int rc;

	link_regions(all);
	sum_up(&sum, all);
	rc = judge_give(&sum, sink);
	for (size_t i = 0; i < all->used && !rc; i++)
		rc = judge_give(&all->v[i], sink);
	return rc;
}

static int judge_programs(struct verdicts *all,
			  struct judge_shape *const *list, size_t shapes)
{
	int rc = 0;
	size_t to;

	for (size_t from = 0; from < shapes && !rc; from = to) {
		const char *program = list[from]->row[0]->program;

		for (to = from; to < shapes; to++)
			if (list[to]->row[0]->program != program &&
			    strcmp(list[to]->row[0]->program, program))
				break;
		rc = add_program(all, (struct judge_list){ list + from,
				 to - from });
	}
	return rc;
}

int judge_event(struct judge_shape *shape, size_t shapes,
		const struct judge_sink *sink)
{
	struct judge_shape **list = malloc(shapes * sizeof(*list));
	struct verdicts all = { 0 };
	int rc = list ? 0 : -ASSAY_ENOMEM;

	for (size_t i = 0; i < shapes && !rc; i++)
		list[i] = &shape[i];
	if (!rc) {
		judge_pool((struct judge_list){ list, shapes });
		all.alive = any_alive((struct judge_list){ list, shapes });
		rc = judge_programs(&all, list, shapes);
	}
	if (!rc) {
		over_programs(&all);
		rc = give_all(&all, sink);
	}
	free(all.v);
	free(list);
	return rc;
}
