/* SPDX-License-Identifier: MIT */
/*
 * perf stat -j: an object on each line. counter-value is a string, also of
 * whole numbers; newer versions leave out empty metrics, and write metrics
 * alone without "event".
 */
#define _GNU_SOURCE	/* memmem */
#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/loading/library.h"
#include "base/text.h"
#include "store/foreign/perf.h"

static const char mark[] = "\"counter-value\"";
static const char running[] = "\"pcnt-running\" : ";

/* A line has '{' before the member. */
bool foreign_perf_json_begins(const char *text, size_t bytes)
{
	const char *const end = text + bytes, *next;

	for (const char *line = text; line < end; line = next) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		const char *brace;

		next = stop ? stop + 1 : end;
		brace = memchr(line, '{', (size_t)(next - line));
		if (brace && memmem(brace, (size_t)(next - brace), mark,
				    sizeof(mark) - 1))
			return true;
	}
	return false;
}

/* The member's text; of a number its digits, in `room` bytes. NULL: neither. */
static const char *member(const json_t *of, const char *key, char *out,
			  size_t room)
{
	const json_t *one = json_object_get(of, key);

	if (json_is_integer(one))
		snprintf(out, room, "%lld",
			 (long long)json_integer_value(one));
	else if (json_is_real(one))
		snprintf(out, room, "%.9f", json_number_value(one));
	else
		return json_string_value(one);
	return out;
}

/* The first of the places that the object has. */
static const char *place_of(const json_t *json, char *out, size_t room)
{
	static const char *const keys[] = { "thread", "core", "die", "socket",
					    "cluster", "cache", "node", NULL };
	const char *cpu = json_string_value(json_object_get(json, "cpu"));
	const char *place = NULL;

	for (int i = 0; keys[i] && !place; i++)
		place = json_string_value(json_object_get(json, keys[i]));
	if (place || !cpu)
		return place;
	snprintf(out, room, "CPU%.20s", cpu);
	return out;
}

static int take_object(struct reader *r, struct perf_state *s,
		       const json_t *json)
{
	char time[48], runtime[48], percent[48], variation[48], cpu[32];
	const char *cgroup = json_string_value(json_object_get(json,
							       "cgroup"));
	const struct perf_row row = {
		.time = member(json, "interval", time, sizeof(time)),
		.place = place_of(json, cpu, sizeof(cpu)),
		.value = json_string_value(json_object_get(json,
							   "counter-value")),
		.unit = json_string_value(json_object_get(json, "unit")),
		.event = json_string_value(json_object_get(json, "event")),
		.cgroup = cgroup && *cgroup ? cgroup : NULL,
		.variation = member(json, "variance", variation,
				    sizeof(variation)),
		.runtime = member(json, "event-runtime", runtime,
				  sizeof(runtime)),
		.percent = member(json, "pcnt-running", percent,
				  sizeof(percent)),
	};

	if (row.value && row.event)
		return perf_take(r, s, &row);
	reader_unused(r, "not a count of perf");
	return 0;
}

/* 100,00 is no JSON: a decimal comma of the locale. */
static int bad_object(struct reader *r, const json_error_t *why)
{
	const char *at = strstr(r->scan.line, running);
	char text[sizeof(why->text) + 16];
	size_t n;

	if (library_need(LIBRARY_JANSSON, r->scan.err))
		return -ASSAY_EUNAVAIL;
	if (at) {
		at += sizeof(running) - 1;
		n = strspn(at, "0123456789");
		if (n && at[n] == ',' && isdigit((unsigned char)at[n + 1])) {
			scan_error(&r->scan, at + n, "a decimal comma, which "
				   "is no JSON");
			error_add(r->scan.err, "try: LC_ALL=C perf stat -j");
			return -ASSAY_EPARSE;
		}
	}
	snprintf(text, sizeof(text), "no JSON: %s", why->text);
	reader_unused(r, text);
	return 0;
}

static int read_line(struct reader *r, struct perf_state *s)
{
	static const char started[] = "# started on ";
	const char *line = r->scan.line;
	const char *object = line + strspn(line, " \t");
	json_error_t why = { .text = "" };
	json_t *json;
	int rc;

	if (!strncmp(line, started, sizeof(started) - 1))
		perf_new_run(r, s);
	if (*line == '#' || !*object || perf_take_raw(r, s))
		return 0;
	if (*object != '{' || !strstr(object, mark)) {
		if (*object != '{' || !strstr(object, "\"metric-value\""))
			reader_unused(r, "not a count of perf");
		return 0;
	}
	json = json_loadb(line, strlen(line), JSON_REJECT_DUPLICATES, &why);
	rc = json ? take_object(r, s, json) : bad_object(r, &why);
	json_decref(json);
	return rc;
}

int foreign_perf_json_read(struct reader *r)
{
	struct perf_state s = {
		.marked = strstr(r->scan.text, "# started on ") != NULL,
	};
	int rc;

	while ((rc = scan_line(&r->scan)) > 0) {
		rc = read_line(r, &s);
		if (rc)
			break;
	}
	free(s.raw);
	return rc;
}
