/* SPDX-License-Identifier: MIT */
/* assay diff: two certificates. */
#include "cli/context.h"

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	struct assay_error err = { 0 };
	unsigned differences = 0;

	if (s->args < 2)
		return complain_text("diff", EXIT_USAGE,
				     "two files are needed");
	if (assay_diff(context->assay, s->arg[0], s->arg[1], report_row,
		       context->report, &differences, &err))
		return complain(context, &err);
	if (report_has(context->report, REPORT_PROSE)) {
		report_flush(context->report);
		report_note(context->report, differences == 1 ?
			    "%u difference" : "%u differences", differences);
	}
	return differences ? EXIT_CHECK : EXIT_OK;
}

static const struct option *const options[] = {
	output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay diff before.json after.json",
	  "which verdicts an update of microcode has changed" },
	{ 0 }
};

const struct command diff_command = {
	.name = "diff",
	.group = "check",
	.summary = "two certificates: which verdicts differ",
	.arguments = "FILE FILE",
	.args = 2,
	.options = options,
	.text =
		"Compares two certificates (.json, from 'assay verify --save') "
		"event by event. Another machine, microcode or kernel is "
		"shown, but does not count as a difference. Exits with 3 if "
		"anything differs. Two runs are for 'assay compare'.",
	.example = examples,
	.run = run,
};
