/* SPDX-License-Identifier: MIT */
/* What assay sim prints of a result and its rows, in each format. */
#include "cli/answers/sim-show.h"

#include <stdio.h>
#include <string.h>

#include "cli/formats/matrix.h"
#include "cli/results.h"
#include "cli/stored.h"

static bool for_people(const struct context *context)
{
	return report_has(context->report, REPORT_PROSE);
}

/* Do people read misses by line, function or object? */
static bool shows_misses(const struct sim_run *run)
{
	return run->by && for_people(run->context);
}

/* The one type of rows in a table. */
static const char *row_type(const struct sim_run *run)
{
	const char *part = sim_part_rows(&run->context->settings);

	return run->by ? "blame" : part ? part :
	       run->context->settings.per_process ? "process" : "";
}

/* One record for programs, one row for spreadsheets; or the rows of --by. */
int sim_on_result(void *ctx, const struct assay_result *r)
{
	const struct sim_run *run = ctx;
	struct context *context = run->context;
	struct assay_error err;

	stored_record(context, r->record);
	stored_point(context);
	if (matrix_is_own(context))
		return 0;
	if (report_has(context->report, REPORT_RECORDS))
		return assay_record_write(report_file(context->report),
					  r->record, &err) ||
		       report_push(context->report);
	if (context->settings.steps)
		return 0;
	if (shows_misses(run) && !context->settings.verbose) {
		if (r->record->events)
			page_counts(context, r);
		return 0;
	}
	if (report_has(context->report, REPORT_MIXED_ROWS))
		return sim_totals(context, r);
	if (*row_type(run))
		return 0;
	return assay_result_row(r, report_row, context->report);
}

/* What a file of another form has no room for. */
static int remark(const struct context *context, const struct assay_row *row)
{
	if (!strcmp(row->type, "not-modelled") && !context->settings.quiet)
		report_say(stderr, "assay sim: not modelled: %s: %llu\n",
			   row->field[0].text,
			   (unsigned long long)row->field[1].count);
	return 0;
}

/* A table has room for one type of rows; remarks go to stderr. */
static int put_row(const struct sim_run *run, const struct assay_row *row)
{
	struct context *context = run->context;

	if (!strcmp(row->type, "started"))
		return sim_started(context, row);
	if (for_people(context) &&
	    sim_part_show(&context->settings, row, context->report))
		return 0;
	if (report_has(context->report, REPORT_MIXED_ROWS) ||
	    !strcmp(row->type, row_type(run)))
		return report_row(context->report, row);
	return remark(context, row);
}

int sim_on_row(void *ctx, const struct assay_row *row)
{
	struct sim_run *run = ctx;

	stored_row(run->context, row);
	if (matrix_is_own(run->context))
		return remark(run->context, row);
	/* of --slope: what the rows below say */
	if (!strcmp(row->type, "answer") && for_people(run->context)) {
		report_note(run->context->report, "%s",
			    row_text(row, "answer"));
		return 0;
	}
	return for_people(run->context) ?
	       sim_answer_add(&run->answer, row) : put_row(run, row);
}

int sim_show(struct sim_run *run, unsigned most)
{
	const struct settings *s = &run->context->settings;
	struct sim_answer *answer = &run->answer;
	struct report *report = run->context->report;
	struct sim_source source = { .lines = 0 };
	struct phrase sentence = { .used = 0 };
	int rc = 0;

	sim_answer_sentence(answer, &sentence);
	report_answer(report, "%s", phrase_text(&sentence));
	if (s->source)
		rc = sim_source_collect(&source, answer, report_style(report));
	rc = rc ? rc : sim_answer_fold(answer, most);
	rc = rc ? rc : sim_answer_table(answer, report);
	rc = rc ? rc : why_table(&answer->reasons, &answer->misses, report);
	if (s->source && !rc)
		sim_source_show(&source, s->source_root, report);
	for (size_t i = 0; i < answer->rest.rows && !rc; i++)
		rc = put_row(run, &answer->rest.row[i]);
	sim_source_fini(&source);
	return rc;
}
