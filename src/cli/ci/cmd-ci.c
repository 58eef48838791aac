/* SPDX-License-Identifier: MIT */
/* assay ci: may this change go in? */
#include <string.h>

#include "base/text.h"
#include "cli/ci/ci-format.h"
#include "cli/context.h"
#include "cli/formats/matrix.h"
#include "cli/progress.h"
#include "cli/stored.h"

enum { MOST = 10 };	/* lines of each budget that `explain` shows */

/* ---- the answer ---------------------------------------------------------- */

/* The budget of that verdict with the largest change, above 0; or NULL. */
static const struct assay_row *worst(const struct kept_rows *kept,
				     const char *verdict)
{
	const struct assay_row *out = NULL;

	for (size_t i = 0; i < kept->rows; i++) {
		const struct assay_row *row = &kept->row[i];

		if (strcmp(row_text(row, "verdict"), verdict) ||
		    row_number(row, "head") <= row_number(row, "base"))
			continue;
		if (!out || row_number(row, "change") >
		    row_number(out, "change"))
			out = row;
	}
	return out;
}

/* Why the first budget was not judged. */
static const char *first_why(const struct kept_rows *kept)
{
	for (size_t i = 0; i < kept->rows; i++)
		if (!strcmp(row_text(&kept->row[i], "verdict"), "not judged"))
			return row_text(&kept->row[i], "why");
	return "";
}

/* "; l1d_refills +101.07 %, 7580 more in main (heap.c:21)" */
static void say_change(char *out, size_t room, const struct assay_row *row)
{
	char place[400], change[60];

	if (!row)
		return;
	ci_place(place, sizeof(place), row);
	ci_change(change, sizeof(change), row);
	text_add(out, room, "; ", "%s %s", row_text(row, "quantity"), change);
	if (*place)
		text_add(out, room, ", ", "%.0f more in %s",
			 row_number(row, "more"), place);
}

static void say(char *out, size_t room, const struct kept_rows *kept,
		const struct assay_ci_outcome *o)
{
	const unsigned judged = o->budgets - o->unjudged;

	if (!judged)
		snprintf(out, room, "Nothing could be judged: %s",
			 first_why(kept));
	else if (o->over)
		snprintf(out, room, "It got worse: %u of %u budgets %s "
			 "exceeded", o->over, o->budgets,
			 o->over == 1 ? "is" : "are");
	else
		snprintf(out, room, "It may go in: none of %u budgets is "
			 "exceeded%s", judged, o->better ?
			 ", and some counts got better" : "");
	say_change(out, room, worst(kept, o->over ? "over" : "inside"));
	text_add(out, room, "", ".");
	if (judged && o->unjudged)
		text_add(out, room, " ", "%u could not be judged: %s.",
			 o->unjudged, first_why(kept));
}

/* ---- for people ---------------------------------------------------------- */

static bool several(const struct kept_rows *kept)
{
	for (size_t i = 1; i < kept->rows; i++)
		if (strcmp(row_text(&kept->row[i], "benchmark"),
			   row_text(&kept->row[0], "benchmark")))
			return true;
	return false;
}

/* The row without what only programs want, and its place as one column. */
static void show_row(struct context *context, const struct assay_row *row,
		     bool name)
{
	static const char *const hidden = "|file|line|why|more|",
		*const details = "|least|most|pairs|why|";
	struct assay_field field[20];
	char place[600], key[40];
	size_t n = 0;

	ci_place(place, sizeof(place), row);
	for (size_t i = 0; i < row->fields && n < 18; i++) {
		const struct assay_field *f = &row->field[i];

		snprintf(key, sizeof(key), "|%s|", f->name);
		if (!name && !strcmp(f->name, "benchmark"))
			continue;
		if (!strcmp(f->name, "function"))
			field[n++] = field_text("where", place);
		else if (strstr(details, key) ? context->settings.verbose :
			 !strstr(hidden, key))
			field[n++] = *f;
	}
	report_row(context->report, &(struct assay_row){ row->type, field, n });
}

static void show(struct context *context, const struct kept_rows *kept)
{
	const bool names = several(kept);

	for (size_t i = 0; i < kept->rows; i++) {
		const struct assay_row *row = &kept->row[i];

		if (!report_has(context->report, REPORT_PROSE))
			report_row(context->report, row);
		else if (strcmp(row->type, "remark"))
			show_row(context, row, names);
		else
			report_note(context->report, "%s%s%s.",
				    names ? row_text(row, "benchmark") : "",
				    names ? ": " : "", row_text(row, "text"));
	}
}

static const struct { const char *name; ci_format_fn *fn; } formats[] = {
	{ "markdown", ci_format_markdown }, { "junit", ci_format_junit },
	{ "github", ci_format_github },
};

static void print(struct context *context, const struct kept_rows *kept,
		  const struct assay_ci_outcome *outcome)
{
	const char *format = matrix_is_own(context) ? "junit" :
			     context->settings.ci_format;
	char answer[1200];
	const struct ci_report report = { kept, outcome, answer,
					  context->settings.cpu_name };

	say(answer, sizeof(answer), kept, outcome);
	for (size_t i = 0; format && i < sizeof(formats) / sizeof(*formats);
	     i++) {
		if (strcmp(format, formats[i].name))
			continue;
		formats[i].fn(report_file(context->report), &report);
		return;
	}
	report_note(context->report, "%s", answer);
	show(context, kept);
}

static void store(struct context *context, const struct kept_rows *kept,
		  const struct assay_ci_outcome *outcome)
{
	char answer[1200];

	say(answer, sizeof(answer), kept, outcome);
	if (stored_report(context))
		report_note(stored_report(context), "%s", answer);
	for (size_t i = 0; i < kept->rows; i++)
		stored_row(context, &kept->row[i]);
	stored_point(context);
}

/* ---- the command --------------------------------------------------------- */

/* 4: nothing could be compared; 125 to 127 as env(1). */
static int failed(struct context *context, const struct assay_error *err)
{
	const int code = complain(context, err);

	if (interrupt_seen())
		return EXIT_INTERRUPTED;
	switch (err->code) {
	case -ASSAY_EUNAVAIL:
	case -ASSAY_ENEVER:
		return EXIT_NO_COUNTERS;
	case -ASSAY_EPERM:
		return EXIT_NOT_RUNNABLE;
	case -ASSAY_ENOENT:
		if (strstr(err->text, "no program"))
			return EXIT_NOT_FOUND;
		return code;
	case -ASSAY_EINVAL:
		if (strstr(err->text, "cannot be simulated"))
			return EXIT_NOT_RUNNABLE;
		return code;
	}
	return code == EXIT_USAGE ? code : EXIT_OWN;
}

static int exit_of(const struct assay_ci_outcome *o)
{
	if (o->over)
		return EXIT_CHECK;
	return o->unjudged == o->budgets ? EXIT_NO_COUNTERS : EXIT_OK;
}

static void describe(struct context *context, struct assay_ci *ci)
{
	const struct settings *s = &context->settings;

	*ci = (struct assay_ci){
		.folder = s->folder, .cpu = s->cpu_name,
		.layouts = s->layouts > 0 ? (unsigned)s->layouts : 0,
		.most = s->most > 0 ? (unsigned)s->most : 0,
		.output = s->output, .stopped = interrupt_stops,
	};
}

/* Prints what a comparison gave, or complains. */
static int finish(struct context *context, int rc, struct kept_rows *kept,
		  const struct assay_ci_outcome *outcome,
		  const struct assay_error *err)
{
	if (rc == 0) {
		context->partial = true;
		store(context, kept, outcome);
		print(context, kept, outcome);
	}
	kept_rows_free(kept);
	return rc ? failed(context, err) : exit_of(outcome);
}

static int ab(struct context *context)
{
	const struct settings *s = &context->settings;
	struct kept_rows kept = { .fn = NULL };
	struct assay_ci_outcome outcome = { .budgets = 0 };
	struct assay_error err = { 0 };
	struct assay_ci ci;
	int rc;

	if (s->args != 3)
		return complain_text("ci", EXIT_USAGE, "two builds are needed: "
				     "assay ci ab BASE HEAD [-- ARG...]");
	describe(context, &ci);
	rc = assay_ci_ab(context->assay, &ci, s->arg[1], s->arg[2], s->program,
			 keep_row, &kept, &outcome, &err);
	return finish(context, rc, &kept, &outcome, &err);
}

static int check(struct context *context)
{
	struct kept_rows kept = { .fn = NULL };
	struct assay_ci_outcome outcome = { .budgets = 0 };
	struct assay_error err = { 0 };
	struct assay_ci ci;
	int rc;

	describe(context, &ci);
	rc = assay_ci_check(context->assay, &ci, keep_row, &kept, &outcome,
			    &err);
	return finish(context, rc, &kept, &outcome, &err);
}

static int explain(struct context *context)
{
	if (context->settings.most < 0)
		context->settings.most = MOST;
	return check(context);
}

static int record(struct context *context)
{
	struct kept_rows kept = { .fn = NULL };
	struct assay_ci_outcome o = { .budgets = 0 };
	struct assay_error err = { 0 };
	struct assay_ci ci;
	int rc;

	describe(context, &ci);
	rc = assay_ci_record(context->assay, &ci, keep_row, &kept, &o, &err);
	if (rc == 0) {
		report_note(context->report, "Recorded: %u of %u budgets can "
			    "be judged.", o.budgets - o.unjudged, o.budgets);
		show(context, &kept);
	}
	kept_rows_free(&kept);
	return rc ? failed(context, &err) : exit_of(&o);
}

static int init(struct context *context)
{
	struct assay_error err = { 0 };
	struct assay_ci ci;

	describe(context, &ci);
	if (assay_ci_init(&ci, context->settings.program, &err) < 0)
		return failed(context, &err);
	report_note(context->report, "Written: assay-ci.yaml. Next: set its "
		    "commands and budgets, then: assay ci record");
	return EXIT_OK;
}

static const struct { const char *name; int (*run)(struct context *); } verbs[]
	= { { "ab", ab }, { "check", check }, { "explain", explain },
	    { "record", record }, { "init", init } };

static int run(struct context *context)
{
	const struct settings *s = &context->settings;

	interrupt_catch();
	for (size_t i = 0; s->args && i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (strcmp(s->arg[0], verbs[i].name))
			continue;
		if (i && s->args > 1)
			return complain_text("ci", EXIT_USAGE, "'%.60s' is one "
					     "word too many", s->arg[1]);
		return verbs[i].run(context);
	}
	return complain_text("ci", EXIT_USAGE, "what is to be done? ab, init, "
			     "record, check or explain");
}

static const struct option ci_options[] = {
	TEXT('C', "directory", "DIR", folder,
	  "work in this folder: of assay-ci.yaml, and of the programs"),
	TEXT(0, "cpu", "NAME", cpu_name,
	  "the CPU to simulate: a name, or a CPU file"),
	NUMBER(0, "layouts", "N", layouts, 1,
	  "layouts of stack, heap and pages in which the builds are compared, "
	  "pair by pair (up to 64)"),
	NUMBER(0, "most", "N", most, 0,
	  "lines to show for each budget"),
	FLAG('j', "json", json, "print JSON Lines: one object per line"),
	TEXT('x', "field-separator", "SEP", separator,
	  "print CSV with this separator, such as ',' or '\\t'"),
	TEXT('o', "output", "FILE", output,
	  "write to a file, whose name chooses the format"),
	WORD(0, "format", "FORMAT", ci_format, "text|csv|json|markdown|junit|"
	  "github|prometheus|github-action-benchmark|bencher",
	  "text, csv, json, markdown (a comment on a pull request), junit, "
	  "github (annotations); or the new build's counts, for prometheus, "
	  "github-action-benchmark or bencher"),
	{ 0 }
};

static const struct option *const options[] = {
	ci_options, store_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay ci ab old/words new/words -- 20000",
	  "two builds of one program, under equal conditions" },
	{ "assay ci init -- ./words 20000",
	  "write assay-ci.yaml: commands and budgets" },
	{ "assay ci record", "write assay-ci.baseline.json, to be committed" },
	{ "assay ci check --format markdown -o comment.md",
	  "may this change go in? as a comment on the pull request" },
	{ "assay ci explain --most 5", "which lines hold the difference" },
	{ 0 }
};

static const struct variable subcommands[] = {
	{ "ab BASE HEAD [-- ARG...]", "compare two builds of a program, run "
	  "with these arguments: instructions may grow by 0.5 %, l1d_refills "
	  "and dram_reads by 1 %" },
	{ "init [-- COMMAND...]", "write assay-ci.yaml: the commands of the "
	  "project and their budgets" },
	{ "record", "run these commands, and write assay-ci.baseline.json, to "
	  "be committed" },
	{ "check", "run the commands, and compare with the baseline" },
	{ "explain", "check, and show the 10 lines (--most) that changed most "
	  "for each budget" },
	{ 0 }
};

const struct command ci_command = {
	.name = "ci",
	.group = "check",
	.summary = "may this change go in? two builds, or one and a baseline",
	.arguments = "ab|init|record|check|explain [BASE HEAD] [-- ARG...]",
	.args = 3,
	.program = true,
	.options = options,
	.text =
		"Compares simulated counts, which are the same to the last "
		"digit for every user, folder, environment, terminal and load. "
		"docs/ci.md describes the files.\n\n"
		"The program finds an environment of PATH, LC_ALL=C, HOME, TZ "
		"and PYTHONHASHSEED, with what assay-ci.yaml adds; an empty "
		"standard input; its output goes to a file that is dropped. "
		"The program sees one CPU, and the instructions of one fixed "
		"model. The CPU to simulate is i7-6700hq, for AArch64 programs "
		"neoverse-n1, unless --cpu or the file names another one.\n\n"
		"Instructions are compared in one layout, other quantities in "
		"8: each layout draws where stack, heap and pages lie, for "
		"both builds alike. A budget is exceeded if the median change "
		"of the pairs is larger, 7 of 8 pairs are worse, and 64 counts "
		"or more were added. The runs end as soon as further pairs "
		"cannot change the verdict. A quantity that differs in two "
		"runs of one build, as with threads, is not judged.\n\n"
		"The baseline has digests of what assay cannot fix: libraries, "
		"QEMU, assay itself and input files. If one is another file "
		"now, nothing is compared.\n\n"
		"Exits with 3 if a budget is exceeded, 4 if nothing could be "
		"judged, 125 if a run failed or the program did not end with "
		"the status that the file names, 126 if the program cannot be "
		"executed, 127 if there is no such program.",
	.verb = subcommands,
	.example = examples,
	.run = run,
};
