/* SPDX-License-Identifier: MIT */
/*
 * assay completion: a shell script, made from the option tables. The script
 * asks the installed assay for kernels and their options, so it stays current.
 */
#include <string.h>

#include "cli/context.h"

#define KERNELS "assay list kernels -x ';' 2>/dev/null | " \
	"sed '1d;s/;.*//'"
#define CPUS "assay list cpus -x ';' 2>/dev/null | sed '1d;s/;.*//'"
#define KERNEL_OPTIONS "assay list kernels \"$kernel\" -x ';' 2>/dev/null | " \
	"sed -n 's/^\\(--[^;]*\\);.*/\\1/p'"

static void command_names(FILE *out)
{
	for (const struct command *const *c = command_table; *c; c++)
		fprintf(out, "%s%s", c == command_table ? "" : " ",
			(*c)->name);
}

/* The values of the first argument: words, or "" for a kernel. */
static const char *argument_words(const struct command *command)
{
	return command->kernel || strchr(command->arguments, '|')
		? command->arguments : "";
}

/* "events|kernels [NAME]": the words up to the first blank. */
static void words(FILE *out, const char *list)
{
	for (; *list && *list != ' '; list++)
		fputc(*list == '|' ? ' ' : *list, out);
}

/* ---- bash --------------------------------------------------------------- */

static void bash_option(void *ctx, const struct option *o)
{
	fprintf(ctx, " --%s", o->name);
	if (o->letter)
		fprintf(ctx, " -%c", o->letter);
}

static void bash_value(void *ctx, const struct option *o)
{
	FILE *out = ctx;

	if (!o->arg)
		return;
	fputs("\t", out);
	if (o->letter)
		fprintf(out, "-%c|", o->letter);
	fprintf(out, "--%s)\n\t\t", o->name);
	if (o->words) {
		fputs("COMPREPLY=($(compgen -W '", out);
		words(out, o->words);
		fputs("' -- \"$cur\")) ;;\n", out);
	} else if (!strcmp(o->arg, "FILE")) {
		fputs("COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n", out);
	} else if (!strcmp(o->arg, "DIR")) {
		fputs("COMPREPLY=($(compgen -d -- \"$cur\")) ;;\n", out);
	} else {
		fputs("COMPREPLY=() ;;\n", out);
	}
}

/* Completes an option of one command by its fixed words or by CPU names. */
static void bash_own_value(void *ctx, const struct option *o)
{
	FILE *out = ctx;

	if (o->words) {
		fprintf(out, "\t\t--%s) words='", o->name);
		words(out, o->words);
		fputs("' ;;\n", out);
	} else if (o->arg && !strcmp(o->arg, "NAME") &&
		   (!strcmp(o->name, "cpu") || !strcmp(o->name, "like"))) {
		fprintf(out, "\t\t--%s) words=$(" CPUS ") ;;\n", o->name);
	}
}

static void bash_command(FILE *out, const struct command *command)
{
	fprintf(out, "\t%s)\n\t\toptions='", command->name);
	options_each(command->options, bash_option, out);
	fputs("'\n", out);
	if (command->kernel)
		fputs("\t\twords=$(" KERNELS ")\n"
		      "\t\tkernel=${COMP_WORDS[2]}\n"
		      "\t\t[ -n \"$kernel\" ] && options=\"$options $("
		      KERNEL_OPTIONS ")\"\n", out);
	else if (*argument_words(command)) {
		fputs("\t\twords='", out);
		words(out, command->arguments);
		fputs("'\n", out);
	} else if (!strcmp(command->name, "help")) {
		fputs("\t\twords='", out);
		command_names(out);
		fputs("'\n", out);
	}
	fputs("\t\tcase $prev in\n", out);
	options_each(command->options, bash_own_value, out);
	fputs("\t\tcpus|check) words=$(" CPUS ") ;;\n\t\tesac\n\t\t;;\n",
	      out);
}

static void bash(FILE *out)
{
	fputs("# bash completion for assay\n"
	      "_assay()\n{\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} options= words= kernel\n"
	      "\tlocal prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	      "\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n"
	      "\t\tCOMPREPLY=($(compgen -W '", out);
	command_names(out);
	fputs("' -- \"$cur\"))\n\t\treturn\n\tfi\n\tcase $prev in\n", out);
	options_each((const struct option *const[]){ output_options,
		     common_options, job_options, on_option, page_map_option,
		     NULL },
		     bash_value, out);
	fputs("\t*)\n\t\tcase ${COMP_WORDS[1]} in\n", out);
	for (const struct command *const *c = command_table; *c; c++)
		bash_command(out, *c);
	fputs("\t\tesac\n"
	      "\t\tcase $cur in\n"
	      "\t\t-*) words=$options ;;\n"
	      "\t\tesac\n"
	      "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\")) ;;\n"
	      "\tesac\n}\n"
	      "complete -F _assay assay\n", out);
}

/* ---- zsh ---------------------------------------------------------------- */

/* Inside '...[...]': quotes and brackets have a meaning. */
static void zsh_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\'", out);
		else if (strchr("[]:\\", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void zsh_action(FILE *out, const struct option *o)
{
	if (!o->arg)
		return;
	fprintf(out, ":%s:", o->arg);
	if (o->words) {
		fputc('(', out);
		words(out, o->words);
		fputc(')', out);
	} else if (!strcmp(o->arg, "FILE")) {
		fputs("_files", out);
	} else if (!strcmp(o->arg, "DIR")) {
		fputs("_files -/", out);
	}
}

static void zsh_option(void *ctx, const struct option *o)
{
	FILE *out = ctx;

	if (o->letter) {
		fprintf(out, " \\\n\t\t\t'-%c[", o->letter);
		zsh_text(out, o->help);
		fputs("]", out);
		zsh_action(out, o);
		fputc('\'', out);
	}
	fprintf(out, " \\\n\t\t\t'--%s[", o->name);
	zsh_text(out, o->help);
	fputc(']', out);
	zsh_action(out, o);
	fputc('\'', out);
}

static void zsh_command(FILE *out, const struct command *command)
{
	fprintf(out, "\t%s)\n", command->name);
	if (command->kernel)
		fputs("\t\tkernel=${line[2]}\n"
		      "\t\textra=(${(f)\"$(" KERNEL_OPTIONS ")\"})\n"
		      "\t\textra=(${^extra}'=:value:')\n", out);
	fputs("\t\t_arguments $extra", out);
	options_each(command->options, zsh_option, out);
	if (command->kernel) {
		fputs(" \\\n\t\t\t'2:kernel:($(" , out);
		fputs("assay list kernels -x \";\" 2>/dev/null | "
		      "sed \"1d;s/;.*//\"", out);
		fputs("))'", out);
	} else if (*argument_words(command) ||
		   !strcmp(command->name, "help")) {
		fputs(" \\\n\t\t\t'2:word:(", out);
		if (*argument_words(command))
			words(out, command->arguments);
		else
			command_names(out);
		fputs(")'", out);
	}
	fputs(" '*::'\n\t\t;;\n", out);
}

static void zsh(FILE *out)
{
	fputs("#compdef assay\n\n"
	      "_assay()\n{\n"
	      "\tlocal -a commands extra line\n"
	      "\tlocal kernel\n"
	      "\tline=(${words[2,-1]})\n"
	      "\tcommands=(\n", out);
	for (const struct command *const *c = command_table; *c; c++) {
		fprintf(out, "\t\t'%s:", (*c)->name);
		zsh_text(out, (*c)->summary);
		fputs("'\n", out);
	}
	fputs("\t)\n\tif (( CURRENT == 2 )); then\n"
	      "\t\t_describe command commands\n\t\treturn\n\tfi\n"
	      "\tcase ${words[2]} in\n", out);
	for (const struct command *const *c = command_table; *c; c++)
		zsh_command(out, *c);
	fputs("\tesac\n}\n\n"
	      "if [ \"$funcstack[1]\" = _assay ]; then\n\t_assay \"$@\"\n"
	      "else\n\tcompdef _assay assay\nfi\n", out);
}

/* ---- fish --------------------------------------------------------------- */

struct fish { FILE *out; const char *command; };

static void fish_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void fish_option(void *ctx, const struct option *o)
{
	const struct fish *f = ctx;

	fprintf(f->out, "complete -c assay -n '__fish_seen_subcommand_from %s'"
		" -l %s", f->command, o->name);
	if (o->letter)
		fprintf(f->out, " -s %c", o->letter);
	if (o->words) {
		fputs(" -x -a '", f->out);
		words(f->out, o->words);
		fputc('\'', f->out);
	} else if (o->arg) {
		fputs(strcmp(o->arg, "FILE") && strcmp(o->arg, "DIR")
		      ? " -x" : " -r -F", f->out);
	}
	fputs(" -d '", f->out);
	fish_text(f->out, o->help);
	fputs("'\n", f->out);
}

static void fish_words(FILE *out, const struct command *command)
{
	bool help = !strcmp(command->name, "help");

	if (!command->kernel && !help && !*argument_words(command))
		return;
	fprintf(out, "complete -c assay -n '__fish_seen_subcommand_from %s' "
		"-a \"", command->name);
	if (command->kernel)
		fputs("(" KERNELS ")", out);
	else if (help)
		command_names(out);
	else
		words(out, command->arguments);
	fputs("\"\n", out);
	if (command->kernel)
		fprintf(out, "complete -c assay -n "
			"'__fish_seen_subcommand_from %s' -a \"(set -l kernel "
			"(commandline -opc)[3]; and assay list kernels "
			"\\$kernel -x ';' 2>/dev/null | sed -n "
			"'s/^\\(--[^;]*\\);.*/\\1/p')\"\n", command->name);
}

static void fish(FILE *out)
{
	fputs("# fish completion for assay\ncomplete -c assay -f\n", out);
	for (const struct command *const *c = command_table; *c; c++) {
		struct fish f = { out, (*c)->name };

		fprintf(out, "complete -c assay -n __fish_use_subcommand -a "
			"%s -d '", (*c)->name);
		fish_text(out, (*c)->summary);
		fputs("'\n", out);
		options_each((*c)->options, fish_option, &f);
		fish_words(out, *c);
	}
}

static void put_script(FILE *out, const char *shell)
{
	if (!strcmp(shell, "bash"))
		bash(out);
	else if (!strcmp(shell, "zsh"))
		zsh(out);
	else
		fish(out);
}

/* ---- the command --------------------------------------------------------- */

#define SHELLS "bash|zsh|fish"

static int run(struct context *context)
{
	const struct settings *s = &context->settings;

	if (!s->args || !words_have(SHELLS, s->arg[0]))
		return complain_text("completion", EXIT_USAGE,
				     "which shell?\n  try: assay completion "
				     "bash, zsh or fish");
	put_script(report_file(context->report), s->arg[0]);
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
