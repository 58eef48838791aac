/* SPDX-License-Identifier: MIT */
/* assay formulas import: other tools' metrics as a formula file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/context.h"
#include "cli/rows.h"

enum { SHOWN = 20 };	/* lines of a kind on stderr, without -v */

struct importing {
	struct context *context;
	unsigned taken, left, unknown;
};

/* One of the first lines of its kind? */
static bool is_shown(const struct importing *i, unsigned number)
{
	return !i->context->settings.quiet &&
	       (number <= SHOWN || i->context->settings.verbose);
}

static void say_folded(const struct importing *i, unsigned n, const char *what)
{
	if (n > SHOWN && !is_shown(i, n) && !i->context->settings.quiet)
		fprintf(stderr, "%s: %u more (-v)\n", what, n - SHOWN);
}

/* What holds for all formulas goes to stderr. */
static int on_remark(struct importing *i, const struct assay_row *row)
{
	const struct assay_field *f = row->field;
	const bool unknown = !strcmp(row->type, "unknown");

	i->unknown += unknown;
	if (unknown && is_shown(i, i->unknown))
		report_say(stderr, "unknown: %s: %s\n", f[0].text, f[1].text);
	if (!unknown && !i->context->settings.quiet)
		report_say(stderr, "assumed: %s=%.15g (another machine: "
			   "--set %s=NUMBER)\n", f[0].text, f[1].real,
			   f[0].text);
	return 0;
}

/* Formulas go to a file for -M; a formula that cannot has its reason here. */
static int on_row(void *ctx, const struct assay_row *row)
{
	struct importing *i = ctx;
	struct report *report = i->context->report;
	const struct assay_field *is = &row->field[2];

	if (strcmp(row->type, "metric") != 0)
		return report_has(report, REPORT_RECORDS) ?
		       report_row(report, row) : on_remark(i, row);
	i->taken += is->kind == ASSAY_FIELD_TEXT;
	i->left += is->kind == ASSAY_FIELD_ABSENT;
	if (!report_has(report, REPORT_FILES))
		return report_row(report, row);
	if (is->kind == ASSAY_FIELD_ABSENT && is_shown(i, i->left))
		report_say(stderr, "left out: %s: %s\n",
			   row_text(row, "metric"), is->text);
	return 0;
}

static int import(struct context *context)
{
	const struct settings *s = &context->settings;
	struct importing importing = { .context = context };
	struct assay_setting set[SETS];
	const struct assay_formulas_source source = {
		.path = s->arg[1], .pattern = s->args > 2 ? s->arg[2] : NULL,
		.cpu = s->cpu_name, .set = set,
		.sets = sets_split(s->sets, set),
	};
	struct assay_error err = { 0 };
	char *text = NULL;

	if (s->args < 2)
		return complain_text("formulas", EXIT_USAGE, "import which "
				     "file? A metric file of perf or perfmon, "
				     "or a group of %s", "likwid");
	if (assay_formulas_import_from(context->assay, &source, &text, on_row,
				       &importing, &err))
		return complain(context, &err);
	if (report_has(context->report, REPORT_FILES))
		fputs(text, report_file(context->report));
	else
		report_push(context->report);
	free(text);
	say_folded(&importing, importing.left, "left out");
	say_folded(&importing, importing.unknown, "unknown");
	if (!s->quiet)
		fprintf(stderr, "%u metrics taken, %u left out\n",
			importing.taken, importing.left);
	return EXIT_OK;
}

static int run(struct context *context)
{
	static const char *const words[] = { "import", NULL };
	const struct settings *s = &context->settings;
	struct assay_error err;

	if (s->args && !strcmp(s->arg[0], "import"))
		return import(context);
	error_set(&err, -ASSAY_EINVAL, s->args ?
		  "'%.60s' is nothing to do with formulas" :
		  "do what with formulas?%s", s->args ? s->arg[0] : "");
	error_meant(&err, s->args ? s->arg[0] : "", words);
	error_add(&err, "try: assay formulas import FILE, assay list formulas");
	return complain(context, &err);
}

static const struct option own[] = {
	TEXT(0, "cpu", "NAME", cpu_name,
	  "the CPU that the metrics are for (assay list cpus), or host: its "
	  "event names and codes are put in"),
	LIST(0, "set", "NAME=NUMBER", sets,
	  "a fact about the machine that the metrics ask for, such as "
	  "smt_on=1; may be repeated"),
	{ 0 }
};

static const struct option *const options[] = {
	own, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay formulas import metrics.json --cpu i7-6700hq -o mine.yaml",
	  "perf's metrics of a Skylake; assay stat -M ./mine.yaml" },
	{ "assay formulas import L2CACHE.txt --cpu k10",
	  "a performance group of likwid" },
	{ "assay formulas import metrics.json l2 -j",
	  "those with 'l2' in their name: what becomes of each" },
	{ 0 }
};

const struct command formulas_command = {
	.name = "formulas",
	.group = "see what there is",
	.summary = "import metrics of perf, perfmon and likwid as formulas",
	.arguments = "import FILE [PATTERN]",
	.args = 3,
	.options = options,
	.text =
		"Converts a JSON metric file of perf or of intel/perfmon, or a "
		"performance group of likwid, into a formula file, for -M and "
		"for 'assay judge'. The formulas are marked as unchecked. Where "
		"the name of a metric says which quantity it is (branch "
		"instructions, for example), the formula claims that quantity, "
		"and 'assay judge' compares the claim with the truth.\n\n"
		"Conditions about the machine (#smt_on, #num_packages) are "
		"decided during the import: from --set; else, with --cpu host "
		"or without --cpu, from this machine; else by a guess, which "
		"the file and a remark name. The elapsed time is an event, "
		"duration_time, which only 'assay stat' counts. A formula "
		"cannot use conditions about counts, and no counter outside "
		"the cores that likwid numbers. A metric that needs these is left out, "
		"with the reason. A term such as cmask=1 replaces that field "
		"of the event's code.\n\n"
		"PATTERN selects the metrics whose names contain it; the "
		"metrics that they name are imported, too. One run counts at "
		"most 64 events: -M FILE:METRIC takes one metric of a file.",
	.example = examples,
	.run = run,
};
