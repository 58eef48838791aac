/* SPDX-License-Identifier: MIT */
/* Runs a job and passes each result to the chosen output format. */
#include "cli/results.h"

#include <string.h>

#include "base/text.h"
#include "cli/rows.h"
#include "cli/stored.h"

#define FIELDS (ASSAY_SHAPE_OPTIONS + 24)

/* A row under construction that begins with the kernel and its options. */
struct line { struct assay_field field[FIELDS]; size_t fields; };

static void line_start(struct line *line, const struct assay_shape *shape)
{
	line->field[0] = field_text("kernel", shape->kernel);
	line->fields = 1 + shape_fields(shape, line->field + 1,
					ASSAY_SHAPE_OPTIONS);
}

static void line_add(struct line *line, struct assay_field field)
{
	if (line->fields < FIELDS)
		line->field[line->fields++] = field;
}

static int line_end(const struct line *line, const char *type,
		    struct report *report)
{
	return report_row(report, &(struct assay_row){ type, line->field,
						       line->fields });
}

static int pie_row(const struct assay_result *r, const struct assay_pie *pie,
		   struct report *report)
{
	static const char unit[] = "accesses";
	static const char *const name[] = { "l1", "l2", "l3", "dram" };
	static const char *const low[] = { "l1_low", "l2_low", "l3_low",
					   "dram_low" };
	static const char *const high[] = { "l1_high", "l2_high", "l3_high",
					    "dram_high" };
	struct line line;

	line_start(&line, r->shape);
	line_add(&line, field_text("file", pie->file));
	line_add(&line, field_text("hypothesis", pie->name));
	line_add(&line, field_text("title", pie->title));
	line_add(&line, with_unit(value_field("total", pie->total), unit));
	for (int i = 0; i < PIE_LEVELS; i++)
		line_add(&line, with_unit(value_field(name[i],
						      *pie_part(pie, i)),
					  unit));
	line_add(&line, with_unit(value_field("residual", pie->residual),
				  unit));
	line_add(&line, field_text("consistent", pie->total.why ? "" :
				   pie->consistent ? "yes" : "no"));
	line_add(&line, field_text("truth", pie->truth ? "yes" : "no"));
	for (int i = 0; pie->bars && i < PIE_LEVELS; i++) {
		line_add(&line, real_field(low[i], pie->low[i], 4));
		line_add(&line, real_field(high[i], pie->high[i], 4));
	}
	if (pie->note)
		line_add(&line, field_text("note", pie->note));
	return line_end(&line, "pie", report);
}

static int metric_row(const struct assay_result *r,
		      const struct assay_metric *metric, struct report *report)
{
	struct line line;

	line_start(&line, r->shape);
	line_add(&line, field_text("file", metric->file));
	line_add(&line, field_text("metric", metric->name));
	line_add(&line, field_text("formula", metric->text));
	line_add(&line, value_field("value", metric->value));
	return line_end(&line, "metric", report);
}

static int slope_row(const struct assay_result *r,
		     const struct assay_slope *slope, struct report *report)
{
	struct line line;

	line_start(&line, r->shape);
	line_add(&line, field_text("of", slope->name));
	line_add(&line, field_text("work", r->work));
	line_add(&line, value_field("per_unit", slope->per_unit));
	line_add(&line, value_field("predicted", slope->predicted));
	line_add(&line, value_field("overhead", slope->overhead));
	line_add(&line, value_field("curvature", slope->curvature));
	line_add(&line, field_text("verdict", verdict_words[slope->verdict]));
	return line_end(&line, "slope", report);
}

static void range_fields(struct line *line, const struct assay_expected *e,
			 const char *unit)
{
	const struct assay_field predicted[] = {
		value_field("predicted", plain_value(e->value)),
		value_field("low", plain_value(e->low)),
		value_field("high", plain_value(e->high)),
	};

	for (int i = 0; i < 3; i++)
		line_add(line, with_unit(predicted[i], unit));
}

static void expected_fields(struct line *line, const struct assay_expected *e)
{
	line_add(line, field_text("quantity",
				  assay_quantity_name(e->quantity)));
	range_fields(line, e, assay_quantity_unit(e->quantity));
	line_add(line, field_text("band", e->exact ? "exact" : "range"));
	line_add(line, field_text("condition", e->condition));
}

static int term_row(const struct assay_result *r,
		    const struct assay_expected *e,
		    const struct assay_term *term, struct report *report)
{
	char formula[160];
	struct line line;

	line_start(&line, r->shape);
	assay_term_formula(term, formula, sizeof(formula));
	line_add(&line, field_text("quantity",
				   assay_quantity_name(e->quantity)));
	line_add(&line, field_text("term", term->name));
	line_add(&line, field_text("formula", formula));
	line_add(&line, value_field("value", plain_value(term->value)));
	line_add(&line, field_text("why", term->reason));
	return line_end(&line, "term", report);
}

/* The expectation as rows "expectation" and "term". */
static int expectation_rows(const struct assay_result *r,
			    struct report *report)
{
	const struct assay_expectation *all = r->expectation;
	int rc = 0;

	for (unsigned i = 0; i < all->rows && !rc; i++) {
		struct line line;

		line_start(&line, r->shape);
		expected_fields(&line, &all->row[i]);
		rc = line_end(&line, "expectation", report);
	}
	for (unsigned i = 0; i < all->rows; i++)
		for (unsigned t = 0; t < all->row[i].terms && !rc; t++)
			rc = term_row(r, &all->row[i], &all->row[i].term[t],
				      report);
	return rc;
}

static int compared_row(const struct assay_result *r,
			const struct assay_compared *c, struct report *report)
{
	struct line line;

	line_start(&line, r->shape);
	line_add(&line, field_text("quantity",
				   assay_quantity_name(c->quantity)));
	if (c->expected)
		range_fields(&line, c->expected, NULL);
	line_add(&line, value_field("measured", c->measured));
	line_add(&line, field_text("from", c->from));
	line_add(&line, field_text("verdict", verdict_words[c->verdict]));
	if (*c->remark)
		line_add(&line, field_text("remark", c->remark));
	return line_end(&line, "comparison", report);
}

/* The rows of a result behind its record. */
static int write_rows(const struct results *results,
		      const struct assay_result *r, struct report *report)
{
	int rc = 0;

	for (size_t i = 0; i < r->pies && !rc; i++)
		rc = pie_row(r, &r->pie[i], report);
	for (size_t i = 0; i < r->slopes && !rc; i++)
		rc = slope_row(r, &r->slope[i], report);
	for (size_t i = 0; i < r->metrics && !rc; i++)
		rc = metric_row(r, &r->metric[i], report);
	for (size_t i = 0; i < r->compareds && !rc; i++)
		if (!r->compared[i].measured.why ||
		    results->context->settings.verbose)
			rc = compared_row(r, &r->compared[i], report);
	return rc;
}

static int write_json(struct results *results, const struct assay_result *r)
{
	struct report *report = results->context->report;

	if (!r->record)
		return expectation_rows(r, report);
	if (assay_record_write(report_file(report), r->record,
			       &results->err) || report_push(report))
		return 1;
	return write_rows(results, r, report);
}

static void store(const struct results *results, const struct assay_result *r)
{
	struct context *context = results->context;

	if (!r->record)
		return;
	stored_record(context, r->record);
	if (stored_report(context))
		write_rows(results, r, stored_report(context));
	stored_point(context);
}

static void count_events(struct results *results,
			 const struct assay_record *record)
{
	for (unsigned e = 0; record && e < record->events; e++) {
		results->asked++;
		results->counted += !assay_record_value(record, e).why;
	}
}

static int on_result(void *ctx, const struct assay_result *r)
{
	struct results *results = ctx;
	struct report *report = results->context->report;
	bool last = r->index + 1 >= r->total;
	int rc;

	progress_clear(&results->progress);
	count_events(results, r->record);
	store(results, r);
	if (report_has(report, REPORT_RECORDS))
		rc = write_json(results, r);
	else if (report_has(report, REPORT_MIXED_ROWS))
		rc = results->show(results, r);
	else
		rc = assay_result_row(r, report_row, report);
	/* a program that reads the rows gets each one at once */
	if (!rc && !report_for_people(report))
		rc = report_push(report);
	results->context->partial = true;
	progress_step(&results->progress, r->index + 1);
	return rc ? rc : interrupt_seen() && !last;
}

static int failed(const struct results *results, const struct assay_error *err)
{
	if (interrupt_seen())
		return EXIT_INTERRUPTED;
	return complain(results->context, results->err.code ? &results->err
							    : err);
}

/* Fails if events were asked for and none was counted. */
static int nothing_counted(struct context *context)
{
	const struct assay_error err = {
		.code = -ASSAY_EUNAVAIL,
		.text = "none of the events was counted\ntry: assay doctor",
	};

	return complain(context, &err);
}

int results_run(struct results *results, const struct assay_job *asked)
{
	struct assay_job stoppable = *asked;
	const struct assay_job *job = &stoppable;
	struct context *context = results->context;
	struct assay_error err = { 0 };
	unsigned shapes;
	int rc = assay_job_check(context->assay, job, &shapes, &err);

	if (rc)
		return complain(context, &err);
	stoppable.stopped = interrupt_stops;
	interrupt_catch();
	progress_start(&results->progress, context->command->name, shapes,
		       context->settings.quiet || job->predict);
	rc = assay_run(context->assay, job, on_result, results, &err);
	progress_end(&results->progress);
	if (rc)
		return failed(results, &err);
	return results->asked && !results->counted ? nothing_counted(context) :
						     EXIT_OK;
}

/* ---- certificates' verdicts on the events -------------------------------- */

static void note_event(struct context *context,
		       const struct assay_trust *trust, const char *event)
{
	struct assay_trusted t;

	assay_trust_of(trust, event, &t);
	if (t.mark != ASSAY_MARK_VERIFIED)
		report_note(context->report, "%s: %s: %s", event,
			    assay_mark_name(t.mark), t.sentence);
}

static void note_events(struct context *context,
			const struct assay_trust *trust)
{
	const char *list = context->settings.events;
	char event[128];

	report_flush(context->report);
	report_note(context->report, "%s", assay_trust_about(trust));
	while (text_item(&list, event, sizeof(event)))
		if (*event)
			note_event(context, trust, event);
}

void trusted_note(struct context *context)
{
	const struct settings *s = &context->settings;
	const bool people = report_has(context->report, REPORT_PROSE);
	struct assay_trust *trust;

	/* the machine of --on takes longer to find than the store may take */
	if (!s->events || (!people && (s->on || !stored_report(context))) ||
	    assay_trust_open(&trust, context->assay, s->on, NULL) < 0)
		return;
	if (assay_trust_path(trust))
		stored_certificate(context, assay_trust_path(trust));
	if (assay_trust_path(trust) && people)
		note_events(context, trust);
	assay_trust_close(trust);
}
