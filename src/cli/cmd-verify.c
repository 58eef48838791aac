/* SPDX-License-Identifier: MIT */
/* assay verify: predicted against measured. */
#include <stdlib.h>
#include <string.h>

#include "cli/context.h"
#include "cli/interrupt.h"
#include "cli/rows.h"
#include "cli/verdicts.h"

struct tally {
	struct context *context;
	unsigned agree, disagree, other, unasked;
	char kernel[64];	/* whose table is being drawn */
	struct notes { char *text; size_t used; } notes;
	char unasked_for[600];	/* quantities of that kernel */
};

static uint64_t row_count(const struct assay_row *row, const char *name)
{
	for (size_t i = 0; i < row->fields; i++)
		if (!strcmp(row->field[i].name, name))
			return row->field[i].count;
	return 0;
}

static struct assay_field row_field(const struct assay_row *row,
				    const char *name)
{
	for (size_t i = 0; i < row->fields; i++)
		if (!strcmp(row->field[i].name, name))
			return row->field[i];
	return (struct assay_field){
		.name = name, .kind = ASSAY_FIELD_ABSENT,
	};
}

/* What is said below the table of a kernel. */
static void note(struct notes *notes, const struct assay_row *row,
		 const char *what, const char *text)
{
	char line[600];
	char *grown;
	int n;

	n = snprintf(line, sizeof(line), "%s from %s: %s%s\n",
		     row_text(row, "quantity"), row_text(row, "from"), what,
		     text);
	n = n < (int)sizeof(line) ? n : (int)sizeof(line) - 1;
	grown = *text && n > 0
		? realloc(notes->text, notes->used + (size_t)n + 1) : NULL;
	if (!grown)
		return;
	memcpy(grown + notes->used, line, (size_t)n + 1);
	notes->text = grown;
	notes->used += (size_t)n;
}

/* No event was counted for it: nothing that a row could tell. */
static bool is_unasked(const struct assay_row *row)
{
	const char *why = row_field(row, "worst error").text;

	return why && strstr(why, "no event that was asked for");
}

static void add_unasked(struct tally *tally, const struct assay_row *row)
{
	char *text = tally->unasked_for;
	size_t used = strlen(text);

	snprintf(text + used, sizeof(tally->unasked_for) - used, "%s%s",
		 used ? ", " : "", row_text(row, "quantity"));
}

static void end_kernel(struct tally *tally)
{
	report_flush(tally->context->report);
	if (tally->unasked_for[0])
		report_note(tally->context->report, "- no event was asked for "
			    "that gives: %s", tally->unasked_for);
	tally->unasked_for[0] = '\0';
	for (char *line = tally->notes.text; line && *line;) {
		char *end = strchr(line, '\n');

		if (end)
			*end = '\0';
		report_note(tally->context->report, "%s", line);
		line = end ? end + 1 : NULL;
	}
	free(tally->notes.text);
	tally->notes = (struct notes){ NULL, 0 };
}

/* A kernel's verdicts are a table; where they fail stands below it. */
static int show(struct tally *tally, const struct assay_row *row)
{
	bool disagrees = !strcmp(row_text(row, "verdict"), "disagrees");
	bool judged = disagrees || !strcmp(row_text(row, "verdict"), "agrees");
	const char *kernel = row_text(row, "kernel");
	uint64_t shapes = row_count(row, "shapes");
	char good[64];
	struct assay_field field[] = {
		text_field("quantity", row_text(row, "quantity")),
		text_field("from", row_text(row, "from")),
		text_field("verdict", row_text(row, "verdict")),
		text_field("shapes", good),
		row_field(row, "worst error"),
	};

	snprintf(good, sizeof(good), "%llu of %llu", (unsigned long long)
		 (judged ? shapes - row_count(row, "disagree") : 0),
		 (unsigned long long)shapes);
	if (strcmp(tally->kernel, kernel)) {
		end_kernel(tally);
		snprintf(tally->kernel, sizeof(tally->kernel), "%s", kernel);
		report_title(tally->context->report, kernel);
	}
	if (is_unasked(row) && !tally->context->settings.verbose) {
		add_unasked(tally, row);
		return 0;
	}
	if (disagrees)
		note(&tally->notes, row, "worst at ", row_text(row, "at"));
	if (disagrees || tally->context->settings.verbose)
		note(&tally->notes, row, "", row_text(row, "note"));
	return report_row(tally->context->report,
			  &(struct assay_row){ "verdict", field, 5 });
}

static void count(struct tally *tally, const struct assay_row *row)
{
	const char *verdict = row_text(row, "verdict");

	if (is_unasked(row))
		tally->unasked++;
	else if (!strcmp(verdict, "agrees"))
		tally->agree++;
	else if (!strcmp(verdict, "disagrees"))
		tally->disagree++;
	else
		tally->other++;
}

/* People see one line per event and quantity; with -v each comparison. */
static int take(void *ctx, const struct assay_row *row)
{
	struct tally *tally = ctx;
	struct context *context = tally->context;
	bool verdict = !strcmp(row->type, "verdict");

	if (interrupt_seen())
		return 1;
	if (verdict)
		count(tally, row);
	if (!context_is_text(context))
		return report_row(context->report, row);
	if (verdict)
		return show(tally, row);
	return context->settings.verbose ? report_row(context->report, row)
					 : 0;
}

static void sum_up(struct tally *tally)
{
	if (!context_is_text(tally->context))
		return;
	end_kernel(tally);
	report_note(tally->context->report, tally->unasked ?
		    "\n%u agree, %u disagree, %u could not be judged, %u not "
		    "asked for" :
		    "\n%u agree, %u disagree, %u could not be judged",
		    tally->agree, tally->disagree, tally->other,
		    tally->unasked);
}

int verdicts_show(struct context *context, const char *on)
{
	const struct settings *s = &context->settings;
	struct tally tally = { .context = context };
	struct assay_error err = { 0 };
	unsigned disagreements = 0;
	int rc;

	interrupt_catch();
	rc = assay_verify(context->assay, on, s->page_map, take, &tally,
			  &disagreements, &err);
	if (!rc)
		sum_up(&tally);
	if (interrupt_seen())
		return EXIT_INTERRUPTED;
	if (rc)
		return complain(context, &err);
	return disagreements ? EXIT_CHECK : EXIT_OK;
}

static int run(struct context *context)
{
	return verdicts_show(context, context->settings.on);
}

static const struct option *const options[] = {
	on_option, page_map_option, control_options, output_options, NULL
};

static const struct example examples[] = {
	{ "assay verify", "this machine's counters; exit 4 if it has none" },
	{ "assay verify --on sim:cortex-a72",
	  "the simulator against the closed forms" },
	{ "assay verify --on replay:uart.log",
	  "what was counted on bare metal" },
	{ "assay verify --on sim:cortex-a72 -x , -o verdicts.csv",
	  "every comparison, for a spreadsheet" },
	{ 0 }
};

const struct command verify_command = {
	.name = "verify",
	.group = "check",
	.summary = "which events count what they say: predicted against "
		   "measured",
	.arguments = "",
	.options = options,
	.text = "Runs kernels whose counts are known in closed form, and "
		"compares every quantity that both sides have. Exits with 3 "
		"if any disagrees, with 4 if nothing can be counted here.",
	.example = examples,
	.run = run,
};
