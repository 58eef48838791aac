/* SPDX-License-Identifier: MIT */
/* assay explain: the meaning of an event or a code, and its real count. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/context.h"
#include "cli/rows.h"

/* ---- for people: the answer first ----------------------------------------- */

struct answer {
	struct report *report;
	char sentence[1900];
	char event[200];	/* the name of the event */
	bool has_row;		/* of type "event" */
	char meant[48];		/* the code that was probably meant, or "" */
	bool of_others;		/* the CPU is not known to have the event, */
	size_t others;		/* but these CPUs have it, */
	char one[200];		/* this one among them */
	char warned[600];	/* of a table, on standard error */
};

/* "cycles on amd-zen4 is CYCLES_NOT_IN_HALT, r76" */
static void say_event(struct answer *a, const struct assay_row *row)
{
	const char *asked = row_text(row, "asked");
	const char *cpu = row_text(row, "cpu");
	const char *event = row_text(row, "event");
	const char *code = row_text(row, "code");
	const char *is = row_text(row, "is");
	const bool other = *event && strcmp(event, asked);

	text_copy(a->event, sizeof(a->event), event);
	if (strstr(asked, "::"))	/* of a table, whatever CPU is here */
		cpu = "";
	a->of_others = !strcmp(is, "an event of other CPUs") ||
		       !strcmp(is, "an event of another kind of core");
	if (!strcmp(code, asked))
		code = "";
	if (a->of_others) {	/* the first property is the answer */
		text_copy(a->sentence, sizeof(a->sentence), asked);
		return;
	}
	snprintf(a->sentence, sizeof(a->sentence), "%s%s%s is %s%s%s", asked,
		 *cpu ? " on " : "", cpu, other ? event : is,
		 *code ? ", " : "", code);
}

/* What the event counts, or why nobody knows, is the first property. */
static void say_meaning(struct answer *a, const struct assay_row *row)
{
	const struct assay_field *answer = row_find(row, "answer");
	size_t bytes;

	/* A name is no meaning. */
	if (answer && answer->text && *a->event &&
	    !strcmp(answer->text, a->event)) {
		text_add(a->sentence, sizeof(a->sentence), "", "\n");
		return;
	}
	if (strchr(a->sentence, '\n') || !answer || !answer->text)
		return;
	bytes = strlen(answer->text);
	while (bytes && answer->text[bytes - 1] == '.')
		bytes--;
	text_add(a->sentence, sizeof(a->sentence), "", ": %.*s\n", (int)bytes,
		 answer->text);
}

/* Once, however many events are asked for. */
static int warn(struct answer *a, const char *text)
{
	const char *why = strstr(text, ": error: ");

	if (strcmp(a->warned, text))
		complain_text("explain", EXIT_OK, "%.*s%s%s",
			      why ? (int)(why - text) : 0, text,
			      why ? ": warning: " : "warning: ",
			      why ? why + strlen(": error: ") : text);
	text_copy(a->warned, sizeof(a->warned), text);
	return 0;
}

static int answer_row(void *ctx, const struct assay_row *row)
{
	struct answer *a = ctx;

	if (!strcmp(row->type, "warning"))
		return warn(a, row_text(row, "warning"));
	a->has_row |= !strcmp(row->type, "event");
	if (!strcmp(row->type, "event"))
		say_event(a, row);
	else if (!strcmp(row->type, "counts"))
		say_meaning(a, row);
	else if (!strcmp(row->type, "meant"))
		snprintf(a->meant, sizeof(a->meant), "; probably meant: %s",
			 row_text(row, "meant"));
	else if (!strcmp(row->type, "elsewhere") && !a->others++)
		snprintf(a->one, sizeof(a->one), "%.80s with %.80s",
			 row_text(row, "cpu"), row_text(row, "code"));
	return report_row(a->report, row);
}

static void answer(struct context *context, struct answer *a, size_t known)
{
	const size_t asked = context->settings.args;

	if (asked > 1 && known)
		report_answer(context->report, "%zu of %zu events %s known.",
			      known, asked, known == 1 ? "is" : "are");
	else if (known && a->of_others && a->others &&
		 !context->settings.cpu_name)
		report_answer(context->report, "%s is an event of %zu other "
			      "CPU%s: %s%s.", context->settings.arg[0],
			      a->others, a->others == 1 ? "" : "s", a->one,
			      a->others == 1 ? "" : ", and others");
	else if (asked == 1 && *a->sentence)
		report_answer(context->report, "%.*s%s.",
			      (int)strcspn(a->sentence, "\n"), a->sentence,
			      a->meant);
	if (known)
		report_note(context->report, "%s", confidence_letters);
}

/* ---- the command --------------------------------------------------------- */

/* For programs: an event without rows has one with the reason. */
static void unknown_row(const struct context *context, const char *asked,
			const struct assay_error *err)
{
	const char *cpu = context->settings.cpu_name;
	char why[400];
	const struct assay_field field[] = {
		field_text("asked", asked), field_text("is", "unknown"),
		{ .name = "cpu", .text = cpu ? cpu : "none is named; try --cpu",
		  .kind = cpu ? ASSAY_FIELD_TEXT : ASSAY_FIELD_ABSENT },
		{ .name = "event", .text = why, .kind = ASSAY_FIELD_ABSENT },
	};
	const struct assay_row row = { "event", field, 4 };

	text_copy(why, sizeof(why), err->text);
	for (char *end = why; (end = strstr(end, "\n ")); )
		memcpy(end, "; ", 2);
	why[strcspn(why, "\n")] = '\0';
	report_row(context->report, &row);
}

/* Errors stand behind the answer, which counts the events. */
static int explain(struct context *context, struct assay_error *err)
{
	const struct settings *s = &context->settings;
	const bool prose = report_has(context->report, REPORT_PROSE);
	struct answer a = { .report = context->report };
	int code = EXIT_OK;
	size_t known = 0;

	if (prose)
		report_hold(context->report);
	for (size_t i = 0; i < s->args; i++) {
		a.has_row = false;
		if (assay_explain(context->assay, s->arg[i], s->cpu_name,
				  answer_row, &a, &err[i])) {
			if (!prose && !a.has_row)
				unknown_row(context, s->arg[i], &err[i]);
			continue;
		}
		*err[i].text = '\0';	/* of files where the CPU is not */
		known++;
	}
	if (prose)
		answer(context, &a, known);
	for (size_t i = 0; i < s->args; i++)
		if (*err[i].text)
			code = complain(context, &err[i]);
	return code;
}

static int run(struct context *context)
{
	struct assay_error *err = calloc(context->settings.args + 1,
					 sizeof(*err));
	int code;

	if (!err)
		code = complain_text("explain", EXIT_FAILED, "out of memory");
	else if (!context->settings.args)
		code = complain_text("explain", EXIT_USAGE, "explain which "
				     "event? Try: assay explain %s",
				     "cache-misses");
	else
		code = explain(context, err);
	free(err);
	return code;
}

static const struct option own[] = {
	TEXT(0, "cpu", "NAME", cpu_name,
	  "on this CPU (assay list cpus, or as event tables say: SKL, amdzen5)"),
	{ 0 }
};

static const struct option *const options[] = {
	own, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay explain L2D_CACHE --cpu cortex-a76",
	  "write-backs and page walks are in it" },
	{ "assay explain rcf74e0 --cpu k10",
	  "a code of a published script: not the event that it was meant "
	  "to be" },
	{ "assay explain cache-misses --cpu k10",
	  "what Linux programs for this name" },
	{ "assay explain skl::L2_LINES_OUT:SILENT r1a2 --cpu skylake",
	  "a name of libpfm4's tables, and a code" },
	{ 0 }
};

const struct command explain_command = {
	.name = "explain",
	.group = "see what there is",
	.summary = "what an event or a code really counts, on which CPU",
	.arguments = "EVENT|CODE...",
	.args = SETTINGS_ARGS,
	.options = options,
	.text =
		"Takes a code apart field by field, with reserved bits that "
		"are set. Says what the event counts: accesses on mispredicted "
		"paths, prefetches, page walks, write-backs; for one core or a "
		"node. Each fact has its source and a confidence (D "
		"documented, R recalled, M measured, F fitted, G guessed). For "
		"a mistaken code it names the code that was probably meant; it "
		"lists other CPUs with the same name or code.\n\n"
		"What the CPU file lacks is looked up in --event-tables, then "
		"in libpfm4's table of the CPU. Only a complete list of the "
		"CPU's events denies one; else a name is \"unknown here\". Both: "
		"exit 2, even if other CPUs have the event.\n\nAn event is a name of the CPU file, of a table or of "
		"Linux, rNNN or 0xNNN, cpu/event=0x42,umask=0x1e/, "
		"cpu/NAME,umask=0x1e/, a tracepoint or a breakpoint.",
	.example = examples,
	.run = run,
};
