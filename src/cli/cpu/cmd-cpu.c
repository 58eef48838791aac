/* SPDX-License-Identifier: MIT */
/* assay cpu: makes CPU files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/context.h"

/* "zen5" of "/tmp/zen5.yaml"; false: the file's name is no CPU's. */
static bool name_of_file(char out[ASSAY_NAME], const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *base = slash ? slash + 1 : path;
	char *ending;

	text_copy(out, ASSAY_NAME, base ? base : "");
	ending = strrchr(out, '.');
	if (ending && (!strcmp(ending, ".yaml") || !strcmp(ending, ".yml")))
		*ending = '\0';
	return *out != '\0';
}

static void say_made(const struct assay_cpu_new *new)
{
	report_say(stderr, "%zu events, %zu of them with an expression%s%s; "
		   "the caches, TLBs and times are stand-ins (| G unknown)\n",
		   new->events, new->known, *new->sibling ? ", as in " : "",
		   new->sibling);
}

static int make(struct context *context)
{
	const struct settings *s = &context->settings;
	char name[ASSAY_NAME];
	struct assay_cpu_new new = {
		.cpu = s->cpu_name, .core = s->core, .like = s->like,
		.name = name_of_file(name, s->output) ? name : NULL,
		.all = s->all,
	};
	struct assay_error err = { 0 };
	char *text = NULL;
	int rc;

	if (!s->cpu_name)
		return complain_text("cpu", EXIT_USAGE, "a file of which CPU? "
				     "--cpu NAME, as an event table names it");
	rc = assay_cpu_new(context->assay, &new, &text, &err);
	if (!rc)
		fputs(text, report_file(context->report));
	if (!rc && !s->quiet)
		say_made(&new);
	free(text);
	return rc ? complain(context, &err) : EXIT_OK;
}

static int run(struct context *context)
{
	static const char *const words[] = { "new", NULL };
	const struct settings *s = &context->settings;
	struct assay_error err;

	if (s->args && !strcmp(s->arg[0], "new"))
		return make(context);
	error_set(&err, -ASSAY_EINVAL, "what is to be done? new");
	error_meant(&err, s->args ? s->arg[0] : "", words);
	return complain(context, &err);
}

static const struct option own[] = {
	TEXT(0, "cpu", "NAME", cpu_name,
	  "new: the CPU, as an event table names it: SKL, amdzen5, cortex-a78"),
	WORD(0, "core", "KIND", core, "P|E|LP",
	  "new: which core of a CPU with several kinds: P, E or LP"),
	TEXT(0, "like", "NAME", like,
	  "new: the CPU file whose expressions are taken over (default: the "
	  "one with the most events in common)"),
	FLAG(0, "all", all,
	  "new: all events that a CPU file can hold, not only those of caches, "
	  "TLBs, branches, loads, stores and time"),
	{ 0 }
};

static const struct option *const options[] = {
	own, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay cpu new --event-tables perfmon --cpu EMR -o emr.yaml",
	  "a file for Emerald Rapids, from a checkout of intel/perfmon" },
	{ "assay cpu new --event-tables perfmon --cpu ADL --core E",
	  "the E core of Alder Lake" },
	{ 0 }
};

static const struct variable verbs[] = {
	{ "new", "writes a CPU file that loads, from event tables; each guess "
	  "is marked (confidence G)" },
	{ 0 }
};

const struct command cpu_command = {
	.name = "cpu",
	.group = "see what there is",
	.summary = "make a CPU file",
	.arguments = "new",
	.args = 2,
	.file = { "*.yaml", "*.yml" },
	.options = options,
	.text =
		"A CPU file says what assay knows of one CPU.",
	.example = examples,
	.verb = verbs,
	.run = run,
};
