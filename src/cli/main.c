/* SPDX-License-Identifier: MIT */
/* The command assay: finds the command, parses its options, runs it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/completion/completion.h"
#include "cli/context.h"
#include "cli/fleet/ranks.h"

#define KERNEL_OPTIONS 64

/* The options of the kernel that the command line names. */
struct kernel_words {
	const char *name;
	struct assay_kernel_option option[KERNEL_OPTIONS];
	size_t options;
};

/* The value of --option, anywhere on the command line. */
static const char *option_value(const char *option, int argc, char **argv)
{
	size_t n = strlen(option);

	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "--", 2) ||
		    strncmp(argv[i] + 2, option, n))
			continue;
		if (argv[i][2 + n] == '=')
			return argv[i] + 3 + n;
		if (!argv[i][2 + n])
			return i + 1 < argc ? argv[i + 1] : NULL;
	}
	return NULL;
}

static int find_kernel(struct kernel_words *out, const struct grammar *grammar,
		       const char *option, int argc, char **argv,
		       struct assay_error *err)
{
	int n;

	out->name = option ? option_value(option, argc, argv) :
			     options_first_argument(grammar, argc, argv);
	if (!out->name)
		return 0;
	n = assay_kernel_options(out->name, out->option, KERNEL_OPTIONS, err);
	if (n < 0)
		return n;
	out->options = n < KERNEL_OPTIONS ? (size_t)n : KERNEL_OPTIONS;
	return 0;
}

static int no_kernel(struct assay_error *err)
{
	error_set(err, -ASSAY_EINVAL, "which kernel?");
	error_add(err, "try: assay list kernels");
	return -ASSAY_EINVAL;
}

static int parse(struct context *context, struct kernel_words *kernel,
		 int argc, char **argv, struct assay_error *err)
{
	const struct command *command = context->command;
	struct grammar grammar = {
		.table = command->options, .args = command->args,
		.program = command->program,
		.program_first = command->program_first,
	};
	int rc = 0;

	if (command->kernel || command->kernel_option)
		rc = find_kernel(kernel, &grammar, command->kernel_option,
				 argc, argv, err);
	if (rc)
		return rc;
	grammar.kernel = kernel->option;
	grammar.kernels = kernel->options;
	rc = options_parse(&context->settings, &grammar, argc, argv, err);
	if (command->kernel && !kernel->name && !context->settings.help)
		return no_kernel(err);
	return rc;
}

static void show_help(const struct context *context,
		      const struct kernel_words *kernel)
{
	const struct settings *s = &context->settings;
	const struct variable *verb = s->args ?
		command_verb(context->command, s->arg[0]) : NULL;
	struct report_style style;

	report_style_detect(&style, stdout, REPORT_COLOUR_OFF);
	if (verb)
		help_on_verb(stdout, context->command, verb, style.columns);
	else
		help_on(stdout, context->command, kernel->name, kernel->option,
			kernel->options, style.columns);
}

static int run(const struct command *command, int argc, char **argv)
{
	struct context context = { .command = command, .word = argv,
				   .words = argc };
	struct kernel_words kernel;	/* big; set only where needed */
	struct assay_error err = { 0 };
	int rc, exit_code;

	kernel.name = NULL;
	kernel.options = 0;
	settings_init(&context.settings);
	rc = parse(&context, &kernel, argc, argv, &err);
	if (!rc && context.settings.help) {
		show_help(&context, &kernel);
		exit_code = EXIT_OK;
	} else {
		if (!rc)
			rc = context_open(&context, &err);
		exit_code = rc ? complain(&context, &err)
			: context_close(&context, ranks_run(&context));
	}
	ranks_close(&context);
	settings_fini(&context.settings);
	return exit_code;
}

static int unknown_word(const char *word)
{
	if (*word == '-')
		complain_text("", EXIT_USAGE, "unknown option '%.60s'", word);
	else
		unknown_command("", word);
	fputs("  try: assay help\n", stderr);
	return EXIT_USAGE;
}

/* --help and --version are commands, too. */
static const char *command_word(const char *word)
{
	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return "help";
	if (!strcmp(word, "--version") || !strcmp(word, "-V"))
		return "version";
	return word;
}

static int flush_stdout(int exit_code)
{
	const int number = fflush(stdout) ? errno : 0;

	if (!number && !ferror(stdout))
		return exit_code;
	return complain_text("", EXIT_FAILED,
			     "standard output could not be written%s%s",
			     number ? ": " : "",
			     number ? strerror(number) : "");
}

int main(int argc, char **argv)
{
	const struct command *command;

	if (argc < 2) {
		help_overview(stderr, 80);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--complete")) {
		complete_line(stdout, argc - 2, argv + 2);
		return flush_stdout(EXIT_OK);
	}
	command = command_find(command_word(argv[1]));
	if (!command)
		return unknown_word(argv[1]);
	return flush_stdout(run(command, argc - 2, argv + 2));
}
