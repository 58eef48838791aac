/* SPDX-License-Identifier: MIT */
/*
 * A line of perf stat -x SEPARATOR:
 *
 *	[TIME,][PLACE,[NUMBER,]]VALUE,UNIT,EVENT,[CGROUP,][VARIATION%,]
 *	RUNTIME,PERCENT,[METRIC],[METRIC-UNIT]
 *
 * No field is quoted, and EVENT may hold separators: a line is taken apart from
 * both ends. A separator is what stands between RUNTIME and PERCENT. Versions
 * before 4.1 lack RUNTIME and PERCENT, those before 4.0 also UNIT.
 */
#include <ctype.h>
#include <string.h>

#include "store/foreign/perf.h"

/* ---- the separator ------------------------------------------------------- */

bool perf_between(char c)
{
	return c && !isalnum((unsigned char)c) && !strchr(".<>()%", c);
}

static size_t digits(const char *p)
{
	return strspn(p, "0123456789");
}

/* "100.00" or, with the mark ',', "100,00". */
static bool is_percent(const char *p, char mark, size_t *length)
{
	const size_t n = digits(p);

	*length = n + 3;
	return n >= 1 && n <= 3 && p[n] == mark && digits(p + n + 1) == 2;
}

/* Is "RUNTIME,PERCENT" around the separator that ends at p? */
static bool is_around(char *out, const char *line, const char *p, char mark)
{
	size_t length, n = 0;

	if (!is_percent(p, mark, &length))
		return false;
	while (p - n > line && perf_between(p[-1 - (long)n]))
		n++;
	if (!n || n >= PERF_SEPARATOR || p - n == line ||
	    !isdigit((unsigned char)p[-1 - (long)n]))
		return false;
	memcpy(out, p - n, n);
	out[n] = '\0';
	return !p[length] || !strncmp(p + length, out, n);
}

bool perf_find_separator(char *out, const char *line, char mark)
{
	for (const char *p = line; *p; p++)
		if (isdigit((unsigned char)*p) &&
		    (p == line || !isdigit((unsigned char)p[-1])) &&
		    is_around(out, line, p, mark))
			return true;
	return false;
}

/* ---- a line -------------------------------------------------------------- */

static bool is_value(const char *text)
{
	uint64_t number;

	return !strcmp(text, "<not counted>") ||
	       !strcmp(text, "<not supported>") ||
	       scan_number(text, 0, &number) != SCAN_NOTHING;
}

static bool is_unit(const char *text)
{
	while (isalpha((unsigned char)*text) || *text == '/')
		text++;
	return !*text;
}

char *perf_time_of(char *field)
{
	char *text = field + strspn(field, " ");
	const size_t n = digits(text);

	if (!strcmp(text, "summary"))
		return text;
	return n && (text[n] == '.' || text[n] == ',') &&
	       digits(text + n + 1) == 9 && !text[n + 10] ? text : NULL;
}

/* The index of PERCENT, or 0: the line has none. */
static unsigned find_percent(const struct scan *s)
{
	for (unsigned i = s->fields; i-- > 2 && i + 4 >= s->fields;) {
		const char *runtime = s->field[i - 1];
		size_t length;

		if ((is_percent(s->field[i], '.', &length) ||
		     is_percent(s->field[i], ',', &length)) &&
		    !s->field[i][length] && *runtime &&
		    digits(runtime) == strlen(runtime))
			return i;
	}
	return 0;
}

/* Joins fields from .. to again; returns the first. */
static char *join(struct scan *s, const char *separator, unsigned from,
		  unsigned to)
{
	const size_t n = strlen(separator);

	for (unsigned i = from; i < to; i++)
		memcpy(s->field[i + 1] - n, separator, n);
	return s->field[from];
}

static unsigned slashes(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += *text == '/';
	return n;
}

/* EVENT, CGROUP and VARIATION are the fields from .. to - 1. */
static bool take_middle(struct perf_row *row, struct scan *s,
			const char *separator, unsigned from, unsigned to)
{
	const size_t n = to > from ? strlen(s->field[to - 1]) : 0;
	unsigned end = from, odd;

	if (to > from + 1 && n && s->field[to - 1][n - 1] == '%') {
		s->field[--to][n - 1] = '\0';
		row->variation = s->field[to];
	}
	if (from >= to || !*s->field[from])
		return false;
	/* an event's own separators stand between two slashes */
	for (odd = slashes(s->field[from]) & 1; odd && end + 1 < to;
	     odd ^= slashes(s->field[++end]) & 1)
		;
	row->event = join(s, separator, from, end);
	if (end + 1 < to && *s->field[end + 1])
		row->cgroup = join(s, separator, end + 1, to - 1);
	return true;
}

/* The fields before VALUE; a number of CPUs is not kept. */
static void take_place(struct perf_row *row, struct scan *s,
		       const char *separator, unsigned from, unsigned value)
{
	const char *last = s->field[value - 1];

	if (value - from > 1 && *last && digits(last) == strlen(last))
		value--;
	if (value > from)
		row->place = join(s, separator, from, value - 1);
}

bool perf_take_apart(struct perf_row *row, struct scan *s,
		     const char *separator, bool old)
{
	const unsigned percent = find_percent(s);
	const unsigned end = percent ? percent - 1 : s->fields;
	unsigned v, head;

	*row = (struct perf_row){ .time = perf_time_of(s->field[0]) };
	head = row->time != NULL;
	if (!percent && !old)
		return false;
	for (v = head; v + 1 < end; v++)
		if (is_value(s->field[v]) &&
		    (is_unit(s->field[v + 1]) || v + 2 == end || old))
			break;
	if (v + 1 >= end)
		return false;
	row->value = s->field[v] + strspn(s->field[v], " ");
	if (v > head)
		take_place(row, s, separator, head, v);
	if (v + 2 < end && is_unit(s->field[v + 1]) &&
	    !strchr(s->field[v + 2], '%'))
		row->unit = s->field[++v];
	if (percent) {
		row->runtime = s->field[percent - 1];
		row->percent = s->field[percent];
	}
	return take_middle(row, s, separator, v + 1, end);
}
