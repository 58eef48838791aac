/* SPDX-License-Identifier: MIT */
/*
 * The answer comes first: what is reported between report_hold() and
 * report_answer() waits in memory, because the sentence above depends on the
 * rows below.
 */
#include <stdarg.h>
#include <stdlib.h>

#include "report/sink.h"

/* Only what people read has titles. */
static bool for_people(const struct report *report)
{
	return report->sink->title != NULL;
}

void report_hold(struct report *report)
{
	struct report_held *held = &report->held;
	FILE *memory = NULL;

	if (!held->out && for_people(report))
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
static char *take_held(struct report *report)
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
	put_held(report, take_held(report));
}

void report_answer(struct report *report, const char *format, ...)
{
	char text[2048], *held;
	va_list args;

	if (!for_people(report))
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	held = take_held(report);
	if (*text)
		report_note(report, "%s", text);
	put_held(report, held);
}
