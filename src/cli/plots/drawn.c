/* SPDX-License-Identifier: MIT */
/*
 * -o FILE.html, .svg and .gp of commands that measure: the command writes what
 * it writes with -j, into a file in memory, and that is shown.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/numbers/numbers.h"
#include "cli/plots/shown.h"

FILE *drawn_open(void)
{
	char path[64];

	return run_file_memory(path, sizeof(path));
}

int drawn_nothing(const struct context *context)
{
	return complain_text(context->command->name, EXIT_USAGE, "nothing of "
			     "this run can be drawn: a picture needs a size "
			     "that varies, hypotheses, changes or lines of "
			     "code; -o FILE.html shows the rest");
}

int drawn_put(struct shown *s)
{
	const enum report_format format = s->context->format;
	struct report_plot *plot = calloc(SHOWN_PLOTS, sizeof(*plot));
	FILE *out = s->context->output.file;
	size_t n;

	if (!plot)
		return complain_text(s->context->command->name, EXIT_FAILED,
				     "out of memory");
	n = shown_plots(s, plot, NULL);
	if (format == REPORT_HTML)
		shown_page(s, out);
	else if (format == REPORT_SVG && n)
		plot_svg(plot, n, out);
	else if (n)
		plot_gnuplot(plot, n, out);
	free(plot);
	return n || format == REPORT_HTML ? EXIT_OK : drawn_nothing(s->context);
}

static int parse(struct run_file *run, FILE *lines, struct assay_error *err)
{
	size_t bytes;
	char *text;
	int rc;

	*run = (struct run_file){ .name = "this run" };
	snprintf(run->path, sizeof(run->path), "/proc/self/fd/%d",
		 fileno(lines));
	rc = text_load(&text, &bytes, run->path, SIZE_MAX / 2, err);
	if (rc)
		return rc;
	rc = run_file_parse(run, text, err);
	free(text);
	return rc;
}

static bool is_picture(enum report_format format)
{
	return format == REPORT_HTML || format == REPORT_SVG ||
	       format == REPORT_GNUPLOT;
}

/* Takes the run. Returns the exit code. */
static int draw(struct context *context, struct run_file *run)
{
	struct assay_error err = { .code = -ASSAY_ENOMEM };
	struct shown *s = calloc(1, sizeof(*s));
	int rc = -ASSAY_ENOMEM;

	if (s) {
		s->context = context;
		rc = shown_add(s, run, &err);
	}
	rc = rc ? complain(context, &err) : drawn_put(s);
	if (s)
		shown_fini(s);
	else
		run_file_fini(run);
	free(s);
	return rc;
}

bool drawn_finish(struct context *context, FILE *lines, int *exit_code)
{
	struct assay_error err = { 0 };
	struct run_file run;
	int rc = parse(&run, lines, &err);

	if (rc) {
		rc = complain(context, &err);
		run_file_fini(&run);
	} else if (is_picture(context->format)) {
		rc = draw(context, &run);
	} else {
		rc = numbers_put(context, &run);
		run_file_fini(&run);
	}
	*exit_code = rc ? rc : *exit_code;
	return !rc;
}
