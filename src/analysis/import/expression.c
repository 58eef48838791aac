/* SPDX-License-Identifier: MIT */
/*
 * Expressions of perf's and perfmon's metrics and of likwid's groups become those
 * of formula files. A name of another metric of the file becomes the
 * name of the formula that this metric became. A condition about the machine is
 * decided here, and the branch that holds is translated. A comparison of counts
 * becomes less(a, b), a factor of each branch. A metric with something that
 * formulas do not have is refused, with the reason. d_ratio(a, b) becomes
 * a / b: where perf prints 0 for 0 / 0, assay has no value.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/import/import.h"

enum { DEPTH = 60, TOKEN = 256, LONGEST = 1 << 18 };

struct cursor { const char *at; };

static bool choice(struct translation *t, struct cursor *c);

static bool put(struct translation *t, const char *text)
{
	const size_t n = strlen(text);

	if (t->used + n > LONGEST)
		return import_fail(t, "the expression is too long");
	if (t->used + n >= t->room) {
		const size_t room = 2 * (t->used + n) + 64;
		char *more = realloc(t->text, room);

		if (!more)
			return import_fail(t, "out of memory");
		t->text = more;
		t->room = room;
	}
	memcpy(t->text + t->used, text, n + 1);
	t->used += n;
	return true;
}

static char peek(struct cursor *c)
{
	while (isspace((unsigned char)*c->at))
		c->at++;
	return *c->at;
}

static bool expect(struct translation *t, struct cursor *c, char wanted)
{
	if (peek(c) != wanted)
		return import_fail(t, "expected '%c' at '%.20s'", wanted,
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

/* Numbers of formulas have no exponent, and 15 digits at most. */
static bool put_value(struct translation *t, double value, const char *said)
{
	char out[128];

	snprintf(out, sizeof(out), "%.15g", value);
	value = strtod(out, NULL);
	if (!(value < 1e30) || value < 0 || (value != 0 && value < 1e-30))
		return import_fail(t, "the number %.40s is out of bounds",
				   said);
	for (int digits = 0; digits <= 60; digits++) {
		snprintf(out, sizeof(out), "%.*f", digits, value);
		if (strtod(out, NULL) == value)
			return put(t, out);
	}
	return import_fail(t, "the number %.40s has too many digits", said);
}

static bool put_number(struct translation *t, const char *text, size_t length)
{
	char copy[64];
	double value;
	char *end;

	if (length >= sizeof(copy))
		return import_fail(t, "a number is too long");
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (length < 15 && (!strpbrk(copy, "eE") || !strncmp(copy, "0x", 2)))
		return put(t, copy[0] == '.' ? "0" : "") && put(t, copy);
	value = strtod(copy, &end);
	return *end ? import_fail(t, "'%.40s' is no number", copy) :
		      put_value(t, value, copy);
}

/* ---- names -------------------------------------------------------------- */

/* Reads a name with its terms, "EVENT@cmask=1@", without escapes. */
static bool read_name(struct translation *t, struct cursor *c, char out[TOKEN])
{
	const char *more = !strcmp(t->of->list->format, "likwid") ? "_.:=" :
								    "_.:#~";
	bool inside = false;
	size_t n = 0;

	for (; *c->at; c->at++) {
		char x = *c->at;

		if (x == '@')
			inside = !inside;
		else if (x == '\\' && c->at[1])
			x = *++c->at;
		else if (!inside && !isalnum((unsigned char)x) &&
			 !strchr(more, x))
			break;
		if (n + 1 >= TOKEN)
			return import_fail(t, "a name is too long");
		out[n++] = x;
	}
	out[n] = '\0';
	return n || import_fail(t, "cannot read '%.20s'", c->at);
}

static bool two(struct translation *t, struct cursor *c, const char *open,
		const char *between, const char *close)
{
	return expect(t, c, '(') && put(t, open) && choice(t, c) &&
	       expect(t, c, ',') && put(t, between) && choice(t, c) &&
	       expect(t, c, ')') && put(t, close);
}

/* has_event(X): its own text, as a condition. */
static bool constant_call(struct translation *t, struct cursor *c,
			  const char *from)
{
	const char *end = strchr(c->at, ')');
	double value;

	if (!end)
		return import_fail(t, "expected ')' at '%.20s'", c->at);
	if (!import_condition(t, from, (size_t)(end + 1 - from), &value))
		return false;
	c->at = end + 1;
	return put_value(t, value, "of a function");
}

static bool call(struct translation *t, struct cursor *c, const char *from,
		 const char *name)
{
	if (!strcmp(name, "d_ratio"))
		return two(t, c, "((", ") / (", "))");
	if (!strcmp(name, "min"))
		return two(t, c, "min(", ", ", ")");
	if (!strcmp(name, "max"))
		return two(t, c, "max(", ", ", ")");
	return constant_call(t, c, from);
}

static bool put_literal(struct translation *t, const char *name)
{
	double value;

	return import_literal_value(t, name, &value) &&
	       put_value(t, value, name);
}

static bool event(struct translation *t, const char *name)
{
	const struct import_operand *o = import_event(t, name);

	return o && put(t, o->name);
}

/* The event duration_time is in ns; in perf's metrics it stands for seconds. */
static const struct { const char *format, *said, *factor; } times[] = {
	{ "perf", "duration_time", " / 1000000000" },
	{ "perfmon", "DURATIONTIMEINMILLISECONDS", " / 1000000" },
	{ "perfmon", "DURATIONTIMEINSECONDS", " / 1000000000" },
	{ "likwid", "time", " / 1000000000" },
};

/* False: the name is none of a time. */
static bool put_time(struct translation *t, const char *name, bool *fine)
{
	size_t i = 0;

	while (i < sizeof(times) / sizeof(*times) &&
	       (strcmp(times[i].format, t->of->list->format) != 0 ||
		strcmp(times[i].said, name) != 0))
		i++;
	if (i == sizeof(times) / sizeof(*times))
		return false;
	*fine = put(t, "(") && event(t, "duration_time") &&
		put(t, times[i].factor) && put(t, ")");
	return true;
}

/* perfmon's constants: numbers, and facts about the machine. */
static bool constant(struct translation *t, const char *name)
{
	char *end;
	double value = strtod(name, &end);
	bool fine;

	if (end != name && !*end)
		return put_value(t, value, name);
	return put_time(t, name, &fine) ? fine : put_literal(t, name);
}

static bool counter(struct translation *t, const struct metric_counter *c)
{
	const struct import_operand *o;

	if (c->constant)
		return constant(t, c->event);
	if (strcmp(t->of->list->format, "likwid") != 0)
		return event(t, c->event);
	o = import_counter(t, c);
	return o && put(t, o->name);
}

static const struct metric_counter *
find_counter(const struct metric_counter *all, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(all[i].name, name))
			return &all[i];
	return NULL;
}

static bool metric(struct translation *t, size_t item)
{
	char why[IMPORT_WHY];
	const char *name = t->of->metric(t->of->ctx, item, why);

	t->names++;
	if (name)
		return put(t, name);
	return import_fail(t, "needs %.60s, which is left out: %.120s",
			   t->of->list->item[item].name, why);
}

static bool is_literal(const char *name)
{
	return *name == '#' || !strncmp(name, "num_", 4);
}

/* What stands for itself in another tool's language. */
static bool other_name(struct translation *t, const char *name)
{
	const char *format = t->of->list->format;
	bool fine;

	if (is_literal(name))
		return put_literal(t, name);
	if (put_time(t, name, &fine))
		return fine;
	if (!strcmp(name, "inverseClock"))
		return import_fail(t, "needs 'inverseClock', the clock of the "
				   "time stamps");
	if (!strcmp(name, "user_time") || !strcmp(name, "system_time"))
		return import_fail(t, "needs '%.40s': a formula has no CPU "
				   "time", name);
	if (!strcmp(format, "perf"))	/* the kernel's PMU has the TSC */
		return event(t, strcmp(name, "TSC") ? name : "msr@tsc@");
	return import_fail(t, "'%.40s' is no %s", name,
			   !strcmp(format, "likwid") ? "counter of the group" :
			   "alias of the metric");
}

/* Formulas have no names with '-': perf escapes it in names of metrics. */
static bool is_metric(const struct translation *t, const char *name,
		      size_t *item)
{
	const struct metric_list *list = t->of->list;

	for (*item = 0; *item < list->items; ++*item)
		if (!list->item[*item].why &&
		    !strcmp(list->item[*item].name, name))
			return !list->counters &&
			       !list->item[*item].counters;
	return false;
}

static bool word(struct translation *t, struct cursor *c)
{
	const struct metric_list *list = t->of->list;
	const char *from = c->at;
	const struct metric_counter *found;
	char name[TOKEN];
	size_t item;

	if (!read_name(t, c, name))
		return false;
	if (peek(c) == '(')
		return call(t, c, from, name);
	found = find_counter(t->item->counter, t->item->counters, name);
	if (!found)
		found = find_counter(list->counter, list->counters, name);
	if (found)
		return counter(t, found);
	if (is_metric(t, name, &item))
		return metric(t, item);
	return other_name(t, name);
}

/* ---- structure ---------------------------------------------------------- */

static bool factor_inner(struct translation *t, struct cursor *c)
{
	const char x = peek(c);
	const size_t length = number_length(c->at);

	if (x == '(') {
		c->at++;
		return put(t, "(") && choice(t, c) && expect(t, c, ')') &&
		       put(t, ")");
	}
	if (x == '-') {
		c->at++;
		return put(t, "-") && factor_inner(t, c);
	}
	if (length) {
		const char *text = c->at;

		c->at += length;
		return put_number(t, text, length);
	}
	return word(t, c);
}

static bool factor(struct translation *t, struct cursor *c)
{
	bool fine;

	if (t->depth == DEPTH)
		return import_fail(t, "it is nested too deeply");
	t->depth++;
	fine = factor_inner(t, c);
	t->depth--;
	return fine;
}

static bool chain(struct translation *t, struct cursor *c,
		  const char *operators,
		  bool (*part)(struct translation *t, struct cursor *c))
{
	if (!part(t, c))
		return false;
	while (peek(c) && strchr(operators, *c->at)) {
		const char operator[] = { ' ', *c->at++, ' ', '\0' };

		if (!put(t, operator) || !part(t, c))
			return false;
	}
	return true;
}

static bool product(struct translation *t, struct cursor *c)
{
	return chain(t, c, "*/", factor);
}

static bool sum(struct translation *t, struct cursor *c)
{
	if (!chain(t, c, "+-", product))
		return false;
	if (peek(c) && strchr("<>&|^%=!?", *c->at))
		return import_fail(t, "formulas have no '%c'", *c->at);
	return true;
}

/* ---- A if CONDITION else B ----------------------------------------------- */

static bool is_word(const char *text, const char *at, const char *word)
{
	const size_t n = strlen(word);

	return !strncmp(at, word, n) && !isalnum((unsigned char)at[n]) &&
	       !strchr("_.:@", at[n] ? at[n] : ' ') &&
	       (at == text || (!isalnum((unsigned char)at[-1]) &&
			       !strchr("_.:#@\\", at[-1])));
}

/*
 * The first such word outside of parentheses and of @...@ before the end of
 * the subexpression; NULL: there is none. *end, if not NULL, gets that end: a
 * closing parenthesis or comma that is not of the subexpression, or the text's
 * end.
 */
static const char *find_word(const char *text, const char *word,
			     const char **end)
{
	const char *found = NULL, *at = text;
	bool inside = false;
	int depth = 0;

	for (; *at; at++) {
		inside ^= *at == '@';
		if (*at == '\\' && at[1])
			at++;
		else if (inside)
			continue;
		else if (*at == '(')
			depth++;
		else if (!depth && (*at == ')' || *at == ','))
			break;
		else if (*at == ')')
			depth--;
		else if (!depth && !found && is_word(text, at, word))
			found = at;
	}
	if (end)
		*end = at;
	return found;
}

/* The translation of a branch ends where the condition begins. */
static bool branch(struct translation *t, struct cursor *c, const char *end)
{
	return sum(t, c) && (peek(c), c->at == end ||
	       import_fail(t, "cannot read '%.20s'", c->at));
}

/* "(a < b)" without the parentheses and blanks around. */
static void strip(const char **from, const char **to)
{
	const char *end;

	for (;;) {
		while (*from < *to && isspace((unsigned char)**from))
			++*from;
		while (*to > *from && isspace((unsigned char)(*to)[-1]))
			--*to;
		if (*from == *to || **from != '(')
			return;
		find_word(*from + 1, "", &end);
		if (end != *to - 1)
			return;
		++*from;
		--*to;
	}
}

/* The first '<' or '>' outside of parentheses; NULL: none. */
static const char *comparison(const char *from, const char *to)
{
	int depth = 0;

	for (; from < to; from++) {
		depth += (*from == '(') - (*from == ')');
		if (!depth && strchr("<>", *from))
			return from;
	}
	return NULL;
}

static bool side(struct translation *t, const char *from, const char *to)
{
	struct cursor c = { from }, end = { to };

	if (!chain(t, &c, "+-", product))
		return false;
	peek(&c);
	peek(&end);
	return c.at == end.at || import_fail(t, "cannot read '%.20s' in a "
					 "condition about counts", c.at);
}

/* 1 where the comparison of counts holds, else 0. */
static bool indicator(struct translation *t, const char *from, const char *to)
{
	const char *op, *right;
	bool less, equal;

	strip(&from, &to);
	op = comparison(from, to);
	if (!op)
		return import_fail(t, "formulas have no '%.*s' as a condition",
				   to - from > 60 ? 60 : (int)(to - from),
				   from);
	for (right = op + 1; isspace((unsigned char)*right); right++)
		;
	equal = *right == '=';
	right += equal;
	less = (*op == '<') != equal;
	return put(t, equal ? "(1 - less(" : "less(") &&
	       (less ? side(t, from, op) : side(t, right, to)) &&
	       put(t, ", ") &&
	       (less ? side(t, right, to) : side(t, from, op)) &&
	       put(t, equal ? "))" : ")");
}

/* Both branches, each times what says that the branch holds. */
static bool counted(struct translation *t, struct cursor *c, const char *when,
		    const char *other)
{
	bool fine;

	if (t->depth == DEPTH)
		return import_fail(t, "it is nested too deeply");
	t->depth++;
	fine = put(t, "(") && indicator(t, when + 2, other) &&
	       put(t, " * (") && branch(t, c, when) && put(t, ") + (1 - ") &&
	       indicator(t, when + 2, other) && put(t, ") * (");
	c->at = other + 4;
	fine = fine && choice(t, c) && put(t, "))");
	t->depth--;
	return fine;
}

static bool choice(struct translation *t, struct cursor *c)
{
	const char *end, *when = find_word(c->at, "if", &end), *other;
	double value;

	if (!when)
		return sum(t, c);
	other = find_word(when + 2, "else", NULL);
	if (!other)
		return import_fail(t, "'if' has no 'else'");
	if (!import_condition(t, when + 2, (size_t)(other - when - 2), &value))
		return false;
	if (isnan(value))
		return counted(t, c, when, other);
	t->decided = true;
	if (value == 0) {
		c->at = other + 4;
		return choice(t, c);
	}
	if (!branch(t, c, when))
		return false;
	c->at = end;
	return true;
}

bool import_expression(struct translation *t)
{
	struct cursor c = { t->item->expression };

	return choice(t, &c) && (!peek(&c) ||
	       import_fail(t, "cannot read '%.20s'", c.at));
}
