/* SPDX-License-Identifier: MIT */
/* assay completion: a script for the shell. */
#include "cli/context.h"
#include "cli/help.h"

#define SHELLS "bash|zsh|fish"

static int run(struct context *context)
{
	const struct settings *s = &context->settings;

	if (!s->args || !words_have(SHELLS, s->arg[0]))
		return complain_text("completion", EXIT_USAGE,
				     "which shell?\n  try: assay completion "
				     "bash, zsh or fish");
	completion_script(report_file(context->report), s->arg[0]);
	return EXIT_OK;
}

static const struct option *const options[] = {
	output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay completion bash >/etc/bash_completion.d/assay",
	  "for all users" },
	{ ". <(assay completion bash)", "for this shell only" },
	{ "assay completion fish >~/.config/fish/completions/assay.fish",
	  "for fish" },
	{ 0 }
};

const struct command completion_command = {
	.name = "completion",
	.group = "more",
	.summary = "print a completion script for bash, zsh or fish",
	.arguments = SHELLS,
	.args = 1,
	.options = options,
	.text = "Commands, options and their words are completed, and the "
		"options of the kernel on the line.",
	.example = examples,
	.run = run,
};
