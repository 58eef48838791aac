/* SPDX-License-Identifier: MIT */
/*
 * A recipe of any bytes is refused with a place, or all that it names is in
 * it, and its numbers are numbers or mistakes.
 */
#include "fuzz.h"

#include "analysis/recipe/recipe.h"

static struct assay_value some(void *ctx, const char *name)
{
	(void)ctx;
	if (strlen(name) % 2)
		return (struct assay_value){ .why = "unknown" };
	return (struct assay_value){ .number = (double)strlen(name) };
}

static struct assay_value event(const void *ctx, int name)
{
	const struct recipe_run *run = ctx;

	need(name >= 0 && (unsigned)name < run->events);
	return (struct assay_value){ .number = name };
}

static void check_number(const char *text)
{
	struct assay_error err = { 0 };
	double out = 0;

	if (recipe_number(&out, text, some, NULL, &err) < 0)
		need(*err.text);
	else
		need(__builtin_isfinite(out));
}

static int look(void *ctx, const struct assay_row *row)
{
	(void)ctx;
	for (size_t i = 0; i < row->fields; i++)
		need(row->field[i].kind != ASSAY_FIELD_TEXT ||
		     row->field[i].text);
	return 0;
}

static void check_loop(const struct recipe_loop *l)
{
	need(*l->kernel && *l->cpu && *l->isa);
	need(l->wheres <= RECIPE_SETTINGS);
	need(l->counts > 0 && l->counts <= RECIPE_COUNTS);
	for (unsigned i = 0; i < l->counts; i++) {
		const struct recipe_count *c = &l->count[i];

		need(*c->event && *c->is && *c->because);
		need((*c->low || *c->high) == (*c->bounds != 0));
		need((unsigned)c->quantity < ASSAY_QUANTITIES);
		check_number(c->is);
		check_number(c->low);
		check_number(c->high);
	}
}

static void check(const struct recipe *r)
{
	need(r->runs > 0 && r->runs <= RECIPE_RUNS);
	need(r->claims <= RECIPE_CLAIMS && r->plots <= RECIPE_EVENTS);
	for (unsigned i = 0; i < r->runs; i++) {
		need(r->run[i].events <= RECIPE_EVENTS);
		need(r->run[i].settings <= RECIPE_SETTINGS);
		check_number(r->run[i].per);
	}
	for (unsigned i = 0; i < r->claims; i++) {
		const struct recipe_claim *c = &r->claim[i];

		need(c->run < r->runs && c->low <= c->high);
		expr_value(&c->of, event, &r->run[c->run]);
		check_number(c->from);
		check_number(c->to);
	}
	need(r->loops <= RECIPE_LOOPS);
	for (unsigned i = 0; i < r->loops; i++)
		check_loop(&r->loop[i]);
	need(recipe_describe(r, look, NULL) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	struct recipe *r = NULL;
	struct assay_error err = { 0 };
	int rc = recipe_parse(&r, "f", (const char *)data, bytes, &err);

	need(rc <= 0);
	if (rc < 0) {
		need(!r && err.code == rc && *err.text);
		return 0;
	}
	check(r);
	recipe_free(r);
	return 0;
}
