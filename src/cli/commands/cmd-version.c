/* SPDX-License-Identifier: MIT */
/* assay version */
#include "base/loading/library.h"
#include "cli/context.h"

/* What a static executable was built without. */
static void print_left_out(FILE *out)
{
	for (int i = 0; i < LIBRARIES; i++)
		if (!library_is_here(i))
			fprintf(out, "static, without %s: %s\n",
				libraries[i].file, libraries[i].need);
}

static int run(struct context *context)
{
	const struct assay_field field = field_text("version", assay_version());
	FILE *out = report_file(context->report);

	if (!report_has(context->report, REPORT_PROSE)) {
		report_row(context->report, &(struct assay_row){
			   "version", &field, 1 });
		return EXIT_OK;
	}
	fprintf(out, "assay %s\n", assay_version());
	if (load_is_static)
		print_left_out(out);
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
	.text = "Prints the name and the version on one line. A static "
		"executable adds a line for each library that it was built "
		"without, with what needs that library.",
	.example = examples,
	.run = run,
};
