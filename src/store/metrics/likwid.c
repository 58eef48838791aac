/* SPDX-License-Identifier: MIT */
/*
 * likwid's performance groups:
 *
 *	SHORT one line
 *	EVENTSET
 *	COUNTER EVENT
 *	METRICS
 *	a name of several words [unit] EXPRESSION
 *	LONG
 *	any text
 *
 * The expression is the last word of its line.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/metrics/metrics.h"

enum section { HEAD, EVENTSET, METRICS, LONG };

static const char *const headings[] = {
	[EVENTSET] = "EVENTSET", [METRICS] = "METRICS", [LONG] = "LONG",
};

struct reader {
	struct metric_list *out;
	const char *file;
	unsigned line;
	enum section section;
	struct assay_error *err;
};

static char *trimmed(char *text)
{
	size_t n;

	while (isspace((unsigned char)*text))
		text++;
	for (n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--)
		;
	text[n] = '\0';
	return text;
}

static int wrong(const struct reader *r, const char *why)
{
	return error_set(r->err, -ASSAY_EPARSE, "%.200s:%u:1: error: %s",
			 r->file, r->line, why);
}

static int read_counter(struct reader *r, char *text)
{
	struct metric_list *out = r->out;
	char *event = text + strcspn(text, " \t");

	if (!*event)
		return wrong(r, "a counter needs an event");
	*event++ = '\0';
	event = trimmed(event);
	if (out->counters == METRICS_MOST)
		return wrong(r, "too many counters");
	out->counter[out->counters++] = (struct metric_counter){ text, event };
	return 0;
}

static int read_metric(struct reader *r, char *text)
{
	struct metric_list *out = r->out;
	char *expression = text + strlen(text), *unit;

	while (expression > text && !isspace((unsigned char)expression[-1]))
		expression--;
	if (expression == text)
		return wrong(r, "a metric needs a name and an expression");
	expression[-1] = '\0';
	text = trimmed(text);
	unit = strchr(text, '[');
	if (unit) {
		*unit++ = '\0';
		unit[strcspn(unit, "]")] = '\0';
	}
	if (!*trimmed(text))
		return wrong(r, "a metric needs a name");
	if (out->items == METRICS_MOST)
		return wrong(r, "too many metrics");
	out->item[out->items++] = (struct metric_item){
		.name = trimmed(text), .expression = expression,
		.about = "", .unit = unit ? unit : "",
	};
	return 0;
}

static int read_line(struct reader *r, char *text)
{
	text = trimmed(text);
	for (int s = EVENTSET; s <= LONG; s++)
		if (!strcmp(text, headings[s])) {
			r->section = (enum section)s;
			return 0;
		}
	if (!*text || *text == '#' || r->section == LONG)
		return 0;
	if (r->section == EVENTSET)
		return read_counter(r, text);
	if (r->section == METRICS)
		return read_metric(r, text);
	if (strncmp(text, "SHORT", 5) || !isspace((unsigned char)text[5]))
		return wrong(r, "neither JSON nor a group of likwid: a group "
			     "begins with SHORT, EVENTSET or METRICS");
	r->out->title = trimmed(text + 5);
	return 0;
}

static size_t count_lines(const char *text)
{
	size_t n = 1;

	for (; (text = strchr(text, '\n')); text++)
		n++;
	return n < METRICS_MOST ? n : METRICS_MOST;
}

int metrics_likwid(struct metric_list *out, const char *file, char *text,
		   struct assay_error *err)
{
	struct reader r = { out, file, 0, HEAD, err };
	const size_t lines = count_lines(text);
	char *next = text, *line;
	int rc = 0;

	out->format = "likwid";
	out->item = calloc(lines + 1, sizeof(*out->item));
	out->counter = calloc(lines + 1, sizeof(*out->counter));
	if (!out->item || !out->counter)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	while (!rc && (line = strsep(&next, "\n"))) {
		r.line++;
		rc = read_line(&r, line);
	}
	return rc;
}
