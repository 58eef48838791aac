/* SPDX-License-Identifier: MIT */
/* assay derive: the smallest formula that gives a quantity. */
#include <stdio.h>
#include <string.h>

#include "cli/context.h"
#include "cli/interrupt.h"
#include "cli/rows.h"

#define TWINS 4

struct deriving {
	struct context *context;
	unsigned long events, runs;
	struct assay_field worst, mean;
	char at[96];
	char twins[TWINS][640];	/* each once */
	size_t twin;
};

static const struct assay_field *find(const struct assay_row *row,
				      const char *name)
{
	for (size_t i = 0; i < row->fields; i++)
		if (!strcmp(row->field[i].name, name))
			return &row->field[i];
	return NULL;
}

static void show_search(struct deriving *d, const struct assay_row *row)
{
	d->events = (unsigned long)find(row, "events")->count;
	d->runs = (unsigned long)find(row, "runs")->count;
	d->worst = *find(row, "best worst error");
	d->mean = *find(row, "best mean error");
	snprintf(d->at, sizeof(d->at), "%s", row_text(row, "at"));
	report_note(d->context->report, "%s from %lu events in %lu runs of %lu "
		    "kernels: %lu say nothing, %lu are noisy, %lu only repeat "
		    "another; %lu are independent", row_text(row, "quantity"),
		    d->events, d->runs,
		    (unsigned long)find(row, "kernels")->count,
		    (unsigned long)find(row, "silent")->count,
		    (unsigned long)find(row, "noisy")->count,
		    (unsigned long)find(row, "twins")->count,
		    (unsigned long)find(row, "rank")->count);
}

static void keep_twins(struct deriving *d, const char *text)
{
	for (size_t i = 0; i < d->twin; i++)
		if (!strcmp(d->twins[i], text))
			return;
	if (*text && d->twin < TWINS)
		snprintf(d->twins[d->twin++], sizeof(d->twins[0]), "%s", text);
}

/* Which other events would do as well. */
static void say_twins(const struct deriving *d)
{
	report_flush(d->context->report);
	for (size_t i = 0; i < d->twin; i++)
		report_note(d->context->report, "the same in every run: %s",
			    d->twins[i]);
}

static double number_of(const struct assay_field *field)
{
	return field->kind == ASSAY_FIELD_REAL ? field->real :
						 (double)field->count;
}

/* A sum that is never further off gives the quantity. */
#define GIVES_IT 0.001

static int show_formula(struct deriving *d, const struct assay_row *row)
{
	static const char *const columns[] = { "is", "verdict", "right in",
					       "held out", "weights", "at" };
	const bool exact = number_of(find(row, "worst")) <= GIVES_IT;
	struct assay_field field[6];

	for (size_t i = 0; i < 6; i++)
		field[i] = *find(row, columns[i]);
	field[5].name = "worst at";
	if (exact)
		field[5].text = "";
	keep_twins(d, row_text(row, "twins"));
	return report_row(d->context->report,
			  &(struct assay_row){ "derived", field, 6 });
}

static int take(void *ctx, const struct assay_row *row)
{
	struct deriving *d = ctx;
	bool search = !strcmp(row->type, "search");

	if (interrupt_seen())
		return 1;
	if (search && !report_has(d->context->report, REPORT_MIXED_ROWS))
		return 0;
	if (!report_has(d->context->report, REPORT_PROSE))
		return report_row(d->context->report, row);
	if (!search)
		return show_formula(d, row);
	show_search(d, row);
	return 0;
}

/* Why not: the best that any sum of all events can do. */
static int cannot(const struct deriving *d)
{
	const struct context *context = d->context;
	const double mean = number_of(&d->mean), worst = number_of(&d->worst);

	if (!report_has(context->report, REPORT_PROSE))
		return EXIT_CHECK;
	report_note(context->report, "%s cannot be derived from these events: "
		    "no sum of up to 4 of them with small weights gives it",
		    context->settings.arg[0]);
	if (worst < GIVES_IT)
		report_note(context->report, "only sums of more events, or "
			    "with odd weights, do: they fit these runs and are "
			    "no formula");
	else
		report_note(context->report, "the best sum of all of them, "
			    "with any weights, is off by %.2f %% on average, "
			    "%.1f %% at %s", mean * 100, worst * 100, d->at);
	return EXIT_CHECK;
}

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	struct deriving d = { .context = context };
	const struct assay_deriving how = {
		.quantity = s->args ? s->arg[0] : "", .on = s->on,
		.page_map = s->page_map, .events = s->events,
		.withhold = s->withhold, .all = s->all, .row = take, .ctx = &d,
	};
	struct assay_error err = { 0 };
	bool derived = false;
	int rc;

	if (!s->args)
		return complain_text("derive", EXIT_USAGE, "which quantity?\n"
				     "  try: assay list quantities");
	interrupt_catch();
	rc = assay_derive(context->assay, &how, &derived, &err);
	if (interrupt_seen())
		return EXIT_INTERRUPTED;
	if (rc)
		return complain(context, &err);
	say_twins(&d);
	return derived ? EXIT_OK : cannot(&d);
}

static const struct option own[] = {
	{ 'e', "event", OPTION_LIST, "EVENTS",
	  "derive from these events instead of all",
	  offsetof(struct settings, events), 0, NULL },
	{ 0, "withhold", OPTION_LIST, "EVENTS",
	  "derive without these events",
	  offsetof(struct settings, withhold), 0, NULL },
	{ 0, "all", OPTION_FLAG, NULL,
	  "every formula that was found, not only the first ones",
	  offsetof(struct settings, all), 0, NULL },
	{ 0 }
};

static const struct option *const options[] = {
	own, on_option, page_map_option, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay derive l1d_refills --on sim:k10",
	  "L1D misses of a K10: one event, or two that add up" },
	{ "assay derive served_l2 --on sim:cortex-a76 -e "
	  "L1D_CACHE,L1D_CACHE_REFILL,L2D_CACHE,L2D_CACHE_REFILL",
	  "what L2 served, from four events" },
	{ "assay derive mispredicts --on sim:cortex-a76 --withhold "
	  "BR_MIS_PRED,BR_MIS_PRED_RETIRED",
	  "cannot be derived: nothing else counts them" },
	{ 0 }
};

const struct command derive_command = {
	.name = "derive",
	.group = "check",
	.summary = "the smallest formula over events that gives a quantity, or "
		   "that there is none",
	.arguments = "QUANTITY",
	.args = 1,
	.options = options,
	.text = "Runs kernels for which the quantity is known, counts every "
		"event, and looks for the smallest sum of events, with whole "
		"or half weights, that gives the quantity in every run. What "
		"is found is tested on each kernel left out of the fit. With "
		"-v the weights are shown with two standard errors.\n\n"
		"Exact means that no run is off by more than 0.1 %, close "
		"that three of four are off by less than 2 %, where the "
		"quantity matters and where it does not. Both hold "
		"on the kernels left out, too: on all of them, and on three "
		"of four; else it is unproven, since it rests on single "
		"kernels and may be right by accident. Exits with 3 if the "
		"quantity cannot be derived from these events.",
	.example = examples,
	.run = run,
};
