/* SPDX-License-Identifier: MIT */
/* Help texts, made from the tables of commands and options. */
#include "cli/command.h"

#include <string.h>

#include "base/text.h"
#include "cli/formats/matrix.h"
#include "report/cell.h"
#include "report/wrap.h"

#define INDENT 27		/* where explanations begin */
#define PROSE 80		/* longer lines are hard to read */

struct page { FILE *out; unsigned columns; };

/* "  -e, --event EVENTS   what it does" */
static void entry(const struct page *p, const char *head, const char *text)
{
	unsigned width = (unsigned)strlen(head);

	fputs(head, p->out);
	if (width + 2 > INDENT)
		fprintf(p->out, "\n%*s", INDENT, "");
	else
		fprintf(p->out, "%*s", (int)(INDENT - width), "");
	wrap_print(p->out, text, INDENT, INDENT, p->columns);
}

static void option_entry(void *ctx, const struct option *o)
{
	char head[80], letter[8] = "    ";

	if (o->letter)
		snprintf(letter, sizeof(letter), "-%c, ", o->letter);
	snprintf(head, sizeof(head), "  %s--%s%s%s", letter, o->name,
		 o->arg ? " " : "", o->arg ? o->arg : "");
	entry(ctx, head, o->help);
}

static const char *kernel_argument(const struct assay_kernel_option *k)
{
	switch (k->kind) {
	case ASSAY_OPTION_CHOICE:
		return "WORD";
	case ASSAY_OPTION_FLAG:
		return "on|off";
	case ASSAY_OPTION_BYTES:
		return "SIZE";
	default:
		return "N";
	}
}

static void kernel_entry(const struct page *p,
			 const struct assay_kernel_option *k)
{
	char head[80], text[640];
	const char *derived = strncmp(k->initial, "derived: ", 9)
		? NULL : k->initial + 9;

	snprintf(head, sizeof(head), "      --%s %s", k->name,
		 kernel_argument(k));
	snprintf(text, sizeof(text), "%s (%s%s%s%s)", k->help, k->words,
		 *k->words ? "; " : "", derived ? "else " : "default ",
		 derived ? derived : k->initial);
	entry(p, head, text);
}

/* Paragraphs are separated by empty lines. */
static void prose(const struct page *p, const char *text)
{
	char paragraph[2048];

	while (text && *text) {
		const char *end = strstr(text, "\n\n");
		size_t n = end ? (size_t)(end - text) : strlen(text);

		snprintf(paragraph, sizeof(paragraph), "%.*s", (int)n, text);
		for (char *c = paragraph; *c; c++)
			if (*c == '\n')
				*c = ' ';
		fputc('\n', p->out);
		wrap_print(p->out, paragraph, 0, 0,
			   p->columns < PROSE ? p->columns : PROSE);
		text = end ? end + 2 : NULL;
	}
}

/* A part of the page; nothing without a variable. */
static void variables(const struct page *p, const char *title,
		      const struct variable *variable)
{
	char head[80];

	if (!variable)
		return;
	fprintf(p->out, "\n%s\n", title);
	for (; variable->name; variable++) {
		snprintf(head, sizeof(head), "  %s", variable->name);
		entry(p, head, variable->meaning);
	}
}

/* Those that begin with `prefix`. */
static void examples(const struct page *p, const struct example *example,
		     const char *prefix)
{
	const char *title = "\nexamples\n";

	for (; example && example->command; example++) {
		if (strncmp(example->command, prefix, strlen(prefix)))
			continue;
		fprintf(p->out, "%s  %s\n      ", title, example->command);
		wrap_print(p->out, example->meaning, 6, 6, p->columns);
		title = "";
	}
}

static void formats(const struct page *p, const struct command *command)
{
	char text[600];

	matrix_text(text, sizeof(text), command);
	fputc('\n', p->out);
	wrap_print(p->out, text, 0, 0, p->columns < PROSE ? p->columns : PROSE);
}

void help_on(FILE *out, const struct command *command,
		  const char *kernel_name,
		  const struct assay_kernel_option *kernel, size_t kernels,
		  unsigned columns)
{
	struct page p = { out, columns };

	if (command->program)	/* the program has its own arguments */
		fprintf(out, "usage: assay %s [OPTION]... %s\n\n",
			command->name, command->arguments);
	else
		fprintf(out, "usage: assay %s%s%s [OPTION]...\n\n",
			command->name, *command->arguments ? " " : "",
			command->arguments);
	wrap_print(out, command->summary, 0, 0, columns);
	prose(&p, command->text);
	variables(&p, "subcommands", command->verb);
	if (kernels)
		fprintf(out, "\noptions of the kernel %s\n", kernel_name);
	for (size_t i = 0; i < kernels; i++)
		kernel_entry(&p, &kernel[i]);
	fputs("\noptions\n", out);
	options_each(command->options, option_entry, &p);
	formats(&p, command);
	if (command->kernel && !kernels)
		fprintf(out, "\nEach kernel has options of its own: 'assay %s "
			"KERNEL --help'\nshows them, 'assay list kernels' the "
			"kernels.\n", command->name);
	variables(&p, "environment", command->variable);
	examples(&p, command->example, "");
}

/* An option of a command with subcommands. */
struct verb_options {
	struct page page;
	const struct command *command;
	const char *verb;
};

/* "import: where ...": the options of another subcommand are left out. */
static void verb_option_entry(void *ctx, const struct option *o)
{
	struct verb_options *v = ctx;
	char word[40];

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(o->help, ":, "),
		 o->help);
	if (o->help[strlen(word)] != ':' || !strcmp(word, v->verb) ||
	    !command_verb(v->command, word))
		option_entry(&v->page, o);
}

void help_on_verb(FILE *out, const struct command *command,
		  const struct variable *verb, unsigned columns)
{
	char name[40], prefix[80];
	struct verb_options v = { { out, columns }, command, name };

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(verb->name, " "),
		 verb->name);
	snprintf(prefix, sizeof(prefix), "assay %s %s", command->name, name);
	fprintf(out, "usage: assay %s %s%s%s\n\n", command->name,
		command->program ? "[OPTION]... " : "", verb->name,
		command->program ? "" : " [OPTION]...");
	wrap_print(out, verb->meaning, 0, 0, columns);
	fputs("\noptions\n", out);
	options_each(command->options, verb_option_entry, &v);
	examples(&v.page, command->example, prefix);
	fprintf(out, "\n'assay help %s' tells more.\n", command->name);
}

const struct example overview_examples[] = {
	{ "assay doctor", "can this machine count, and if not, why?" },
	{ "assay sweep chase --elements 64..262144",
	  "a list from 4 KiB to 16 MiB, on this machine" },
	{ "assay sweep chase --on sim:cortex-a72 -x ,",
	  "the same on the software PMU of a Cortex-A72, as CSV" },
	{ "assay verify --on sim:cortex-a72",
	  "which of its events are right?" },
	{ 0 }
};

void help_overview(FILE *out, unsigned columns)
{
	struct page p = { out, columns };
	const char *group = "";

	fputs("usage: assay COMMAND [OPTION]... [--] [ARGUMENT]...\n\n", out);
	wrap_print(out, "Measure CPU caches through performance counters, and "
		   "check the counters.", 0, 0, columns);
	for (const struct command *const *c = command_table; *c; c++) {
		char head[40];

		if (strcmp(group, (*c)->group)) {
			group = (*c)->group;
			fprintf(out, "\n%s\n", group);
		}
		snprintf(head, sizeof(head), "  %-10s ", (*c)->name);
		fputs(head, p.out);
		wrap_print(out, (*c)->summary, 13, 13, columns);
	}
	fputs("\nexamples\n", out);
	for (const struct example *e = overview_examples; e->command; e++)
		fprintf(out, "  %s\n", e->command);
	fputs("\n'assay help COMMAND' or 'man assay-COMMAND' tells more.\n",
	      out);
}
