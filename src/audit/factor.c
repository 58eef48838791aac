/* SPDX-License-Identifier: MIT */
/*
 * "factor" in likwid's groups: a formula against the same formula in the text
 * LONG, a bandwidth against the data volume of the same name, and the unit in
 * a metric's name against the formula's power of ten. The formulas are
 * evaluated with drawn counts, so that constants may be grouped in any way.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "audit/items.h"
#include "base/expr.h"
#include "base/text.h"

enum { NAMES = 512, ROOM = 16384 };

/* Two drawn values for each name of a formula. */
struct drawing {
	const struct audit *a;
	const struct audit_item *metric;	/* of the group that counts */
	bool sums;	/* an event's name stands for the sum of its counters */
	unsigned round;
	double value[NAMES];
	unsigned names;
};

static double drawn(const char *name, unsigned round)
{
	uint32_t hash = 2166136261u + round;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return 1000 + hash % 99991;
}

/* The counter's event, or how many counters have the event. */
static const char *event_on(const struct drawing *d, const char *name,
			    unsigned *counters)
{
	const struct audit_item *end = d->a->item + d->a->items;
	const char *found = NULL;

	*counters = 0;
	for (const struct audit_item *y = audit_group(d->a, d->metric);
	     y < end && y->e.file == d->metric->e.file; y++) {
		if (y->e.kind != ENTRY_MEMBER)
			continue;
		if (!strcmp(y->e.code.counters, name))
			found = y->e.name;
		*counters += !strcmp(y->e.name, name);
	}
	return found;
}

static int name_of(void *ctx, const char *name)
{
	struct drawing *d = ctx;
	unsigned counters;
	const char *event = event_on(d, name, &counters);

	if (d->names == NAMES)
		return -1;
	if (event)
		d->value[d->names] = drawn(event, d->round);
	else if (counters)
		d->value[d->names] = drawn(name, d->round) *
				     (d->sums ? counters : 1);
	else if (!strcmp(name, "time") || !strcmp(name, "runtime"))
		d->value[d->names] = drawn("time", d->round);
	else if (!strcmp(name, "inverseClock"))
		d->value[d->names] = 1 / drawn(name, d->round);
	else
		return -1;
	return (int)d->names++;
}

static struct assay_value value_of(const void *ctx, int name)
{
	const struct drawing *d = ctx;

	return (struct assay_value){ .number = d->value[name] };
}

/* The zeros at the end of a number with decimals, and a point before them. */
static size_t idle_digits(const char *number)
{
	size_t n = strlen(number), zeros = 0;

	while (number[n - 1 - zeros] == '0')
		zeros++;
	return zeros + (number[n - 1 - zeros] == '.');
}

/* Copies a formula; "1.0E-06" becomes a number without an exponent. */
static void copy_numbers(char out[ROOM], const char *text)
{
	char number[64];

	*out = '\0';
	while (*text) {
		const size_t word = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "abcdefghijklmnopqrstuvwxyz_:=");
		const size_t more = strspn(text + word, "ABCDEFGHIJKLMNOPQRSTU"
					   "VWXYZabcdefghijklmnopqrstuvwxyz_:="
					   "0123456789");
		char *end = NULL;

		if (word) {
			text_add(out, ROOM, "", "%.*s", (int)(word + more),
				 text);
			text += word + more;
		} else if (isdigit((unsigned char)*text)) {
			snprintf(number, sizeof(number), "%.12f",
				 strtod(text, &end));
			number[strlen(number) - idle_digits(number)] = '\0';
			text_add(out, ROOM, "", "%s", number);
			text = end;
		} else {
			text_add(out, ROOM, "", "%c", *text++);
		}
	}
}

/* NAN: an operand is unknown, or the text is no formula. */
static double evaluate(const struct audit *a, const struct audit_item *metric,
		       const char *text, bool sums, unsigned round)
{
	struct drawing d = { a, metric, sums, round, { 0 }, 0 };
	struct expr_nodes nodes = { NULL, 0, 0 };
	struct assay_value value = { .number = NAN };
	struct expr_tree tree = { NULL, 0 };
	struct assay_error err;
	char plain[ROOM];

	copy_numbers(plain, text);
	if (!expr_add(&nodes, &tree.root, plain, name_of, &d, NULL, &err)) {
		tree.node = nodes.node;
		value = expr_tree_value(&tree, value_of, &d);
	}
	free(nodes.node);
	return value.why ? NAN : value.number;
}

/* The ratio of two formulas; 1: equal, NAN: unknown. *steady: the ratio is one
 * number whatever is counted. */
static double ratio(const struct audit *a, const struct audit_item *metric,
		    const char *first, const char *second, bool sums,
		    bool *steady)
{
	double r[2];

	for (unsigned round = 0; round < 2; round++)
		r[round] = evaluate(a, metric, first, sums, round) /
			   evaluate(a, metric, second, sums, round);
	*steady = fabs(r[0] - r[1]) <= 1e-9 * fabs(r[0]);
	return fabs(r[0] - 1) <= 1e-9 ? 1 : r[0];
}

/* "SUM(X)" without its word: the name X stands for the sum then. */
static bool without_sum(char out[ROOM], const char *text)
{
	bool sums = false;

	text_copy(out, ROOM, text);
	for (char *p = out; (p = strstr(p, "SUM(")); sums = true)
		memmove(p, p + 3, strlen(p + 3) + 1);
	return sums;
}

/* Is it a power of 1000, or per cent, that the text leaves away? */
static bool is_unit(double r)
{
	const double power = log10(r) / 3;

	return fabs(power - round(power)) < 1e-9 || fabs(r - 100) < 1e-9 ||
	       fabs(r - 0.01) < 1e-9;
}

/* The next name, number or sign of a formula, parentheses left out: grouping
 * alone is no other event. False: the formula is at its end. */
static bool next_token(const char **text, char out[ENTRY_NAME])
{
	const char *at = *text + strspn(*text, " \t()");
	char *end;
	size_t n = isalpha((unsigned char)*at) ?
		   strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv"
			      "wxyz_0123456789:=") : 1;

	if (isdigit((unsigned char)*at)) {
		snprintf(out, ENTRY_NAME, "%g", strtod(at, &end));
		n = (size_t)(end - at);
	} else {
		snprintf(out, ENTRY_NAME, "%.*s", (int)n, at);
	}
	*text = *at ? at + n : at;
	return *at;
}

/* Are the formula and its text equal, but for one event of the group in the
 * place of another? Cycles of two kinds are a matter of taste. */
static bool is_substituted(const struct audit *a,
			   const struct audit_item *metric, const char *text,
			   char here[ENTRY_NAME], char there[ENTRY_NAME])
{
	const struct drawing d = { .a = a, .metric = metric };
	const char *formula = metric->e.formula;
	char x[ENTRY_NAME], y[ENTRY_NAME];
	bool found = false, more;
	unsigned counters;

	while ((more = next_token(&formula, x)) & next_token(&text, y)) {
		const char *event = event_on(&d, x, &counters);

		if (event)
			snprintf(x, sizeof(x), "%s", event);
		event_on(&d, y, &counters);
		if (!strcmp(x, y) || (!strcmp(x, "time") &&
				      !strcmp(y, "runtime")))
			continue;
		if (!event || !counters ||
		    (found && (strcmp(x, here) || strcmp(y, there))))
			return false;
		found = true;
		snprintf(here, ENTRY_NAME, "%s", x);
		snprintf(there, ENTRY_NAME, "%s", y);
	}
	return found && !more && !next_token(&text, y) &&
	       !(audit_is_reference(here) && audit_is_reference(there));
}

/* "Power [W]" is "Power" in the text, too. */
static bool same_metric(const char *metric, const char *prose)
{
	const size_t n = strlen(prose);

	return !strncmp(metric, prose, n) &&
	       (!metric[n] || !strncmp(metric + n, " [", 2));
}

static void check_text(struct audit *a, const struct audit_item *metric,
		       const struct audit_item *prose)
{
	char text[ROOM], here[ENTRY_NAME], there[ENTRY_NAME];
	bool steady, sums = without_sum(text, prose->e.formula);
	double r = ratio(a, metric, metric->e.formula, text, sums, &steady);

	if (!sums && r != 1 && !isnan(r)) {
		bool other;
		const double sum = ratio(a, metric, metric->e.formula, text,
					 true, &other);

		if (sum == 1)
			return;
	}
	if (r == 1 || isnan(r))
		return;
	/* Where the formula has the vectors' factors, the text is wrong. */
	if (!steady && is_substituted(a, metric, prose->e.formula, here,
				      there))
		audit_find(a, "factor", AUDIT_MEDIUM, metric,
			   metric->e.formula, "the text, line %u, has %.100s "
			   "where the formula has %.100s", prose->e.line,
			   there, here);
	else if (steady)
		audit_find(a, "factor", is_unit(r) ||
			   (audit_has_vector(a, metric) &&
			    !audit_found(a, "factor", metric)) ?
			   AUDIT_LOW : AUDIT_MEDIUM, metric,
			   metric->e.formula, "%g times what the text "
			   "says, line %u: %.300s", r, prose->e.line,
			   prose->e.formula);
	else
		audit_find(a, "factor", AUDIT_LOW, metric, metric->e.formula,
			   "the text has another formula, line %u: %.300s",
			   prose->e.line, prose->e.formula);
}

/* ---- units --------------------------------------------------------------- */

/* Are the names equal, but for "bandwidth [MBytes/s]" and "data volume
 * [GBytes]" at their ends? */
static bool is_volume_of(const char *bandwidth, const char *volume)
{
	const char *a = strstr(bandwidth, "bandwidth [MBytes/s]");
	const char *b = strstr(volume, "data volume [GBytes]");

	return a && b && a - bandwidth == b - volume &&
	       !strncmp(bandwidth, volume, (size_t)(a - bandwidth));
}

static void check_volume(struct audit *a, const struct audit_item *bandwidth,
			 const struct audit_item *volume)
{
	char text[ROOM];
	bool steady;
	double r;

	snprintf(text, sizeof(text), "0.001*time*(%.*s)", ROOM - 32,
		 bandwidth->e.formula);
	r = ratio(a, volume, volume->e.formula, text, false, &steady);
	if (r != 1 && !isnan(r) && steady)
		audit_find(a, "factor", AUDIT_MEDIUM, volume,
			   volume->e.formula, "%g times the bandwidth of line "
			   "%u: %.300s", r, bandwidth->e.line,
			   bandwidth->e.formula);
}

static void check_unit(struct audit *a, const struct audit_item *metric)
{
	const char *unit = strchr(metric->e.name, '[');
	const char *power = strstr(metric->e.formula, "E-0");

	if (!unit || !power || !strchr("GM", unit[1]) || !unit[1] ||
	    strstr(power + 1, "E-0"))
		return;
	if (power[3] == (unit[1] == 'G' ? '6' : '9') &&
	    (!strncasecmp(unit + 2, "Byte", 4) ||
	     !strncasecmp(unit + 2, "FLOP", 4)))
		audit_find(a, "factor", AUDIT_MEDIUM, metric,
			   metric->e.formula, "the name says %c, which is "
			   "1E%s", unit[1], unit[1] == 'G' ? "-09" : "-06");
}

static void check_metric(struct audit *a, const struct audit_item *metric)
{
	const struct audit_item *end = a->item + a->items;

	check_unit(a, metric);
	for (const struct audit_item *y = audit_group(a, metric);
	     y < end && y->e.file == metric->e.file; y++) {
		if (y->e.kind == ENTRY_PROSE &&
		    same_metric(metric->e.name, y->e.name))
			check_text(a, metric, y);
		else if (y->e.kind == ENTRY_METRIC &&
			 is_volume_of(y->e.name, metric->e.name))
			check_volume(a, y, metric);
	}
}

void audit_factor(struct audit *a)
{
	for (size_t i = 0; i < a->items; i++)
		if (a->item[i].audited && a->item[i].e.kind == ENTRY_METRIC &&
		    a->item[i].e.source == ENTRY_LIKWID)
			check_metric(a, &a->item[i]);
}
