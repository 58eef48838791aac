/* SPDX-License-Identifier: MIT */
/* Prometheus' text format 0.0.4. See numbers.h. */
#include <string.h>
#include <time.h>

#include "cli/numbers/numbers.h"

void prometheus_label(FILE *out, const char *name, const char *text)
{
	fprintf(out, "%s=\"", name);
	for (; *text; text++)
		if (*text == '\n')
			fputs("\\n", out);
		else if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else
			fputc(*text, out);
	fputc('"', out);
}

void prometheus_family(FILE *out, const char *name, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

void prometheus_time(FILE *out)
{
	static const char name[] = "assay_export_timestamp_seconds";

	prometheus_family(out, name, "When this file was written.");
	fprintf(out, "%s{class=\"clock\"} %lld\n", name, (long long)time(NULL));
}

static const struct family {
	const char *name, *help, *label;
	double scale;		/* to the base unit that Prometheus wants */
} families[] = {
	[NUMBER_LATENCY] = { "assay_access_seconds", "Time per access of a "
			     "kernel, median of the repetitions.", NULL, 1e-9 },
	[NUMBER_TIME] = { "assay_program_seconds", "Time of a program, mean of "
			  "its runs.", "time", 1 },
	[NUMBER_COUNT] = { "assay_events", "Count of an event or quantity, "
			   "median of the repetitions.", "event", 1 },
};
enum { FAMILIES = sizeof(families) / sizeof(*families) };

static void put_sample(FILE *out, const struct family *f,
		       const struct number *n)
{
	fprintf(out, "%s{", f->name);
	prometheus_label(out, "benchmark", n->benchmark);
	if (f->label) {
		fputc(',', out);
		prometheus_label(out, f->label, n->measure);
	}
	fputc(',', out);
	prometheus_label(out, "cpu", n->cpu);
	fputc(',', out);
	prometheus_label(out, "provider", n->provider);
	fprintf(out, "} %.15g\n", n->value * f->scale);
}

static size_t put_family(FILE *out, enum number_kind kind,
			 const struct numbers *numbers)
{
	const struct family *f = &families[kind];
	size_t samples = 0;

	for (size_t i = 0; i < numbers->numbers; i++) {
		if (numbers->number[i].kind != kind)
			continue;
		if (!samples++)
			prometheus_family(out, f->name, f->help);
		put_sample(out, f, &numbers->number[i]);
	}
	return samples;
}

/* What verify found of each event; of some it found nothing. */
static size_t put_verdicts(FILE *out, const struct run_file *run,
			   const char *on)
{
	static const char name[] = "assay_event_quotable";
	size_t samples = 0;

	for (size_t i = 0; i < run->rows.rows; i++) {
		const struct assay_row *row = &run->rows.row[i];
		const char *verdict = row_text(row, "verdict");
		const int class_ = strcmp(row->type, "event") ? -1 :
				   assay_class_find(verdict);
		const int trust = class_ < 0 ? -1 :
				  assay_class_trust((enum assay_class)class_);

		if (trust < 0)
			continue;
		if (!samples++)
			prometheus_family(out, name, "Whether the event counts "
					  "what its name says (1) or not (0).");
		fprintf(out, "%s{", name);
		prometheus_label(out, "event", row_text(row, "event"));
		fputc(',', out);
		prometheus_label(out, "class", verdict);
		fputc(',', out);
		prometheus_label(out, "on", on);
		fprintf(out, "} %d\n", trust);
	}
	return samples;
}

size_t prometheus_write(FILE *out, const struct numbers *numbers,
			const struct run_file *run, const char *on)
{
	size_t samples = put_verdicts(out, run, on);

	for (int i = 0; i < FAMILIES; i++)
		samples += put_family(out, (enum number_kind)i, numbers);
	if (samples)
		prometheus_time(out);
	return samples;
}
