/* SPDX-License-Identifier: MIT */
/* assay derive: the smallest formula that gives a quantity. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/answers/answers.h"
#include "cli/context.h"
#include "cli/interrupt.h"
#include "cli/rows.h"

#define TWINS 4

/* Of the search, and of the first formula that was found. */
struct deriving {
	struct context *context;
	unsigned long events, runs, kernels;
	double worst, mean;	/* errors of the best sum of all events */
	char at[96];		/* the run of its worst error */
	char search[300];	/* what the events were worth */
	unsigned formulas;
	char is[400], verdict[16], right[40], held[40], off_at[96];
	double off;
	char twins[TWINS][640];	/* each once */
	size_t twin;
};

static void take_search(struct deriving *d, const struct assay_row *row)
{
	d->events = (unsigned long)row_number(row, "events");
	d->runs = (unsigned long)row_number(row, "runs");
	d->kernels = (unsigned long)row_number(row, "kernels");
	d->worst = row_number(row, "best worst error");
	d->mean = row_number(row, "best mean error");
	text_copy(d->at, sizeof(d->at), row_text(row, "at"));
	snprintf(d->search, sizeof(d->search), "searched: %lu events in %lu "
		 "runs of %lu kernels; %.0f say nothing, %.0f are noisy, %.0f "
		 "only repeat another; %.0f are independent", d->events,
		 d->runs, d->kernels, row_number(row, "silent"),
		 row_number(row, "noisy"), row_number(row, "twins"),
		 row_number(row, "rank"));
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

/* A sum that is never further off gives the quantity. */
#define GIVES_IT 0.001

static void keep_first(struct deriving *d, const struct assay_row *row)
{
	if (d->formulas++)
		return;
	text_copy(d->is, sizeof(d->is), row_text(row, "is"));
	text_copy(d->verdict, sizeof(d->verdict), row_text(row, "verdict"));
	text_copy(d->right, sizeof(d->right), row_text(row, "right in"));
	text_copy(d->held, sizeof(d->held), row_text(row, "held out"));
	text_copy(d->off_at, sizeof(d->off_at), row_text(row, "at"));
	d->off = row_number(row, "worst");
}

static int show_formula(struct deriving *d, const struct assay_row *row)
{
	static const char *const columns[] = { "is", "verdict", "right in",
					       "held out", "weights", "at" };
	const bool exact = row_number(row, "worst") <= GIVES_IT;
	struct assay_field field[6];

	for (size_t i = 0; i < 6; i++)
		field[i] = *row_find(row, columns[i]);
	field[5].name = "worst at";
	if (exact)
		field[5].text = "";
	keep_first(d, row);
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
	take_search(d, row);
	return 0;
}

static const char *place(const struct deriving *d)
{
	const char *on = d->context->settings.on;

	return on ? on : "perf";
}

/* Why not: the best that any sum of all events can do. */
static void say_none(const struct deriving *d, struct phrase *out)
{
	phrase_add(out, "on %s, %s cannot be derived: no sum of up to 4 of "
		   "these %lu events with small weights gives it; ", place(d),
		   d->context->settings.arg[0], d->events);
	if (d->worst < GIVES_IT)
		phrase_add(out, "only sums of more events, or with odd "
			   "weights, do: they fit these runs and are no "
			   "formula");
	else
		phrase_add(out, "the best sum of all of them, with any "
			   "weights, is off by %.2f %% on average and by "
			   "%.1f %% at %s", d->mean * 100, d->worst * 100,
			   d->at);
}

/* The first formula, and how far that is proven. */
static void say_found(const struct deriving *d, struct phrase *out)
{
	const bool exact = !strcmp(d->verdict, "exact");
	const bool close = !strcmp(d->verdict, "close");

	phrase_add(out, "on %s, %s is %s%s: ", place(d),
		   d->context->settings.arg[0],
		   exact ? "" : close ? "nearly " : "perhaps ", d->is);
	phrase_add(out, "within %s in %s runs; a fit without one kernel gets "
		   "that kernel right for %s",
		   exact || d->off <= GIVES_IT ? "0.1 %" : "2 %", d->right,
		   d->held);
	if (d->off > 1)
		phrase_add(out, "; at %s off by more than the quantity itself",
			   d->off_at);
	else if (!exact && d->off > GIVES_IT)
		phrase_add(out, "; at worst off by %.1f %%, at %s",
			   d->off * 100, d->off_at);
	if (!exact && !close)
		phrase_add(out, "; unproven: the formula rests on single "
			   "kernels");
	if (close)
		phrase_add(out, " ('assay judge' is stricter: a formula fails "
			   "there if one run is off by more than 1 %%)");
}

static void answer(const struct deriving *d)
{
	struct report *report = d->context->report;
	struct phrase phrase = { .used = 0 };

	if (interrupt_seen())
		phrase_add(&phrase, "interrupted: nothing was derived");
	else if (d->formulas)
		say_found(d, &phrase);
	else
		say_none(d, &phrase);
	report_answer(report, "%s.", phrase_text(&phrase));
	if (*d->search && report_has(report, REPORT_PROSE))
		report_note(report, "\n%s", d->search);
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
	report_hold(context->report);
	rc = assay_derive(context->assay, &how, &derived, &err);
	if (rc && !interrupt_seen())
		return complain(context, &err);
	say_twins(&d);
	answer(&d);
	return interrupt_seen() ? EXIT_INTERRUPTED :
	       derived ? EXIT_OK : EXIT_CHECK;
}

static const struct option own[] = {
	{ 'e', "event", OPTION_LIST, "EVENTS",
	  "derive from these events instead of all",
	  FIELD(events), 0, NULL },
	{ 0, "withhold", OPTION_LIST, "EVENTS",
	  "derive without these events",
	  FIELD(withhold), 0, NULL },
	{ 0, "all", OPTION_FLAG, NULL,
	  "every formula that was found, not only the first ones",
	  FIELD(all), 0, NULL },
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
		"is found is tested on each kernel left out of the fit. The "
		"first line is the answer. With -v the weights are shown with "
		"two standard errors.\n\n"
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
