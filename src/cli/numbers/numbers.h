/* SPDX-License-Identifier: MIT */
/*
 * The numbers of a run that people track from build to build, in the formats of
 * others: Prometheus' text format, and the JSON of Google Benchmark,
 * github-action-benchmark and Bencher. docs/formats.md has their names.
 */
#ifndef CLI_NUMBERS_NUMBERS_H
#define CLI_NUMBERS_NUMBERS_H

#include "cli/plots/run-file.h"

enum number_kind { NUMBER_LATENCY, NUMBER_TIME, NUMBER_COUNT };

struct number {
	char benchmark[512];	/* "chase/elements:512/order:shuffled" */
	char measure[ASSAY_NAME];	/* "L1D_CACHE", "latency" */
	enum number_kind kind;	/* LATENCY: ns per access; TIME: s */
	const char *unit;	/* "events", "ns", "s" */
	double value, low, high;
	bool range;		/* several readings: low to high */
	const char *cpu, *provider;	/* may be "" */
};

struct numbers {
	struct number *number;
	size_t numbers;
	bool no_memory;
};

/* What is absent or an estimate is left out; stderr says why. */
int numbers_collect(struct numbers *out, const struct run_file *run,
		    const struct context *context, struct assay_error *err);
void numbers_fini(struct numbers *numbers);

/* "chase/elements:512/order:shuffled"; of a program its command line. */
void numbers_name(char *out, size_t room, const struct assay_record *record);

/* Writers: 0: there was nothing to write. on: what counted: "perf". */
size_t prometheus_write(FILE *out, const struct numbers *numbers,
			const struct run_file *run, const char *on);
size_t action_write(FILE *out, const struct numbers *numbers);
size_t bencher_write(FILE *out, const struct numbers *numbers);
size_t google_write(FILE *out, const struct run_file *run,
		    const struct context *context);

/* The lines before the samples of a family, and a label of a sample. */
void prometheus_family(FILE *out, const char *name, const char *help);
void prometheus_label(FILE *out, const char *name, const char *text);
/* When the file was written. */
void prometheus_time(FILE *out);

/* Writes the run in the context's format. Returns the exit code. */
int numbers_put(struct context *context, const struct run_file *run);

#endif
