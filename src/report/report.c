/* SPDX-License-Identifier: MIT */
/*
 * A report passes its content to the sink of its format. For people the answer
 * stands above its rows: rows between report_hold() and report_answer() wait in
 * memory.
 */
#define _GNU_SOURCE	/* FNM_CASEFOLD */
#include "report/report.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/sink.h"

#define ENDING 8		/* letters of an ending at most */

#define SINK(id, sink, name) [REPORT_##id] = &sink##_sink,
#define NAME(id, sink, name) [REPORT_##id] = name,
static const struct report_sink *const sinks[] = { REPORT_FORMATS(SINK) };
static const char *const names[] = { REPORT_FORMATS(NAME) };
enum { FORMATS = REPORT_FORMATS_COUNT };

/* An ending is a word of up to ENDING letters and digits, at least a letter. */
static bool has_ending(const char *name)
{
	const char *dot = strrchr(name, '.');
	size_t letters = 0, n = 0;

	if (!dot || dot == name)
		return false;
	while (isalnum((unsigned char)dot[1 + n]))
		letters += isalpha((unsigned char)dot[1 + n++]) != 0;
	return letters && n <= ENDING && !dot[1 + n];
}

bool report_format_of(enum report_format *out, const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *name = slash ? slash + 1 : path;

	*out = REPORT_TEXT;
	for (int f = 0; name && f < FORMATS; f++)
		for (int i = 0; sinks[f]->file[i]; i++)
			if (!fnmatch(sinks[f]->file[i], name, FNM_CASEFOLD)) {
				*out = (enum report_format)f;
				return true;
			}
	return !name || !has_ending(name);
}

const char *const *report_files(enum report_format format)
{
	return sinks[format]->file;
}

bool report_is_drawn(enum report_format format)
{
	return sinks[format]->room & REPORT_DRAWN;
}

bool report_format_named(enum report_format *out, const char *name)
{
	for (int f = 0; f < FORMATS; f++)
		if (!strcmp(names[f], name)) {
			*out = (enum report_format)f;
			return true;
		}
	return false;
}

const char *report_format_name(enum report_format format)
{
	return names[format];
}

struct report *report_open(FILE *out, enum report_format format,
			   const struct report_style *style)
{
	struct report *report = calloc(1, sizeof(*report));

	if (!report)
		return NULL;
	report->out = out;
	report->sink = sinks[format];
	report->style = *style;
	if (!report->style.separator)
		report->style.separator = ',';
	return report;
}

const struct report_style *report_style(const struct report *report)
{
	return &report->style;
}

bool report_has(const struct report *report, enum report_room room)
{
	return report->sink->room & room;
}

FILE *report_file(struct report *report)
{
	return report->out;
}

int report_row(void *ctx, const struct assay_row *row)
{
	struct report *report = ctx;

	if (report->sink->row(report, row))
		report->no_memory = true;
	return report->no_memory || ferror(report->out);
}

void report_note(struct report *report, const char *format, ...)
{
	char text[2048];
	va_list args;

	if (!report->sink->note)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	text_harmless(text, true);
	report->sink->note(report, text);
}

void report_title(struct report *report, const char *title)
{
	char text[512];

	text_copy(text, sizeof(text), title);
	text_harmless(text, false);
	if (report->sink->title)
		report->sink->title(report, text);
}

void report_flush(struct report *report)
{
	if (report->sink->flush)
		report->sink->flush(report);
}

void report_fence(struct report *report, bool begin)
{
	report_flush(report);
	if (report->sink->fence[0])
		fputs(report->sink->fence[!begin], report->out);
}

void report_plot(struct report *report, const struct report_plot *plot)
{
	if (report->sink->plot)
		report->sink->plot(report, plot);
}

void report_remarks(struct report *report,
		    void (*fn)(void *ctx, const char *names, const char *why),
		    void *ctx)
{
	for (size_t i = 0; i < report->remarks.count; i++)
		fn(ctx, report->remarks.remark[i].columns,
		   report->remarks.remark[i].why);
}

int report_close(struct report *report)
{
	bool failed;
	int number;

	if (!report)
		return 0;
	report_flush(report);
	failed = report_push(report) || report->no_memory;
	number = report->failed;
	table_fini(&report->table);
	remarks_fini(&report->remarks);
	free(report);
	errno = number;
	return failed ? -ASSAY_EIO : 0;
}

/* ---- the answer above its rows ------------------------------------------- */

/* Only what people read has titles. */
bool report_for_people(const struct report *report)
{
	return report->sink->title != NULL;
}

void report_hold(struct report *report)
{
	struct report_held *held = &report->held;
	FILE *memory = NULL;

	if (!held->out && report_for_people(report))
		memory = open_memstream(&held->text, &held->bytes);
	if (!memory)
		return;		/* the answer then stands below its rows */
	report_flush(report);
	held->out = report->out;
	held->started = report->started;
	report->out = memory;
	report->started = false;
}

/* Back to the report's file. Returns the held text; the caller frees. */
static char *held_rows(struct report *report)
{
	struct report_held *held = &report->held;
	char *text;

	if (!held->out)
		return NULL;
	report_flush(report);
	report->no_memory |= fclose(report->out) != 0;
	report->out = held->out;
	report->started = held->started;
	text = held->text;
	*held = (struct report_held){ .out = NULL };
	return text;
}

static void put_held(struct report *report, char *text)
{
	if (text && *text) {
		report_separate(report);
		fputs(text, report->out);
		report->started = true;
	}
	free(text);
}

void report_release(struct report *report)
{
	put_held(report, held_rows(report));
}

void report_answer(struct report *report, const char *format, ...)
{
	char text[2048], *held;
	va_list args;

	if (!report_for_people(report))
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	held = held_rows(report);
	if (*text)
		report_note(report, "%s", text);
	put_held(report, held);
}

bool report_push(struct report *report)
{
	report_release(report);
	return sink_push(report);
}
