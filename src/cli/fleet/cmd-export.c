/* SPDX-License-Identifier: MIT */
/* assay export: this machine for a monitoring system. */
#include <stdio.h>
#include <string.h>

#include "assay/fleet.h"
#include "base/text.h"
#include "cli/numbers/numbers.h"

/* A family of metrics: the rows of one type. */
static const struct family {
	const char *type, *name, *help, *value;
	const char *labels[4];	/* NULL-terminated names of fields */
} families[] = {
	{ "verdict", "assay_event_quotable", "Whether the event counts what "
	  "its name says, by the certificate (1) or not (0).", "quotable",
	  { "event", "class" } },
	{ "count", "assay_event_counts", "Median count of the event while the "
	  "kernel ran.", "value", { "event", "kernel", "class" } },
	{ "latency", "assay_latency_seconds", "Time of one load that depends "
	  "on the load before.", "seconds", { "level", "class" } },
	{ "withdrawn", "assay_event_withdrawn", "The event has no count, for "
	  "the reason.", NULL, { "event", "class", "why" } },
};

static void put_sample(FILE *out, const struct family *f,
		       const struct assay_row *row)
{
	fprintf(out, "%s{", f->name);
	for (int i = 0; i < 4 && f->labels[i]; i++) {
		if (i)
			fputc(',', out);
		prometheus_label(out, f->labels[i], row_text(row, f->labels[i]));
	}
	fprintf(out, "} %.15g\n", f->value ? row_number(row, f->value) : 1);
}

static size_t put_family(FILE *out, const struct family *f,
			 const struct kept_rows *kept)
{
	size_t n = 0;

	for (size_t i = 0; i < kept->rows; i++) {
		if (strcmp(kept->row[i].type, f->type))
			continue;
		if (!n++)
			prometheus_family(out, f->name, f->help);
		put_sample(out, f, &kept->row[i]);
	}
	return n;
}

static size_t put_all(FILE *out, const struct kept_rows *kept)
{
	size_t samples = 0;

	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++)
		samples += put_family(out, &families[i], kept);
	prometheus_time(out);
	return samples;
}

/* DIR/assay.prom, complete or as it was. */
static int write_file(const char *folder, const struct kept_rows *kept,
		      size_t *samples, struct assay_error *err)
{
	struct report_output output;
	char path[4096];
	int rc;

	if (snprintf(path, sizeof(path), "%s/assay.prom", folder) >=
	    (int)sizeof(path))
		return error_set(err, -ASSAY_EINVAL, "option '--textfile': the "
				 "name is too long");
	rc = report_output_open(&output, path, false, err);
	if (rc)
		return rc;
	*samples = put_all(output.file, kept);
	return report_output_close(&output, !ferror(output.file), err);
}

static void answer(struct context *context, const struct kept_rows *kept,
		   size_t samples)
{
	size_t withdrawn = 0;

	for (size_t i = 0; i < kept->rows; i++)
		withdrawn += !strcmp(kept->row[i].type, "withdrawn");
	report_note(context->report, "Written: %s/assay.prom, %zu sample%s%s.",
		    context->settings.textfile, samples - withdrawn,
		    samples - withdrawn == 1 ? "" : "s", withdrawn ?
		    "; these events have no count" : "");
	for (size_t i = 0; i < kept->rows; i++)
		if (!strcmp(kept->row[i].type, "withdrawn"))
			report_row(context->report, &kept->row[i]);
}

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	const struct assay_telemetry what = {
		.on = s->on, .events = s->events, .measure = s->measure,
		.cpu = s->cpu,
	};
	struct kept_rows kept = { .fn = NULL };
	struct assay_error err = { 0 };
	size_t samples = 0;
	int rc;

	if (!s->textfile)
		return complain_text("export", EXIT_USAGE, "where to? "
				     "--textfile DIR, the folder of "
				     "node_exporter's --collector.textfile."
				     "directory");
	rc = assay_telemetry_read(context->assay, &what, keep_row, &kept, &err);
	if (!rc && kept.no_memory)
		rc = error_memory(&err);
	if (!rc)
		rc = write_file(s->textfile, &kept, &samples, &err);
	if (!rc)
		answer(context, &kept, samples);
	kept_rows_free(&kept);
	return rc ? complain(context, &err) : EXIT_OK;
}

static const struct option own[] = {
	TEXT(0, "textfile", "DIR", textfile,
	  "write DIR/assay.prom, for node_exporter's textfile collector"),
	LIST('e', "event", "EVENTS", events,
	  "count these events, if a certificate verifies them"),
	FLAG(0, "measure", measure,
	  "time the latency of each level (several seconds)"),
	NUMBER(0, "cpu", "N", cpu, 0, "run on this CPU"),
	{ 0 }
};

static const struct option *const options[] = {
	own, on_option, cert_options, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay export --textfile /var/lib/prometheus/node-exporter "
	  "--measure", "verdicts and latencies, for Prometheus" },
	{ 0 }
};

const struct command export_command = {
	.name = "export",
	.group = "check",
	.summary = "verdicts, latencies and certified counts for Prometheus",
	.arguments = "--textfile DIR",
	.options = options,
	.text =
		"Writes one file of metrics, which takes its name only when it "
		"is complete. Each sample has the label class: of an event its "
		"class in the certificate that fits this machine (assay verify "
		"--save), \"timed\" of a latency.\n\n"
		"assay_event_quotable is 1 where the certificate says that the "
		"event counts what its name says. assay_event_counts has the "
		"events of -e while a list of 1 MiB is chased. An event that "
		"cannot be counted has no sample; neither has one that no "
		"certificate verifies, or that reads 0 while others count. "
		"assay_event_withdrawn says why. docs/telemetry.md has a timer "
		"for systemd.",
	.example = examples,
	.variable = cert_variables,
	.run = run,
};
