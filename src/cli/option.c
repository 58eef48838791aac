/* SPDX-License-Identifier: MIT */
/* Parses a command line by tables of options. */
#include "cli/option.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#define NAMES 128		/* candidates for "did you mean" */

struct parser {
	struct settings *out;
	const struct grammar *grammar;
	int argc;
	char **argv;
	int at;			/* the next word */
	struct assay_error *err;
};

void settings_init(struct settings *settings)
{
	const char *data = getenv("ASSAY_DATADIR");

	memset(settings, 0, sizeof(*settings));
	settings->repeats = settings->warmup = settings->cpu = -1;
	settings->huge_pages = -1;
	settings->event_tables = getenv("ASSAY_EVENT_TABLES");
	settings->data_dir = data && *data ? data : NULL;
	settings->most = settings->interval = settings->seed = -1;
	settings->layouts = settings->tries = -1;
	settings->level = settings->from_level = settings->shift = -1;
}

void settings_fini(struct settings *settings)
{
	free(settings->events);
	free(settings->formulas);
	free(settings->withhold);
	free(settings->sets);
	free(settings->claims);
	free(settings->groups);
	free(settings->cgroups);
	free(settings->faults);
	free(settings->fail_if);
	free(settings->against);
	free(settings->nodes);
	settings_init(settings);
}

void options_each(const struct option *const *table,
		  void (*fn)(void *ctx, const struct option *option),
		  void *ctx)
{
	for (; *table; table++)
		for (const struct option *o = *table; o->name; o++)
			fn(ctx, o);
}

const struct option *options_find(const struct option *const *table,
				  char letter, const char *name, size_t n)
{
	for (const struct option *const *t = table; *t; t++)
		for (const struct option *o = *t; o->name; o++)
			if (letter ? o->letter == letter :
			    strlen(o->name) == n && !memcmp(o->name, name, n))
				return o;
	return NULL;
}

const struct assay_kernel_option *
options_find_kernel(const struct assay_kernel_option *kernel, size_t kernels,
		    const char *name, size_t n)
{
	for (size_t i = 0; i < kernels; i++)
		if (strlen(kernel[i].name) == n &&
		    !memcmp(kernel[i].name, name, n))
			return &kernel[i];
	return NULL;
}

static const struct assay_kernel_option *
find_kernel(const struct grammar *grammar, const char *name, size_t n)
{
	return options_find_kernel(grammar->kernel, grammar->kernels, name, n);
}

bool words_have(const char *words, const char *word)
{
	size_t n = strlen(word);

	while (words) {
		if (!strncmp(words, word, n) &&
		    (words[n] == '|' || !words[n]))
			return true;
		words = strchr(words, '|');
		words += words != NULL;
	}
	return false;
}

/* ---- mistakes ----------------------------------------------------------- */

static void add_kernel_options(const struct parser *p)
{
	error_add(p->err, "the kernel's options are:");
	for (size_t i = 0; i < p->grammar->kernels; i++)
		error_append(p->err, " --%s", p->grammar->kernel[i].name);
}

static int unknown_option(const struct parser *p, const char *name, size_t n)
{
	const char *names[NAMES + 1], *near;
	size_t count = 0;
	char word[80];

	snprintf(word, sizeof(word), "%.*s", n < 60 ? (int)n : 60, name);
	for (const struct option *const *t = p->grammar->table; *t; t++)
		for (const struct option *o = *t; o->name && count < NAMES; o++)
			names[count++] = o->name;
	for (size_t i = 0; i < p->grammar->kernels && count < NAMES; i++)
		names[count++] = p->grammar->kernel[i].name;
	names[count] = NULL;
	near = text_nearest(word, names);
	error_set(p->err, -ASSAY_EINVAL, "unknown option '--%s'", word);
	if (near)
		error_add(p->err, "did you mean '--%s'?", near);
	else if (p->grammar->kernels)
		add_kernel_options(p);
	return -ASSAY_EINVAL;
}

static int needs_value(const struct parser *p, const char *name)
{
	return error_set(p->err, -ASSAY_EINVAL, "option '--%s' needs a value",
			 name);
}

static int not_one_of(const struct parser *p, const struct option *o,
		      const char *value)
{
	const char *words[16] = { NULL };
	char list[160], *rest = list;
	size_t n = 0;

	text_copy(list, sizeof(list), o->words);
	while (rest && n < 15)
		words[n++] = strsep(&rest, "|");
	error_set(p->err, -ASSAY_EINVAL, "option '--%s': '%.60s' is none of "
		  "its words", o->name, value);
	error_meant(p->err, value, words);
	error_add(p->err, "try:");
	for (size_t i = 0; i < n; i++)
		error_append(p->err, " %s", words[i]);
	return -ASSAY_EINVAL;
}

/* ---- values ------------------------------------------------------------- */

static int set_number(const struct parser *p, const struct option *o,
		      int *field, const char *value)
{
	uint64_t number;
	struct assay_error why;

	if (text_count(&number, value, &why))
		return error_set(p->err, -ASSAY_EINVAL, "option '--%s': %s",
				 o->name, why.text);
	if (number > INT_MAX || (int)number < o->least)
		return error_set(p->err, -ASSAY_EINVAL, "option '--%s': "
				 "'%.60s' is not in %d .. %d", o->name, value,
				 o->least, INT_MAX);
	*field = (int)number;
	return 0;
}

static int add_to_list(const struct parser *p, char **field, const char *value,
		       char between)
{
	size_t old = *field ? strlen(*field) : 0;
	char *grown = realloc(*field, old + strlen(value) + 2);

	if (!grown)
		return error_set(p->err, -ASSAY_ENOMEM, "out of memory");
	if (old)
		grown[old++] = between;
	strcpy(grown + old, value);
	*field = grown;
	return 0;
}

static int set_value(const struct parser *p, const struct option *o,
		     const char *value)
{
	void *field = (char *)p->out + o->field;

	switch (o->kind) {
	case OPTION_FLAG:
		*(bool *)field = true;
		return 0;
	case OPTION_NUMBER:
		return set_number(p, o, field, value);
	case OPTION_LIST:
		return add_to_list(p, field, value, ',');
	case OPTION_LINES:
		return add_to_list(p, field, value, '\n');
	case OPTION_TEXT:
		break;
	}
	if (o->words && !words_have(o->words, value))
		return not_one_of(p, o, value);
	*(const char **)field = value;
	return 0;
}

static int set_kernel(const struct parser *p, const char *name,
		      const char *value)
{
	struct settings *out = p->out;

	if (out->kernels == SETTINGS_KERNEL)
		return error_set(p->err, -ASSAY_EINVAL,
				 "more than %d kernel options",
				 SETTINGS_KERNEL);
	out->kernel[out->kernels++] = (struct assay_setting){ name, value };
	return 0;
}

/* ---- words -------------------------------------------------------------- */

static const char *next_word(struct parser *p)
{
	return p->at < p->argc ? p->argv[p->at++] : NULL;
}

/* "--" ends the options and is never an option's value. */
static const char *next_value(struct parser *p)
{
	return p->at < p->argc && strcmp(p->argv[p->at], "--") ? next_word(p)
							       : NULL;
}

/* "on", "off", or a list of both. */
static bool is_flag_value(const char *word)
{
	return (!strncmp(word, "on", 2) || !strncmp(word, "off", 3)) &&
	       !word[strspn(word, "onf,")];
}

/*
 * True if no value follows the flag. The next word is its value if that word is
 * "on" or "off", or if no argument can take the word.
 */
static bool flag_alone(const struct parser *p)
{
	const char *word = p->at < p->argc ? p->argv[p->at] : NULL;

	return !word || *word == '-' ||
	       (!is_flag_value(word) && p->out->args < p->grammar->args);
}

static int kernel_option(struct parser *p,
			 const struct assay_kernel_option *k,
			 const char *value)
{
	if (!value && k->kind == ASSAY_OPTION_FLAG && flag_alone(p))
		value = "on";
	if (!value)
		value = next_value(p);
	return value ? set_kernel(p, k->name, value)
		     : needs_value(p, k->name);
}

/* --no-NAME of a kernel's flag. */
static const struct assay_kernel_option *
find_negated(const struct grammar *grammar, const char *name, size_t n)
{
	const struct assay_kernel_option *k = NULL;

	if (n > 3 && !memcmp(name, "no-", 3))
		k = find_kernel(grammar, name + 3, n - 3);
	return k && k->kind == ASSAY_OPTION_FLAG ? k : NULL;
}

static int long_option(struct parser *p, const char *word)
{
	const char *equal = strchr(word, '=');
	size_t n = equal ? (size_t)(equal - word) : strlen(word);
	const char *value = equal ? equal + 1 : NULL;
	const struct option *o = options_find(p->grammar->table, 0, word, n);
	const struct assay_kernel_option *k = find_kernel(p->grammar, word, n);

	if (!o && k)
		return kernel_option(p, k, value);
	if (!o && !value) {
		k = find_negated(p->grammar, word, n);
		if (k)
			return set_kernel(p, k->name, "off");
	}
	if (!o)
		return unknown_option(p, word, n);
	if (o->kind == OPTION_FLAG && value)
		return error_set(p->err, -ASSAY_EINVAL,
				 "option '--%s' takes no value", o->name);
	if (o->kind != OPTION_FLAG && !value)
		value = next_value(p);
	if (o->kind != OPTION_FLAG && !value)
		return needs_value(p, o->name);
	return set_value(p, o, value);
}

/* Letters in one word, with or without a value: "-jv", "-r3", "-r 3". */
static int short_options(struct parser *p, const char *letters)
{
	int rc = 0;

	while (*letters && !rc) {
		const struct option *o = options_find(p->grammar->table,
						      *letters, NULL, 0);
		const char *value = letters + 1;

		if (!o)
			return error_set(p->err, -ASSAY_EINVAL,
					 "unknown option '-%c'", *letters);
		if (o->kind == OPTION_FLAG) {
			rc = set_value(p, o, NULL);
			letters++;
			continue;
		}
		if (!*value)
			value = next_value(p);
		if (!value)
			return error_set(p->err, -ASSAY_EINVAL, "option '-%c' "
					 "needs a value", o->letter);
		return set_value(p, o, value);
	}
	return rc;
}

static int argument(const struct parser *p, const char *word)
{
	if (p->out->args >= p->grammar->args)
		return error_set(p->err, -ASSAY_EINVAL,
				 "'%.60s' is one argument too many", word);
	p->out->arg[p->out->args++] = word;
	return 0;
}

/* Takes all remaining words; argv ends with NULL. */
static void set_program(struct parser *p)
{
	if (p->at < p->argc)
		p->out->program = p->argv + p->at;
	p->at = p->argc;
}

int options_parse(struct settings *out, const struct grammar *grammar,
		  int argc, char **argv, struct assay_error *err)
{
	struct parser p = { out, grammar, argc, argv, 0, err };
	bool only_arguments = false;
	const char *word;
	int rc = 0;

	while (!rc && (word = next_word(&p)) != NULL) {
		if (grammar->program_first && word[0] != '-')
			p.at--, set_program(&p);
		else if (only_arguments || word[0] != '-' || !word[1])
			rc = argument(&p, word);
		else if (!strcmp(word, "--") && grammar->program)
			set_program(&p);
		else if (!strcmp(word, "--"))
			only_arguments = true;
		else if (word[1] == '-')
			rc = long_option(&p, word + 2);
		else
			rc = short_options(&p, word + 1);
	}
	return rc;
}

/* How many words the option at `word` takes, with its value. */
static int option_words(const struct grammar *grammar, const char *word,
			const char *next)
{
	const struct option *o;

	if (word[1] != '-') {
		o = options_find(grammar->table, word[1], NULL, 0);
		return o && o->kind != OPTION_FLAG && !word[2] ? 2 : 1;
	}
	if (strchr(word, '='))
		return 1;
	o = options_find(grammar->table, 0, word + 2, strlen(word + 2));
	if (o)
		return o->kind == OPTION_FLAG ? 1 : 2;
	return next && next[0] != '-' ? 2 : 1;
}

const char *options_first_argument(const struct grammar *grammar, int argc,
				   char **argv)
{
	for (int i = 0; i < argc;) {
		const char *word = argv[i];

		if (!strcmp(word, "--"))
			return i + 1 < argc ? argv[i + 1] : NULL;
		if (word[0] != '-' || !word[1])
			return word;
		i += option_words(grammar, word,
				  i + 1 < argc ? argv[i + 1] : NULL);
	}
	return NULL;
}
