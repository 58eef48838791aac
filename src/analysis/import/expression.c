/* SPDX-License-Identifier: MIT */
/*
 * Expressions of perf's metrics and of likwid's groups, translated into those
 * of formula files. A metric with something that formulas do not have
 * (conditions, comparisons, facts about the machine, elapsed time) is refused,
 * with the reason. d_ratio(a, b) becomes a / b: where perf prints 0 for 0 / 0,
 * assay has no value.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/import/import.h"

enum { DEPTH = 24, TOKEN = 256 };

struct cursor { const char *at; };

static bool sum(struct import *im, struct cursor *c);

static bool put(struct import *im, const char *text)
{
	const size_t n = strlen(text);

	if (im->used + n >= sizeof(im->text))
		return import_fail(im, "the expression is too long");
	memcpy(im->text + im->used, text, n + 1);
	im->used += n;
	return true;
}

static char peek(struct cursor *c)
{
	while (isspace((unsigned char)*c->at))
		c->at++;
	return *c->at;
}

static bool expect(struct import *im, struct cursor *c, char wanted)
{
	if (peek(c) != wanted)
		return import_fail(im, "expected '%c' at '%.20s'", wanted,
				   c->at);
	c->at++;
	return true;
}

/* ---- numbers ------------------------------------------------------------ */

static size_t number_length(const char *text)
{
	size_t n = strspn(text, "0123456789.");

	if (!strncmp(text, "0x", 2) || !strncmp(text, "0X", 2))
		return 2 + strspn(text + 2, "0123456789abcdefABCDEF");
	if (n && (text[n] == 'e' || text[n] == 'E')) {
		const size_t sign = text[n + 1] == '-' || text[n + 1] == '+';
		const size_t digits = strspn(text + n + 1 + sign,
					     "0123456789");

		if (digits)
			n += 1 + sign + digits;
	}
	return n;
}

/* Numbers of formulas have no exponent, so one is written out as digits. */
static bool put_number(struct import *im, const char *text, size_t length)
{
	char copy[64], out[128];
	double value;
	char *end;

	if (length >= sizeof(copy))
		return import_fail(im, "a number is too long");
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (!strpbrk(copy, "eE") || !strncmp(copy, "0x", 2))
		return put(im, copy[0] == '.' ? "0" : "") && put(im, copy);
	value = strtod(copy, &end);
	if (*end || !(value < 1e30) || (value != 0 && value < 1e-30))
		return import_fail(im, "the number %s is out of bounds", copy);
	for (int digits = 0; digits <= 60; digits++) {
		snprintf(out, sizeof(out), "%.*f", digits, value);
		if (strtod(out, NULL) == value)
			return put(im, out);
	}
	return import_fail(im, "the number %s has too many digits", copy);
}

/* ---- names -------------------------------------------------------------- */

/* Reads a name with its terms, "EVENT@cmask=1@", without escapes. */
static bool read_name(struct import *im, struct cursor *c, char out[TOKEN])
{
	bool inside = false;
	size_t n = 0;

	for (; *c->at; c->at++) {
		char x = *c->at;

		if (x == '@')
			inside = !inside;
		else if (x == '\\' && c->at[1])
			x = *++c->at;
		else if (!inside && !isalnum((unsigned char)x) &&
			 !strchr("_.:#~", x))
			break;
		if (n + 1 >= TOKEN)
			return import_fail(im, "a name is too long");
		out[n++] = x;
	}
	out[n] = '\0';
	return n || import_fail(im, "cannot read '%.20s'", c->at);
}

static bool two(struct import *im, struct cursor *c, const char *open,
		const char *between, const char *close)
{
	return expect(im, c, '(') && put(im, open) && sum(im, c) &&
	       expect(im, c, ',') && put(im, between) && sum(im, c) &&
	       expect(im, c, ')') && put(im, close);
}

static bool call(struct import *im, struct cursor *c, const char *name)
{
	if (!strcmp(name, "d_ratio"))
		return two(im, c, "((", ") / (", "))");
	if (!strcmp(name, "min"))
		return two(im, c, "min(", ", ", ")");
	if (!strcmp(name, "max"))
		return two(im, c, "max(", ", ", ")");
	return import_fail(im, "formulas have no %.40s()", name);
}

static const char *impossible(const char *name)
{
	static const char *const times[] = {
		"time", "inverseClock", "duration_time", "TSC", "tsc",
		"interval_sec", "user_time", "system_time", NULL
	};

	for (int i = 0; times[i]; i++)
		if (!strcmp(times[i], name))
			return "a formula has no time";
	if (!strcmp(name, "if") || !strcmp(name, "else"))
		return "formulas have no conditions";
	if (name[0] == '#' || !strncmp(name, "num_", 4))
		return "it depends on the machine";
	return NULL;
}

static bool inline_metric(struct import *im, const char *expression)
{
	struct cursor c = { expression };

	return put(im, "(") && sum(im, &c) &&
	       (!peek(&c) || import_fail(im, "cannot read '%.20s'", c.at)) &&
	       put(im, ")");
}

static const char *metric_called(const struct import *im, const char *name)
{
	for (size_t i = 0; i < im->list->items; i++)
		if (!strcmp(im->list->item[i].name, name))
			return im->list->item[i].expression;
	return NULL;
}

static bool word(struct import *im, struct cursor *c)
{
	const struct import_operand *operand;
	const bool likwid = im->list->counters > 0;
	const char *why, *event = NULL, *expression;
	char name[TOKEN];

	if (!read_name(im, c, name))
		return false;
	if (peek(c) == '(')
		return call(im, c, name);
	for (size_t i = 0; i < im->list->counters; i++)
		if (!strcmp(im->list->counter[i].name, name))
			event = im->list->counter[i].event;
	why = event ? NULL : impossible(name);
	if (why)
		return import_fail(im, "needs '%.40s': %s", name, why);
	expression = event ? NULL : metric_called(im, name);
	if (expression)
		return inline_metric(im, expression);
	if (likwid && !event)
		return import_fail(im, "'%.40s' is no counter of the group",
				   name);
	operand = import_event(im, event ? event : name);
	return operand && put(im, operand->name);
}

/* ---- structure ---------------------------------------------------------- */

static bool factor_inner(struct import *im, struct cursor *c)
{
	const char x = peek(c);
	const size_t length = number_length(c->at);

	if (x == '(') {
		c->at++;
		return put(im, "(") && sum(im, c) && expect(im, c, ')') &&
		       put(im, ")");
	}
	if (x == '-') {
		c->at++;
		return put(im, "-") && factor_inner(im, c);
	}
	if (length) {
		const char *text = c->at;

		c->at += length;
		return put_number(im, text, length);
	}
	return word(im, c);
}

static bool factor(struct import *im, struct cursor *c)
{
	bool fine;

	if (im->depth == DEPTH)
		return import_fail(im, "it is nested too deeply");
	im->depth++;
	fine = factor_inner(im, c);
	im->depth--;
	return fine;
}

static bool chain(struct import *im, struct cursor *c, const char *operators,
		  bool (*part)(struct import *im, struct cursor *c))
{
	if (!part(im, c))
		return false;
	while (peek(c) && strchr(operators, *c->at)) {
		const char operator[] = { ' ', *c->at++, ' ', '\0' };

		if (!put(im, operator) || !part(im, c))
			return false;
	}
	return true;
}

static bool product(struct import *im, struct cursor *c)
{
	return chain(im, c, "*/", factor);
}

static bool sum(struct import *im, struct cursor *c)
{
	if (!chain(im, c, "+-", product))
		return false;
	if (peek(c) && strchr("<>&|^%=!?", *c->at))
		return import_fail(im, "formulas have no '%c'", *c->at);
	if (!strncmp(c->at, "if ", 3) || !strncmp(c->at, "else ", 5))
		return import_fail(im, "formulas have no conditions");
	return true;
}

bool import_expression(struct import *im, const char *expression)
{
	struct cursor c = { expression };

	im->used = im->depth = 0;
	im->text[0] = im->why[0] = '\0';
	return sum(im, &c) &&
	       (!peek(&c) || import_fail(im, "cannot read '%.20s'", c.at));
}
