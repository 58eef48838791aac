/* SPDX-License-Identifier: MIT */
/*
 * Google Benchmark's JSON. Counters are the members of a run that the library
 * does not define itself, each a number per iteration. Aggregates are passed
 * over. A name has parameters: "BM_sum/4096/n:64/threads:2".
 */
#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/loading/library.h"
#include "base/text.h"
#include "store/foreign/reader.h"

/* Members that are no counters. */
static const char *const members[] = {
	"name", "family_index", "per_family_instance_index", "run_name",
	"run_type", "repetitions", "repetition_index", "threads", "iterations",
	"real_time", "cpu_time", "time_unit", "aggregate_name",
	"aggregate_unit", "label", "error_occurred", "error_message",
	"skipped", "skip_message", "big_o", "rms", "cpu_coefficient",
	"real_coefficient", "bytes_per_second", "items_per_second",
	"allocs_per_iter", "max_bytes_used", "total_allocated_bytes",
	"net_heap_growth", NULL
};

bool foreign_benchmark_begins(const char *text, size_t bytes)
{
	(void)bytes;
	return text[strspn(text, " \t\r\n")] == '{' &&
	       strstr(text, "\"context\"") && strstr(text, "\"benchmarks\"");
}

/* Puts "" in the place of NaN and Infinity, which are no JSON; the length stays
 * the same, so that places in messages are right. */
static void replace_words(char *text)
{
	static const char *const words[] = { "NaN", "-NaN", "Infinity",
					     "-Infinity", NULL };
	bool quoted = false;

	for (char *p = text; *p; p++) {
		quoted ^= *p == '"' && (p == text || p[-1] != '\\');
		for (int i = 0; !quoted && words[i]; i++)
			if (!strncmp(p, words[i], strlen(words[i]))) {
				memset(p, ' ', strlen(words[i]));
				memcpy(p, "\"\"", 2);
				p += strlen(words[i]) - 1;
				break;
			}
	}
}

static json_t *parse(struct reader *r)
{
	char *text = strdup(r->scan.text);
	json_error_t why = { .text = "out of memory" };
	json_t *json = NULL;

	if (text) {
		replace_words(text);
		json = json_loadb(text, strlen(text), JSON_REJECT_DUPLICATES,
				  &why);
	}
	if (!json && !library_need(LIBRARY_JANSSON, r->scan.err))
		error_at(r->scan.err, r->scan.file, r->scan.text,
			 why.line > 0 ? (unsigned)why.line : 1,
			 why.column > 0 ? (unsigned)why.column : 1, "%s",
			 why.text);
	free(text);
	return json;
}

static const char *text_of(const json_t *of, const char *key)
{
	const char *text = json_string_value(json_object_get(of, key));

	return text ? text : "";
}

static double number_of(const json_t *of, const char *key)
{
	return json_number_value(json_object_get(of, key));
}

/* "BM_sum/4096/n:64" -> "per=iteration;benchmark=BM_sum;arg1=4096;n=64" */
static void name_place(char *out, size_t room, const char *name)
{
	unsigned arg = 0;
	size_t used = (size_t)snprintf(out, room, "per=iteration");

	while (*name && used < room) {
		const size_t n = strcspn(name, "/");
		const char *colon = memchr(name, ':', n);
		char key[24] = "benchmark";

		if (colon && colon[1] != ':' && colon > name && arg)
			snprintf(key, sizeof(key), "%.*s",
				 (int)(colon - name), name);
		else if (arg)
			snprintf(key, sizeof(key), "arg%u", arg);
		if (!colon || colon[1] == ':' || colon == name || !arg)
			colon = name - 1;
		arg++;
		used += (size_t)snprintf(out + used, room - used, ";%s=%.*s",
			key, (int)(name + n - colon) - 1, colon + 1);
		name += n + (name[n] == '/');
	}
}

static struct assay_count count_of(const json_t *value, char *why, size_t room)
{
	char text[64];

	if (json_is_integer(value))
		snprintf(text, sizeof(text), "%lld",
			 (long long)json_integer_value(value));
	else if (json_is_real(value))
		snprintf(text, sizeof(text), "%.15g",
			 json_number_value(value));
	else
		return (struct assay_count){ .state = ASSAY_COUNT_ABSENT,
			.why = "the benchmark wrote no finite number" };
	return build_rate(text, "iteration", why, room);
}

/* The time of all iterations. */
static int take_time(struct reader *r, const json_t *run, const char *place,
		     unsigned repeat)
{
	static const struct { const char *unit; double ns; } units[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
	};
	const char *unit = text_of(run, "time_unit");
	double ns = 0;

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(unit, units[i].unit))
			ns = units[i].ns;
	ns *= number_of(run, "real_time") * number_of(run, "iterations");
	if (!(ns > 0) || ns >= 0x1p63)
		return 0;
	return reader_add(r, place, NULL, repeat, &(struct assay_count){
			  .value = (uint64_t)round(ns) });
}

static bool is_member(const char *key)
{
	for (int i = 0; members[i]; i++)
		if (!strcmp(members[i], key))
			return true;
	return false;
}

static int take_run(struct reader *r, json_t *run)
{
	const char *type = text_of(run, "run_type");
	const char *name = text_of(run, "run_name");
	const double repeat = number_of(run, "repetition_index");
	char place[300], why[ASSAY_WHY];
	int rc;

	if ((*type && strcmp(type, "iteration")) || repeat < 0 ||
	    repeat > 65535)
		return 0;
	name_place(place, sizeof(place), *name ? name : text_of(run, "name"));
	rc = take_time(r, run, place, (unsigned)repeat);
	for (void *i = json_object_iter(run); i && !rc;
	     i = json_object_iter_next(run, i)) {
		const char *key = json_object_iter_key(i);
		struct assay_count c = count_of(json_object_iter_value(i), why,
						sizeof(why));

		if (!is_member(key))
			rc = reader_add(r, place, key, (unsigned)repeat, &c);
	}
	return rc;
}

int foreign_benchmark_read(struct reader *r)
{
	json_t *json = parse(r), *runs, *context;
	int rc = 0;

	if (!json)
		return -ASSAY_EPARSE;
	r->scan.number = 1;
	r->scan.line = strdup("");
	runs = json_object_get(json, "benchmarks");
	context = json_object_get(json, "context");
	text_copy(r->build.machine.host, sizeof(r->build.machine.host),
		  text_of(context, "host_name"));
	for (size_t i = 0; i < json_array_size(runs) && !rc; i++)
		rc = take_run(r, json_array_get(runs, i));
	json_decref(json);
	return rc;
}
