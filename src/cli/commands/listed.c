/* SPDX-License-Identifier: MIT */
/* Lists for people. */
#include "cli/commands/listed.h"

#include <string.h>

#include "cli/rows.h"

void show_cpu(struct context *context, const struct kept_rows *kept)
{
	const bool verbose = context->settings.verbose;
	const char *name = "";

	for (size_t i = 0; i < kept->rows; i++) {
		const struct assay_row *row = &kept->row[i];

		if (!strcmp(row->type, "cpu"))
			name = row_text(row, "name");
		if (!strcmp(row->type, "answer"))
			report_note(context->report, "%s", row_text(row,
				    "answer"));
	}
	for (size_t i = 0; i < kept->rows; i++)
		if ((verbose || !strcmp(kept->row[i].type, "about")) &&
		    strcmp(kept->row[i].type, "answer"))
			report_row(context->report, &kept->row[i]);
	if (verbose)
		report_note(context->report, "%s", confidence_letters);
	else
		report_note(context->report, "assay explain EVENT --cpu %s: "
			    "what is in an event; assay list cpus %s -v: every "
			    "fact and event, with source and confidence",
			    name, name);
}

/* ---- events ------------------------------------------------------------- */

static const char *why_absent(const struct assay_row *row)
{
	const struct assay_field *here = row_find(row, "counts here");

	return here && here->kind == ASSAY_FIELD_ABSENT ?
	       here->text ? here->text : "" : NULL;
}

static size_t count_why(const struct kept_rows *kept, const char *why)
{
	size_t n = 0;

	for (size_t i = 0; i < kept->rows; i++) {
		const char *here = why_absent(&kept->row[i]);

		n += here && (!why || !strcmp(here, why));
	}
	return n;
}

/* The reason that most events have; *count: how many. Reasons come in runs:
 * one that was just looked at need not be again. */
static const char *usual_why(const struct kept_rows *kept, size_t *count)
{
	const char *usual = NULL, *last = NULL;

	*count = 0;
	for (size_t i = 0; i < kept->rows; i++) {
		const char *why = why_absent(&kept->row[i]);
		size_t n;

		if (!why || (last && !strcmp(why, last)))
			continue;
		last = why;
		n = count_why(kept, why);
		if (n > *count) {
			*count = n;
			usual = why;
		}
	}
	return usual;
}

static void say_events(struct report *report, const struct kept_rows *kept,
		       bool all)
{
	const size_t hidden = count_why(kept, NULL);
	size_t usual;
	const char *why = usual_why(kept, &usual);
	const char *option = all ? "" : "; --all lists what cannot";

	if (kept->rows == 1)
		report_note(report, "The event can%s be counted%s%s%s.",
			    hidden ? "not" : "", hidden ? ": " : "",
			    hidden ? why : "", hidden ? option : "");
	else if (!hidden)
		report_note(report, "All %zu events can be counted.",
			    kept->rows);
	else if (usual == kept->rows)
		report_note(report, "None of %zu events can be counted: %s%s.",
			    hidden, why, option);
	else if (usual == hidden)
		report_note(report, "%zu of %zu events can be counted; the "
			    "others cannot: %s%s.", kept->rows - hidden,
			    kept->rows, why, option);
	else
		report_note(report, "%zu of %zu events can be counted; the "
			    "others cannot, %zu of them because: %s%s.",
			    kept->rows - hidden, kept->rows, usual, why,
			    option);
}

/* Where all can be counted, a column of "yes" says nothing. */
static void show_countable(struct report *report, const struct assay_row *row)
{
	struct assay_field field[16];
	size_t n = 0;

	for (size_t i = 0; i < row->fields && n < 16; i++)
		if (strcmp(row->field[i].name, "counts here"))
			field[n++] = row->field[i];
	report_row(report, &(struct assay_row){ row->type, field, n });
}

void show_events(struct context *context, const struct kept_rows *kept)
{
	const bool all = context->settings.all;

	if (!kept->rows)
		return;
	say_events(context->report, kept, all);
	for (size_t i = 0; i < kept->rows; i++)
		if (all)
			report_row(context->report, &kept->row[i]);
		else if (!why_absent(&kept->row[i]))
			show_countable(context->report, &kept->row[i]);
}
