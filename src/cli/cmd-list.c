/* SPDX-License-Identifier: MIT */
/* assay list: what there is. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/context.h"

static const struct { const char *word; enum assay_list what; } lists[] = {
	{ "events", ASSAY_LIST_EVENTS },
	{ "kernels", ASSAY_LIST_KERNELS },
	{ "cpus", ASSAY_LIST_CPUS },
	{ "formulas", ASSAY_LIST_FORMULAS },
	{ "providers", ASSAY_LIST_PROVIDERS },
	{ "quantities", ASSAY_LIST_QUANTITIES },
	{ "identities", ASSAY_LIST_IDENTITIES },
	{ "recipes", ASSAY_LIST_RECIPES },
	{ "faults", ASSAY_LIST_FAULTS },
};
#define LISTS (sizeof(lists) / sizeof(*lists))

static int unknown_list(const char *word)
{
	const char *names[LISTS + 1] = { NULL };
	const char *near;

	for (size_t i = 0; i < LISTS; i++)
		names[i] = lists[i].word;
	near = text_nearest(word, names);
	complain_text("list", EXIT_USAGE, *word
		      ? "'%.60s' cannot be listed" : "list what?%s", word);
	if (near && *word)
		fprintf(stderr, "  did you mean '%s'?\n", near);
	fputs("  try: assay list events, kernels, cpus, formulas, providers, "
	      "quantities, identities, recipes or faults\n", stderr);
	return EXIT_USAGE;
}

/* Counts the rows on their way to the report. */
struct counter { struct report *report; unsigned long rows; };

static int count_row(void *ctx, const struct assay_row *row)
{
	struct counter *counter = ctx;

	counter->rows++;
	return report_row(counter->report, row);
}

static int list(struct context *context, enum assay_list what)
{
	const struct settings *s = &context->settings;
	struct counter counter = { context->report, 0 };
	struct assay_error err = { 0 };
	const char *on = s->on;
	char cpu[128];

	if (s->cpu_name) {
		snprintf(cpu, sizeof(cpu), "sim:%.100s", s->cpu_name);
		on = cpu;
	}
	if (assay_list(context->assay, what, s->args > 1 ? s->arg[1] : NULL,
		       on, count_row, &counter, &err))
		return complain(context, &err);
	if (counter.rows)
		return EXIT_OK;
	return complain_text("list", EXIT_USAGE,
			     s->args > 1 ? "no %s match '%.60s'"
					 : "there are no %s here", s->arg[0],
			     s->args > 1 ? s->arg[1] : "");
}

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	const char *word = s->args ? s->arg[0] : "";

	for (size_t i = 0; i < LISTS; i++)
		if (!strcmp(lists[i].word, word))
			return list(context, lists[i].what);
	return unknown_list(word);
}

static const struct option own[] = {
	{ 0, "cpu", OPTION_TEXT, "NAME",
	  "events: of this CPU file; the same as --on sim:NAME",
	  offsetof(struct settings, cpu_name), 0, NULL },
	{ 0 }
};

static const struct option *const options[] = {
	own, on_option, sysroot_option, output_options, NULL
};

static const struct example examples[] = {
	{ "assay list kernels", "every kernel, one line each" },
	{ "assay list kernels chase",
	  "its options, and what it must count, with the reasons" },
	{ "assay list events refill --cpu cortex-a72",
	  "events of a CPU whose name contains 'refill'" },
	{ "assay list cpus cortex-a76 -v",
	  "every fact of a CPU file, with its source" },
	{ "assay list cpus host",
	  "this machine as --on sim:host simulates it" },
	{ 0 }
};

const struct command list_command = {
	.name = "list",
	.group = "see what there is",
	.summary = "events, kernels, cpus, formulas, providers, quantities, "
		   "identities, recipes, faults",
	.arguments = "events|kernels|cpus|formulas|providers|quantities|"
		     "identities|recipes|faults [NAME]",
	.args = 2,
	.options = options,
	.text = "Lists everything of a kind, or tells all about one thing of "
		"it. For events NAME is a part of the name, and --cpu or --on "
		"say whose events; without them they are this machine's. For "
		"identities, the laws between events, NAME is a CPU. The closed "
		"forms of one kernel are those of its default shape, run once "
		"before, on three levels of LRU caches.",
	.example = examples,
	.run = run,
};
