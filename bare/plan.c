/* SPDX-License-Identifier: MIT */
/* Reading the plan statement by statement. See plan.h. */
#include "plan.h"

#include <string.h>

#include "base/text.h"

#define LINE 512
#define WORD 64

static const struct { const char *word; enum pmuv3_mistake mistake; }
mistakes[] = {
#define X(name, word) { word, PMUV3_##name },
	PMUV3_MISTAKES
#undef X
};

void plan_begin(struct plan *plan, const char *text, struct group *group)
{
	*plan = (struct plan){
		.next = text, .repeats = 1, .warmup = 1, .group = group,
	};
	group->events = 0;
}

static int wrong(const struct plan *plan, struct assay_error *err,
		 const char *why, const char *word)
{
	return error_set(err, -ASSAY_EPARSE, "plan line %u: %s '%.60s'",
			 plan->line, why, word);
}

/* Copies the next line. Returns 1; 0 at the end of the text; or an error. */
static int next_line(struct plan *plan, char *out, struct assay_error *err)
{
	size_t n = strcspn(plan->next, "\n");

	if (!*plan->next)
		return 0;
	plan->line++;
	if (n >= LINE)
		return wrong(plan, err, "this line is too long:", plan->next);
	memcpy(out, plan->next, n);
	out[n] = '\0';
	if (n && out[n - 1] == '\r')
		out[n - 1] = '\0';
	plan->next += n + (plan->next[n] == '\n');
	return 1;
}

/* Copies the next word, or "", and moves *text behind the word. */
static void next_word(const char **text, char *out)
{
	size_t n;

	while (**text == ' ' || **text == '\t')
		(*text)++;
	n = strcspn(*text, " \t");
	memcpy(out, *text, n < WORD ? n : WORD - 1);
	out[n < WORD ? n : WORD - 1] = '\0';
	*text += n;
}

static int small_number(const struct plan *plan, const char *text,
			unsigned least, unsigned most, unsigned *out,
			struct assay_error *err)
{
	uint64_t value;
	char word[WORD];

	next_word(&text, word);
	if (text_count(&value, word, NULL) || value < least || value > most)
		return wrong(plan, err, "this number is not allowed here:",
			     word);
	*out = (unsigned)value;
	return 0;
}

/* 0x followed by up to eight digits, or decimal. */
static bool read_code(const char *word, uint64_t *out)
{
	const char *digits = "0123456789abcdef", *at;

	if (word[0] != '0' || word[1] != 'x' || !word[2])
		return text_count(out, word, NULL) == 0;
	for (*out = 0, word += 2; *word; word++) {
		at = strchr(digits, *word);
		if (!at || *out >> 28)
			return false;
		*out = *out << 4 | (uint64_t)(at - digits);
	}
	return true;
}

static int add_event(struct plan *plan, const char *text,
		     struct assay_error *err)
{
	struct encoding event = { .family = ENCODING_RAW };

	next_word(&text, event.name);
	next_word(&text, event.code);
	if (!event.name[0] || !read_code(event.code, &event.config))
		return wrong(plan, err, "an event needs a name and a code, "
			     "not", event.code);
	if (plan->group->events == ASSAY_EVENTS)
		return wrong(plan, err, "one event too many:", event.name);
	plan->group->event[plan->group->events++] = event;
	return 0;
}

static int plant(struct plan *plan, const char *text, struct assay_error *err)
{
	char word[WORD];

	next_word(&text, word);
	for (size_t i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++) {
		if (strcmp(mistakes[i].word, word) == 0) {
			plan->setup.planted = mistakes[i].mistake;
			return 0;
		}
	}
	plan->fault = strcmp(word, "fault") == 0;
	return plan->fault ? 0 : wrong(plan, err, "unknown mistake", word);
}

/* A number, or the word of a choice as its index. */
static int option_number(const struct kernel_option *option, const char *word,
			 int64_t *out)
{
	uint64_t value;
	bool negative = word[0] == '-';

	for (int i = 0; option->kind == ASSAY_OPTION_CHOICE &&
			option->words[i]; i++) {
		if (strcmp(option->words[i], word) == 0) {
			*out = i;
			return 0;
		}
	}
	if (option->kind == ASSAY_OPTION_CHOICE ||
	    text_count(&value, word + negative, NULL) || value > INT64_MAX)
		return -ASSAY_EINVAL;
	*out = negative ? -(int64_t)value : (int64_t)value;
	return 0;
}

static int set_option(const struct plan *plan, const struct kernel *kernel,
		      struct assay_shape *shape, char *word,
		      struct assay_error *err)
{
	const struct kernel_option *option;
	char *equal = strchr(word, '=');
	struct assay_error why;
	int64_t value = 0;

	if (!equal)
		return wrong(plan, err, "OPTION=VALUE was expected, not",
			     word);
	*equal = '\0';
	option = kernel_option(kernel, word);
	if (option && option_number(option, equal + 1, &value))
		return wrong(plan, err, "wrong value for this option:",
			     equal + 1);
	if (kernel_set(kernel, shape, word, value, &why))
		return error_set(err, -ASSAY_EPARSE, "plan line %u: %s",
				 plan->line, why.text);
	return 0;
}

static int read_run(const struct plan *plan, const char *text,
		    const struct kernel **kernel, struct assay_shape *shape,
		    struct assay_error *err)
{
	struct assay_error why;
	char word[WORD];
	int rc = 0;

	next_word(&text, word);
	*kernel = kernel_find(word);
	if (!*kernel)
		return wrong(plan, err, "unknown kernel", word);
	kernel_defaults(*kernel, shape);
	for (next_word(&text, word); !rc && word[0]; next_word(&text, word))
		rc = set_option(plan, *kernel, shape, word, err);
	if (!rc && (*kernel)->resolve(shape, &why))
		rc = error_set(err, -ASSAY_EPARSE, "plan line %u: %s",
			       plan->line, why.text);
	return rc;
}

/* A statement other than run. */
static int statement(struct plan *plan, const char *word, const char *text,
		     struct assay_error *err)
{
	unsigned schema;

	if (strcmp(word, "assay-plan") == 0)
		return small_number(plan, text, 1, 1, &schema, err);
	if (strcmp(word, "repeats") == 0)
		return small_number(plan, text, 1, PLAN_REPEATS,
				    &plan->repeats, err);
	if (strcmp(word, "warmup") == 0)
		return small_number(plan, text, 0, 1000, &plan->warmup, err);
	if (strcmp(word, "event") == 0)
		return add_event(plan, text, err);
	if (strcmp(word, "plant") == 0)
		return plant(plan, text, err);
	return wrong(plan, err, "unknown statement", word);
}

int plan_next(struct plan *plan, const struct kernel **kernel,
	      struct assay_shape *shape, struct assay_error *err)
{
	char line[LINE], word[WORD];
	const char *text;
	int rc;

	while ((rc = next_line(plan, line, err)) > 0) {
		text = line;
		next_word(&text, word);
		if (plan->line == 1 && strcmp(word, "assay-plan"))
			return wrong(plan, err, "'assay-plan 1' was expected, "
				     "not", word);
		if (!word[0] || word[0] == '#')
			continue;
		if (strcmp(word, "run") == 0)
			rc = read_run(plan, text, kernel, shape, err);
		else
			rc = statement(plan, word, text, err);
		if (rc < 0)
			return rc;
		if (strcmp(word, "run") == 0)
			return 1;
	}
	if (rc == 0 && !plan->line)
		return wrong(plan, err, "the plan is", "empty");
	return rc;
}
