/* SPDX-License-Identifier: MIT */
/*
 * Expressions over names: a recursive-descent parser into an array of nodes,
 * and their evaluation. Nesting is limited, so that no input can exhaust the
 * stack.
 */
#include "base/expr.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum {
	NAME_ROOM = 128, DIGITS = 15, DECIMALS = 22,
	DEPTH = 64,		/* of nested parentheses and signs */
	MOST = 1 << 20,		/* nodes of several expressions */
};

/* ---- values -------------------------------------------------------------- */

static struct assay_value absent(const char *why)
{
	return (struct assay_value){ .why = why };
}

static struct assay_value combine(enum expr_op op, struct assay_value a,
				  struct assay_value b)
{
	struct assay_value out = { .estimate = a.estimate || b.estimate };

	if (a.why || b.why)
		return absent(a.why ? a.why : b.why);
	switch (op) {
	case EXPR_ADD:
		out.number = a.number + b.number;
		break;
	case EXPR_SUB:
		out.number = a.number - b.number;
		break;
	case EXPR_MUL:
		out.number = a.number * b.number;
		break;
	case EXPR_DIV:
		if (b.number == 0)
			return absent("division by zero");
		out.number = a.number / b.number;
		break;
	case EXPR_MIN:
		out.number = a.number < b.number ? a.number : b.number;
		break;
	case EXPR_LESS:
		out.number = a.number < b.number;
		break;
	default:
		out.number = a.number > b.number ? a.number : b.number;
		break;
	}
	if (!__builtin_isfinite(out.number))
		return absent("the result is not a finite number");
	return out;
}

static struct assay_value node_value(const struct expr_node *all, int at,
				     expr_value_fn *value, const void *ctx)
{
	const struct expr_node *n = &all[at];
	struct assay_value out = { 0 };

	switch ((enum expr_op)n->op) {
	case EXPR_NUMBER:
		out.number = n->number;
		return out;
	case EXPR_NAME:
		out = value(ctx, n->name);
		if (!out.why && !__builtin_isfinite(out.number))
			return absent("an operand is not a finite number");
		return out;
	case EXPR_NEG:
		out = node_value(all, n->left, value, ctx);
		out.number = -out.number;
		return out;
	default:
		return combine((enum expr_op)n->op,
			       node_value(all, n->left, value, ctx),
			       node_value(all, n->right, value, ctx));
	}
}

/* ---- parsing ------------------------------------------------------------- */

struct parser {
	struct expr_nodes *out;
	bool fixed;		/* out->room is all there is */
	const char *text, *at;
	expr_name_fn *name;
	void *ctx;
	unsigned depth;
	struct assay_error *err;
	int code;		/* of the first mistake */
};

/* Nodes are indices; -1: a mistake was made. */
static int sum(struct parser *p);

static int fail(struct parser *p, const char *why)
{
	p->code = error_set(p->err, -ASSAY_EPARSE, "%s", why);
	return -1;
}

/* "expected a number, a name or '(', not 'x'" */
static int unexpected(struct parser *p, const char *expected)
{
	if (*p->at)
		p->code = error_set(p->err, -ASSAY_EPARSE,
				    "expected %s, not '%c'", expected,
				    isprint((unsigned char)*p->at) ? *p->at
								   : '?');
	else
		p->code = error_set(p->err, -ASSAY_EPARSE,
				    "expected %s, but it ends here", expected);
	return -1;
}

static void skip_space(struct parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
}

static bool accept(struct parser *p, char c)
{
	skip_space(p);
	if (*p->at != c)
		return false;
	p->at++;
	return true;
}

/* Makes room for one node more; false: a mistake was made. */
static bool make_room(struct parser *p)
{
	struct expr_nodes *out = p->out;
	const int room = out->room ? 2 * out->room : EXPR_NODES;
	struct expr_node *node;

	if (out->nodes < out->room)
		return true;
	if (p->fixed || room > MOST)
		return fail(p, "the expression is too long") >= 0;
	node = realloc(out->node, (size_t)room * sizeof(*node));
	if (!node) {
		p->code = error_set(p->err, -ASSAY_ENOMEM, "out of memory");
		return false;
	}
	out->node = node;
	out->room = room;
	return true;
}

static int add_node(struct parser *p, enum expr_op op, int left, int right)
{
	struct expr_node *n;

	if (!make_room(p))
		return -1;
	n = &p->out->node[p->out->nodes];
	*n = (struct expr_node){ .op = (unsigned char)op, .left = left,
				 .right = right, .name = -1 };
	return p->out->nodes++;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':';
}

static int number_node(struct parser *p, double number)
{
	int n;

	if (is_name_char(*p->at))
		return fail(p, "a number ends in a letter");
	n = add_node(p, EXPR_NUMBER, -1, -1);
	if (n >= 0)
		p->out->node[n].number = number;
	return n;
}

static int hex_number(struct parser *p)
{
	static const char digits[] = "0123456789abcdef";
	const char *start = p->at += 2;
	uint64_t value = 0;

	for (; isxdigit((unsigned char)*p->at); p->at++)
		value = value << 4 |
			(uint64_t)(strchr(digits,
					  tolower((unsigned char)*p->at)) -
				   digits);
	if (p->at == start)
		return unexpected(p, "a hexadecimal digit");
	if (p->at - start > 13)
		return fail(p, "the number has too many digits");
	return number_node(p, (double)value);
}

/*
 * Mantissa and power of ten are both exact, so that one division rounds
 * correctly, whatever the locale.
 */
static int decimal_number(struct parser *p)
{
	double mantissa = 0, scale = 1;
	unsigned digits = 0, decimals = 0;
	bool point = false;

	for (; isdigit((unsigned char)*p->at) || (*p->at == '.' && !point);
	     p->at++) {
		if (*p->at == '.') {
			point = true;
			continue;
		}
		mantissa = mantissa * 10 + (*p->at - '0');
		digits += mantissa != 0;
		decimals += point;
		if (digits > DIGITS || decimals > DECIMALS)
			return fail(p, "the number has too many digits");
		scale *= point ? 10 : 1;
	}
	return number_node(p, mantissa / scale);
}

/* min(a, b), max(a, b) or less(a, b); at stands behind the '('. */
static int call(struct parser *p, enum expr_op op)
{
	int left = sum(p), right;

	if (left < 0)
		return left;
	if (!accept(p, ','))
		return unexpected(p, "','");
	right = sum(p);
	if (right < 0)
		return right;
	if (!accept(p, ')'))
		return unexpected(p, "')'");
	return add_node(p, op, left, right);
}

static int name_node(struct parser *p, const char *start, const char *name)
{
	const int index = p->name ? p->name(p->ctx, name) : -1;
	int n;

	if (index < 0) {
		p->at = start;
		p->code = error_set(p->err, -ASSAY_ENOENT, "%s", name);
		return -1;
	}
	n = add_node(p, EXPR_NAME, -1, -1);
	if (n >= 0)
		p->out->node[n].name = index;
	return n;
}

static int word(struct parser *p)
{
	const char *start = p->at;
	char name[NAME_ROOM];
	size_t length;

	while (is_name_char(*p->at))
		p->at++;
	length = (size_t)(p->at - start);
	if (length >= sizeof(name)) {
		p->at = start;
		return fail(p, "the name is too long");
	}
	memcpy(name, start, length);
	name[length] = '\0';
	if (strcmp(name, "min") == 0 && accept(p, '('))
		return call(p, EXPR_MIN);
	if (strcmp(name, "max") == 0 && accept(p, '('))
		return call(p, EXPR_MAX);
	if (strcmp(name, "less") == 0 && accept(p, '('))
		return call(p, EXPR_LESS);
	return name_node(p, start, name);
}

static int atom(struct parser *p)
{
	int n;

	skip_space(p);
	if (p->at[0] == '0' && (p->at[1] == 'x' || p->at[1] == 'X'))
		return hex_number(p);
	if (isdigit((unsigned char)*p->at))
		return decimal_number(p);
	if (isalpha((unsigned char)*p->at) || *p->at == '_')
		return word(p);
	if (!accept(p, '('))
		return unexpected(p, "a number, a name or '('");
	n = sum(p);
	if (n >= 0 && !accept(p, ')'))
		return unexpected(p, "')' or an operator");
	return n;
}

static int negative(struct parser *p)
{
	int n;

	if (++p->depth > DEPTH)
		return fail(p, "the expression is nested too deep");
	if (accept(p, '-')) {
		n = negative(p);
		n = n < 0 ? n : add_node(p, EXPR_NEG, n, -1);
	} else {
		n = atom(p);
	}
	p->depth--;
	return n;
}

/* Nodes from `first` on, with `root` at their top: 0 whatever the names are? */
static bool always_zero(const struct parser *p, int first, int root)
{
	struct assay_value v;

	for (int i = first; i <= root; i++)
		if (p->out->node[i].op == EXPR_NAME)
			return false;
	v = node_value(p->out->node, root, NULL, NULL);
	return !v.why && v.number == 0;
}

static int divisor(struct parser *p)
{
	const int first = p->out->nodes;
	const char *const start = p->at;
	const int n = negative(p);

	if (n < 0 || !always_zero(p, first, n))
		return n;
	p->at = start;
	return fail(p, "division by zero");
}

static int product(struct parser *p)
{
	int left = negative(p), right;

	while (left >= 0) {
		const enum expr_op op = accept(p, '*') ? EXPR_MUL :
					accept(p, '/') ? EXPR_DIV : EXPR_NAME;

		if (op == EXPR_NAME)
			break;
		right = op == EXPR_DIV ? divisor(p) : negative(p);
		left = right < 0 ? right : add_node(p, op, left, right);
	}
	return left;
}

static int sum(struct parser *p)
{
	int left = product(p), right;

	while (left >= 0) {
		const enum expr_op op = accept(p, '+') ? EXPR_ADD :
					accept(p, '-') ? EXPR_SUB : EXPR_NAME;

		if (op == EXPR_NAME)
			break;
		right = product(p);
		left = right < 0 ? right : add_node(p, op, left, right);
	}
	return left;
}

/* Returns the root, or the error's code with out->nodes as it was. */
static int parse(struct parser *p, size_t *column)
{
	const int before = p->out->nodes, root = sum(p);

	skip_space(p);
	if (root >= 0 && *p->at)
		unexpected(p, "an operator");
	if (!p->code)
		return root;
	if (column)
		*column = (size_t)(p->at - p->text);
	p->out->nodes = before;
	return p->code;
}

int expr_parse(struct expr *out, const char *text, expr_name_fn *name,
	       void *ctx, size_t *column, struct assay_error *err)
{
	struct expr e = { 0 };
	struct expr_nodes into = { .node = e.node, .room = EXPR_NODES };
	struct parser p = { .out = &into, .fixed = true, .text = text,
			    .at = text, .name = name, .ctx = ctx, .err = err };

	e.root = parse(&p, column);
	if (p.code)
		return p.code;
	e.nodes = into.nodes;
	*out = e;
	return 0;
}

int expr_add(struct expr_nodes *all, int *root, const char *text,
	     expr_name_fn *name, void *ctx, size_t *column,
	     struct assay_error *err)
{
	struct parser p = { .out = all, .text = text, .at = text, .name = name,
			    .ctx = ctx, .err = err };
	const int top = parse(&p, column);

	if (!p.code)
		*root = top;
	return p.code;
}

struct assay_value expr_value(const struct expr *e, expr_value_fn *value,
			      const void *ctx)
{
	if (!e->nodes)
		return absent("no expression");
	return node_value(e->node, e->root, value, ctx);
}

struct assay_value expr_tree_value(const struct expr_tree *e,
				   expr_value_fn *value, const void *ctx)
{
	if (!e->node)
		return absent("no expression");
	return node_value(e->node, e->root, value, ctx);
}
