/* SPDX-License-Identifier: MIT */
/*
 * Counts that were published with their loop: a recipe ("loops") has an
 * expression for each count of the loop, and bounds where the input is random.
 */
#include <math.h>
#include <stdlib.h>

#include "run/saved.h"
#include "verify/verify.h"
#include "base/array.h"
#include "base/text.h"
#include "cpus/data-file.h"
#include "kernels/expect.h"

/* ---- recipes with loops -------------------------------------------------- */

static bool has_loop(const struct recipe *r, const char *cpu)
{
	for (unsigned i = 0; i < r->loops; i++)
		if (text_equal(r->loop[i].cpu, cpu))
			return true;
	return false;
}

static int add_recipe(struct verify *v, struct recipe *r,
		      struct assay_error *err)
{
	if (!array_resize(&v->recipe, v->recipes + 1, sizeof(*v->recipe))) {
		recipe_free(r);
		return error_memory(err);
	}
	v->recipe[v->recipes++] = r;
	return 0;
}

int verify_published_open(struct verify *v, const char *cpu,
			  struct assay_error *err)
{
	const char **all = NULL;
	int rc = data_file_names(&all, "recipes", v->assay->data_dir, err);

	for (size_t i = 0; rc == 0 && all[i]; i++) {
		struct recipe *r;

		rc = recipe_load(&r, all[i], v->assay->data_dir, err);
		if (rc == 0 && has_loop(r, cpu))
			rc = add_recipe(v, r, err);
		else if (rc == 0)
			recipe_free(r);
	}
	free(all);
	return rc;
}

void verify_published_close(struct verify *v)
{
	for (size_t i = 0; i < v->recipes; i++)
		recipe_free(v->recipe[i]);
	free(v->recipe);
	v->recipe = NULL;
	v->recipes = 0;
}

/* ---- one record ---------------------------------------------------------- */

/* The kernel and shape that a loop's expressions refer to. */
struct drawn {
	const struct kernel *kernel;
	const struct assay_shape *shape;
};

/* Spread of the `ones` among `chars` random characters, equal in each pass. */
static struct assay_value sigma(const struct drawn *d)
{
	const struct assay_value p = saved_number(d->kernel, d->shape, "ones");
	const struct assay_value chars = saved_number(d->kernel, d->shape,
						      "chars");
	struct assay_value s = saved_number(d->kernel, d->shape, "passes");

	if (p.why || chars.why || s.why)
		return (struct assay_value){ .why = "nothing is drawn" };
	s.number *= sqrt(chars.number * p.number * (1 - p.number));
	return s;
}

static struct assay_value number(void *ctx, const char *name)
{
	const struct drawn *d = ctx;

	return text_equal(name, "sigma") ? sigma(d) :
	       saved_number(d->kernel, d->shape, name);
}

static bool is_of(const struct recipe_loop *loop, const struct drawn *d,
		  const struct assay_record *record)
{
	if (!text_equal(loop->cpu, record->machine.cpu) ||
	    !text_equal(loop->isa, record->machine.isa) ||
	    !text_equal(loop->kernel, d->shape->kernel))
		return false;
	for (unsigned i = 0; i < loop->wheres; i++) {
		const int at = assay_shape_find(d->shape, loop->where[i].name);

		if (at < 0 || !text_equal(d->shape->option[at].word,
					  loop->where[i].text))
			return false;
	}
	return true;
}

/* Evaluates the expected count of a loop and its bounds. */
static int evaluate(const struct recipe_count *c, struct drawn *d,
		    double of[3], struct assay_error *err)
{
	const char *text[3] = { c->is, c->low, c->high };
	struct assay_error why = { 0 };
	int rc = 0;

	for (int i = 0; i < 3 && rc == 0; i++) {
		if (*text[i])
			rc = recipe_number(&of[i], text[i], number, d, &why);
		else
			of[i] = of[0];
	}
	return rc ? error_set(err, rc, "a recipe's loop of kernel '%.30s', "
			      "event '%.60s': %.200s", d->kernel->name,
			      c->event, why.text) : 0;
}

/* Claims the loop's count for each repetition. */
static void claim(struct verify *v, const struct recipe_count *c,
		  const double of[3], size_t row, size_t rows)
{
	const bool bounded = *c->bounds;

	for (size_t i = row; i < row + rows; i++)
		panel_claim(&v->panel, i, c->event, c->quantity,
			    of[bounded], of[bounded ? 2 : 0]);
}

/* Adds a comparison with a count that depends on random input. */
static void compare(const struct recipe_count *c,
		    const double of[3], const struct assay_record *record,
		    struct derived_metrics *j)
{
	struct assay_expected *e = expect_row(&j->expectation, c->quantity);
	struct assay_compared *out = &j->compared[j->result.compareds];
	const int at = assay_record_find(record, c->event);

	expect_term(e, "as published", c->is, of[0], c->because);
	expect_band(e, of[1], of[2], c->bounds);
	if (at < 0)
		return;
	*out = (struct assay_compared){
		.quantity = c->quantity, .expected = e, .from = c->event,
		.measured = assay_record_value(record, (unsigned)at),
	};
	out->verdict = out->measured.why ? ASSAY_UNAVAILABLE :
		       out->measured.number < of[1] ||
		       out->measured.number > of[2] ? ASSAY_DISAGREES :
		       ASSAY_AGREES;
	j->result.compareds++;
}

static int add_loop(struct verify *v, const struct recipe_loop *loop,
		     const struct run *run, struct derived_metrics *j,
		     struct drawn *d, const struct assay_record *record,
		     struct assay_error *err)
{
	const size_t rows = record->repeats, row = v->panel.rows - rows;
	double of[3];
	int rc = 0;

	j->expectation = (struct assay_expectation){ .rows = 0 };
	j->result.compared = j->compared;
	j->result.compareds = 0;
	for (unsigned i = 0; i < loop->counts && rc == 0; i++) {
		rc = evaluate(&loop->count[i], d, of, err);
		if (rc < 0)
			break;
		claim(v, &loop->count[i], of, row, rows);
		if (*loop->count[i].bounds)
			compare(&loop->count[i], of, record, j);
	}
	return rc < 0 ? rc : verify_add_result(v, run, &j->result);
}

int verify_published(struct verify *v, const struct run *run,
		     struct derived_metrics *j, const struct assay_shape *shape,
		     const struct assay_record *record,
		     struct assay_error *err)
{
	struct drawn d = { run->kernel, shape };
	int rc = 0;

	for (size_t r = 0; r < v->recipes; r++)
		for (unsigned i = 0; i < v->recipe[r]->loops && rc == 0; i++)
			if (is_of(&v->recipe[r]->loop[i], &d, record))
				rc = add_loop(v, &v->recipe[r]->loop[i], run,
					       j, &d, record, err);
	return rc;
}
