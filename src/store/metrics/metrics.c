/* SPDX-License-Identifier: MIT */
/*
 * Reading other tools' metrics: perf's and perfmon's JSON files, and likwid's
 * performance groups, which are texts:
 *
 *	SHORT one line
 *	REQUIRE_NOHT
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

#include "base/loading/library.h"
#include "base/text.h"

/* ---- perf --------------------------------------------------------------- */

/* The text of a member, or "". Owned by the JSON. */
static const char *member(const json_t *of, const char *key)
{
	const char *text = json_string_value(json_object_get(of, key));

	return text ? text : "";
}

static void add_perf(struct metric_list *out, const json_t *one)
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

/* [{"Name": "INST_RETIRED.ANY", "Alias": "a"}]: more names of the metric. */
static void add_aliases(struct metric_item *item, const json_t *list,
			bool constant)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *one = json_array_get(list, i);

		item->counter[item->counters++] = (struct metric_counter){
			.name = member(one, "Alias"),
			.event = member(one, "Name"), .constant = constant,
		};
	}
}

static bool add_perfmon(struct metric_list *out, const json_t *one)
{
	const json_t *events = json_object_get(one, "Events");
	const json_t *constants = json_object_get(one, "Constants");
	struct metric_item *item = &out->item[out->items];

	*item = (struct metric_item){
		.name = member(one, "MetricName"),
		.expression = member(one, "Formula"),
		.about = member(one, "BriefDescription"),
		.unit = member(one, "UnitOfMeasure"),
	};
	if (!*item->name || !*item->expression)
		return true;
	item->counter = calloc(json_array_size(events) +
			       json_array_size(constants) + 1,
			       sizeof(*item->counter));
	if (!item->counter)
		return false;
	out->items++;
	add_aliases(item, events, false);
	add_aliases(item, constants, true);
	return true;
}

/* Owns the JSON from the call on: the list's texts are in it. */
static int add_items(struct metric_list *out, json_t *json, const char *file,
		    struct assay_error *err)
{
	const json_t *perfmon = json_object_get(json, "Metrics");
	const json_t *all = perfmon ? perfmon : json;
	const size_t n = json_is_array(all) ? json_array_size(all) : 1;
	bool fine = true;

	out->owned = json;
	if (n > METRICS_MOST)
		return error_set(err, -ASSAY_ERANGE, "%.200s has more than %d "
				 "entries", file, METRICS_MOST);
	out->item = calloc(n + 1, sizeof(*out->item));
	if (!out->item)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	if (perfmon)
		out->format = "perfmon";
	else if (!json_is_array(all))
		add_perf(out, all);
	for (size_t i = 0; i < json_array_size(all) && fine; i++) {
		if (perfmon)
			fine = add_perfmon(out, json_array_get(all, i));
		else
			add_perf(out, json_array_get(all, i));
	}
	return fine ? 0 : error_set(err, -ASSAY_ENOMEM, "out of memory");
}

static int read_perf(struct metric_list *out, const char *file,
		     const char *text, size_t bytes, struct assay_error *err)
{
	json_error_t why;
	json_t *json = json_loadb(text, bytes, 0, &why);

	out->format = "perf";
	if (!json && library_need(LIBRARY_JANSSON, err))
		return -ASSAY_EUNAVAIL;
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
	enum section section;
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

/* A line that cannot be read is lost, and reported in the place of a metric. */
static void lose(struct reader *r, const char *text, const char *why)
{
	struct metric_list *out = r->out;

	out->item[out->items++] = (struct metric_item){
		.name = text, .expression = "", .about = "", .unit = "",
		.why = why,
	};
}

static void read_counter(struct reader *r, char *text)
{
	struct metric_list *out = r->out;
	char *event = text + strcspn(text, " \t");

	if (!*event) {
		lose(r, text, "this counter has no event");
		return;
	}
	*event++ = '\0';
	event = trimmed(event);
	event[strcspn(event, " \t")] = '\0';
	out->counter[out->counters++] = (struct metric_counter){ text, event,
								 false };
}

static void read_metric(struct reader *r, char *text)
{
	struct metric_list *out = r->out;
	char *expression = text + strlen(text), *unit;

	while (expression > text && !isspace((unsigned char)expression[-1]))
		expression--;
	if (expression == text) {
		lose(r, text, "a metric needs a name and an expression");
		return;
	}
	if (*text == '[' && text + strcspn(text, "]") + 2 >= expression) {
		lose(r, text, "the metric has no name");
		return;
	}
	expression[-1] = '\0';
	text = trimmed(text);
	unit = strchr(text, '[');
	if (unit && unit > text) {
		*unit++ = '\0';
		unit[strcspn(unit, "]")] = '\0';
	}
	out->item[out->items++] = (struct metric_item){
		.name = trimmed(text), .expression = expression,
		.about = "", .unit = unit ? unit : "",
	};
}

static void read_line(struct reader *r, char *text)
{
	text = trimmed(text);
	for (int s = EVENTSET; s <= LONG; s++)
		if (!strcmp(text, headings[s])) {
			r->section = (enum section)s;
			return;
		}
	if (!*text || *text == '#' || r->section == LONG)
		return;
	if (r->section == EVENTSET)
		read_counter(r, text);
	else if (r->section == METRICS)
		read_metric(r, text);
	else if (!strncmp(text, "SHORT", 5) && isspace((unsigned char)text[5]))
		r->out->title = trimmed(text + 5);
	else if (strcmp(text, "REQUIRE_NOHT") != 0)
		lose(r, text, "a group has SHORT, REQUIRE_NOHT, EVENTSET, "
		     "METRICS and LONG");
}

static size_t count_lines(const char *text)
{
	size_t n = 1;

	for (; (text = strchr(text, '\n')); text++)
		n++;
	return n;
}

static int read_likwid(struct metric_list *out, const char *file, char *text,
		       struct assay_error *err)
{
	struct reader r = { out, HEAD };
	const size_t lines = count_lines(text);
	char *next = text, *line;

	out->format = "likwid";
	if (lines > METRICS_MOST)
		return error_set(err, -ASSAY_ERANGE, "%.200s has more than %d "
				 "lines", file, METRICS_MOST);
	out->item = calloc(lines + 1, sizeof(*out->item));
	out->counter = calloc(lines + 1, sizeof(*out->counter));
	if (!out->item || !out->counter)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	while ((line = strsep(&next, "\n")) && r.section != LONG)
		read_line(&r, line);
	if (r.section == HEAD)
		return error_set(err, -ASSAY_EPARSE, "%.200s: neither JSON nor "
				 "a group of likwid: a group has EVENTSET and "
				 "METRICS", file);
	return 0;
}

/* ---- both --------------------------------------------------------------- */

static bool is_json(const char *text, size_t bytes)
{
	const size_t blanks = strspn(text, " \t\r\n");

	return blanks < bytes && (text[blanks] == '[' || text[blanks] == '{');
}

void metrics_fini(struct metric_list *list)
{
	if (list->format && strcmp(list->format, "likwid") != 0)
		json_decref(list->owned);
	else
		free(list->owned);
	for (size_t i = 0; i < list->items; i++)
		free(list->item[i].counter);
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
	if (bytes >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
		text += 3;	/* a byte-order mark */
		bytes -= 3;
	}
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
			       "MetricExpr or Formula, nor a METRICS section",
			       file);
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
