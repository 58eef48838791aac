/* SPDX-License-Identifier: MIT */
/* assay help: the list of commands, or one of them; man pages as source. */
#include <string.h>

#include "cli/context.h"
#include "cli/help.h"

static int unknown(const char *word)
{
	const char *near = command_nearest(word);

	complain_text("help", EXIT_USAGE, "unknown command '%.60s'", word);
	if (near)
		fprintf(stderr, "  did you mean '%s'?\n", near);
	return EXIT_USAGE;
}

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	const struct command *command = NULL;
	FILE *out = report_file(context->report);
	unsigned columns = report_style(context->report)->columns;

	if (s->args && strcmp(s->arg[0], "assay")) {
		command = command_find(s->arg[0]);
		if (!command)
			return unknown(s->arg[0]);
	}
	if (s->man)
		man_page(out, command);
	else if (command)
		help_on(out, command, NULL, NULL, 0, columns);
	else
		help_overview(out, columns);
	return EXIT_OK;
}

static const struct option own[] = {
	{ 0, "man", OPTION_FLAG, NULL,
	  "print the man page's source for scdoc; of 'assay' itself: assay(1)",
	  offsetof(struct settings, man), 0, NULL },
	{ 0 }
};

static const struct option *const options[] = {
	own, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay help sweep", "what sweep does, and its options" },
	{ "assay help --man sweep | scdoc | man -l -",
	  "its man page without installing anything" },
	{ 0 }
};

const struct command help_command = {
	.name = "help",
	.group = "more",
	.summary = "explain a command",
	.arguments = "[COMMAND]",
	.args = 1,
	.options = options,
	.text = "Without an argument, lists the commands.",
	.example = examples,
	.run = run,
};
