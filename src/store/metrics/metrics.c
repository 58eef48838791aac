/* SPDX-License-Identifier: MIT */
/*
 * Reading other tools' metrics: perf's JSON files, and likwid's performance
 * groups, which are texts:
 *
 *	SHORT one line
 *	EVENTSET
 *	COUNTER EVENT
 *	METRICS
 *	a name of several words [unit] EXPRESSION
 *	LONG
 *	any text
 *
 * A metric's expression is the last word of its line. See metrics.h.
 */
#include "store/metrics/metrics.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- perf --------------------------------------------------------------- */

/* The text of a member, or "". Owned by the JSON. */
static const char *member(const json_t *of, const char *key)
{
	const char *text = json_string_value(json_object_get(of, key));

	return text ? text : "";
}

static void add_item(struct metric_list *out, const json_t *one)
{
	const char *name = member(one, "MetricName");
	const char *expression = member(one, "MetricExpr");
	const char *about = member(one, "BriefDescription");

	if (!*name || !*expression)
		return;
	out->item[out->items++] = (struct metric_item){
		.name = name, .expression = expression, .about = about,
		.unit = member(one, "ScaleUnit"),
	};
}

/* Owns the JSON from the call on: the list's texts are in it. */
static int add_items(struct metric_list *out, json_t *json, const char *file,
		    struct assay_error *err)
{
	const size_t n = json_is_array(json) ? json_array_size(json) : 1;

	out->owned = json;
	if (n > METRICS_MOST)
		return error_set(err, -ASSAY_ERANGE, "%.200s has more than %d "
				 "entries", file, METRICS_MOST);
	out->item = calloc(n + 1, sizeof(*out->item));
	if (!out->item)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	if (!json_is_array(json))
		add_item(out, json);
	for (size_t i = 0; json_is_array(json) && i < n; i++)
		add_item(out, json_array_get(json, i));
	return 0;
}

static int read_perf(struct metric_list *out, const char *file,
		     const char *text, size_t bytes, struct assay_error *err)
{
	json_error_t why;
	json_t *json = json_loadb(text, bytes, 0, &why);

	out->format = "perf";
	if (!json)
		return error_at(err, file, text,
				why.line > 0 ? (unsigned)why.line : 1,
				why.column > 0 ? (unsigned)why.column : 1,
				"%s", why.text);
	return add_items(out, json, file, err);
}

/* ---- likwid ------------------------------------------------------------- */

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

static int read_likwid(struct metric_list *out, const char *file, char *text,
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

/* ---- both --------------------------------------------------------------- */

static bool is_json(const char *text, size_t bytes)
{
	const size_t blanks = strspn(text, " \t\r\n");

	return blanks < bytes && (text[blanks] == '[' || text[blanks] == '{');
}

void metrics_fini(struct metric_list *list)
{
	if (list->format && !strcmp(list->format, "perf"))
		json_decref(list->owned);
	else
		free(list->owned);
	free(list->item);
	free(list->counter);
	*list = (struct metric_list){ .title = "" };
}

int metrics_parse(struct metric_list *out, const char *file, const char *text,
		  size_t bytes, struct assay_error *err)
{
	char *copy = malloc(bytes + 1);
	int rc;

	*out = (struct metric_list){ .title = "" };
	if (!copy)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	if (strlen(copy) != bytes) {
		free(copy);
		return error_set(err, -ASSAY_EPARSE, "%.200s: the text holds "
				 "NUL bytes", file);
	}
	if (is_json(copy, bytes)) {
		rc = read_perf(out, file, copy, bytes, err);
		free(copy);
	} else {
		out->owned = copy;
		rc = read_likwid(out, file, copy, err);
	}
	if (rc == 0 && !out->items)
		rc = error_set(err, -ASSAY_EINVAL, "'%.200s' holds no "
			       "metrics: neither objects with MetricName and "
			       "MetricExpr, nor a METRICS section", file);
	if (rc < 0)
		metrics_fini(out);
	return rc;
}

static int read_all(char **out, size_t *bytes, FILE *in, const char *path,
		    struct assay_error *err)
{
	char *text = malloc(METRICS_BYTES + 1);
	int rc;

	if (!text)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	*bytes = fread(text, 1, METRICS_BYTES + 1, in);
	if (ferror(in) || *bytes > METRICS_BYTES) {
		rc = ferror(in) ? error_read(err, path) : 0;
		free(text);
		return rc ? rc :
		       error_set(err, -ASSAY_ERANGE, "'%.200s' is larger than "
				 "%u MiB", path, METRICS_BYTES >> 20);
	}
	*out = text;
	return 0;
}

int metrics_read(struct metric_list *out, const char *path,
		 struct assay_error *err)
{
	FILE *in = !strcmp(path, "-") ? stdin : fopen(path, "re");
	char *text = NULL;
	size_t bytes = 0;
	int rc;

	if (!in)
		return error_read(err, path);
	rc = read_all(&text, &bytes, in, path, err);
	if (in != stdin)
		fclose(in);
	if (rc == 0)
		rc = metrics_parse(out, path, text, bytes, err);
	free(text);
	return rc;
}
