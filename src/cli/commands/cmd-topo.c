/* SPDX-License-Identifier: MIT */
/* assay topo: caches, TLBs, cores and memory nodes of this machine. */
#include <string.h>

#include "base/text.h"
#include "cli/fleet/ranks.h"
#include "cli/answers/answers.h"
#include "cli/context.h"

/* After a measurement, reported TLBs and parts are shown with -v only. */
static bool is_shown(const struct settings *s, const struct assay_row *row)
{
	return !s->measure || s->verbose ||
	       (strcmp(row->type, "tlb") && strcmp(row->type, "kind") &&
		strcmp(row->type, "part"));
}

static void show(struct context *context, const struct kept_rows *kept)
{
	struct phrase phrase = { .used = 0 };

	topo_answer(kept, &phrase);
	report_note(context->report, "%s", phrase_text(&phrase));
	for (size_t i = 0; i < kept->rows; i++)
		if (is_shown(&context->settings, &kept->row[i]))
			report_row(context->report, &kept->row[i]);
	if (context->settings.measure && !context->settings.verbose)
		report_note(context->report, "assay topo --measure -v: the "
			    "evidence of each trait, TLBs, cores and memory");
}

static int look(struct context *context, struct assay_error *err)
{
	const struct settings *s = &context->settings;
	struct kept_rows kept = context_rows(context);
	int rc = assay_topo(context->assay, keep_row, &kept, err);

	if (!rc && s->measure)
		rc = assay_levels(context->assay, s->cpu, keep_row, &kept,
				  err);
	if (kept.no_memory)
		rc = error_set(err, -ASSAY_ENOMEM, "out of memory");
	else if (kept.rows)
		show(context, &kept);
	kept_rows_free(&kept);
	return rc;
}

static int run(struct context *context)
{
	struct assay_error err = { 0 };
	const int wrong = wrong_measure(context);

	if (wrong)
		return wrong;
	return look(context, &err) ? complain(context, &err) : EXIT_OK;
}

static const struct option own[] = {
	WORD(0, "of", "FORM", of, "console|json",
	  "console: tables; json: JSON Lines, as -j"),
	FLAG(0, "measure", measure,
	  "also find the levels by timing, some seconds"),
	NUMBER(0, "cpu", "N", cpu, 0, "measure on this CPU"),
	{ 0 }
};

static const struct option *const options[] = {
	own, sysroot_option, rank_options, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay topo", "tables" },
	{ "assay topo --of json", "for a program" },
	{ "assay topo --measure", "what timing finds, beside what is said" },
	{ 0 }
};

const struct command topo_command = {
	.name = "topo",
	.group = "see what there is",
	.summary = "caches, TLBs, cores and memory nodes of this machine",
	.arguments = "",
	.options = options,
	.text =
		"Shows the size of each cache as the kernel, the CPU (CPUID) "
		"and the CPU file report it. The first of the three that knows "
		"the size is believed, and named under 'from'. Packages, cores "
		"and memory nodes come from hwloc.\n\n"
		"--measure times loads over growing sizes and shows the levels "
		"that appear, beside the sizes that the operating system "
		"reports. ways x sets x line must be the size: a value that "
		"breaks this rule, reported or measured, is not believed. If "
		"other work had this CPU for more than 5 % of the time, a "
		"difference is \"not decided\".",
	.example = examples,
	.run = run,
};
