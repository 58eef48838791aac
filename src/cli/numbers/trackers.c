/* SPDX-License-Identifier: MIT */
/* The JSON of programs that track benchmarks. See numbers.h. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/numbers/numbers.h"

/* A key and its text. */
static void member(FILE *out, const char *key, const char *text)
{
	report_json_text(out, key);
	fputs(": ", out);
	report_json_text(out, text);
}

/* ---- github-action-benchmark, customSmallerIsBetter ---------------------- */

/* The action divides by the last value: a number that is 0 has no place. */
size_t action_write(FILE *out, const struct numbers *numbers)
{
	size_t written = 0;

	for (size_t i = 0; i < numbers->numbers; i++) {
		const struct number *n = &numbers->number[i];
		char name[sizeof(n->benchmark) + sizeof(n->measure)];

		if (n->value == 0)
			continue;
		snprintf(name, sizeof(name), "%s/%s", n->benchmark,
			 n->measure);
		fputs(written++ ? ",\n  {" : "[\n  {", out);
		member(out, "name", name);
		fputs(", ", out);
		member(out, "unit", n->unit);
		fprintf(out, ", \"value\": %.15g", n->value);
		if (n->range)
			fprintf(out, ", \"range\": \"%.15g..%.15g\"", n->low,
				n->high);
		fputs("}", out);
	}
	fputs(written ? "\n]\n" : "", out);
	return written;
}

/* ---- Bencher Metric Format ----------------------------------------------- */

enum { SLUG = 64 };		/* letters of a measure's name at most */

/* "L1D_CACHE.LD" -> "l1d-cache-ld" */
static void make_slug(char out[SLUG + 1], const char *measure)
{
	size_t n = 0;

	for (; *measure && n < SLUG; measure++)
		if (isalnum((unsigned char)*measure))
			out[n++] = (char)tolower((unsigned char)*measure);
		else if (n && out[n - 1] != '-')
			out[n++] = '-';
	while (n && out[n - 1] == '-')
		n--;
	out[n] = '\0';
	if (!n)		/* a name of other letters */
		strcpy(out, "event");
}

/* The slugs of a benchmark; the table goes on to the next one. */
struct slugs { char (*slug)[SLUG + 1]; size_t from, to; };

static bool is_taken(const struct slugs *s, const char *slug)
{
	for (size_t i = s->from; i < s->to; i++)
		if (!strcmp(s->slug[i], slug))
			return true;
	return false;
}

/* "name-2" where the benchmark has the name. */
static const char *add_slug(struct slugs *s, const char *measure)
{
	char *slug = s->slug[s->to];
	unsigned same = 1;
	size_t n;

	make_slug(slug, measure);
	n = strlen(slug) < SLUG - 5 ? strlen(slug) : SLUG - 5;
	while (is_taken(s, slug))
		snprintf(slug + n, 6, "-%u", ++same % 10000);
	s->to++;
	return slug;
}

static void put_measures(FILE *out, const struct numbers *numbers,
			 struct slugs *slugs)
{
	for (size_t i = 0; i < numbers->numbers; i++) {
		const struct number *n = &numbers->number[i];
		const bool begins = !i || strcmp(n->benchmark,
						 n[-1].benchmark);

		if (begins) {
			slugs->from = slugs->to;
			fputs(i ? "\n  },\n  " : "{\n  ", out);
			report_json_text(out, n->benchmark);
		}
		fputs(begins ? ": {\n    " : ",\n    ", out);
		report_json_text(out, add_slug(slugs, n->measure));
		fprintf(out, ": {\"value\": %.15g", n->value);
		if (n->range)
			fprintf(out, ", \"lower_value\": %.15g, "
				"\"upper_value\": %.15g", n->low, n->high);
		fputs("}", out);
	}
}

size_t bencher_write(FILE *out, const struct numbers *numbers)
{
	struct slugs slugs = { .slug = calloc(numbers->numbers + 1,
					      sizeof(*slugs.slug)) };

	if (!slugs.slug)
		return 0;
	put_measures(out, numbers, &slugs);
	fputs(numbers->numbers ? "\n  }\n}\n" : "", out);
	free(slugs.slug);
	return numbers->numbers;
}

/* ---- Google Benchmark ---------------------------------------------------- */

struct google {
	FILE *out;
	const struct run_file *run;
	size_t record, written;
};

static void put_context(FILE *out, const struct assay_machine *machine)
{
	const time_t now = time(NULL);
	char date[40] = "";
	struct tm utc;

	if (gmtime_r(&now, &utc))
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S+00:00", &utc);
	fputs("{\n  \"context\": {", out);
	member(out, "date", date);
	fputs(", ", out);
	member(out, "host_name", machine->host);
	fputs(", ", out);
	member(out, "executable", "assay");
	fprintf(out, ", \"num_cpus\": %ld, ", sysconf(_SC_NPROCESSORS_ONLN));
	member(out, "library_build_type", "release");
	fputs("},\n  \"benchmarks\": [\n", out);
}

/* Seconds of user and system that `stat` gave for the program; or NAN. */
static double cpu_seconds(const struct run_file *run)
{
	const struct assay_row *row = run_file_row(run, "time");
	const struct assay_field *user = row ? row_find(row, "user") : NULL;

	return user && user->kind != ASSAY_FIELD_ABSENT ?
	       row_number(row, "user") + row_number(row, "system") : NAN;
}

/* Counters are numbers per iteration, as Google Benchmark has them. */
static void put_counters(FILE *out, const struct assay_record *r, unsigned i,
			 double iterations)
{
	for (unsigned e = 0; e < r->events; e++) {
		const struct assay_count *c = &r->counts[i * r->events + e];

		if (c->state != ASSAY_COUNT_PRESENT)
			continue;
		fputs(", ", out);
		report_json_text(out, r->event[e].name);
		fprintf(out, ": %.15g", (double)c->value / iterations);
	}
}

static void put_run(struct google *g, const struct assay_record *r, unsigned i,
		    double iterations)
{
	const double real = (double)r->ns[i] / iterations,
		     cpu = run_file_is_kernel(r) ? NAN :
			   1e9 * cpu_seconds(g->run);
	char name[512];

	numbers_name(name, sizeof(name), r);
	if (!g->written++)
		put_context(g->out, &r->machine);
	else
		fputs(",\n", g->out);
	fputs("    {", g->out);
	member(g->out, "name", name);
	fputs(", ", g->out);
	member(g->out, "run_name", name);
	fprintf(g->out, ", \"run_type\": \"iteration\", \"repetitions\": %u, "
		"\"repetition_index\": %u, \"threads\": 1, \"iterations\": "
		"%.0f, \"real_time\": %.15g, \"cpu_time\": %.15g, ",
		r->repeats, i, iterations, real, isnan(cpu) ? real : cpu);
	member(g->out, "time_unit", "ns");
	if (isnan(cpu)) {
		fputs(", ", g->out);
		member(g->out, "label", "cpu_time is real_time: one clock");
	}
	put_counters(g->out, r, i, iterations);
	fputs("}", g->out);
}

static void put_record(struct google *g, double iterations)
{
	const struct assay_record *r = g->run->record[g->record];

	for (unsigned i = 0; i < r->repeats; i++)
		if (r->ns[i])
			put_run(g, r, i, iterations);
}

/* An access of a kernel is an iteration. */
static int on_result(void *ctx, const struct assay_result *r)
{
	put_record(ctx, r->accesses ? (double)r->accesses : 1);
	return 0;
}

/* What cannot be replayed has no accesses to divide by. */
size_t google_write(FILE *out, const struct run_file *run,
		    const struct context *context)
{
	struct google g = { .out = out, .run = run };

	for (; g.record < run->records; g.record++) {
		const struct assay_record *r = run->record[g.record];
		struct assay_error err = { 0 };

		if (!run_file_is_kernel(r))
			put_record(&g, 1);
		else if (run_file_replay(r, context, on_result, &g, &err))
			report_say(stderr, "assay %s: left out: %s: %s\n",
				   context->command->name, r->shape.kernel,
				   err.text);
	}
	fputs(g.written ? "\n  ]\n}\n" : "", out);
	return g.written;
}
