/* SPDX-License-Identifier: MIT */
/* assay compare: did it get worse? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/context.h"
#include "cli/progress.h"
#include "cli/rows.h"

/* Lines for people; limits, and files beside the first, at most. */
enum { PLACES = 10, LIMITS = 64, BESIDE = 16 };

struct comparing {
	struct context *context;
	char column[64];	/* of the quantity that the answer names */
	unsigned places;	/* shown of that column */
	bool nowhere;		/* an answer names no function */
	struct kept_rows kept;	/* of several files */
};

/* "-3.1 .. +2.0 %", "exact" */
static const char *interval(char *out, size_t room, const struct assay_row *row)
{
	const struct assay_field *low = row_find(row, "low");

	text_copy(out, room, row_text(row, "basis"));
	if (strcmp(out, "exact") && low->kind == ASSAY_FIELD_REAL)
		snprintf(out, room, "%+.1f .. %+.1f", 100 * low->real,
			 100 * row_number(row, "high"));
	return out;
}

static int show_change(struct comparing *c, const struct assay_row *row)
{
	const char *of = row_text(row, "of");
	struct assay_field field[7];
	char between[80];
	size_t n = 0;

	field[n++] = *row_find(row, "quantity");
	if (*of)
		field[n++] = field_text("of", of);
	field[n++] = *row_find(row, "old");
	field[n++] = *row_find(row, "new");
	field[n++] = *row_find(row, "change");
	field[n++] = field_text("95 % interval",
				interval(between, sizeof(between), row));
	field[n++] = *row_find(row, "state");
	return report_row(c->context->report,
			  &(struct assay_row){ row->type, field, n });
}

/* Of the lines those that hold the change which the answer names. */
static int show_place(struct comparing *c, const struct assay_row *row)
{
	if (!c->context->settings.verbose &&
	    (strcmp(row_text(row, "quantity"), c->column) ||
	     c->places++ >= PLACES))
		return 0;
	return report_row(c->context->report, row);
}

static bool unchanged(const struct assay_row *row)
{
	return !strcmp(row->type, "change") &&
	       !strcmp(row_text(row, "state"), "same");
}

/* The answer stands above the rows of its file; all others wait. */
static int show_answer(struct comparing *c, const struct assay_row *row)
{
	const bool several = c->context->settings.args > 2;

	report_flush(c->context->report);
	report_note(c->context->report, "%s%s%s",
		    several ? row_text(row, "file") : "", several ? ": " : "",
		    row_text(row, "answer"));
	text_copy(c->column, sizeof(c->column), row_text(row, "column"));
	c->places = 0;
	c->nowhere |= *c->column && !*row_text(row, "place");
	return 0;
}

/* For people; of several files, the rows wait until all are there. */
static int show(struct comparing *c, const struct assay_row *row)
{
	if (!strcmp(row->type, "answer"))
		return show_answer(c, row);
	if (c->context->settings.args > 2)
		return keep_row(&c->kept, row);
	if (unchanged(row) && !c->context->settings.verbose)
		return 0;
	if (!strcmp(row->type, "change"))
		return show_change(c, row);
	if (!strcmp(row->type, "place"))
		return show_place(c, row);
	return report_row(c->context->report, row);
}

/* ---- several files ------------------------------------------------------- */

/* The kept row of that file for the quantity and shape of `like`, or NULL. */
static const struct assay_row *find(const struct comparing *c,
				    const struct assay_row *like,
				    const char *file)
{
	for (size_t i = 0; i < c->kept.rows; i++) {
		const struct assay_row *row = &c->kept.row[i];

		if (!strcmp(row->type, "change") &&
		    !strcmp(row_text(row, "file"), file) &&
		    !strcmp(row_text(row, "quantity"),
			    row_text(like, "quantity")) &&
		    !strcmp(row_text(row, "of"), row_text(like, "of")))
			return row;
	}
	return NULL;
}

/* A quantity of the old file, and of each other one beside the old one's. */
static int show_beside(struct comparing *c, const struct assay_row *like)
{
	const struct settings *s = &c->context->settings;
	struct assay_field field[3 + 2 * BESIDE];
	char name[2 * BESIDE][80];
	bool all_same = !s->verbose;
	size_t n = 0;

	field[n++] = *row_find(like, "quantity");
	if (*row_text(like, "of"))
		field[n++] = *row_find(like, "of");
	field[n++] = *row_find(like, "old");
	for (size_t i = 1; i < s->args; i++) {
		const struct assay_row *row = find(c, like, s->arg[i]);
		char *title = name[2 * i - 2], *by = name[2 * i - 1];

		snprintf(title, sizeof(*name), "%.60s|new", s->arg[i]);
		snprintf(by, sizeof(*name), "%.60s|change", s->arg[i]);
		all_same &= !row || unchanged(row);
		field[n] = row ? *row_find(row, "new") : field_text("", "");
		field[n++].name = title;
		field[n] = row ? *row_find(row, "change") :
				 field_text("", "");
		field[n++].name = by;
	}
	return all_same ? 0 :
	       report_row(c->context->report,
			  &(struct assay_row){ "change", field, n });
}

static bool is_first(const struct comparing *c, const struct assay_row *row)
{
	for (size_t i = 1; i < c->context->settings.args; i++) {
		const struct assay_row *found =
			find(c, row, c->context->settings.arg[i]);

		if (found)
			return found == row;
	}
	return true;
}

static int show_kept(struct comparing *c)
{
	int rc = c->kept.no_memory;

	for (size_t i = 0; i < c->kept.rows && !rc; i++)
		if (!strcmp(c->kept.row[i].type, "limit"))
			rc = report_row(c->context->report, &c->kept.row[i]);
	for (size_t i = 0; i < c->kept.rows && !rc; i++)
		if (!strcmp(c->kept.row[i].type, "change") &&
		    is_first(c, &c->kept.row[i]))
			rc = show_beside(c, &c->kept.row[i]);
	for (size_t i = 0; i < c->kept.rows && !rc; i++)
		if (!strcmp(c->kept.row[i].type, "differs"))
			rc = report_row(c->context->report, &c->kept.row[i]);
	kept_rows_free(&c->kept);
	return rc;
}

/* ---- all formats --------------------------------------------------------- */

/* CSV has room for the changes only. */
static int on_row(void *ctx, const struct assay_row *row)
{
	struct comparing *c = ctx;
	struct report *report = c->context->report;

	if (report_has(report, REPORT_PROSE))
		return show(c, row);
	if (unchanged(row) && !c->context->settings.verbose)
		return 0;
	return report_has(report, REPORT_MIXED_ROWS) ||
	       !strcmp(row->type, "change") ? report_row(report, row) : 0;
}

/* Limits are lines: names of functions may hold commas. */
static size_t split_limits(char *text, const char **limit)
{
	size_t n = 0;

	while (text && n < LIMITS)
		limit[n++] = strsep(&text, "\n");
	return n;
}

static int exit_code(const struct assay_compared_counts *counts)
{
	if (counts->exceeded)
		return EXIT_CHECK;
	if (!counts->not_judged)
		return EXIT_OK;
	return complain_text("compare", EXIT_NO_COUNTERS, "%u of the limits "
			     "could not be judged", counts->not_judged);
}

/* An option without effect: no source is a model. */
static bool idle_option(const struct settings *s)
{
	for (size_t i = 0; i < s->args; i++)
		if (!strncmp(s->arg[i], "sim:", 4))
			return false;
	return s->kernel_name || s->events || s->page_map;
}

static int run(struct context *context)
{
	struct settings *s = &context->settings;
	struct comparing comparing = { .context = context };
	const char *limit[LIMITS];
	struct assay_job job;
	const struct assay_comparison ask = {
		.source = s->arg, .sources = s->args, .job = &job,
		.limit = limit, .limits = split_limits(s->fail_if, limit),
	};
	struct assay_compared_counts counts;
	struct assay_error err = { 0 };

	int rc;

	if (s->args > BESIDE + 1)
		return complain_text("compare", EXIT_USAGE, "more than %d "
				     "files beside the first", BESIDE);
	if (idle_option(s))
		return complain_text("compare", EXIT_USAGE, "--kernel, --event "
				     "and --page-map would do nothing here: "
				     "they are for sim:CPU");
	context_job(context, &job);
	job.kernel = s->kernel_name;
	rc = assay_compare(context->assay, &ask, on_row, &comparing, &counts,
			   &err);
	if (show_kept(&comparing) || rc)
		return complain(context, &err);
	if (comparing.nowhere && !job.kernel &&
	    report_has(context->report, REPORT_PROSE))
		report_note(context->report, "\nThe function is not known: not "
			    "both files have rows by line, as 'assay sim -j -o "
			    "FILE' writes them.");
	return exit_code(&counts);
}

/* ---- the command --------------------------------------------------------- */

static const struct option compare_options[] = {
	LINES(0, "fail-if", "LIMIT", fail_if,
	  "exit with 3 if a change is beyond the limit, 'QUANTITY[@FUNCTION]"
	  "(>|<)[+-]N[%]'; may be repeated"),
	TEXT(0, "kernel", "NAME", kernel_name,
	  "for sim:CPU: the kernel to run; its options follow"),
	LIST('e', "event", "EVENTS", events,
	  "for sim:CPU: events to count, separated by commas"),
	{ 0 }
};

static const struct option *const options[] = {
	compare_options, page_map_option, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay sim --cpu i7-6700hq --by line -o old.jsonl -- ./old; "
	  "assay sim --cpu i7-6700hq --by line -o new.jsonl -- ./new; "
	  "assay compare old.jsonl new.jsonl",
	  "what a change did to a program, and where" },
	{ "assay compare old.jsonl new.jsonl --fail-if 'l1d_refills > +1%' "
	  "--fail-if 'instructions@main > +1000'",
	  "exit with 3 if it got worse by more" },
	{ "assay compare sim:cortex-a72 sim:cortex-a76 --kernel chase "
	  "--elements 4096",
	  "one kernel on two CPUs" },
	{ 0 }
};

const struct command compare_command = {
	.name = "compare",
	.group = "check",
	.summary = "did it get worse: two runs, quantity by quantity",
	.arguments = "OLD NEW...",
	.args = SETTINGS_ARGS,
	.kernel_option = "kernel",
	.options = options,
	.text =
		"Compares records of 'stat', 'sim' and 'run', files of other "
		"tools' counts, or models (sim:CPU) of one kernel: events, "
		"quantities and wall times, and the lines of 'sim --by line'. "
		"The first file is the old one; each other is compared with "
		"the first. The first sentence names the change that costs "
		"most, and the function and line that hold it. Changes are "
		"sorted by size; counts below 64 go last. What did not change "
		"is counted, and listed with -v.\n\n"
		"Counts of simulators are exact and compared exactly. Repeated "
		"counts and times are compared by their medians: a change is "
		"one to which Mann-Whitney's test gives a chance below 1 %; "
		"the interval of 95 % is bootstrapped. That takes five runs "
		"each (-r 5). Records of one shape in one file are "
		"repetitions, as --append collects them: so can programs of "
		"several threads be compared, whose simulations differ.\n\n"
		"Less is better, except for ipc; more hits are neither better "
		"nor worse.\n\n"
		"A limit is 'QUANTITY[@FUNCTION](>|<)[+-]N[%]': the change, in "
		"per cent of the old value or in counts, must not be beyond "
		"N. A change that is not shown counts as 0. A limit in per "
		"cent cannot be judged if the old value is 0.\n\n"
		"Exits with 3 if a limit is exceeded, and with 4 if a limit "
		"could not be judged or nothing can be compared.",
	.example = examples,
	.run = run,
};
