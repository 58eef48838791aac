/* SPDX-License-Identifier: MIT */
/* assay formulas import: other tools' metrics as a formula file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/context.h"
#include "cli/rows.h"

struct importing {
	struct context *context;
	unsigned taken, left;
};

/* Formulas go to a file for -M; a formula that cannot has its reason here. */
static int on_row(void *ctx, const struct assay_row *row)
{
	struct importing *i = ctx;
	struct report *report = i->context->report;
	const struct assay_field *is = &row->field[2];

	if (!strcmp(row->type, "unknown")) {
		if (report_has(report, REPORT_RECORDS))
			return report_row(report, row);
		if (!i->context->settings.quiet)
			fprintf(stderr, "unknown: %s: %s\n",
				row_text(row, "event"), row_text(row, "why"));
		return 0;
	}
	i->taken += is->kind == ASSAY_FIELD_TEXT;
	i->left += is->kind == ASSAY_FIELD_ABSENT;
	if (!report_has(report, REPORT_FILES))
		return report_row(report, row);
	if (is->kind == ASSAY_FIELD_ABSENT && !i->context->settings.quiet)
		fprintf(stderr, "left out: %s: %s\n",
			row_text(row, "metric"), is->text);
	return 0;
}

static int import(struct context *context)
{
	const struct settings *s = &context->settings;
	struct importing importing = { context, 0, 0 };
	struct assay_error err = { 0 };
	char *text = NULL;

	if (s->args < 2)
		return complain_text("formulas", EXIT_USAGE, "import which "
				     "file? A metric file of perf or a group "
				     "of %s", "likwid");
	if (assay_formulas_import(context->assay, s->arg[1],
				  s->args > 2 ? s->arg[2] : NULL, s->cpu_name,
				  &text, on_row, &importing, &err))
		return complain(context, &err);
	if (report_has(context->report, REPORT_FILES))
		fputs(text, report_file(context->report));
	else
		report_push(context->report);
	free(text);
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
	  "the CPU that the metrics are for (assay list cpus): its event names "
	  "and codes are put in"),
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
	.summary = "import metrics of perf and likwid as formulas",
	.arguments = "import FILE [PATTERN]",
	.args = 3,
	.options = options,
	.text =
		"Converts a JSON metric file of perf, or a performance group "
		"of likwid, into a formula file, for -M and for 'assay judge'. "
		"The formulas are marked as unchecked. Where the name of a "
		"metric says which quantity it is (branch instructions, for "
		"example), the formula claims that quantity, and 'assay judge' "
		"compares the claim with the truth.\n\n"
		"A formula cannot use elapsed time, conditions or facts about "
		"the machine. A metric that needs these is left out, with the "
		"reason. A file has at most 64 events; PATTERN selects the "
		"metrics whose names contain it.",
	.example = examples,
	.run = run,
};
