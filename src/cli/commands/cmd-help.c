/* SPDX-License-Identifier: MIT */
/* assay help: the list of commands, or one command; man pages as source. */
#include <ctype.h>
#include <string.h>

#include "cli/context.h"
#include "cli/formats/matrix.h"

/* ---- man pages as scdoc source ------------------------------------------- */

/* Escapes the characters that scdoc reads as markup; '-' begins a list at the
 * start of a line only. */
static void text(FILE *out, const char *text)
{
	for (const char *c = text; *c; c++) {
		const bool begins = c == text || c[-1] == '\n';

		if (strchr("_*\\#`[]<>~", *c) || (*c == '-' && begins))
			fputc('\\', out);
		fputc(*c, out);
	}
}

static void bold(FILE *out, const char *words)
{
	fputc('*', out);
	text(out, words);
	fputc('*', out);
}

/* Upper-case words in a usage line are placeholders. */
static void arguments(FILE *out, const char *words)
{
	bool inside = false;

	for (; *words; words++) {
		bool upper = isupper((unsigned char)*words);

		if (upper != inside)
			fputc('_', out);
		inside = upper;
		fprintf(out, strchr("[]", *words) ? "\\%c" : "%c", *words);
	}
	if (inside)
		fputc('_', out);
}

static void option_entry(void *ctx, const struct option *o)
{
	FILE *out = ctx;
	char name[80];

	if (o->letter) {
		fprintf(out, "*-%c*, ", o->letter);
	}
	snprintf(name, sizeof(name), "--%s", o->name);
	bold(out, name);
	if (o->arg) {
		fputc(' ', out);
		arguments(out, o->arg);
	}
	fputs("\n\t", out);
	text(out, o->help);
	fputs("\n\n", out);
}

/* Of commands that run a program, and of those that pass on its own code.
 * command NULL: of all. */
static void program_status(FILE *out, const struct command *command)
{
	if (command && !command->program)
		return;
	fputs("*125*\n\tassay itself failed at running a program\n\n", out);
	if (command && !command->program_first)
		return;
	fprintf(out, "*126*\n\tthe program cannot be run\n\n"
		"*127*\n\tthere is no such program\n\n"
		"*128+N*\n\tsignal N ended the program\n\n"
		"*other*\n\t%sthe program's own exit status\n\n",
		command ? "" : "of *assay stat* and *assay sim*: ");
}

static void exit_status(FILE *out, const struct command *command)
{
	fputs("# EXIT STATUS\n\n"
	      "*0*\n\tall went well\n\n"
	      "*1*\n\tsomething failed while measuring\n\n"
	      "*2*\n\tbad usage or a bad input file\n\n"
	      "*3*\n\ta check did not pass\n\n"
	      "*4*\n\tnothing could be counted or compared\n\n"
	      "*130*\n\tinterrupted; what was complete has been written\n\n",
	      out);
	program_status(out, command);
}

static void variables(FILE *out, const struct variable *variable)
{
	for (; variable && variable->name; variable++) {
		bold(out, variable->name);
		fputs("\n\t", out);
		text(out, variable->meaning);
		fputs("\n\n", out);
	}
}

static void put_examples(FILE *out, const struct example *example)
{
	if (!example || !example->command)
		return;
	fputs("# EXAMPLES\n\n", out);
	for (; example->command; example++) {
		bold(out, example->command);
		fputs("\n\t", out);
		text(out, example->meaning);
		fputs("\n\n", out);
	}
}

static void see_also(FILE *out, const char *self)
{
	const char *comma = "";

	fputs("# SEE ALSO\n\n", out);
	if (self) {
		fputs("*assay*(1)", out);
		comma = ", ";
	}
	for (const struct command *const *c = command_table; *c; c++) {
		if (self && !strcmp(self, (*c)->name))
			continue;
		fprintf(out, "%s*assay-%s*(1)", comma, (*c)->name);
		comma = ", ";
	}
	fputs(", *libassay*(3)\n", out);
}

static void head(FILE *out, const char *name, const char *summary)
{
	fprintf(out, "%s(1) \"assay %s\" \"assay manual\"\n\n# NAME\n\n%s - ",
		name, assay_version(), name);
	text(out, summary);
	fputs("\n\n# SYNOPSIS\n\n", out);
}

/* A program has its own options, so that those of assay stand before it. */
static void usage(FILE *out, const struct command *command, const char *words)
{
	fprintf(out, "*assay %s* ", command->name);
	if (command->program)
		fputs("\\[_OPTION_\\]... ", out);
	arguments(out, words);
	if (!command->program)
		fprintf(out, "%s\\[_OPTION_\\]...", *words ? " " : "");
}

/* A line for each subcommand. */
static void synopsis(FILE *out, const struct command *command)
{
	if (!command->verb)
		usage(out, command, command->arguments);
	for (const struct variable *v = command->verb; v && v->name; v++) {
		usage(out, command, v->name);
		fputs(v[1].name ? "++\n" : "", out);
	}
}

static void command_page(FILE *out, const struct command *command)
{
	char name[40], formats[600];

	snprintf(name, sizeof(name), "assay-%s", command->name);
	head(out, name, command->summary);
	synopsis(out, command);
	fputs("\n\n# DESCRIPTION\n\n", out);
	text(out, command->text);
	fputs(command->verb ? "\n\n# SUBCOMMANDS\n\n" : "\n\n", out);
	variables(out, command->verb);
	fputs("# OPTIONS\n\n", out);
	if (command->kernel)
		fprintf(out, "Every option of the kernel, such as *--bytes* "
			"_SIZE_, is an option of this command: *assay %s* "
			"_KERNEL_ *--help* lists them. Where a number may "
			"stand, *A,B,C* is a list, *A..B* doubles from A to "
			"B, and *A..B/N* takes N steps per doubling; ranges "
			"that take more than an hour are refused. Sizes are "
			"binary: *48K* is 48 KiB.\n\n", command->name);
	options_each(command->options, option_entry, out);
	matrix_text(formats, sizeof(formats), command);
	text(out, formats);
	fputs("\n\n", out);
	exit_status(out, command);
	fputs("# ENVIRONMENT\n\n", out);
	variables(out, command->variable);
	variables(out, output_variables);
	put_examples(out, command->example);
	see_also(out, command->name);
}

static void overview_page(FILE *out)
{
	head(out, "assay", "measure CPU caches, and prove which performance "
	     "counters tell the truth");
	fputs("*assay* _COMMAND_ \\[_OPTION_\\]... \\[--\\] "
	      "\\[_ARGUMENT_\\]...\n\n# DESCRIPTION\n\n", out);
	text(out, "assay runs kernels whose true counts are known (by closed "
	     "form, by exact simulation, by timing), counts events while they "
	     "run, and judges each event and each formula by that. Where a "
	     "machine has no performance counters, the same kernels run on an "
	     "exact simulator of a named CPU.");
	fputs("\n\n# COMMANDS\n\n", out);
	for (const struct command *const *c = command_table; *c; c++) {
		fprintf(out, "*%s*\n\t", (*c)->name);
		text(out, (*c)->summary);
		fputs("\n\n", out);
	}
	exit_status(out, NULL);
	fputs("# ENVIRONMENT\n\n", out);
	variables(out, output_variables);
	put_examples(out, overview_examples);
	see_also(out, NULL);
}

/* command NULL: assay(1). */
static void man_page(FILE *out, const struct command *command)
{
	if (command)
		command_page(out, command);
	else
		overview_page(out);
}

/* ---- the command --------------------------------------------------------- */

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	const struct command *command = NULL;
	const struct variable *verb = NULL;
	FILE *out = report_file(context->report);
	unsigned columns = report_style(context->report)->columns;

	if (s->args && strcmp(s->arg[0], "assay")) {
		command = command_find(s->arg[0]);
		if (!command)
			return unknown_command("help", s->arg[0]);
	}
	if (s->args > 1) {
		verb = command ? command_verb(command, s->arg[1]) : NULL;
		if (!verb)
			return complain_text("help", EXIT_USAGE, "'%.60s' has "
					     "no subcommand '%.60s'\n  try: "
					     "assay help %.60s", s->arg[0],
					     s->arg[1], s->arg[0]);
	}
	if (s->man)
		man_page(out, command);
	else if (verb)
		help_on_verb(out, command, verb, columns);
	else if (command)
		help_on(out, command, NULL, NULL, 0, columns);
	else
		help_overview(out, columns);
	return EXIT_OK;
}

static const struct option own[] = {
	FLAG(0, "man", man,
	  "print the man page's source for scdoc; of 'assay' itself: assay(1)"),
	{ 0 }
};

static const struct option *const options[] = {
	own, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay help sweep", "what sweep does, and its options" },
	{ "assay help db query", "one subcommand of db" },
	{ "assay help --man sweep | scdoc | man -l -",
	  "its man page without installing anything" },
	{ 0 }
};

const struct command help_command = {
	.name = "help",
	.group = "more",
	.summary = "explain a command or a subcommand",
	.arguments = "[COMMAND [SUBCOMMAND]]",
	.args = 2,
	.options = options,
	.text = "Without an argument, lists the commands.",
	.example = examples,
	.run = run,
};
