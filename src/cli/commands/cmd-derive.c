/* SPDX-License-Identifier: MIT */
/* assay derive: the smallest formula that gives a quantity. */
#include <string.h>

#include "base/text.h"
#include "cli/answers/answers.h"
#include "cli/context.h"
#include "cli/progress.h"
#include "cli/rows.h"

#define TWINS 4
#define GIVES_IT 0.001	/* largest error of a sum that is the quantity */

struct deriving {
	struct context *context;
	struct kept_rows kept;	/* the search, and each formula */
};

static int on_row(void *ctx, const struct assay_row *row)
{
	struct deriving *d = ctx;

	if (interrupt_seen())
		return 1;
	if (!strcmp(row->type, "search") &&
	    !report_has(d->context->report, REPORT_MIXED_ROWS))
		return 0;
	return keep_row(&d->kept, row);
}

/* The first row of the type, or NULL. */
static const struct assay_row *first(const struct deriving *d,
				     const char *type)
{
	for (size_t i = 0; i < d->kept.rows; i++)
		if (!strcmp(d->kept.row[i].type, type))
			return &d->kept.row[i];
	return NULL;
}

static void show_formula(struct report *report, const struct assay_row *row)
{
	static const char *const columns[] = { "is", "verdict", "right in",
					       "held out", "weights", "at" };
	struct assay_field field[6];

	for (size_t i = 0; i < 6; i++)
		field[i] = *row_find(row, columns[i]);
	field[5].name = "worst at";
	if (row_number(row, "worst") <= GIVES_IT)
		field[5].text = "";
	report_row(report, &(struct assay_row){ "derived", field, 6 });
}

/* Events that count the same in every run, so that either will do; each list of
 * them once. */
static void show_twins(const struct deriving *d)
{
	const struct kept_rows *kept = &d->kept;
	size_t shown = 0;

	for (size_t i = 0; i < kept->rows && shown < TWINS; i++) {
		const char *twins = row_text(&kept->row[i], "twins");
		size_t k = 0;

		while (k < i && strcmp(row_text(&kept->row[k], "twins"), twins))
			k++;
		if (!*twins || k < i)
			continue;
		report_note(d->context->report, "the same in every run: %s",
			    twins);
		shown++;
	}
}

static void show_search(struct report *report, const struct assay_row *row)
{
	report_note(report, "\nsearched: %.0f events in %.0f runs of %.0f "
		    "kernels; %.0f say nothing, %.0f are noisy, %.0f only "
		    "repeat another; %.0f are independent",
		    row_number(row, "events"), row_number(row, "runs"),
		    row_number(row, "kernels"), row_number(row, "silent"),
		    row_number(row, "noisy"), row_number(row, "twins"),
		    row_number(row, "rank"));
}

static const char *place(const struct deriving *d)
{
	const char *on = d->context->settings.on;

	return on ? on : "perf";
}

/* Why there is no formula: the smallest error of any sum of all events. */
static void add_none(const struct deriving *d, const struct assay_row *row,
		     struct phrase *out)
{
	const double worst = row_number(row, "best worst error");

	phrase_add(out, "on %s, %s cannot be derived: no sum of up to 4 of "
		   "these %.0f events with small weights gives it; ", place(d),
		   d->context->settings.arg[0], row_number(row, "events"));
	if (worst < GIVES_IT)
		phrase_add(out, "only sums of more events, or with odd "
			   "weights, do: they fit these runs and are no "
			   "formula");
	else
		phrase_add(out, "the best sum of all of them, with any "
			   "weights, is off by %.2f %% on average and by "
			   "%.1f %% at %s",
			   row_number(row, "best mean error") * 100,
			   worst * 100, row_text(row, "at"));
}

/* The first formula, and how well it is proven. */
static void add_found(const struct deriving *d, const struct assay_row *row,
		      struct phrase *out)
{
	const bool exact = !strcmp(row_text(row, "verdict"), "exact");
	const bool close = !strcmp(row_text(row, "verdict"), "close");
	const double off = row_number(row, "worst");

	phrase_add(out, "on %s, %s is %s%s: ", place(d),
		   d->context->settings.arg[0],
		   exact ? "" : close ? "nearly " : "perhaps ",
		   row_text(row, "is"));
	phrase_add(out, "within %s in %s runs; a fit without one kernel gets "
		   "that kernel right for %s",
		   exact || off <= GIVES_IT ? "0.1 %" : "2 %",
		   row_text(row, "right in"), row_text(row, "held out"));
	if (off > 1)
		phrase_add(out, "; at %s off by more than the quantity itself",
			   row_text(row, "at"));
	else if (!exact && off > GIVES_IT)
		phrase_add(out, "; at worst off by %.1f %%, at %s",
			   off * 100, row_text(row, "at"));
	if (!exact && !close)
		phrase_add(out, "; unproven: the formula rests on single "
			   "kernels");
	if (close)
		phrase_add(out, " ('assay judge' is stricter: a formula fails "
			   "there if one run is off by more than 1 %%)");
}

static void show(const struct deriving *d)
{
	struct report *report = d->context->report;
	const struct assay_row *search = first(d, "search");
	const struct assay_row *formula = first(d, "derived");
	struct phrase phrase = { .used = 0 };

	if (interrupt_seen())
		phrase_add(&phrase, "interrupted: nothing was derived");
	else if (formula)
		add_found(d, formula, &phrase);
	else if (search)
		add_none(d, search, &phrase);
	report_note(report, "%s.", phrase_text(&phrase));
	for (size_t i = 0; i < d->kept.rows; i++)
		if (&d->kept.row[i] != search)
			show_formula(report, &d->kept.row[i]);
	report_flush(report);
	show_twins(d);
	if (search)
		show_search(report, search);
}

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	struct deriving d = { context, context_rows(context) };
	const struct assay_deriving how = {
		.quantity = s->args ? s->arg[0] : "", .on = s->on,
		.page_map = s->page_map, .events = s->events,
		.withhold = s->withhold, .all = s->all,
		.row = on_row, .ctx = &d,
	};
	struct assay_error err = { 0 };
	bool derived = false;
	int rc;

	if (!s->args)
		return complain_text("derive", EXIT_USAGE, "which quantity?\n"
				     "  try: assay list quantities");
	interrupt_catch();
	rc = assay_derive(context->assay, &how, &derived, &err);
	if (d.kept.no_memory)
		rc = error_set(&err, -ASSAY_ENOMEM, "out of memory");
	if (!d.kept.fn && (!rc || interrupt_seen()))
		show(&d);
	kept_rows_free(&d.kept);
	if (rc && !interrupt_seen())
		return complain(context, &err);
	return interrupt_seen() ? EXIT_INTERRUPTED :
	       derived ? EXIT_OK : EXIT_CHECK;
}

static const struct option own[] = {
	LIST('e', "event", "EVENTS", events,
	  "derive from these events instead of all"),
	LIST(0, "withhold", "EVENTS", withhold, "derive without these events"),
	FLAG(0, "all", all,
	  "every formula that was found, not only the first ones"),
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
	.text =
		"Runs kernels for which the quantity is known, counts every "
		"event, and searches the smallest sum of events, with whole or "
		"half weights, that gives the quantity in every run. Each "
		"formula found is tested on every kernel in turn, fitted "
		"without that kernel. The first line is the answer; -v shows "
		"the weights with two standard errors.\n\n"
		"Exact: no run is off by more than 0.1 %. Close: three of four "
		"runs are off by less than 2 %, both where the quantity is "
		"large and where it is not. Both must hold on the kernels left "
		"out, too: on all of them, or for close on three of four. "
		"Otherwise the formula is unproven: it rests on single "
		"kernels, and may be right by accident. Exits with 3 if no "
		"formula is found.",
	.example = examples,
	.run = run,
};
