/* SPDX-License-Identifier: MIT */
/* assay version */
#include "cli/context.h"

static int run(struct context *context)
{
	fprintf(report_file(context->report), "assay %s\n", assay_version());
	return EXIT_OK;
}

static const struct option *const options[] = {
	output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay version", "what to name when something is reported" },
	{ 0 }
};

const struct command version_command = {
	.name = "version",
	.group = "more",
	.summary = "the version of this program",
	.arguments = "",
	.options = options,
	.text = "Prints the name and the version on one line.",
	.example = examples,
	.run = run,
};
