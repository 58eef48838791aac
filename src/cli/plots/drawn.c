/* SPDX-License-Identifier: MIT */
/*
 * -o FILE.html, .svg and .gp of commands that measure: the command writes what
 * it writes with -j, into a file in memory, and that is shown.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/plots/shown.h"

/* Commands with rows for a page; true: with data for pictures, too. */
static const struct { const char *name; bool pictures; } commands[] = {
	{ "run", true }, { "sweep", true }, { "stat", true }, { "sim", true },
	{ "verify", true }, { "compare", true }, { "recipe", true },
	{ "plot", true }, { "report", true }, { "judge", false },
	{ "derive", false }, { "list", false }, { "doctor", false },
	{ "topo", false }, { "explain", false }, { "audit", false },
	{ "diff", false }, { "tour", false }, { "fleet", false },
};
enum { COMMANDS = sizeof(commands) / sizeof(*commands) };

bool drawn_allows(const struct command *command, enum report_format format)
{
	for (int i = 0; i < COMMANDS; i++)
		if (!strcmp(commands[i].name, command->name))
			return commands[i].pictures || format == REPORT_HTML;
	return false;
}

void drawn_commands(char *out, size_t room, enum report_format format)
{
	*out = '\0';
	for (int i = 0; i < COMMANDS; i++)
		if (commands[i].pictures || format == REPORT_HTML)
			text_add(out, room, ", ", "%s", commands[i].name);
}

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

static int parse(struct shown *s, FILE *lines, struct assay_error *err)
{
	struct run_file run = { .name = "this run" };
	size_t bytes;
	char *text;
	int rc;

	snprintf(run.path, sizeof(run.path), "/proc/self/fd/%d", fileno(lines));
	rc = text_load(&text, &bytes, run.path, SIZE_MAX / 2, err);
	if (rc)
		return rc;
	rc = run_file_parse(&run, text, err);
	free(text);
	if (rc) {
		run_file_fini(&run);
		return rc;
	}
	return shown_add(s, &run, err);
}

bool drawn_finish(struct context *context, FILE *lines, int *exit_code)
{
	struct assay_error err = { .code = -ASSAY_ENOMEM };
	struct shown *s = calloc(1, sizeof(*s));
	int rc = -ASSAY_ENOMEM;

	if (s) {
		s->context = context;
		rc = parse(s, lines, &err);
	}
	rc = rc ? complain(context, &err) : drawn_put(s);
	if (s)
		shown_fini(s);
	free(s);
	*exit_code = rc ? rc : *exit_code;
	return !rc;
}
