/* SPDX-License-Identifier: MIT */
/* Writes numbers and scopes for human readers. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/judge/parts.h"
#include "base/text.h"
#include "base/utf8.h"

/* Drops invalid UTF-8: cutting a name may split its last character. */
static void drop_halves(char *text)
{
	char *to = text;

	while (*text) {
		unsigned n = utf8_bytes((const unsigned char *)text);

		if (!n)
			text++;
		while (n--)
			*to++ = *text++;
	}
	*to = '\0';
}

void judge_add(struct judge_words *w, const char *format, ...)
{
	char *const from = w->text + w->used;
	va_list args;

	va_start(args, format);
	vsnprintf(from, sizeof(w->text) - w->used, format, args);
	va_end(args);
	drop_halves(from);
	w->used += strlen(from);
}

void judge_add_number(struct judge_words *w, double number)
{
	char groups[40];

	if (fabs(number) >= 1e15 || (number != 0 && fabs(number) < 1e-4)) {
		const int power = (int)floor(log10(fabs(number)));

		judge_add(w, "%.4g x 10^%d", number / pow(10, power), power);
	} else if (fabs(number) < 1000) {
		judge_add(w, "%.5g", number);
	} else {
		text_groups(groups, sizeof(groups),
			    (uint64_t)(fabs(number) + 0.5));
		judge_add(w, "%s%s", number < 0 ? "-" : "", groups);
	}
}

/* Two digits, and never 0: "1.6 %", "0.0003 %". */
void judge_add_percent(struct judge_words *w, double part)
{
	const double percent = 100 * fabs(part);

	if (percent >= 10)
		judge_add(w, "%.0f %%", percent);
	else if (percent >= 1e-4)
		judge_add(w, "%.2g %%", percent);
	else
		judge_add(w, "less than 0.0001 %%");
}

void judge_add_times(struct judge_words *w, double factor)
{
	if (factor >= 1e-4 && factor < 1000)
		judge_add(w, "%.4g", factor);
	else
		judge_add_number(w, factor);
	judge_add(w, " times");
}

double judge_step(const struct judge_shape *s, double number)
{
	return s->resolution > 0 ? s->resolution *
				   round(number / s->resolution) : number;
}

void judge_add_off(struct judge_words *w, const struct judge_shape *s)
{
	const double off = s->mean - s->expected, t = s->expected;
	const char *way = off > 0 ? "more" : "less";

	if (!judge_is_rate(s) && fabs(off) <= 3) {
		judge_add_number(w, fabs(off));
		judge_add(w, fabs(off) == 1 ? " count %s" : " counts %s", way);
	} else if (t <= 0) {
		judge_add_number(w, s->mean);
	} else if (s->mean >= 2 * t || s->mean <= t / 2) {
		judge_add_times(w, s->mean / t);
	} else {
		judge_add_percent(w, off / t);
		judge_add(w, " %s", way);
	}
}

/* Writes the value in full, without an exponent. */
static size_t plain(char *out, size_t room, double value)
{
	char text[400];
	int n;

	if (value == floor(value) || fabs(value) >= 1e15) {
		snprintf(text, sizeof(text), "%.0f", value);
	} else {
		n = snprintf(text, sizeof(text), "%.15f", value);
		while (text[n - 1] == '0')
			text[--n] = '\0';
	}
	return (size_t)snprintf(out, room, "%s", text);
}

size_t judge_scope(char *out, size_t room, const struct judge_verdict *v)
{
	char low[400], high[400];

	if (!v->program)
		return (size_t)snprintf(out, room, "all");
	if (!*v->parameter)
		return (size_t)snprintf(out, room, "program=%s", v->program);
	plain(low, sizeof(low), v->from);
	plain(high, sizeof(high), v->to);
	return (size_t)snprintf(out, room, "program=%s;%.*s=%s..%s",
				v->program, (int)strcspn(v->parameter, "="),
				v->parameter, low, high);
}
