/* SPDX-License-Identifier: MIT */
/* Opening and closing a command's library, output and job; complaining. */
#define _GNU_SOURCE	/* FNM_CASEFOLD */
#include "cli/context.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/fleet/ranks.h"
#include "cli/formats/matrix.h"
#include "cli/inputs.h"
#include "cli/plots/shown.h"
#include "cli/progress.h"
#include "cli/stored.h"

static enum report_colour choose_colour(const struct settings *s)
{
	if (!s->colour || !strcmp(s->colour, "auto"))
		return REPORT_COLOUR_AUTO;
	return strcmp(s->colour, "never") ? REPORT_COLOUR_ON
					  : REPORT_COLOUR_OFF;
}

/* 0: the format's own. */
static char choose_separator(const struct settings *s)
{
	if (s->separator)
		return *s->separator == '\\' ? '\t' : *s->separator;
	return s->output && !fnmatch("*.tsv", s->output, FNM_CASEFOLD) ? '\t' :
									 0;
}

static int open_report(struct context *context, struct assay_error *err)
{
	const struct settings *s = &context->settings;
	struct report_style style;
	int rc = report_output_open(&context->output, s->output, s->append,
				    err);

	if (rc)
		return rc;
	report_style_detect(&style, context->output.file, choose_colour(s));
	style.verbose = s->verbose;
	style.separator = choose_separator(s);
	context->format = matrix_format(context);
	context->lines = report_is_drawn(context->format) ? drawn_open() : NULL;
	if (context->lines || !report_is_drawn(context->format))
		context->report = report_open(context->lines ? context->lines :
					      context->output.file,
					      context->format, &style);
	if (context->report)
		return 0;
	report_output_close(&context->output, false, NULL);
	return error_set(err, -ASSAY_ENOMEM, "out of memory");
}

/* Other tools' counts have names of any ending: p.csv, cachegrind.out.17. */
static bool is_file(const char *name)
{
	struct stat s;

	return strchr(name, '.') && !strstr(name, ".yaml") && stat(name, &s) == 0 && S_ISREG(s.st_mode);
}

/* "12", "12..17": runs in the database. */
static bool is_run(const char *name)
{
	return *name && !name[strspn(name, "0123456789.")];
}

bool context_is_records(const char *name)
{
	const size_t n = strlen(name);

	return !strcmp(name, "-") || is_file(name) || is_run(name) ||
	       (n > 6 && !strcmp(name + n - 6, ".jsonl")) ||
	       (n > 4 && !strcmp(name + n - 4, ".log"));
}

/*
 * --on FILE: a name with a '/' or the ending of record files, without a
 * provider before it.
 */
static int resolve_place(struct settings *s, struct assay_error *err)
{
	const size_t word = s->on ? strcspn(s->on, ":/") : 0;

	if (!s->on || s->on[word] == ':' ||
	    (s->on[word] != '/' && !context_is_records(s->on)))
		return 0;
	if (snprintf(s->place, sizeof(s->place), "replay:%s", s->on) >=
	    (int)sizeof(s->place))
		return error_set(err, -ASSAY_EINVAL, "the name in --on is too "
				 "long");
	s->on = s->place;
	return 0;
}

int context_open(struct context *context, struct assay_error *err)
{
	struct assay_options options = {
		.data_dir = context->settings.data_dir,
		.event_tables = context->settings.event_tables,
		.sysroot = context->settings.sysroot,
		.cert_dir = context->settings.cert_dir,
	};
	int rc = ranks_open(context, err);

	rc = rc ? rc : matrix_check(context, err);
	rc = rc ? rc : resolve_place(&context->settings, err);
	rc = rc ? rc : inputs_check(context->command, &context->settings, err);
	if (!rc && context->settings.db)	/* this process's, from here on */
		rc = setenv("ASSAY_DB", context->settings.db, 1) ?
		     error_memory(err) : 0;
	if (rc)
		return rc;
	rc = assay_open(&context->assay, &options, err);
	if (rc)
		return rc;
	rc = open_report(context, err);
	if (!rc) {
		stored_begin(context);
		return 0;
	}
	assay_close(context->assay);
	context->assay = NULL;
	return rc;
}

/* Prints the reasons for absent values that the format cannot hold. */
static void remark(void *ctx, const char *names, const char *why)
{
	const struct context *context = ctx;

	report_say(stderr, "assay %s: %s: %s\n", context->command->name,
		   names, why);
}

/* EXIT_FAILED (1) may be the exit code of the program that the command runs. */
static int exit_of(const struct context *context, int code)
{
	if (interrupt_seen())
		return EXIT_INTERRUPTED;
	switch (code) {
	case -ASSAY_EINVAL:
	case -ASSAY_EPARSE:
	case -ASSAY_ENOENT:
	case -ASSAY_ERANGE:
		return EXIT_USAGE;
	case -ASSAY_EUNAVAIL:
	case -ASSAY_ENEVER:
		return EXIT_NO_COUNTERS;
	}
	return context->settings.program ? EXIT_OWN : EXIT_FAILED;
}

/* Complains once: the rest of the buffered output is dropped. */
static int output_failed(const struct context *context, int number)
{
	if (context->output.file == stdout) {
		__fpurge(stdout);
		clearerr(stdout);
	}
	return complain_text(context->command->name,
			     exit_of(context, -ASSAY_EIO),
			     "the output could not be written%s%s",
			     number ? ": " : "",
			     number ? strerror(number) : "");
}

int context_close(struct context *context, int exit_code)
{
	bool keep = context->partial || exit_code == EXIT_OK ||
		    exit_code >= EXIT_CHECK;
	struct assay_error err = { 0 };

	stored_end(context, exit_code);
	/* after a failure without output, the old file is kept */
	if (exit_code != EXIT_OK && !ftell(report_file(context->report)))
		keep = false;
	if (!report_has(context->report, REPORT_REASONS) &&
	    !context->settings.quiet) {
		report_push(context->report);	/* rows before remarks on
						 * absent values */
		report_remarks(context->report, remark, context);
	}
	if (report_close(context->report)) {
		keep = false;
		exit_code = output_failed(context, errno);
	}
	context->report = NULL;
	if (context->lines && keep && !context->drawn)
		keep = drawn_finish(context, context->lines, &exit_code);
	if (context->lines)
		fclose(context->lines);
	context->lines = NULL;
	if (report_output_close(&context->output, keep, &err))
		exit_code = complain(context, &err);
	assay_close(context->assay);
	context->assay = NULL;
	return exit_code;
}

/*
 * A mistake in a file is printed as editors expect; the further lines of any
 * other error are suggestions.
 */
int complain(const struct context *context, const struct assay_error *err)
{
	const char *text = *err->text ? err->text : assay_code_text(err->code);
	bool place = err->code == -ASSAY_EPARSE && strstr(text, ": error: ");
	const char *end;

	if (context->report) {
		report_flush(context->report);
		if (report_push(context->report))
			return EXIT_FAILED;	/* context_close() complains */
	}
	if (!place)
		fprintf(stderr, "assay %s: ", context->command->name);
	while ((end = strchr(text, '\n')) != NULL) {
		fprintf(stderr, "%.*s\n", (int)(end - text), text);
		text = end + 1;
		if (!place) {
			text += strspn(text, " ");
			fputs("  ", stderr);
		}
	}
	fprintf(stderr, "%s\n", text);
	return exit_of(context, err->code);
}

int complain_text(const char *command, int code, const char *format, ...)
{
	char text[ASSAY_ERROR_TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	report_say(stderr, *command ? "assay %s: %s\n" : "assay%s: %s\n",
		   command, text);
	return code;
}

int unknown_command(const char *command, const char *word)
{
	const char *near = command_nearest(word);

	complain_text(command, EXIT_USAGE, "unknown command '%.60s'", word);
	if (near)
		fprintf(stderr, "  did you mean '%s'?\n", near);
	return EXIT_USAGE;
}

int wrong_measure(const struct context *context)
{
	const struct settings *s = &context->settings;
	const char *command = context->command->name;

	if (s->measure && s->sysroot)
		return complain_text(command, EXIT_USAGE, "--measure measures "
				     "this machine, not one below --sysroot");
	if (s->cpu >= 0 && !s->measure)
		return complain_text(command, EXIT_USAGE, "--cpu says where "
				     "--measure measures");
	return EXIT_OK;
}

int context_leave_output(struct context *context)
{
	const struct report_style style = *report_style(context->report);
	FILE *file;
	int fd;

	if (!context->settings.program || context->settings.output)
		return 0;
	fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file)
		return -1;
	context->output.file = file;
	if (context->lines)
		return 0;
	report_close(context->report);
	context->report = report_open(file, context->format, &style);
	return context->report ? 0 : -1;
}

size_t sets_split(char *text, struct assay_setting *set)
{
	size_t n = 0;

	while (text && n < SETS) {
		char *item = strsep(&text, ",");
		char *equal = strchr(item, '=');

		if (equal)
			*equal = '\0';
		set[n++] = (struct assay_setting){
			item, equal ? equal + 1 : "",
		};
	}
	return n;
}

/* "sim:graviton4" is a product: says what it is, and which core is simulated. */
static void say_product(const struct context *context)
{
	static const char sim[] = "sim:";
	const char *on = context->settings.on;
	char name[ASSAY_NAME], text[400];

	if (!on || strncmp(on, sim, strlen(sim)) || context->settings.quiet)
		return;
	text_copy(name, sizeof(name), on + strlen(sim));
	name[strcspn(name, ",")] = '\0';
	assay_cpu_sold(context->assay, name, text, sizeof(text));
	if (*text)
		report_say(stderr, "%s\n", text);
}

void context_job(const struct context *context, struct assay_job *job)
{
	const struct settings *s = &context->settings;

	say_product(context);
	*job = (struct assay_job){
		.kernel = s->arg[0],
		.on = s->on,
		.setting = s->kernel,
		.settings = s->kernels,
		.events = s->events,
		.formulas = s->formulas,
		.page_map = s->page_map,
		.pages = s->pages,
		.repeats = s->repeats > 0 ? (unsigned)s->repeats : 0,
		.warmup = s->warmup > 0 ? (unsigned)s->warmup : 0,
		.warmup_given = s->warmup >= 0,
		.cpu = s->cpu,
		.no_fast_forward = s->no_fast_forward,
		.predict = s->predict,
		.slope = s->slope,
		.pie = s->pie,
	};
}

struct kept_rows context_rows(const struct context *context)
{
	return (struct kept_rows){
		.fn = report_has(context->report, REPORT_PROSE) ? NULL :
								  report_row,
		.ctx = context->report,
	};
}

int show_without(struct context *context, const struct assay_row *row,
		 const char *name)
{
	struct assay_field field[16];
	size_t n = 0;

	for (size_t i = 0; i < row->fields && n < 16; i++)
		if (strcmp(row->field[i].name, name))
			field[n++] = row->field[i];
	return report_row(context->report,
			  &(struct assay_row){ row->type, field, n });
}
