/* SPDX-License-Identifier: MIT */
/* assay recipe: run a published experiment and test its claims here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "cli/answers/answers.h"
#include "cli/context.h"
#include "cli/progress.h"
#include "cli/rows.h"
#include "cli/stored.h"

#define SERIES 8
#define POINTS 256

/* One plotted event of the first run: its counts by size. */
struct series {
	char event[64];
	double x[POINTS], y[POINTS];
	size_t points;
};

/* The claims' results. */
struct claims {
	unsigned all, hold, fail;
	char failed[300];	/* the first failing claim, with value */
	char why[200];		/* the first claim not judged: why */
};

struct cooking {
	struct context *context;
	char on[80];		/* where the recipe runs by itself */
	struct claims claims;
	char titles[1200];	/* of the hypotheses shown so far */
	char type[16];		/* type of the current table's rows */
	char run[64];		/* and the run of its points */
	char plotted[64];	/* the run whose points are plotted */
	struct series series[SERIES];
	size_t count;
	bool bytes;
};

static double number(const struct assay_field *f)
{
	return f->kind == ASSAY_FIELD_COUNT ? (double)f->count :
	       f->kind == ASSAY_FIELD_REAL ? f->real : NAN;
}

/* The first field with a number is the size. */
static void keep_point(struct cooking *c, const struct assay_row *row)
{
	double x = row->fields > 1 ? number(&row->field[1]) : NAN;

	if (strcmp(row_text(row, "run"), c->plotted) || isnan(x))
		return;
	c->bytes = row->field[1].flags & ASSAY_FIELD_BYTES;
	for (size_t s = 0; s < c->count; s++) {
		struct series *to = &c->series[s];

		for (size_t i = 2; i < row->fields; i++) {
			if (strcmp(row->field[i].name, to->event) ||
			    to->points == POINTS)
				continue;
			to->x[to->points] = x;
			to->y[to->points++] = number(&row->field[i]);
		}
	}
}

static void add_series(struct cooking *c, const struct assay_row *row)
{
	if (c->count == SERIES)
		return;
	snprintf(c->plotted, sizeof(c->plotted), "%s", row_text(row, "run"));
	snprintf(c->series[c->count++].event, sizeof(c->series[0].event), "%s",
		 row_text(row, "event"));
}

static void draw(const struct cooking *c)
{
	struct report_series series[SERIES];
	const struct report_plot plot = {
		.x_unit = c->bytes ? "bytes" : "size", .y_unit = "per unit",
		.series = series, .series_count = c->count,
	};

	for (size_t i = 0; i < c->count; i++)
		series[i] = (struct report_series){
			c->series[i].event, c->series[i].x, c->series[i].y,
			c->series[i].points, PLOT_LINE };
	if (c->count && c->series[0].points > 2)
		report_plot(c->context->report, &plot);
}

/* A table for each run, then the claims. */
static void head(struct cooking *c, const struct assay_row *row)
{
	const char *run = row_text(row, "run");
	bool claim = !strcmp(row->type, "claim");

	if (claim && strcmp(c->type, "claim")) {
		if (c->context->settings.verbose)
			draw(c);
		report_title(c->context->report, "what was published");
	} else if (!claim && strcmp(c->run, run)) {
		report_title(c->context->report, run);
	}
	snprintf(c->type, sizeof(c->type), "%s", row->type);
	snprintf(c->run, sizeof(c->run), "%s", run);
}

static void keep_claim(struct cooking *c, const struct assay_row *row)
{
	const char *verdict = row_text(row, "verdict");
	const struct assay_field *worst = row_find(row, "worst");
	struct claims *claims = &c->claims;

	claims->all++;
	claims->hold += !strcmp(verdict, "holds");
	if (!strcmp(verdict, "fails") && !claims->fail++)
		snprintf(claims->failed, sizeof(claims->failed), "\"%.150s\" "
			 "(%.4g%s%.40s, published %.4g to %.4g)",
			 row_text(row, "claim"), row_number(row, "worst"),
			 *row_text(row, "at") ? " at " : "",
			 row_text(row, "at"), row_number(row, "low"),
			 row_number(row, "high"));
	if (!strcmp(verdict, "not judged") && !*claims->why && worst->text)
		snprintf(claims->why, sizeof(claims->why), "%.190s",
			 worst->text);
}

/* The value farthest out of the published bounds, its unit and its size. */
static int show_claim(struct cooking *c, const struct assay_row *row)
{
	char published[60];
	const struct assay_field field[] = {
		field_text("claim", row_text(row, "claim")),
		field_text("verdict", row_text(row, "verdict")),
		*row_find(row, "worst"),
		field_text("per", row_text(row, "per")),
		field_text("published", published),
		field_text("at", row_text(row, "where")),
	};

	snprintf(published, sizeof(published), "%.4g to %.4g",
		 row_number(row, "low"), row_number(row, "high"));
	return report_row(c->context->report,
			  &(struct assay_row){ "claim", field, 6 });
}

/* The title of each hypothesis, printed once below the pies. */
static void keep_title(struct cooking *c, const struct assay_row *row)
{
	const size_t used = strlen(c->titles);
	char line[200];

	snprintf(line, sizeof(line), "  %.40s: %.140s\n", row_text(row, "pie"),
		 row_text(row, "title"));
	if (!strstr(c->titles, line))
		snprintf(c->titles + used, sizeof(c->titles) - used, "%s",
			 line);
}

static void note_titles(struct cooking *c)
{
	report_note(c->context->report, "%s", c->titles);
	*c->titles = '\0';
}

static void show_recipe(struct cooking *c, const struct assay_row *row)
{
	struct report *report = c->context->report;

	report_note(report, "%s", row_text(row, "title"));
	report_note(report, "%s", row_text(row, "source"));
	if (*row_text(row, "note"))
		report_note(report, "%s", row_text(row, "note"));
}

/* People see the claims first; with -v also the counts behind them. */
static int show(struct cooking *c, const struct assay_row *row)
{
	const bool claim = !strcmp(row->type, "claim");

	if (!strcmp(row->type, "recipe")) {
		show_recipe(c, row);
		return 0;
	}
	if (!strcmp(row->type, "plot") ||
	    (!claim && !c->context->settings.verbose))
		return 0;
	if (*c->titles && strcmp(row->type, "pie"))
		note_titles(c);
	head(c, row);
	if (claim)
		return show_claim(c, row);
	if (strcmp(row->type, "pie"))
		return report_row(c->context->report, row);
	keep_title(c, row);
	return show_without(c->context, row, "title");
}

/* Prints one type of rows: points. Failing claims go to standard error. */
static int put_points(struct cooking *c, const struct assay_row *row)
{
	if (!strcmp(row->type, "claim") &&
	    strcmp(row_text(row, "verdict"), "holds") &&
	    !c->context->settings.quiet)
		report_say(stderr, "assay recipe: %s: %s\n",
			   row_text(row, "verdict"), row_text(row, "claim"));
	return strcmp(row->type, "point") ? 0 :
	       report_row(c->context->report, row);
}

static int on_row(void *ctx, const struct assay_row *row)
{
	struct cooking *c = ctx;

	if (interrupt_seen())
		return 1;
	stored_row(c->context, row);
	if (!strcmp(row->type, "recipe"))
		snprintf(c->on, sizeof(c->on), "%s", row_text(row, "on"));
	if (!strcmp(row->type, "claim"))
		keep_claim(c, row);
	if (!strcmp(row->type, "plot"))
		add_series(c, row);
	if (!strcmp(row->type, "point"))
		keep_point(c, row);
	if (report_has(c->context->report, REPORT_PROSE))
		return show(c, row);
	if (report_has(c->context->report, REPORT_MIXED_ROWS))
		return report_row(c->context->report, row);
	return put_points(c, row);
}

/* How many of the published claims hold here, and which does not. */
static void append_claims(const struct cooking *c, struct phrase *out)
{
	const struct claims *claims = &c->claims;
	const char *on = c->context->settings.on;
	const unsigned judged = claims->hold + claims->fail;

	phrase_add(out, "%u of %u published claims hold on %s", claims->hold,
		   claims->all, on ? on : c->on);
	if (claims->fail)
		phrase_add(out, "; %u %s, first: %s", claims->fail,
			   claims->fail == 1 ? "fails" : "fail",
			   claims->failed);
	if (judged < claims->all)
		phrase_add(out, "; %u could not be judged: %s",
			   claims->all - judged, claims->why);
}

static void answer(const struct cooking *c)
{
	struct report *report = c->context->report;
	struct phrase phrase = { .used = 0 };

	if (interrupt_seen())
		phrase_add(&phrase,
			   "interrupted before the claims were judged");
	else if (c->claims.all)
		append_claims(c, &phrase);
	else
		phrase_add(&phrase, "the recipe makes no claim; -v shows what "
			   "was counted on %s", c->on);
	report_answer(report, "%s.", phrase_text(&phrase));
	if (report_has(report, REPORT_PROSE) && !c->context->settings.verbose)
		report_note(report, "\nworst: of all sizes the value farthest "
			    "out of what was published, or the first one; -v: "
			    "what was counted in each run, and the plot");
}

/* ---- without a name: which recipe can be believed where ------------------ */

static size_t count_verdict(const struct kept_rows *kept, const char *verdict)
{
	size_t n = 0;

	for (size_t i = 0; i < kept->rows; i++)
		n += !strcmp(row_text(&kept->row[i], "verdict"), verdict);
	return n;
}

static void list_answer(const struct kept_rows *kept, const char *on,
			struct phrase *out)
{
	const size_t none = count_verdict(kept, "cannot be counted");
	const size_t sound = count_verdict(kept, "sound");

	phrase_add(out, "of %zu recipes ", kept->rows);
	if (on)
		phrase_add(out, "on %s ", on);
	phrase_add(out, "%zu %s sound (no fault of their events is known), %zu "
		   "doubtful, %zu cannot be counted", sound,
		   sound == 1 ? "is" : "are", count_verdict(kept, "doubtful"),
		   none);
	if (none && none == kept->rows)
		phrase_add(out, ", the first because: %s",
			   row_text(&kept->row[0], "why"));
	else if (!on)
		phrase_add(out, "; each on the place that it names, --on perf "
			   "asks this machine");
}

static void show_list(struct context *context, const struct kept_rows *kept)
{
	struct report *report = context->report;
	const char *on = context->settings.on;
	struct phrase phrase = { .used = 0 };

	list_answer(kept, on, &phrase);
	report_note(report, "%s.", phrase_text(&phrase));
	for (size_t i = 0; i < kept->rows; i++)
		show_without(context, &kept->row[i], "why");
	report_flush(report);
	for (size_t i = 0; i < kept->rows; i++) {
		const struct assay_row *row = &kept->row[i];

		if (*row_text(row, "why"))
			report_note(report, "%s: %s", row_text(row, "recipe"),
				    row_text(row, "why"));
	}
	report_note(report, "\nassay recipe NAME runs one and tests its "
		    "claims");
}

static int list(struct context *context)
{
	const bool people = report_has(context->report, REPORT_PROSE);
	struct kept_rows kept = context_rows(context);
	struct assay_error err = { 0 };
	unsigned fails;
	int rc;

	rc = assay_recipe(context->assay, NULL, context->settings.on, NULL,
			  keep_row, &kept, &fails, &err);
	if (kept.no_memory)
		rc = error_set(&err, -ASSAY_ENOMEM, "out of memory");
	if (!rc && people)
		show_list(context, &kept);
	kept_rows_free(&kept);
	return rc ? complain(context, &err) : EXIT_OK;
}

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	struct assay_error err = { .code = -ASSAY_ENOMEM };
	struct cooking *c;
	unsigned fails = 0;
	int rc;

	if (!s->args)
		return list(context);
	c = calloc(1, sizeof(*c));
	if (!c)
		return complain(context, &err);
	c->context = context;
	interrupt_catch();
	report_hold(context->report);
	rc = assay_recipe(context->assay, s->arg[0], s->on, s->page_map, on_row,
			  c, &fails, &err);
	if (!rc || interrupt_seen())
		answer(c);
	free(c);
	if (interrupt_seen())
		return EXIT_INTERRUPTED;
	if (rc)
		return complain(context, &err);
	return fails ? EXIT_CHECK : EXIT_OK;
}

static const struct option *const options[] = {
	on_option, page_map_option, store_options, output_options,
	common_options, NULL
};

static const struct example examples[] = {
	{ "assay recipe --on perf",
	  "the experiments, and which of them this machine can count" },
	{ "assay recipe skylake-l2-evictions --on sim:i7-6700hq -x ,",
	  "which evictions are silent, one row per size" },
	{ "assay recipe a72-data-access --on perf",
	  "the Cortex-A72 experiments on this machine's counters" },
	{ "assay recipe ./mine.yaml -j", "an experiment of your own" },
	{ 0 }
};

const struct command recipe_command = {
	.name = "recipe",
	.group = "check",
	.summary = "run a published experiment, and see whether its claims "
		   "hold here",
	.arguments = "[NAME]",
	.args = 1,
	.options = options,
	.text = "A recipe is an experiment as data: kernels, sizes, events, "
		"the divisor of the counts, and the published findings "
		"(claims). It runs on the place that it names, or on --on; "
		"events that the CPU does not have are absent. The first line "
		"says how many claims hold; -v shows what was counted.\n\n"
		"Without a name, every recipe is listed with a verdict, and "
		"nothing is run. Sound: all its events can be counted on that "
		"place, and no fault of them is known from errata of the CPU "
		"file or from a certificate. Doubtful: one has a fault or is "
		"absent. Cannot be counted: none of them is there.\n\n"
		"Exits with 3 if a claim fails.",
	.example = examples,
	.run = run,
};
