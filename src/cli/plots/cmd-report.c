/* SPDX-License-Identifier: MIT */
/* assay report: saved runs as one page. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/plots/show-runs.h"

static int read_all(struct shown *s, struct assay_error *err)
{
	const struct settings *settings = &s->context->settings;
	int rc = 0;

	for (size_t i = 0; i < settings->args && !rc; i++) {
		struct run_file run;

		rc = run_file_read(&run, s->context, settings->arg[i], err);
		rc = rc ? rc : shown_add(s, &run, err);
	}
	return rc ? rc : shown_end(s, err);
}

int show_runs(struct context *context, int (*put)(struct shown *shown))
{
	const char *command = context->command->name;
	struct assay_error err = { 0 };
	struct shown *s;
	int rc;

	if (!context->settings.args)
		return complain_text(command, EXIT_USAGE, "which run? name a "
				     "file that 'assay COMMAND -j -o FILE' "
				     "wrote");
	if (context->settings.args > SHOWN_RUNS)
		return complain_text(command, EXIT_USAGE, "more than %d runs",
				     SHOWN_RUNS);
	s = calloc(1, sizeof(*s));
	if (!s)
		return complain_text(command, EXIT_FAILED, "out of memory");
	s->context = context;
	s->title = context->settings.title;
	context->drawn = true;
	rc = read_all(s, &err);
	rc = rc ? complain(context, &err) : put(s);
	shown_fini(s);
	free(s);
	return rc;
}

static int run(struct context *context)
{
	if (context->lines)
		return show_runs(context, drawn_put);
	return complain_text("report", EXIT_USAGE, "where to? -o FILE.html "
			     "(--format html: to standard output)");
}

static const struct option own[] = {
	TEXT(0, "title", "TEXT", title, "the title of the page"),
	FLAG(0, "source", source,
	  "of 'sim -j': show the source, with counts and reasons by line; "
	  "the files that the lines name become a part of the page"),
	TEXT(0, "source-root", "DIR", source_root,
	  "the folder that names of sources are relative to"),
	{ 0 }
};

const struct option figure_option[] = {
	WORD(0, "figure", "NAME", figure, "latency|events|calculated|served|"
	  "pies|ipc|misses|points|change|lines|classes",
	  "only pictures of this kind"),
	{ 0 }
};

static const struct option *const options[] = {
	own, figure_option, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay verify --on sim:cortex-a72 -j | assay report - "
	  "-o verify.html",
	  "every verdict, with a filter, and the evidence" },
	{ "assay sweep chase --on sim:cortex-a72 -o sweep.html",
	  "the same page straight from the command" },
	{ "assay report old.jsonl new.jsonl -o change.html",
	  "two runs, and what changed between them" },
	{ "assay report sim.jsonl --source -o sim.html",
	  "the source, with counts and reasons beside its lines" },
	{ 0 }
};

const struct command report_command = {
	.name = "report",
	.group = "look",
	.summary = "saved runs as one page of HTML that needs no network",
	.arguments = "RUN...",
	.args = SETTINGS_ARGS,
	.options = options,
	.text = "RUN is what 'assay plot' takes. The page is one file: the "
		"conclusion first, then what was measured on what, verdicts "
		"with their evidence, pictures, what was predicted beside what "
		"was measured, changes, code, settings and remarks. Tables "
		"have a filter. Pictures show their values where the pointer "
		"is, and to the keyboard: Tab to a picture, then arrows. All "
		"of that but the filter works without JavaScript; nothing is "
		"loaded from anywhere. Of several runs the first is compared "
		"with the others.\n\n"
		"The data stand at the end of the page as JSON, in the script "
		"element assay-data: an array with an object for each run. "
		"\"records\" are those of docs/record.md. \"rows\" has for "
		"each type \"columns\" and \"rows\", arrays of values, where "
		"[N] is the text \"words\"[N]. A type with more than 128 KiB "
		"ends there, and \"left_out\" has the number of its further "
		"rows.\n\n"
		"Commands that measure write the same page with -o "
		"FILE.html.",
	.example = examples,
	.run = run,
};
