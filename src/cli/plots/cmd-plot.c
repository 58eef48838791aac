/* SPDX-License-Identifier: MIT */
/* assay plot: the pictures of saved runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/plots/show-runs.h"
#include "cli/rows.h"

enum { SCREEN = 2 };		/* pictures for people without -v */

static struct assay_field number(const char *name, double value)
{
	return value_field(name, isfinite(value) ? plain_value(value) :
			   (struct assay_value){ .why = "not known" });
}

static void put_curves(struct report *report, const char *kind,
		       const struct report_plot *plot)
{
	for (size_t s = 0; s < plot->series_count; s++)
		for (size_t i = 0; i < plot->series[s].points; i++) {
			const struct assay_field field[] = {
				field_text("figure", kind),
				field_text("title", plot->title),
				field_text("series", plot->series[s].name),
				field_text("of", plot->x_unit),
				number("x", plot->series[s].x[i]),
				number("value", plot->series[s].y[i]),
				field_text("unit", plot->y_unit),
			};

			ROW_EMIT(report_row, report, "datum", field);
		}
}

static void put_bars(struct report *report, const char *kind,
		     const struct report_plot *plot)
{
	const struct report_bars *bars = &plot->bars;

	for (size_t row = 0; row < bars->rows; row++)
		for (size_t i = 0; i < bars->parts; i++) {
			const struct assay_field field[] = {
				field_text("figure", kind),
				field_text("title", plot->title),
				field_text("series", bars->part[i]),
				field_text("of", bars->row[row]),
				field_text("x", ""),
				number("value",
				       bars->value[row * bars->parts + i]),
				field_text("unit", plot->y_unit),
			};

			ROW_EMIT(report_row, report, "datum", field);
		}
}

static void put_plots(struct context *context, const struct report_plot *plot,
		      const char *const *kind, size_t n)
{
	const bool people = report_has(context->report, REPORT_PROSE);

	for (size_t i = 0; i < n; i++)
		if (people)
			report_plot(context->report, &plot[i]);
		else if (plot[i].kind == PLOT_CURVES)
			put_curves(context->report, kind[i], &plot[i]);
		else
			put_bars(context->report, kind[i], &plot[i]);
}

/* People who asked for no kind see as many pictures as a screen holds. */
static size_t fit_screen(const struct context *context, size_t n)
{
	const struct settings *s = &context->settings;

	return report_has(context->report, REPORT_PROSE) && !s->verbose &&
	       !s->figure && n > SCREEN ? SCREEN : n;
}

/* "Also: served, pies. -v shows all" */
static void note_others(struct context *context, const char *const *kind,
			size_t n)
{
	char names[300] = "";

	for (size_t i = SCREEN; i < n; i++)
		if (i == SCREEN || strcmp(kind[i], kind[i - 1]))
			text_add(names, sizeof(names), ", ", "%s", kind[i]);
	report_note(context->report, "\nnot shown: %s; -v shows all, --figure "
		    "NAME one kind", names);
}

/* For people the runs' sentence stands above the pictures. */
static int put(struct shown *s)
{
	struct context *context = s->context;
	struct report_plot *plot = calloc(SHOWN_PLOTS, sizeof(*plot));
	const char **kind = calloc(SHOWN_PLOTS, sizeof(*kind));
	struct phrase said = { .used = 0 };
	size_t n = 0;

	if (plot && kind)
		n = shown_plots(s, plot, kind);
	if (n && report_has(context->report, REPORT_PROSE)) {
		shown_conclude(s, &said);
		report_note(context->report, "%s", phrase_text(&said));
	}
	if (n)
		put_plots(context, plot, kind, fit_screen(context, n));
	if (n && fit_screen(context, n) < n)
		note_others(context, kind, n);
	free(plot);
	free(kind);
	return n ? EXIT_OK : drawn_nothing(context);
}

static int run(struct context *context)
{
	return show_runs(context, context->lines ? drawn_put : put);
}

static const struct option *const options[] = {
	figure_option, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay sweep chase --on sim:cortex-a72 -j | assay plot -",
	  "events per access over size, and who served the accesses" },
	{ "assay plot run.jsonl --figure events -o events.svg",
	  "one picture for a paper" },
	{ "assay plot measured.jsonl simulated.jsonl",
	  "the times of both in one picture" },
	{ "assay plot run.jsonl -o run.gp",
	  "a script that holds its data: gnuplot run.gp > run.svg" },
	{ 0 }
};

const struct command plot_command = {
	.name = "plot",
	.group = "look",
	.summary = "the pictures of a saved run: in the terminal, as SVG, for "
		   "gnuplot",
	.arguments = "RUN...",
	.args = SETTINGS_ARGS,
	.options = options,
	.text = "RUN is a file that a command wrote with -j, the number of a "
		"run in the database (assay db ls), another tool's counts, or "
		"built-in records. Which pictures there are depends on what "
		"the run has:\n\n"
		"latency: time per access over size, with the CPU's caches; "
		"of several runs in one picture. events: events per access "
		"over size. calculated: what was counted or simulated beside "
		"what the closed forms say. served, pies: which level served "
		"the accesses, and what hypotheses say of that. ipc, misses: "
		"instructions per cycle, misses per access of a cache. "
		"points: what a recipe counted. change: before and after, of "
		"'compare -j' or of two runs. lines: the code that costs most, "
		"of 'sim -j'. classes: events by verdict.\n\n"
		"-o FILE.svg writes one file with all pictures below each "
		"other, for light and dark screens; -o FILE.gp a script. -j "
		"and -x write the data of the pictures. Exits with 2 if there "
		"is nothing to draw.",
	.example = examples,
	.run = run,
};
