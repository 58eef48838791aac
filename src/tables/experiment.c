/* SPDX-License-Identifier: MIT */
/* Experiment files: truths of quantities, as expressions over a row. */
#include "tables/experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cpus/yaml.h"

#define CLAIMS 256

/* "when": left OP right. */
enum relation { ALWAYS, LESS, MOST, MORE, LEAST, EQUAL, OTHER };

struct claim {
	const char *program, *quantity;	/* of the YAML text */
	enum relation when;
	struct expr left, right;
	struct expr low, high;	/* bounds of `within`; `is`: only low */
	bool one;		/* the truth is one number: `is` */
	unsigned char truth;
};

struct experiment {
	struct yaml *yaml;
	struct claim *claim;
	size_t claims;
	const struct yaml_node *events;
};

struct loading {
	struct experiment *e;
	struct bindings *b;
	struct assay_error *err;
};

static int load_expression(struct loading *l, struct expr *out,
			   const struct yaml_node *at, size_t from, size_t n)
{
	struct assay_error why = { 0 };
	size_t column = 0;
	int rc = bindings_expression(l->b, out, at->text + from, n, &column,
				     &why);

	if (rc == -ASSAY_ENOMEM)
		return error_set(l->err, rc, "out of memory");
	return rc ? yaml_error_in(l->e->yaml, at, from + column, l->err, "%s",
				  why.text) : 0;
}

/* ---- when ---------------------------------------------------------------- */

static enum relation find_relation(const char *text, size_t *at, size_t *n)
{
	static const struct { const char *word; enum relation is; } all[] = {
		{ "<=", MOST }, { ">=", LEAST }, { "!=", OTHER },
		{ "<", LESS }, { ">", MORE }, { "=", EQUAL },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const char *found = strstr(text, all[i].word);

		if (!found)
			continue;
		*at = (size_t)(found - text);
		*n = strlen(all[i].word);
		return all[i].is;
	}
	return ALWAYS;
}

static int load_when(struct loading *l, struct claim *c,
		     const struct yaml_node *map)
{
	const struct yaml_node *at = yaml_get(map, "when");
	size_t where = 0, n = 0;
	int rc = at ? yaml_is(l->e->yaml, at, YAML_SCALAR, "when", l->err) : 0;

	if (rc || !at)
		return rc;
	c->when = find_relation(at->text, &where, &n);
	if (c->when == ALWAYS)
		return yaml_error(l->e->yaml, at, l->err, "'when' is A < B, or "
				  "with <=, >, >=, = or !=");
	rc = load_expression(l, &c->left, at, 0, where);
	return rc ? rc : load_expression(l, &c->right, at, where + n,
					 strlen(at->text) - where - n);
}

/* ---- a claim ------------------------------------------------------------- */

static struct claim *add_claim(struct loading *l, const char *program,
			       const char *quantity)
{
	struct experiment *e = l->e;

	if (e->claims == CLAIMS)
		return NULL;
	e->claim[e->claims] = (struct claim){ .program = program,
					      .quantity = quantity };
	return &e->claim[e->claims++];
}

static int load_truth(struct loading *l, struct claim *c,
		      const struct yaml_node *map)
{
	static const char *const words[] = { "", "unit", "model", "about" };
	const char *text;
	int rc = yaml_text(&text, l->e->yaml, map, "truth", l->err);

	if (rc)
		return rc;
	for (unsigned char i = 0; i < 4; i++)
		if (!strcmp(text, words[i])) {
			c->truth = i;
			return 0;
		}
	return yaml_error(l->e->yaml, yaml_get(map, "truth"), l->err,
			  "'truth' is unit, model or about");
}

/* [LOW, HIGH] */
static int load_within(struct loading *l, struct claim *c,
		       const struct yaml_node *at)
{
	int rc = yaml_is(l->e->yaml, at, YAML_SEQUENCE, "within", l->err);
	const struct yaml_node *low = rc ? NULL : at->first;
	const struct yaml_node *high = low ? low->next : NULL;

	if (rc)
		return rc;
	if (!high || high->next || low->kind != YAML_SCALAR ||
	    high->kind != YAML_SCALAR)
		return yaml_error(l->e->yaml, at, l->err,
				  "'within' is [LOW, HIGH]");
	rc = load_expression(l, &c->low, low, 0, strlen(low->text));
	return rc ? rc : load_expression(l, &c->high, high, 0,
					 strlen(high->text));
}

static int load_case(struct loading *l, struct claim *c,
		     const struct yaml_node *map)
{
	static const char *const keys[] = { "when", "is", "within", "why",
					    "truth", NULL };
	const struct yaml_node *is = yaml_get(map, "is");
	const struct yaml_node *within = yaml_get(map, "within");
	const char *why;
	int rc = yaml_keys(l->e->yaml, map, keys, "a case", l->err);

	rc = rc ? rc : yaml_word(&why, l->e->yaml, map, "why", l->err);
	rc = rc ? rc : load_truth(l, c, map);
	rc = rc ? rc : load_when(l, c, map);
	if (rc)
		return rc;
	if (!is == !within)
		return yaml_error(l->e->yaml, map, l->err,
				  "'is' or 'within' is wanted, and not both");
	if (within)
		return load_within(l, c, within);
	c->one = true;
	rc = yaml_is(l->e->yaml, is, YAML_SCALAR, "is", l->err);
	return rc ? rc : load_expression(l, &c->low, is, 0,
					 strlen(is->text));
}

/* "EXPRESSION | WHY" */
static int load_short(struct loading *l, struct claim *c,
		      const struct yaml_node *at)
{
	const char *bar = strchr(at->text, '|');

	if (!bar || !bar[1 + strspn(bar + 1, " ")])
		return yaml_error(l->e->yaml, at, l->err,
				  "EXPRESSION | WHY is wanted");
	c->one = true;
	return load_expression(l, &c->low, at, 0, (size_t)(bar - at->text));
}

static int load_quantity(struct loading *l, const char *program,
			 const struct yaml_node *at)
{
	const bool cases = at->kind == YAML_SEQUENCE;
	const struct yaml_node *one = cases ? at->first : at;
	int rc = 0;

	for (; one && !rc; one = cases ? one->next : NULL) {
		struct claim *c = add_claim(l, program, at->key);

		if (!c)
			return yaml_error(l->e->yaml, one, l->err, "more than "
					  "%d truths", CLAIMS);
		rc = one->kind == YAML_SCALAR && !cases ?
		     load_short(l, c, one) :
		     yaml_is(l->e->yaml, one, YAML_MAPPING, "a case", l->err);
		if (!rc && one->kind == YAML_MAPPING)
			rc = load_case(l, c, one);
	}
	return rc;
}

/* ---- the file ------------------------------------------------------------ */

/* Adds the numbers of `given` as settings; a --set of the same name goes
 * first. */
static int load_given(struct loading *l)
{
	const struct yaml_node *map = yaml_get(l->e->yaml->root, "given");
	int rc = map ? yaml_is(l->e->yaml, map, YAML_MAPPING, "given",
			       l->err) : 0;

	for (const struct yaml_node *n = map && !rc ? map->first : NULL;
	     n && !rc; n = n->next) {
		struct table_setting set = { n->key, n->text };
		struct assay_error why = { 0 };
		bool there = false;

		rc = yaml_is(l->e->yaml, n, YAML_SCALAR, "a number", l->err);
		for (int i = 0; i < l->b->sets; i++)
			there |= !strcmp(l->b->set[i].name, n->key);
		if (!rc && !there && bindings_set(l->b, &set, 1, &why))
			rc = yaml_error(l->e->yaml, n, l->err, "%s", why.text);
	}
	return rc;
}

static int load_events(struct loading *l)
{
	const struct yaml_node *map = yaml_get(l->e->yaml->root, "events");
	int rc = map ? yaml_is(l->e->yaml, map, YAML_MAPPING, "events",
			       l->err) : 0;

	for (const struct yaml_node *n = map && !rc ? map->first : NULL;
	     n && !rc; n = n->next)
		rc = yaml_is(l->e->yaml, n, YAML_SCALAR, "a quantity", l->err);
	l->e->events = map;
	return rc;
}

static int load_programs(struct loading *l)
{
	const struct yaml_node *all;
	int rc = yaml_need(&all, l->e->yaml, l->e->yaml->root, "programs",
			   YAML_MAPPING, l->err);

	for (const struct yaml_node *p = rc ? NULL : all->first; p && !rc;
	     p = p->next) {
		rc = yaml_is(l->e->yaml, p, YAML_MAPPING, "a program", l->err);
		for (const struct yaml_node *q = rc ? NULL : p->first;
		     q && !rc; q = q->next)
			rc = load_quantity(l, p->key, q);
	}
	return rc;
}

static int load(struct loading *l)
{
	static const char *const keys[] = { "schema", "name", "title",
					    "source", "map", "given",
					    "events", "programs", NULL };
	struct yaml *yaml = l->e->yaml;
	const char *text, *map;
	int rc = yaml_keys(yaml, yaml->root, keys, "an experiment", l->err);

	rc = rc ? rc : yaml_word(&text, yaml, yaml->root, "schema", l->err);
	if (!rc && strcmp(text, "assay-experiment/1"))
		rc = yaml_error(yaml, yaml_get(yaml->root, "schema"), l->err,
				"'assay-experiment/1' is wanted");
	rc = rc ? rc : yaml_word(&text, yaml, yaml->root, "name", l->err);
	rc = rc ? rc : yaml_word(&text, yaml, yaml->root, "source", l->err);
	rc = rc ? rc : yaml_text(&text, yaml, yaml->root, "title", l->err);
	rc = rc ? rc : yaml_text(&map, yaml, yaml->root, "map", l->err);
	rc = rc ? rc : load_given(l);
	if (!rc && *map)
		rc = bindings_map(l->b, map, l->err);
	rc = rc ? rc : load_events(l);
	return rc ? rc : load_programs(l);
}

int experiment_open(struct experiment **out, const char *path,
		    struct bindings *b, struct assay_error *err)
{
	struct experiment *e = calloc(1, sizeof(*e));
	struct loading l = { e, b, err };
	int rc;

	if (e)
		e->claim = calloc(CLAIMS, sizeof(*e->claim));
	if (!e || !e->claim) {
		free(e);
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	}
	rc = yaml_open(&e->yaml, "experiments", path, NULL, err);
	rc = rc ? rc : load(&l);
	if (rc)
		experiment_close(e);
	else
		*out = e;
	return rc;
}

void experiment_close(struct experiment *e)
{
	if (!e)
		return;
	if (e->yaml)
		yaml_free(e->yaml);
	free(e->claim);
	free(e);
}

/* ---- a row --------------------------------------------------------------- */

const char *experiment_quantity(const struct experiment *e, const char *event)
{
	const struct yaml_node *n = e->events ? yaml_get(e->events, event) :
						NULL;

	return n ? n->text : "";
}

static bool holds(enum relation when, double a, double b)
{
	switch (when) {
	case LESS:
		return a < b;
	case MOST:
		return a <= b;
	case MORE:
		return a > b;
	case LEAST:
		return a >= b;
	case EQUAL:
		return a == b;
	case OTHER:
		return a != b;
	default:
		return true;
	}
}

/* The first case of the row's program and quantity whose `when` holds, or
 * NULL. */
static int find_claim(const struct experiment *e, const struct look *look,
		      const struct judge_row *row, const struct claim **out,
		      struct assay_error *err)
{
	int rc = 0;

	*out = NULL;
	for (size_t i = 0; i < e->claims && !*out && !rc; i++) {
		const struct claim *c = &e->claim[i];
		double a = 0, b = 0;

		if (strcmp(c->program, row->program) ||
		    strcmp(c->quantity, row->quantity))
			continue;
		if (c->when != ALWAYS) {
			rc = look_value(look, &c->left, &a, err);
			rc = rc ? rc : look_value(look, &c->right, &b, err);
		}
		if (!rc && !isnan(a) && !isnan(b) && holds(c->when, a, b))
			*out = c;
	}
	return rc;
}

int experiment_truth(const struct experiment *e, const struct look *look,
		     struct judge_row *row, struct assay_error *err)
{
	const struct claim *c;
	int rc = find_claim(e, look, row, &c, err);

	if (rc || !c)
		return rc;
	if (!isnan(row->expected) || !isnan(row->low) || !isnan(row->high))
		return csv_mistake(look->csv, look->csv->cell, err,
				   "the row says what it should be, and so "
				   "does the experiment: one or the other");
	row->truth = c->truth;
	rc = look_value(look, &c->low, c->one ? &row->expected : &row->low,
			err);
	if (!rc && !c->one)
		rc = look_value(look, &c->high, &row->high, err);
	if (!rc && (row->expected < 0 || row->low < 0 || row->high < 0))
		rc = csv_mistake(look->csv, look->csv->cell, err,
				 "by the experiment a number below 0 is true "
				 "here");
	return rc;
}
