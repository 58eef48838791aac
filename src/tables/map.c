/* SPDX-License-Identifier: MIT */
/* --map 'count=Value;expected=2*n+1': fields from expressions. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tables/binding.h"

#define PLACE "column_"		/* stands for [Name with blanks] */

struct mapping {
	struct bindings *b;
	const char *map;	/* full text, for messages */
	bool truth;		/* the names are those of a truth */
	struct assay_error *err;
};

static int mistake(const struct mapping *m, const char *at, const char *what,
		   const char *word)
{
	return error_at(m->err, "--map", m->map, 1, (unsigned)(at - m->map) + 1,
			what, word);
}

static char *copy(const char *from, size_t n)
{
	char *out = malloc(n + 1);

	if (out) {
		memcpy(out, from, n);
		out[n] = '\0';
	}
	return out;
}

/* ---- names --------------------------------------------------------------- */

static int find_key(struct bindings *b, const char *name)
{
	size_t n;

	for (int i = 0; i < b->keys; i++)
		if (!strcmp(b->key[i], name))
			return i;
	if (b->keys == KEYS || !shape_key(b->first_shape, name, &n))
		return -1;
	b->key[b->keys] = copy(name, strlen(name));
	return b->key[b->keys] ? b->keys++ : -1;
}

static int find_name(void *ctx, const char *name)
{
	struct mapping *m = ctx;
	int at = bindings_column(m->b, name);

	if (!strncmp(name, PLACE, strlen(PLACE)) && at < 0)
		at = atoi(name + strlen(PLACE));
	if (at >= 0 && at < m->b->columns) {
		m->b->parameter[at] |= m->truth;
		return at;
	}
	for (int i = 0; i < m->b->sets; i++)
		if (!strcmp(m->b->set[i].name, name))
			return TABLE_COLUMNS + KEYS + i;
	at = find_key(m->b, name);
	return at < 0 ? -1 : TABLE_COLUMNS + at;
}

/* The column that "[Name with blanks]" at `from` names, or -1; *length: the
 * characters of the name with its brackets. */
static int bracketed(const struct mapping *m, const char *from, size_t n,
		     size_t *length)
{
	const char *end = memchr(from, ']', n);
	char name[256];

	if (!end || (size_t)(end - from) >= sizeof(name))
		return -1;
	text_copy(name, (size_t)(end - from), from + 1);
	*length = (size_t)(end - from) + 1;
	return bindings_column(m->b, name);
}

/* ---- right sides --------------------------------------------------------- */

/* Replaces names in brackets by words that the expression parser knows. A
 * mistake in a bracketed name is reported at its place in `from`. */
static int plain_names(struct mapping *m, char *out, size_t room,
		       const char *from, size_t n)
{
	size_t used = 0;

	for (size_t i = 0; i < n;) {
		size_t length = 1;
		int column;

		if (used + 32 > room)
			return mistake(m, from, "the expression is too long%s",
				       "");
		if (from[i] != '[') {
			out[used++] = from[i++];
			continue;
		}
		column = bracketed(m, from + i, n - i, &length);
		if (column < 0)
			return mistake(m, from + i, "no column is called so%s",
				       "");
		used += (size_t)sprintf(out + used, PLACE "%d", column);
		i += length;
	}
	out[used] = '\0';
	return 0;
}

static int unknown(struct mapping *m, const char *at, const char *name)
{
	const char *names[TABLE_COLUMNS + 1];
	int n = 0;

	for (int i = 0; i < m->b->columns; i++)
		names[n++] = m->b->name[i];
	names[n] = NULL;
	mistake(m, at, "'%.60s' is no column, no key of the first row's shape "
		"and not set", name);
	error_meant(m->err, name, names);
	return -ASSAY_EPARSE;
}

int bindings_expression(struct bindings *b, struct expr *out, const char *text,
			size_t n, size_t *column, struct assay_error *err)
{
	struct mapping m = { b, text, true, err };
	char plain[1024];
	struct assay_error why = { 0 };
	int rc = plain_names(&m, plain, sizeof(plain), text, n);

	*column = 0;
	if (rc)
		return rc;
	rc = expr_parse(out, plain, find_name, &m, column, &why);
	if (rc == -ASSAY_ENOENT)
		return error_set(err, -ASSAY_EPARSE, "'%.60s' is no column, "
				 "no key of the first row's shape and not "
				 "given", why.text);
	return rc ? error_set(err, rc, "%s", why.text) : 0;
}

/* An expression that is a single column becomes a binding to the column: the
 * digits of a cell show how the number was rounded. */
static void take_column(struct binding *to, int columns)
{
	const struct expr_node *n = &to->expr->node[to->expr->root];

	if (n->op == EXPR_NAME && n->name < columns) {
		to->kind = FROM_COLUMN;
		to->column = n->name;
	}
}

static int expression(struct mapping *m, struct binding *to, const char *from,
		      size_t n)
{
	char text[1024];
	struct assay_error why = { 0 };
	size_t column = 0;
	int rc = plain_names(m, text, sizeof(text), from, n);

	if (rc)
		return rc;
	to->expr = malloc(sizeof(*to->expr));
	if (!to->expr)
		return error_set(m->err, -ASSAY_ENOMEM, "out of memory");
	rc = expr_parse(to->expr, text, find_name, m, &column, &why);
	to->kind = FROM_EXPRESSION;
	if (!rc)
		take_column(to, m->b->columns);
	if (!rc)
		return 0;
	from += column < n ? column : n;
	return rc == -ASSAY_ENOENT ? unknown(m, from, why.text) :
				     mistake(m, from, "%s", why.text);
}

/* "a literal", a column, or [a column]. */
static int text_side(struct mapping *m, struct binding *to, const char *from,
		     size_t n)
{
	char name[256];
	size_t length = 0;
	int column;

	if (n >= 2 && *from == '"' && from[n - 1] == '"') {
		to->kind = FROM_TEXT;
		to->text = copy(from + 1, n - 2);
		return to->text ? 0 : error_set(m->err, -ASSAY_ENOMEM,
						"out of memory");
	}
	if (*from == '[') {
		column = bracketed(m, from, n, &length);
		if (length != n)
			column = -1;
	} else {
		text_copy(name, n < sizeof(name) ? n + 1 : sizeof(name), from);
		column = bindings_column(m->b, name);
		if (column < 0)
			return unknown(m, from, name);
	}
	if (column < 0)
		return mistake(m, from, "a \"literal\" or one column is wanted "
			       "here%s", "");
	to->kind = FROM_COLUMN;
	to->column = column;
	return 0;
}

/* ---- the list ------------------------------------------------------------ */

static int find_field(struct mapping *m, const char *from, size_t n)
{
	char name[64];

	text_copy(name, n < sizeof(name) ? n + 1 : sizeof(name), from);
	for (int i = 0; i < FIELDS; i++)
		if (!strcmp(name, field_names[i]))
			return i;
	mistake(m, from, "'%.60s' is no field of a table", name);
	error_meant(m->err, name, field_names);
	return -1;
}

static size_t trimmed(const char **from, size_t n)
{
	while (n && isspace((unsigned char)**from))
		++*from, n--;
	while (n && isspace((unsigned char)(*from)[n - 1]))
		n--;
	return n;
}

/* Length of an item: up to the next ';' outside of literals and brackets. */
static size_t item_length(const char *from)
{
	char close = '\0';
	size_t n = 0;

	for (; from[n] && (close || from[n] != ';'); n++) {
		if (close)
			close = from[n] == close ? '\0' : close;
		else
			close = from[n] == '"' ? '"' : from[n] == '[' ? ']' :
				'\0';
	}
	return n;
}

static int one(struct mapping *m, const char *from, size_t n)
{
	const char *const end = from + n;
	const char *equal = memchr(from, '=', n), *right;
	struct binding *to;
	int field;

	if (!equal)
		return mistake(m, from, "FIELD=EXPRESSION is wanted here%s",
			       "");
	n = trimmed(&from, (size_t)(equal - from));
	field = find_field(m, from, n);
	if (field < 0)
		return -ASSAY_EPARSE;
	right = equal + 1;
	n = trimmed(&right, (size_t)(end - right));
	to = &m->b->of[field];
	if (to->text || to->expr)
		return mistake(m, from, "%s is given twice",
			       field_names[field]);
	if (!n)
		return mistake(m, right, "an expression is wanted here%s", "");
	m->truth = field == FIELD_EXPECTED || field == FIELD_LOW ||
		   field == FIELD_HIGH;
	return field < FIELD_NUMBERS ? text_side(m, to, right, n) :
				       expression(m, to, right, n);
}

int bindings_map(struct bindings *b, const char *map, struct assay_error *err)
{
	struct mapping m = { b, map, false, err };
	const char *at = map;
	int rc = 0;

	while (!rc && *at) {
		const char *from = at;
		const size_t all = item_length(at);
		const size_t n = trimmed(&from, all);

		if (n)
			rc = one(&m, from, n);
		at += all + (at[all] == ';');
	}
	return rc;
}
