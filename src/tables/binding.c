/* SPDX-License-Identifier: MIT */
/* Finds columns by their names, and the values of fields and names in a row. */
#include "tables/binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define COMPUTED 6		/* decimals of an expression's value */

const char *const field_names[] = {
	"machine", "microcode", "program", "shape", "event", "quantity",
	"truth", "measured", "run", "count", "expected", "expected_low",
	"expected_high", "resolution", "scaled", NULL
};

int bindings_column(const struct bindings *b, const char *name)
{
	for (int i = 0; i < b->columns; i++)
		if (!strcmp(b->name[i], name))
			return i;
	return -1;
}

int bindings_open(struct bindings *b, const struct csv *csv,
		  struct assay_error *err)
{
	*b = (struct bindings){ .columns = 0 };
	for (size_t i = 0; i < csv->cells; i++) {
		const struct cell *cell = &csv->cell[i];

		if (*cell->text && bindings_column(b, cell->text) >= 0)
			return csv_mistake(csv, cell, err, "a second column "
					   "'%.60s'", cell->text);
		b->name[i] = strdup(cell->text);
		if (!b->name[i])
			return error_set(err, -ASSAY_ENOMEM, "out of memory");
		b->columns++;
	}
	for (int i = 0; i < FIELDS; i++) {
		const int column = bindings_column(b, field_names[i]);

		if (column >= 0)
			b->of[i] = (struct binding){ FROM_COLUMN, column,
						     NULL, NULL };
	}
	return 0;
}

void bindings_close(struct bindings *b)
{
	for (int i = 0; i < b->columns; i++)
		free(b->name[i]);
	for (int i = 0; i < b->keys; i++)
		free(b->key[i]);
	for (int i = 0; i < b->sets; i++)
		free(b->set[i].name);
	for (int i = 0; i < FIELDS; i++) {
		free(b->of[i].text);
		free(b->of[i].expr);
	}
}

int bindings_set(struct bindings *b, const struct table_setting *set,
		 size_t sets, struct assay_error *err)
{
	for (size_t i = 0; i < sets; i++) {
		double value;
		int decimals;

		if (!number_parse(&value, &decimals, set[i].text))
			return error_set(err, -ASSAY_EINVAL, "%.60s: "
					 "'%.60s' is no number", set[i].name,
					 set[i].text);
		if (b->sets == KEYS)
			return error_set(err, -ASSAY_EINVAL, "more than %d "
					 "settings", KEYS);
		b->set[b->sets].name = strdup(set[i].name);
		b->set[b->sets].value = value;
		if (!b->set[b->sets].name)
			return error_set(err, -ASSAY_ENOMEM, "out of memory");
		b->sets++;
	}
	return 0;
}

/* ---- a row --------------------------------------------------------------- */

const char *shape_key(const char *shape, const char *key, size_t *length)
{
	const size_t n = strlen(key);

	while (shape && *shape) {
		if (!strncmp(shape, key, n) && shape[n] == '=') {
			*length = strcspn(shape + n + 1, ";");
			return shape + n + 1;
		}
		shape = strchr(shape, ';');
		shape = shape ? shape + 1 : NULL;
	}
	return NULL;
}

const struct cell *look_cell(const struct look *look, enum field field)
{
	const struct binding *from = &look->b->of[field];

	return &look->csv->cell[from->kind == FROM_COLUMN ? from->column : 0];
}

const char *look_text(const struct look *look, enum field field)
{
	const struct binding *from = &look->b->of[field];

	switch (from->kind) {
	case FROM_COLUMN:
		return look->csv->cell[from->column].text;
	case FROM_TEXT:
		return from->text;
	default:
		return "";
	}
}

static struct assay_value number_of(const char *text, const char *why)
{
	struct assay_value out = { 0 };
	int decimals;

	if (!number_parse(&out.number, &decimals, text))
		out.why = why;
	return out;
}

/* The value of a name. Indices of names: columns, then keys of shapes, then
 * settings. */
static struct assay_value operand(const void *ctx, int name)
{
	const struct look *look = ctx;
	const struct bindings *b = look->b;
	char text[64] = "";
	const char *value;
	size_t n;

	if (name < b->columns) {
		const struct cell *cell = &look->csv->cell[name];
		struct assay_value out = number_of(cell->text, "empty");

		if (out.why && *cell->text)
			*look->bad = cell;
		return out;
	}
	name -= TABLE_COLUMNS;
	if (name >= KEYS)
		return (struct assay_value){
			.number = b->set[name - KEYS].value,
		};
	value = shape_key(look->shape, b->key[name], &n);
	if (value && n < sizeof(text))
		text_copy(text, n + 1, value);
	return number_of(text, "the shape has no such number");
}

/* *out is NAN if an operand is not known. */
int look_value(const struct look *look, const struct expr *expr, double *out,
	       struct assay_error *err)
{
	const struct cell *bad = NULL;
	struct look here = *look;
	struct assay_value value;

	here.bad = &bad;
	value = expr_value(expr, operand, &here);
	if (bad)
		return csv_mistake(look->csv, bad, err, "'%.60s' is no number",
				   bad->text);
	*out = value.why ? NAN : value.number;
	return 0;
}

int look_number(const struct look *look, enum field field, double *out,
		int *decimals, struct assay_error *err)
{
	const struct binding *from = &look->b->of[field];
	const struct cell *cell = look_cell(look, field);
	int rc;

	*out = NAN;
	*decimals = 0;
	if (from->kind == FROM_NOTHING)
		return 0;
	if (from->kind == FROM_COLUMN) {
		if (*cell->text && !number_parse(out, decimals, cell->text))
			return csv_mistake(look->csv, cell, err, "'%.60s' is "
					   "no number", cell->text);
		return 0;
	}
	rc = look_value(look, from->expr, out, err);
	*decimals = *out == floor(*out) ? 0 : COMPUTED;
	return rc;
}
