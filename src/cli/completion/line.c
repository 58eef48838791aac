/* SPDX-License-Identifier: MIT */
/*
 * Completion of a command line by the tables that also make its help: options
 * with their words, and the usage lines of commands and subcommands.
 */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "cli/completion/completion.h"

void offer(const struct line *line, const char *value, const char *why)
{
	const char *const typed = line->typed + line->kept;
	char plain[512], about[200];

	text_copy(plain, sizeof(plain), value);
	text_harmless(plain, false);
	if (!*value || strcmp(plain, value) ||
	    strncmp(value, typed, strlen(typed)))
		return;
	text_copy(about, sizeof(about), why);
	text_harmless(about, false);
	fprintf(line->out, "%.*s%s\t%s\n", (int)line->kept, line->typed, value,
		about);
}

/* Calls fn for each of the alternatives of "a|b|c", of n characters. */
static void each_word(struct line *line, const char *words, size_t n,
		      void (*fn)(struct line *line, const char *word))
{
	char word[80];

	for (const char *end = words + n; words < end; words++) {
		const char *bar = memchr(words, '|', (size_t)(end - words));
		const char *stop = bar ? bar : end;

		snprintf(word, sizeof(word), "%.*s", (int)(stop - words),
			 words);
		fn(line, word);
		words = stop;
	}
}

static void offer_word(struct line *line, const char *word)
{
	offer(line, word, "");
}

void offer_words(const struct line *line, const char *words)
{
	struct line copy = *line;

	each_word(&copy, words, strcspn(words, " "), offer_word);
}

/* ---- arguments ----------------------------------------------------------- */

static void offer_alternative(struct line *line, const char *word)
{
	if (isupper((unsigned char)*word))
		offer_placeholder(line, word);
	else
		offer(line, word, "");
}

/*
 * Argument k (from 0) of a usage such as "OLD NEW...": its own alternatives,
 * and those of arguments before it that may be repeated.
 */
static void offer_argument(struct line *line, const char *usage, size_t k)
{
	size_t i = 0;

	for (const char *at = usage; *at;) {
		const size_t all = strcspn(at, " "), open = *at == '[';
		size_t n = all;

		if (!strncmp(at + open, "--", 2))
			return;
		while (n > open && strchr("].", at[n - 1]))
			n--;
		if (*at != '|') {
			if (i == k || (i < k && n + 3 <= all))
				each_word(line, at + open, n - open,
					  offer_alternative);
			i++;
		}
		at += all;
		at += strspn(at, " ");
	}
}

void offer_verbs(const struct line *line, const struct command *command)
{
	char name[80];

	for (const struct variable *v = command->verb; v && v->name; v++) {
		text_copy(name, sizeof(name), v->name);
		name[strcspn(name, " ")] = '\0';
		offer(line, name, v->meaning);
	}
}

static void offer_arguments(struct line *line)
{
	const struct command *command = line->command;
	const struct settings *s = &line->settings;
	const struct variable *verb;

	if (!command->verb) {
		offer_argument(line, command->arguments, s->args);
	} else if (!s->args) {
		offer_verbs(line, command);
	} else {
		verb = command_verb(command, s->arg[0]);
		if (verb && strchr(verb->name, ' '))
			offer_argument(line, strchr(verb->name, ' ') + 1,
				       s->args - 1);
	}
}

/* ---- options ------------------------------------------------------------- */

static void offer_option(void *ctx, const struct option *o)
{
	const struct line *line = ctx;
	char name[80];

	snprintf(name, sizeof(name), "--%s", o->name);
	offer(line, name, o->help);
	if (o->letter) {
		snprintf(name, sizeof(name), "-%c", o->letter);
		offer(line, name, o->help);
	}
}

static void offer_options(struct line *line)
{
	char name[80];

	options_each(line->command->options, offer_option, line);
	for (size_t i = 0; i < line->kernels; i++) {
		const struct assay_kernel_option *k = &line->kernel[i];

		snprintf(name, sizeof(name), "--%s", k->name);
		offer(line, name, k->help);
		if (k->kind != ASSAY_OPTION_FLAG)
			continue;
		snprintf(name, sizeof(name), "--no-%s", k->name);
		offer(line, name, k->help);
	}
}

static void offer_value(struct line *line)
{
	const struct option *o = line->option;
	const char *comma;

	if (!o) {
		offer_words(line, line->kernel_option->words);
		return;
	}
	comma = strrchr(line->typed + line->kept, ',');
	if (o->kind == OPTION_LIST && comma)
		line->kept = (size_t)(comma + 1 - line->typed);
	if (o->words)
		offer_words(line, o->words);
	else
		offer_placeholder(line, o->arg);
}

/* ---- the words before ---------------------------------------------------- */

static void set_kernel(struct line *line, const char *name)
{
	const int n = assay_kernel_options(name, line->kernel, SETTINGS_KERNEL,
					   NULL);

	line->kernels = n < 0 ? 0 : n < SETTINGS_KERNEL ? (size_t)n :
							  SETTINGS_KERNEL;
}

/* Sets the option of "--cpu", "--cpu=x" or "-e" if it has a value. */
static bool has_value(struct line *line, const char *word)
{
	const bool is_long = word[1] == '-';
	const char *const name = word + 1 + is_long;
	const size_t n = strcspn(name, "=");
	const struct option *o = options_find(line->command->options, is_long ?
					      0 : *name, name, n);
	const struct assay_kernel_option *k = is_long && !o ?
		options_find_kernel(line->kernel, line->kernels, name, n) : NULL;

	line->option = o && o->kind != OPTION_FLAG && (is_long || n == 1) ? o :
									NULL;
	line->kernel_option = k && k->kind != ASSAY_OPTION_FLAG ? k : NULL;
	return line->option || line->kernel_option;
}

static void keep_value(struct line *line, const char *value)
{
	const struct option *o = line->option;
	const char *kernel = line->command->kernel_option;

	if (o && o->kind == OPTION_TEXT)
		*(const char **)((char *)&line->settings + o->field) = value;
	if (o && kernel && !strcmp(o->name, kernel))
		set_kernel(line, value);
	line->option = NULL;
	line->kernel_option = NULL;
}

static void keep_argument(struct line *line, const char *word)
{
	struct settings *s = &line->settings;

	if (line->command->kernel && !s->args)
		set_kernel(line, word);
	if (s->args < SETTINGS_ARGS)
		s->arg[s->args++] = word;
}

/* Reads the words before the last one, up to the program that follows "--".
 * Returns the index of the program's first word, or `words`. */
static int read_words(struct line *line, int words, char *const *word)
{
	const struct command *command = line->command;

	for (int i = 0; i + 1 < words; i++) {
		const bool is_option = *word[i] == '-' && word[i][1] &&
				       !line->only_arguments;
		const char *equal = strchr(word[i], '=');

		if (command->program_first && !is_option)
			return i;
		if (is_option && !strcmp(word[i], "--")) {
			if (command->program)
				return i + 1;
			line->only_arguments = true;
		} else if (!is_option) {
			keep_argument(line, word[i]);
		} else if (has_value(line, word[i])) {
			if (equal)
				keep_value(line, equal + 1);
			else if (i + 2 < words)
				keep_value(line, word[++i]);
		}
	}
	return words;
}

/* ---- the last word ------------------------------------------------------- */

/* Words of a program that assay runs; of `fleet run`, a command of assay. */
static void complete_program(const struct line *line, int words,
			     char *const *word)
{
	if (!strcmp(line->command->name, "fleet"))
		complete_line(line->out, words, word);
	else
		fputs(words > 1 || !strcmp(line->command->name, "ci") ?
		      ":files\t\n" : ":programs\t\n", line->out);
}

static void complete_last(struct line *line)
{
	const char *equal = strchr(line->typed, '=');

	if (line->option || line->kernel_option) {
		offer_value(line);
	} else if (*line->typed != '-' || line->only_arguments) {
		if (line->command->program_first)
			fputs(":programs\t\n", line->out);
		else
			offer_arguments(line);
	} else if (!equal) {
		offer_options(line);
	} else if (!strncmp(line->typed, "--", 2) &&
		   has_value(line, line->typed)) {
		line->kept = (size_t)(equal + 1 - line->typed);
		offer_value(line);
	}
}

void complete_line(FILE *out, int words, char *const *word)
{
	struct line line = { .out = out };
	int program;

	if (words < 1)
		return;
	settings_init(&line.settings);
	line.typed = word[words - 1];
	line.command = words > 1 ? command_find(word[0]) : NULL;
	if (words == 1)
		offer_commands(&line);
	if (!line.command)
		return;
	program = read_words(&line, words - 1, word + 1);
	if (program < words - 1)
		complete_program(&line, words - 1 - program,
				 word + 1 + program);
	else
		complete_last(&line);
}
