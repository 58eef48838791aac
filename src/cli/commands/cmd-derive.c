/* SPDX-License-Identifier: MIT */
/* assay derive: the smallest formula that gives a quantity. */
#include <string.h>

#include "base/text.h"
#include "cli/answers/answers.h"
#include "cli/context.h"
#include "cli/progress.h"
#include "cli/rows.h"
#include "cli/stored.h"
#include "cli/tables.h"

#define TWINS 4
#define GIVES_IT 0.001	/* largest error of a sum that is the quantity */

struct deriving {
	struct context *context;
	struct kept_rows kept;	/* the search, and each formula; of a table
				 * those of each machine */
	size_t from, to;	/* the rows of the machine that is shown */
};

static int on_row(void *ctx, const struct assay_row *row)
{
	struct deriving *d = ctx;

	if (interrupt_seen())
		return 1;
	stored_row(d->context, row);
	if (strcmp(row->type, "derived") &&
	    !report_has(d->context->report, REPORT_MIXED_ROWS))
		return 0;
	return keep_row(&d->kept, row);
}

static const char *unit(const struct deriving *d)
{
	return d->context->settings.table ? "program" : "kernel";
}

/* The first row of the type, or NULL. */
static const struct assay_row *first(const struct deriving *d,
				     const char *type)
{
	for (size_t i = d->from; i < d->to; i++)
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

	for (size_t i = d->from; i < d->to && shown < TWINS; i++) {
		const char *twins = row_text(&kept->row[i], "twins");
		size_t k = d->from;

		while (k < i && strcmp(row_text(&kept->row[k], "twins"), twins))
			k++;
		if (!*twins || k < i)
			continue;
		report_note(d->context->report, "the same in every run: %s",
			    twins);
		shown++;
	}
}

static void show_search(const struct deriving *d, const struct assay_row *row)
{
	report_note(d->context->report,
		    "\nsearched: %.0f events in %.0f runs of %.0f %ss; "
		    "%.0f say nothing, %.0f are noisy, %.0f only "
		    "repeat another; %.0f are independent",
		    row_number(row, "events"), row_number(row, "runs"),
		    row_number(row, "kernels"), unit(d),
		    row_number(row, "silent"),
		    row_number(row, "noisy"), row_number(row, "twins"),
		    row_number(row, "rank"));
}

static const char *place(const struct deriving *d, const struct assay_row *row)
{
	const char *on = d->context->settings.on;

	return d->context->settings.table ? row_text(row, "machine") :
	       on ? on : "perf";
}

/* Why there is no formula: the smallest error of any sum of all events. */
static void add_none(const struct deriving *d, const struct assay_row *row,
		     struct phrase *out)
{
	const double worst = row_number(row, "best worst error");

	phrase_add(out, "on %s, %s cannot be derived: no sum of up to 4 of "
		   "these %.0f events with small weights gives it; ",
		   place(d, row),
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

	phrase_add(out, "on %s, %s is %s%s: ", place(d, row),
		   d->context->settings.arg[0],
		   exact ? "" : close ? "nearly " : "perhaps ",
		   row_text(row, "is"));
	phrase_add(out, "within %s in %s runs; a fit without one %s gets "
		   "that %s right for %s",
		   exact || off <= GIVES_IT ? "0.1 %" : "2 %",
		   row_text(row, "right in"), unit(d), unit(d),
		   row_text(row, "held out"));
	if (off > 1)
		phrase_add(out, "; at %s off by more than the quantity itself",
			   row_text(row, "at"));
	else if (!exact && off > GIVES_IT)
		phrase_add(out, "; at worst off by %.1f %%, at %s",
			   off * 100, row_text(row, "at"));
	if (!exact && !close)
		phrase_add(out, "; unproven: the formula rests on single %ss",
			   unit(d));
	if (close)
		phrase_add(out, " ('assay judge' is stricter: a formula fails "
			   "there if one run is off by more than 1 %%)");
}

/* On stand-ins for caches a formula is right for these caches. */
static void add_guesses(const struct deriving *d, const struct assay_row *row,
			struct phrase *out)
{
	const struct assay_field *guessed = row_find(row, "guessed");

	if (guessed && *guessed->text)
		phrase_add(out, "; the CPU file guesses (G) sizes or ways of "
			   "%s, on which %s depends", guessed->text,
			   d->context->settings.arg[0]);
}

static void show_machine(const struct deriving *d)
{
	struct report *report = d->context->report;
	const struct assay_row *search = first(d, "search");
	const struct assay_row *formula = first(d, "derived");
	const struct assay_row *skipped = first(d, "skipped");
	struct phrase phrase = { .used = 0 };

	if (interrupt_seen())
		phrase_add(&phrase, "interrupted: nothing was derived");
	else if (formula)
		add_found(d, formula, &phrase);
	else if (search)
		add_none(d, search, &phrase);
	else if (skipped)
		phrase_add(&phrase, "on %s, nothing was derived: %s",
			   place(d, skipped), row_text(skipped, "why"));
	if (search)
		add_guesses(d, search, &phrase);
	report_note(report, "%s.", phrase_text(&phrase));
	for (size_t i = d->from; i < d->to; i++)
		if (!strcmp(d->kept.row[i].type, "derived"))
			show_formula(report, &d->kept.row[i]);
	report_flush(report);
	show_twins(d);
	if (search)
		show_search(d, search);
}

/* The rows of one machine begin with "search" or "skipped". */
static void show(struct deriving *d)
{
	do {
		d->from = d->to++;
		while (d->to < d->kept.rows &&
		       !strcmp(d->kept.row[d->to].type, "derived"))
			d->to++;
		d->to = d->to < d->kept.rows ? d->to : d->kept.rows;
		show_machine(d);
	} while (d->to < d->kept.rows);
}

static int wrong_use(const struct settings *s)
{
	if (!s->args)
		return complain_text("derive", EXIT_USAGE, "which quantity?\n"
				     "  try: assay list quantities");
	if (s->args > 1 && !s->table)
		return complain_text("derive", EXIT_USAGE, "a file is for "
				     "--table: assay derive %.60s --table "
				     "FILE.csv", s->arg[0]);
	return tables_wrong_use("derive", s, s->args - 1);
}

static int run(struct context *context)
{
	struct settings *s = &context->settings;
	struct deriving d = { context, context_rows(context), 0, 0 };
	struct assay_setting set[TABLE_SETS];
	struct assay_tables tables = tables_asked(s, set);
	const struct assay_deriving how = {
		.quantity = s->args ? s->arg[0] : "", .on = s->on,
		.page_map = s->page_map, .events = s->events,
		.withhold = s->withhold, .all = s->all,
		.row = on_row, .ctx = &d, .stopped = interrupt_stops,
		.tables = s->table ? &tables : NULL,
	};
	struct assay_error err = { 0 };
	bool derived = false;
	int rc = wrong_use(s);

	if (rc)
		return rc;
	tables.path++;
	tables.paths--;
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
	own, on_option, table_options, page_map_option, store_options,
	output_options, common_options, NULL
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
	{ "assay derive l2_refills --table counts.csv --withhold L2D_REFILL",
	  "from the counts of a published table" },
	{ 0 }
};

const struct command derive_command = {
	.name = "derive",
	.group = "check",
	.summary = "the smallest formula over events that gives a quantity, or "
		   "that there is none",
	.arguments = "QUANTITY [TABLE.csv...]",
	.args = SETTINGS_ARGS,
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
		"formula is found.\n\n"
		"With --table nothing is run. The further arguments are tables "
		"of counts that somebody published; each machine is "
		"searched by itself. A run is a program and shape for which "
		"the table states the quantity as one number, a kernel is a "
		"program. Of an event that was counted a part of the time, or "
		"not in all of these runs, no formula is made.",
	.example = examples,
	.run = run,
};
