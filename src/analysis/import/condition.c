/* SPDX-License-Identifier: MIT */
/*
 * What an expression asks about the machine: perf's literals (#smt_on), its
 * functions has_event(), source_count() and strcmp_cpuid_str(), perfmon's
 * constants, and conditions of these and of numbers. A name of an event makes
 * the condition one about counts, which has no value here. Precedence, from
 * the loosest: | ^ & < and >, + and -, * / %.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/import/import.h"
#include "base/text.h"

enum { DEPTH = 60 };

struct condition {
	struct translation *t;
	const char *at, *end;
	unsigned depth;
	bool counts;	/* it depends on counts: no value is right */
};

/* ---- literals ------------------------------------------------------------ */

/* Names of perfmon, and other spellings, of perf's literals. */
static const struct { const char *said, *literal; } spellings[] = {
	{ "HYPERTHREADING_ON", "smt_on" },
	{ "SOCKET_COUNT", "num_packages" },
	{ "CORES_PER_SOCKET", "cores_per_package" },
	{ "SYSTEM_TSC_FREQ", "system_tsc_freq" },
	{ "num_cpus_online", "num_cpus" },
	{ "system.sockets[0].cpus.count * system.socket_count", "num_cpus" },
};

static const struct import_literal *find_literal(const struct translation *t,
						 const char *name)
{
	const struct import_machine *m = t->of->machine;

	name += *name == '#';
	for (size_t i = 0; i < sizeof(spellings) / sizeof(*spellings); i++)
		if (!strcasecmp(spellings[i].said, name))
			name = spellings[i].literal;
	for (size_t i = 0; i < m->literals; i++)
		if (!strcasecmp(m->literal[i].name, name))
			return &m->literal[i];
	return NULL;
}

bool import_literal_value(struct translation *t, const char *name,
			  double *value)
{
	const struct import_literal *l = find_literal(t, name);

	if (!strcmp(name, "THREADS_PER_CORE")) {
		if (!import_literal_value(t, "#smt_on", value))
			return false;
		*value += 1;
		return true;
	}
	if (!l)
		return import_fail(t, "needs %.40s, a fact about the machine "
				   "that is not given (--set NAME=NUMBER)",
				   name);
	t->of->asked[l - t->of->machine->literal] = true;
	*value = l->value;
	return true;
}

/* ---- conditions ---------------------------------------------------------- */

static bool either(struct condition *c, double *value);

static char peek(struct condition *c)
{
	while (c->at < c->end && isspace((unsigned char)*c->at))
		c->at++;
	return c->at < c->end ? *c->at : '\0';
}

static bool accept(struct condition *c, char x)
{
	if (peek(c) != x)
		return false;
	c->at++;
	return true;
}

static void read_word(struct condition *c, char *out, size_t room)
{
	size_t n = 0;

	for (; c->at < c->end && (isalnum((unsigned char)*c->at) ||
				  strchr("_.:#@\\=", *c->at)); c->at++)
		if (n + 1 < room)
			out[n++] = *c->at;
	out[n] = '\0';
}

/* What stands between the parentheses, without perf's escapes. */
static bool read_argument(struct condition *c, char *out, size_t room)
{
	size_t n = 0;

	for (c->at++; c->at < c->end && *c->at != ')'; c->at++)
		if (n + 1 < room && !strchr("\\ \t", *c->at))
			out[n++] = *c->at;
	out[n] = '\0';
	return accept(c, ')');
}

/* The number of units that count an event: "source_count_cha" of
 * UNC_CHA_CLOCKTICKS. */
static bool source_count(struct condition *c, const char *event, double *value)
{
	char name[48] = "source_count_";
	size_t n = strlen(name);

	if (strncasecmp(event, "UNC_", 4) != 0)
		return import_fail(c->t, "needs source_count(%.60s), which is "
				   "no event of an uncore unit", event);
	for (event += 4; isalnum((unsigned char)*event) &&
	     n + 1 < sizeof(name); event++)
		name[n++] = (char)tolower((unsigned char)*event);
	name[n] = '\0';
	return import_literal_value(c->t, name, value);
}

static bool function(struct condition *c, const char *name, double *value)
{
	char argument[256];

	if (!read_argument(c, argument, sizeof(argument)))
		return import_fail(c->t, "%.40s() cannot be read", name);
	*value = 1;
	if (!strcmp(name, "min") || !strcmp(name, "max")) {
		c->counts = true;
		return true;
	}
	if (!strcmp(name, "has_event"))
		return import_has_event(c->t, argument);
	if (!strcmp(name, "source_count"))
		return source_count(c, argument, value);
	return import_fail(c->t, "formulas have no %.40s()", name);
}

/* What a metric's alias stands for, or NULL. */
static const struct metric_counter *alias_called(const struct translation *t,
						 const char *alias)
{
	for (size_t i = 0; i < t->item->counters; i++)
		if (!strcmp(t->item->counter[i].name, alias))
			return &t->item->counter[i];
	return NULL;
}

/* perfmon's metrics ask "latency >= 0" and have a formula for a latency that
 * nobody has sampled. */
static bool is_latency(const char *event)
{
	const char *term = strrchr(event, ':');

	return term && !strcmp(term, ":retire_latency");
}

static bool name_value(struct condition *c, double *value)
{
	const struct metric_counter *alias;
	char name[256], *end;

	read_word(c, name, sizeof(name));
	if (peek(c) == '(')
		return function(c, name, value);
	alias = alias_called(c->t, name);
	if (alias && alias->constant) {
		*value = strtod(alias->event, &end);
		return (end != alias->event && !*end) ||
		       import_literal_value(c->t, alias->event, value);
	}
	if (alias && is_latency(alias->event)) {
		*value = -1;
		return true;
	}
	if (*name == '#')
		return import_literal_value(c->t, name, value);
	c->counts = true;
	return true;
}

static bool number(struct condition *c, double *value)
{
	char copy[64], *end;
	const size_t left = (size_t)(c->end - c->at);

	snprintf(copy, sizeof(copy), "%.*s", left < 63 ? (int)left : 63,
		 c->at);
	*value = strtod(copy, &end);
	if (end == copy)
		return import_fail(c->t, "cannot read '%.20s'", copy);
	c->at += end - copy;
	return true;
}

static bool atom(struct condition *c, double *value)
{
	const char x = peek(c);
	bool fine;

	if (isdigit((unsigned char)x) || x == '.')
		return number(c, value);
	if (x != '(' && x != '-' && x != '!')
		return name_value(c, value);
	if (++c->depth > DEPTH)
		return import_fail(c->t, "it is nested too deeply");
	c->at++;
	fine = x == '(' ? either(c, value) && (accept(c, ')') ||
	       import_fail(c->t, "expected ')' in a condition")) :
	       atom(c, value);
	c->depth--;
	*value = x == '-' ? -*value : x == '!' ? !*value : *value;
	return fine;
}

static double apply(char op, double a, double b)
{
	switch (op) {
	case '*': return a * b;
	case '/': return a / b;
	case '%': return fmod(a, b);
	case '+': return a + b;
	case '-': return a - b;
	case '<': return a < b;
	case '>': return a > b;
	case '&': return a != 0 && b != 0;
	case '^': return (a != 0) != (b != 0);
	}
	return a != 0 || b != 0;
}

/* The operators by precedence, the loosest first. */
static const char *const operators[] = { "|", "^", "&", "<>", "+-", "*/%" };

static bool level(struct condition *c, size_t i, double *value)
{
	double right;

	if (i == sizeof(operators) / sizeof(*operators))
		return atom(c, value);
	if (!level(c, i + 1, value))
		return false;
	while (peek(c) && strchr(operators[i], *c->at)) {
		const char op = *c->at++;
		const bool equal = accept(c, '=');

		if (!level(c, i + 1, &right))
			return false;
		*value = equal && *value == right ? 1 :
			 apply(op, *value, right);
	}
	return true;
}

static bool either(struct condition *c, double *value)
{
	return level(c, 0, value);
}

bool import_condition(struct translation *t, const char *text, size_t length,
		      double *value)
{
	struct condition c = { t, text, text + length, 0, false };

	const bool fine = either(&c, value);

	if (c.counts) {
		t->why[0] = '\0';
		*value = NAN;
		return true;
	}
	if (!fine)
		return false;
	if (peek(&c))
		return import_fail(t, "cannot read '%.20s'", c.at);
	return isfinite(*value) ||
	       import_fail(t, "a condition divides by 0");
}
