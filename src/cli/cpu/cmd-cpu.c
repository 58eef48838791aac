/* SPDX-License-Identifier: MIT */
/* assay cpu: makes CPU files, and checks them. */
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

static void say_made(const struct assay_cpu_new *new, bool here)
{
	report_say(stderr, "%zu events, %zu of them with an expression%s%s; "
		   "%s are stand-ins (source: unknown)\n", new->events,
		   new->known, *new->sibling ? ", some as in " : "",
		   new->sibling, here ? "the caches and TLBs are this "
		   "machine's, their policies guesses; the times, the predictor "
		   "and the counters" : "the caches, TLBs and times");
	if (*new->next && *new->sibling)
		report_say(stderr, "the next nearest CPU file is %s: --like "
			   "%s\n", new->next, new->next);
	if (here && !*new->table)
		report_say(stderr, "without a table of this CPU the file has "
			   "the events of its architecture alone: "
			   "--event-tables DIR\n");
	if (*new->matches)
		report_say(stderr, "assay has a file of this CPU: assay list "
			   "cpus %s%s\n", new->matches, here ? "; sim:host is "
			   "that file with this machine's caches" : "");
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

	if (!s->cpu_name == !s->from)
		return complain_text("cpu", EXIT_USAGE, "a file of which CPU? "
				     "--cpu NAME, as an event table names it, "
				     "or --from host");
	rc = assay_cpu_new(context->assay, &new, &text, &err);
	if (!rc)
		fputs(text, report_file(context->report));
	if (!rc && !s->quiet)
		say_made(&new, !s->cpu_name);
	free(text);
	return rc ? complain(context, &err) : EXIT_OK;
}

static void answer(struct report *report, const struct assay_cpu_check *c)
{
	char against[ASSAY_NAME + 40] = "no event table at hand has the CPU";

	if (*c->table)
		snprintf(against, sizeof(against), "compared with the table %s",
			 c->table);
	report_answer(report, "%s: %zu contradiction%s, %zu difference%s from "
		      "a table, %zu gap%s; %zu events, %s.", c->name,
		      c->contradictions, c->contradictions == 1 ? "" : "s",
		      c->differences, c->differences == 1 ? "" : "s",
		      c->missing, c->missing == 1 ? "" : "s", c->events,
		      against);
}

/* The answer for programs. */
static int put_checked(struct report *report, const struct assay_cpu_check *c)
{
	const struct assay_field field[] = {
		field_text("cpu", c->name), field_count("events", c->events),
		field_text("table", c->table),
		field_count("contradictions", c->contradictions),
		field_count("differences", c->differences),
		field_count("missing", c->missing),
	};

	return report_row(report, &(struct assay_row){ "checked", field, 6 });
}

static int check(struct context *context)
{
	const struct settings *s = &context->settings;
	struct assay_cpu_check c = { .cpu = s->arg[1] };
	struct assay_error err = { 0 };

	if (s->args < 2)
		return complain_text("cpu", EXIT_USAGE, "check which file? A "
				     "name of 'assay list cpus', or a path");
	report_hold(context->report);
	if (assay_cpu_check(context->assay, &c, report_row, context->report,
			    &err))
		return complain(context, &err);
	if (report_has(context->report, REPORT_RECORDS))
		put_checked(context->report, &c);
	else
		answer(context->report, &c);
	return c.contradictions || c.differences ? EXIT_CHECK : EXIT_OK;
}

static int run(struct context *context)
{
	static const char *const words[] = { "new", "check", NULL };
	const struct settings *s = &context->settings;
	const char *what = s->args ? s->arg[0] : "";
	struct assay_error err;

	if (!strcmp(what, "new"))
		return make(context);
	if (!strcmp(what, "check"))
		return check(context);
	error_set(&err, -ASSAY_EINVAL, "what is to be done? new or check");
	error_meant(&err, what, words);
	return complain(context, &err);
}

static const struct option own[] = {
	TEXT(0, "cpu", "NAME", cpu_name,
	  "new: the CPU, as an event table names it: SKL, amdzen5, cortex-a78"),
	WORD(0, "from", "host", from, "host",
	  "new: the CPU is this machine's, with the caches and TLBs that it "
	  "reports"),
	WORD(0, "core", "KIND", core, "P|E|LP",
	  "new: which core of a CPU with several kinds: P, E or LP"),
	TEXT(0, "like", "NAME", like,
	  "new: the CPU file whose expressions are taken over (default: the "
	  "one of the CPU itself, or of the CPU whose events are most alike)"),
	FLAG(0, "all", all,
	  "new: all events that a CPU file can hold, not only those of caches, "
	  "TLBs, branches, loads, stores and time"),
	{ 0 }
};

static const struct option *const options[] = {
	own, sysroot_option, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay cpu new --event-tables perfmon --cpu EMR -o emr.yaml",
	  "a file for Emerald Rapids, from a checkout of intel/perfmon" },
	{ "assay cpu new --event-tables perfmon --cpu ADL --core E",
	  "the E core of Alder Lake" },
	{ "assay cpu new --from host -o mine.yaml",
	  "a file for this machine's CPU" },
	{ "assay cpu check ./emr.yaml --event-tables perfmon",
	  "what is missing, contradicts itself, or differs from the table" },
	{ 0 }
};

static const struct variable verbs[] = {
	{ "new", "writes a CPU file that loads, from event tables (--cpu) or "
	  "from this machine (--from host)" },
	{ "check FILE", "says what a CPU file lacks, where it contradicts itself or "
	  "another file, and where it differs from the event tables" },
	{ 0 }
};

const struct command cpu_command = {
	.name = "cpu",
	.group = "see what there is",
	.summary = "make a CPU file from an event table, and check one",
	.arguments = "new|check [FILE]",
	.args = 2,
	.options = options,
	.text =
		"A CPU file says what assay knows of one CPU: caches, TLBs, "
		"and what each event counts, with a source and a confidence "
		"for each fact. 'new' takes the events of the vendor's table: "
		"those of caches, TLBs, branches, loads, stores, instructions "
		"and time that an event select and a unit mask can name. What "
		"an event counts is taken over from the CPU file of a sibling "
		"(of the CPU itself, else of the CPU with the largest share of "
		"equal events), if code and name are equal. If the vendor's text is equal, "
		"too, the sibling's confidence stays where a document says so; "
		"else the expression is a guess (G). Events that no sibling "
		"has get no expression: 'assay explain' and 'assay stat' know "
		"them, the software PMU does not count them.\n\n"
		"What nobody has said stands in the file as a stand-in with "
		"the source 'unknown'. 'check' lists the stand-ins and other "
		"gaps, what cannot be true, and what differs from the event "
		"tables. It exits with 3 if something cannot be true or "
		"differs; gaps, and another file for the same CPU, are no "
		"mistakes.",
	.example = examples,
	.verb = verbs,
	.run = run,
};
