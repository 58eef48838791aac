/* SPDX-License-Identifier: MIT */
/*
 * From a record (one repetition for each run) to a summary: the mean of each
 * event with its standard error, the formulas over the means, and the marks
 * that say how far a certificate supports an event. The mean of an event is
 * taken over the runs that counted the event.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat/stat.h"
#include "base/record.h"
#include "base/text.h"

void stat_mean(const double *x, size_t n, double *mean, double *error)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	*mean = n ? sum / (double)n : 0;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - *mean) * (x[i] - *mean);
	*error = n > 1 ? sqrt(squares / (double)(n - 1) / (double)n) : 0;
}

struct assay_count stat_count_of(const struct follow_value *v)
{
	static const char never_ran[] = "not counted: the counter never ran";
	static const char never_on[] =
		"not counted: the counter was never switched on";
	struct assay_count count = {
		.value = v->value, .enabled = v->enabled,
		.running = v->running,
	};

	if (v->running == 0) {
		count.value = 0;
		count.state = ASSAY_COUNT_ABSENT;
		count.why = v->enabled ? never_ran : never_on;
	} else if (v->running < v->enabled) {
		count.state = ASSAY_COUNT_SCALED;
	}
	return count;
}

/* Why an event was counted in no run. */
static const char *reason(const struct assay_record *record, unsigned e)
{
	const char *why = record->event[e].why;

	for (unsigned r = 0; r < record->repeats && !*why; r++) {
		why = record->counts[(size_t)r * record->events + e].why;
		why = why ? why : "";
	}
	return *why ? why : "not counted";
}

/* perf's three events whose counts are times in ns. */
static bool is_time(const char *name)
{
	return !strncmp(name, "task-clock", 10) ||
	       !strncmp(name, "cpu-clock", 9) ||
	       text_equal(name, events_elapsed);
}

static void summarize_event(struct assay_stat_count *out,
			    const struct assay_record *record, unsigned e,
			    double *x)
{
	out->name = record->event[e].name;
	out->code = record->event[e].code;
	out->unit = is_time(out->name) ? "ns" : NULL;
	for (unsigned r = 0; r < record->repeats; r++) {
		const struct assay_count *c =
			&record->counts[(size_t)r * record->events + e];

		if (c->state == ASSAY_COUNT_ABSENT)
			continue;
		out->enabled += c->enabled;
		out->running += c->running;
		out->value.estimate |= c->state == ASSAY_COUNT_SCALED;
		x[out->runs++] = (double)assay_count_estimate(c);
	}
	if (!out->runs)
		out->value.why = reason(record, e);
	stat_mean(x, out->runs, &out->value.number, &out->error);
}

/* The record that formulas are applied to: one repetition with the means. */
static void summarize_record(struct stat_summary *out,
			     const struct assay_record *record)
{
	struct assay_record *mean = out->record;

	mean->machine = record->machine;
	mean->place = record->place;
	for (unsigned e = 0; e < record->events; e++) {
		const struct assay_value *v = &out->count[e].value;

		mean->event[e] = record->event[e];
		mean->counts[e] = (struct assay_count){
			.value = v->why ? 0 : (uint64_t)llround(v->number),
			.enabled = v->estimate, .running = v->estimate,
			.state = v->why ? ASSAY_COUNT_ABSENT :
				 v->estimate ? ASSAY_COUNT_SCALED :
					       ASSAY_COUNT_PRESENT,
			.why = v->why,
		};
	}
}

/* A metric gets the worst mark of its events. Only if all of them are verified,
 * it is verified. */
static void mark_metric(const struct stat_summary *s,
			const struct formula_file *file,
			const struct formula *formula,
			struct assay_stat_metric *out)
{
	bool all = formula->events > 0;

	out->mark_why = "";
	for (unsigned i = 0; i < formula->events; i++) {
		const int e = assay_record_find(s->record,
						file->event[formula->event[i]]);
		const struct assay_trusted *t;

		t = e < 0 ? NULL : &s->trusted[e];
		all &= t && t->mark == ASSAY_MARK_VERIFIED;
		if (!t || t->mark == ASSAY_MARK_VERIFIED ||
		    out->mark == ASSAY_MARK_WRONG)
			continue;
		out->mark = t->mark;
		out->mark_why = t->sentence;
	}
	if (all)
		out->mark = ASSAY_MARK_VERIFIED;
}

static void add_metric(struct stat_summary *out,
		       const struct stat_means *means,
		       const struct formula_file *file,
		       const struct formula *formula, const char *name)
{
	struct assay_stat_metric *m = &out->metric[out->result.metrics];

	if (out->result.metrics == STAT_METRICS)
		return;
	*m = (struct assay_stat_metric){
		.file = file->name, .name = name, .text = formula->text,
		.value = formula_value(file, formula, out->record),
		.warning = formula->warning,
	};
	stat_metric_value(m, means, file, formula);
	mark_metric(out, file, formula, m);
	out->result.metrics++;
}

static void add_hypothesis(struct stat_summary *out,
			   const struct stat_means *means,
			   const struct formula_file *file,
			   const struct hypothesis *h)
{
	static const char *const parts[PIE_PARTS] = {
		"l1", "l2", "l3", "dram", "total"
	};
	char text[2 * ASSAY_NAME];

	for (int p = 0; p < PIE_PARTS; p++) {
		const char *name;

		snprintf(text, sizeof(text), "%.60s.%s", h->name, parts[p]);
		name = record_own_string(out->record, text);
		add_metric(out, means, file, &h->part[p],
			   name ? name : h->name);
	}
}

static void add_metrics(struct stat_summary *out,
			const struct stat_means *means,
			const struct stat_schedule *schedule)
{
	const struct run *run = &schedule->run;

	for (unsigned f = 0; f < run->files; f++) {
		const struct formula_file *file = run->file[f];

		for (size_t i = 0; i < file->formulas; i++)
			if (stat_group_wants(schedule, f, i))
				add_metric(out, means, file,
					   &file->formula[i],
					   file->formula[i].name);
		for (size_t i = 0; f < run->asked && i < file->hypotheses; i++)
			add_hypothesis(out, means, file,
				       &file->hypothesis[i]);
	}
}

/* Marks saved counts as wrong whose code, as the record has it, is not the
 * code of that event in the CPU file. */
static void mark_codes(struct stat_summary *out,
		       const struct stat_schedule *schedule)
{
	struct assay_record *r = out->record;
	struct cpu *cpu;

	if (!schedule->replay || cpu_load(&cpu, r->machine.cpu,
				      schedule->run.assay->data_dir, NULL))
		return;
	for (unsigned e = 0; e < r->events; e++) {
		struct assay_trusted *t = &out->trusted[e];

		if (events_misprogrammed(t->sentence, sizeof(t->sentence), cpu,
					 r->event[e].name, r->event[e].code))
			out->count[e].mark = t->mark = ASSAY_MARK_WRONG;
	}
	cpu_free(cpu);
}

static void mark_events(struct stat_summary *out,
			const struct assay_trust *trust)
{
	for (unsigned e = 0; e < out->record->events; e++) {
		assay_trust_of(trust, out->count[e].name, &out->trusted[e]);
		out->count[e].mark = out->trusted[e].mark;
		out->count[e].mark_why = out->trusted[e].sentence;
	}
	out->result.about = assay_trust_about(trust);
}

int stat_summarize(struct stat_summary *out,
		   const struct stat_schedule *schedule,
		   const struct assay_trust *trust,
		   const struct assay_record *record, struct assay_error *err)
{
	double *x = calloc(record->repeats + 1, sizeof(*x));
	struct stat_means means;

	out->record = record_new(record->events, 1);
	if (!x || !out->record ||
	    stat_means_init(&means, record, schedule->packing.sets)) {
		free(x);
		stat_summary_fini(out);
		return error_memory(err);
	}
	for (unsigned e = 0; e < record->events; e++)
		summarize_event(&out->count[e], record, e, x);
	free(x);
	summarize_record(out, record);
	mark_events(out, trust);
	mark_codes(out, schedule);
	add_metrics(out, &means, schedule);
	stat_means_fini(&means);
	out->result.count = out->count;
	out->result.counts = record->events;
	out->result.metric = out->metric;
	out->result.sets = schedule->packing.sets;
	return 0;
}

void stat_summary_fini(struct stat_summary *summary)
{
	record_free(summary->record);
	summary->record = NULL;
}
