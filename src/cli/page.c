/* SPDX-License-Identifier: MIT */
/* One result as a page for people: counts, predictions, verdicts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/answers/answers.h"
#include "cli/results.h"
#include "cli/rows.h"

/* ---- the head ----------------------------------------------------------- */

/* Adds `what` unless it is empty. */
static void add_known(struct phrase *out, const char *format, const char *what)
{
	if (*what)
		phrase_add(out, format, what);
}

static void add_settings(struct phrase *out, const struct assay_record *record)
{
	const struct assay_settings *s = &record->settings;

	add_known(out, ", page map %s", s->page_map);
	add_known(out, ", %s pages", s->pages);
	add_known(out, ", %s", s->options);
	if (s->cpu >= 0)
		phrase_add(out, ", CPU %u", (unsigned)s->cpu);
	phrase_add(out, ", %u warm-up run%s", s->warmup,
		   s->warmup == 1 ? "" : "s");
	if (record->repeats > 1)
		phrase_add(out, ", median of %u runs", record->repeats);
	if (record->random_replacement)
		phrase_add(out, ", random replacement: one draw of many");
}

static void add_machine(struct phrase *out, const struct assay_record *record)
{
	const struct assay_machine *m = &record->machine;

	add_known(out, "on %s", record->provider);
	add_known(out, ": %s", m->cpu);
	add_known(out, " (%s)", m->isa);
	add_known(out, ", host %s", m->host);
	add_known(out, ", Linux %s", m->kernel);
	add_known(out, ", under %s", m->hypervisor);
}

void page_head(struct context *context, const struct assay_result *r)
{
	struct phrase machine = { .used = 0 }, settings = { .used = 0 };
	char shape[400];

	shape_text(shape, sizeof(shape), r->shape);
	report_title(context->report, r->shape->kernel);
	report_note(context->report, "%s", shape);
	if (!r->record)
		return;
	add_machine(&machine, r->record);
	add_settings(&settings, r->record);
	report_note(context->report, "%s", machine.text);
	report_note(context->report, "%s", settings.text + 2);
	if (r->guessed && *r->guessed)
		report_note(context->report, "the CPU file guesses (G) the "
			    "size or the ways of %s: what depends on these is "
			    "a model's count, not this CPU's", r->guessed);
}

/* ---- counts ------------------------------------------------------------- */

static struct assay_field share_counted(const struct assay_count *count)
{
	struct assay_field field = real_field("counted", 1, 1);

	if (count->enabled)
		field.real = (double)count->running / (double)count->enabled;
	field.flags = ASSAY_FIELD_PERCENT | ASSAY_FIELD_DETAIL;
	return field;
}

/* The extreme of all repetitions; an estimate where any was scaled. */
static struct assay_field extreme(const struct assay_record *record,
				  unsigned event, const char *name,
				  bool largest)
{
	uint64_t best = 0;
	bool scaled = false;

	for (unsigned i = 0; i < record->repeats; i++) {
		const struct assay_count *c =
			&record->counts[i * record->events + event];
		uint64_t value = assay_count_estimate(c);

		scaled |= c->state == ASSAY_COUNT_SCALED;
		if (!i || (largest ? value > best : value < best))
			best = value;
	}
	return value_field(name, (struct assay_value){
		.number = (double)best, .estimate = scaled });
}

/* "l1d_load 1 000 + l1d_walk 37": the terms of a count. Returns how many. */
static unsigned made_of(struct phrase *out,
			const struct assay_record_event *event)
{
	unsigned parts = 0;

	for (unsigned i = 0; i < event->terms; i++) {
		const struct assay_event_term *t = &event->term[i];
		char value[40];

		if (t->value == 0)
			continue;
		text_groups(value, sizeof(value), (uint64_t)fabs(t->value));
		phrase_add(out, "%s%s %s", t->value < 0 ? " - " :
			   parts ? " + " : "", t->name, value);
		parts++;
	}
	return parts;
}

static void count_row(struct context *context, const struct assay_result *r,
		      unsigned event)
{
	const struct assay_record *record = r->record;
	struct assay_value value = assay_record_value(record, event);
	struct assay_field field[9];
	struct phrase parts = { .used = 0 };
	size_t n = 0;

	field[n++] = field_text("event", record->event[event].name);
	field[n++] = value_field("count", value);
	if (r->accesses && !value.why)
		field[n++] = real_field("per access", value.number /
					(double)r->accesses, 4);
	if (record->repeats > 1 && !value.why) {
		field[n++] = extreme(record, event, "least", false);
		field[n++] = extreme(record, event, "most", true);
	}
	if (made_of(&parts, &record->event[event]) > 1)
		field[n++] = field_text("made of", parts.text);
	field[n] = field_text("code", record->event[event].code);
	field[n++].flags = ASSAY_FIELD_DETAIL;
	if (record->repeats)
		field[n++] = share_counted(&record->counts[event]);
	report_row(context->report,
		   &(struct assay_row){ "count", field, n });
}

/* ---- the timing witness -------------------------------------------------- */

static struct assay_field span_field(const char *name,
				     const struct assay_span *span,
				     char *room, size_t bytes)
{
	if (!span->value.why)
		return real_field(name, span->value.number, 2);
	if (span->high <= 0)
		return value_field(name, span->value);
	snprintf(room, bytes, "%.2f .. %.2f", span->low, span->high);
	return field_text(name, room);
}

size_t timing_fields(const struct assay_timing *t, struct assay_field *field,
		     struct timing_text *text)
{
	const char *state = t->disturbed ? "disturbed" :
			    t->stable ? "stable" : "unstable";

	snprintf(text->clock, sizeof(text->clock), "%.2f", t->ghz);
	field[0] = span_field("per access|ns", &t->ns, text->ns,
			      sizeof(text->ns));
	field[1] = span_field("per access|cycles", &t->cycles, text->cycles,
			      sizeof(text->cycles));
	field[2] = field_text("GHz", text->clock);
	field[3] = real_field("sibling", t->sibling, 0);
	field[3].flags = ASSAY_FIELD_PERCENT;
	field[4] = field_count("rounds", t->rounds);
	field[5] = field_text("state", state);
	return 6;
}

/* chase and pages: a list, which --on time closes into a ring. */
static bool is_list(const struct assay_shape *shape)
{
	return assay_shape_find(shape, "passes") >= 0 &&
	       assay_shape_find(shape, "order") >= 0;
}

const char *pace_text(const struct assay_result *r)
{
	if (!is_list(r->shape))
		return "";
	if (r->timing)
		return "every load waits for the one before it, as the list is "
		       "closed into a ring: this is what a load of the chain "
		       "takes. Without --on time, walks of a short list "
		       "overlap and take less per access";
	return r->ns_per_access.why ? "" :
	       "a walk of the list does not wait for the walk before it, so "
	       "that short walks overlap on an out-of-order core: per access "
	       "they take less than a load's latency, which --on time "
	       "measures";
}

static void put_row(struct context *context, const char *what,
		    const struct assay_span *span, const char *unit)
{
	struct assay_field field[] = {
		field_text("time", what),
		value_field("per access", span->value),
		real_field("low", span->low, 3),
		real_field("high", span->high, 3),
		field_text("unit", unit),
	};

	if (!span->value.why)
		field[1] = real_field("per access", span->value.number, 3);
	report_row(context->report,
		   &(struct assay_row){ "timing", field, 5 });
}

static void page_timing(struct context *context, const struct assay_result *r)
{
	const struct assay_timing *t = r->timing;

	put_row(context, "wall, p25", &t->ns, "ns");
	put_row(context, "core, p25", &t->cycles, "cycles");
	report_flush(context->report);
	report_note(context->report, "\n%u chunks in %u rounds; %s%s%s",
		    t->samples, t->rounds, t->stable ? "stable" : "unstable",
		    *t->note && t->stable ? "; " : "",
		    t->stable ? t->note : "");
	if (*pace_text(r))
		report_note(context->report, "%s", pace_text(r));
}

/* ---- counts and times ---------------------------------------------------- */

static void page_values(struct context *context, const struct assay_result *r)
{
	char time[40];

	if (r->timing) {
		page_timing(context, r);
		return;
	}
	for (unsigned i = 0; i < r->record->events; i++)
		count_row(context, r, i);
	report_flush(context->report);
	if (r->ns.why)
		return;
	text_groups(time, sizeof(time), (uint64_t)r->ns.number);
	if (r->ns_per_access.why)
		report_note(context->report, "\ntime %s ns", time);
	else if (r->cycles_per_access.why)
		report_note(context->report, "\ntime %s ns, %.3f ns per "
			    "access", time, r->ns_per_access.number);
	else
		report_note(context->report, "\ntime %s ns, per access %.3f "
			    "ns, %s%.2f core cycles", time,
			    r->ns_per_access.number,
			    r->cycles_per_access.estimate ? "~" : "",
			    r->cycles_per_access.number);
	if (*pace_text(r))
		report_note(context->report, "%s", pace_text(r));
}

void page_noise(struct context *context, const struct assay_noise *noise,
		const char *before)
{
	char text[400];

	if (!*assay_noise_text(noise, text, sizeof(text)))
		return;
	if (noise->disturbed)
		report_note(context->report, "%sdisturbed: %s", before, text);
	else if (context->settings.verbose)
		report_note(context->report, "%snoise within limits: %s",
			    before, text);
}

void page_counts(struct context *context, const struct assay_result *r)
{
	page_values(context, r);
	/* the timing witness prints its own noise */
	if (!r->timing || context->settings.verbose)
		page_noise(context, &r->record->noise, "\n");
}

void page_slopes(struct context *context, const struct assay_result *r)
{
	char unit[64];

	snprintf(unit, sizeof(unit), "per unit of '%s'",
		 r->work ? r->work : "");
	for (size_t i = 0; i < r->slopes; i++) {
		const struct assay_slope *s = &r->slope[i];
		struct assay_field field[] = {
			field_text("slope of", s->name),
			value_field(unit, s->per_unit),
			value_field("predicted", s->predicted),
			value_field("overhead", s->overhead),
			value_field("off the line", s->curvature),
			field_text("verdict", s->verdict == ASSAY_UNAVAILABLE ?
				   "" : verdict_words[s->verdict]),
		};

		/* most counts have no prediction: no remark on the reason */
		report_row(context->report,
			   &(struct assay_row){ "slope", field, 6 });
	}
	report_flush(context->report);
}

void page_metrics(struct context *context, const struct assay_result *r)
{
	for (size_t i = 0; i < r->metrics; i++) {
		const struct assay_metric *m = &r->metric[i];
		struct assay_field field[] = {
			field_text("metric", m->name),
			value_field("value", m->value),
			field_text("formula", m->text),
		};

		report_row(context->report,
			   &(struct assay_row){ "metric", field, 3 });
	}
	report_flush(context->report);
}

/* ---- predicted and measured --------------------------------------------- */

/* "1.05M": `digits` digits, short enough for a table of many columns. */
static void short_number(char *out, size_t room, double number, int digits)
{
	static const char *const suffix[] = { "", "k", "M", "G", "T", "P" };
	unsigned unit = 0;

	for (; fabs(number) >= 1000 && unit < 5; unit++)
		number /= 1000;
	snprintf(out, room, "%.*g%s", digits, number, suffix[unit]);
}

/* Enough digits to tell the value from both ends of the band. */
static struct assay_field band_field(char *out, size_t room,
				     const struct assay_expected *e)
{
	char low[32], high[32], value[32];
	int digits = 3;

	do {
		short_number(low, sizeof(low), e->low, digits);
		short_number(high, sizeof(high), e->high, digits);
		short_number(value, sizeof(value), e->value, digits);
	} while (++digits < 16 &&
		 (!strcmp(low, high) ||
		  (e->value > e->low && !strcmp(low, value)) ||
		  (e->value < e->high && !strcmp(high, value))));
	if (e->exact)
		snprintf(out, room, "exact");
	else
		snprintf(out, room, "%s .. %s", low, high);
	return field_text("band", out);
}

static void judged_row(struct context *context,
		       const struct assay_compared *c)
{
	const struct assay_expected *e = c->expected;
	struct assay_value predicted = { .why = "nothing is predicted for it" };
	struct assay_field field[6];
	char band[80] = "";
	size_t n = 0;

	if (e)
		predicted = plain_value(e->value);
	field[n++] = field_text("quantity", assay_quantity_name(c->quantity));
	field[n++] = value_field("predicted", predicted);
	field[n++] = e ? band_field(band, sizeof(band), e)
		       : field_text("band", "");
	field[n++] = value_field("measured", c->measured);
	field[n++] = field_text("verdict", verdict_words[c->verdict]);
	field[n++] = field_text("from", c->from);
	report_row(context->report,
		   &(struct assay_row){ "compared", field, n });
}

static void predicted_row(struct context *context,
			  const struct assay_expected *e)
{
	char band[80];
	struct assay_field field[] = {
		field_text("quantity", assay_quantity_name(e->quantity)),
		value_field("predicted",
			    plain_value(e->value)),
		band_field(band, sizeof(band), e),
		field_text("holds", e->condition ? e->condition : "always"),
	};

	report_row(context->report,
		   &(struct assay_row){ "predicted", field, 4 });
}

static void term_rows(struct context *context, const struct assay_expected *e)
{
	for (unsigned i = 0; i < e->terms; i++) {
		const struct assay_term *t = &e->term[i];
		char formula[160];
		struct assay_field field[] = {
			field_text("quantity",
				   i ? "" : assay_quantity_name(e->quantity)),
			value_field("term", plain_value(t->value)),
			field_text("formula", assay_term_formula(t, formula,
							sizeof(formula))),
			field_text("why", t->reason),
		};

		report_row(context->report,
			   &(struct assay_row){ "term", field, 4 });
	}
}

static void all_predictions(struct context *context,
			    const struct assay_expectation *e)
{
	for (unsigned i = 0; i < e->rows; i++)
		predicted_row(context, &e->row[i]);
	for (unsigned i = 0; i < e->rows; i++)
		term_rows(context, &e->row[i]);
	report_flush(context->report);
}

/* The prediction is 0, but a count above 0 agrees: shows the condition. */
static bool is_surprising(const struct assay_compared *c)
{
	const struct assay_expected *e = c->expected;

	return e && e->condition && *e->condition && e->value == 0 &&
	       c->verdict == ASSAY_AGREES && !c->measured.why &&
	       c->measured.number > 0;
}

void page_judgement(struct context *context, const struct assay_result *r)
{
	bool verbose = context->settings.verbose;
	size_t silent = 0;

	for (size_t i = 0; i < r->compareds; i++) {
		if (r->compared[i].measured.why && !verbose)
			silent++;
		else
			judged_row(context, &r->compared[i]);
	}
	report_flush(context->report);
	for (size_t i = 0; i < r->compareds; i++)
		if (is_surprising(&r->compared[i]))
			report_note(context->report, "%s: %s",
				    assay_quantity_name(r->compared[i].quantity),
				    r->compared[i].expected->condition);
	for (size_t i = 0; i < r->compareds; i++)
		if (*r->compared[i].remark)
			report_note(context->report, "%s: %s",
				    r->compared[i].from,
				    r->compared[i].remark);
	if (verbose || !r->record)
		all_predictions(context, r->expectation);
	else if (silent)
		report_note(context->report, "\n%zu predicted quantities have "
			    "nothing measured beside them; -v shows them and "
			    "the reasons of all", silent);
}
