/* SPDX-License-Identifier: MIT */
/*
 * Counted events and computed metrics, in separate tables. An event that was
 * not counted has its reason in the number's place, in every format.
 */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/answers/answers.h"
#include "cli/results.h"
#include "cli/rows.h"
#include "cli/stored.h"

static double share_of(const struct assay_stat_count *c)
{
	return c->enabled ? (double)c->running / (double)c->enabled : 1;
}

/* ---- rows: tables and JSON Lines------------------------------------------ */

static struct assay_field share_field(const char *name, double share,
				      const char *why)
{
	struct assay_field field = real_field(name, share, 2);

	field.flags = ASSAY_FIELD_PERCENT;
	if (why) {
		field.kind = ASSAY_FIELD_ABSENT;
		field.text = why;
	}
	return field;
}

static struct assay_field detail(struct assay_field field)
{
	field.flags |= ASSAY_FIELD_DETAIL;
	return field;
}

/* warning: of the formula, or "". The words are those of the first sentence. */
static const char *trust_text(enum assay_mark mark, const char *warning,
			      const char *why_absent)
{
	if (why_absent)
		return "";
	if (mark != ASSAY_MARK_WRONG && *warning)
		return "doubtful";
	return mark == ASSAY_MARK_UNKNOWN ? "unverified" :
					    assay_mark_name(mark);
}

/* The mean's standard error, as a part of the mean. */
static struct assay_field error_field(struct assay_value value, double error,
				      const char *why)
{
	if (value.why)
		why = value.why;
	else if (!why && value.number == 0)
		why = "the mean is 0";
	return share_field("error", why ? 0 : fabs(error / value.number), why);
}

#define LEAD 3	/* fields at most */

/* The fields that name a result's run, interval or part. Returns how many. */
static size_t lead(const struct assay_stat_result *r, struct assay_field *field)
{
	size_t n = 0;

	if (r->run)
		field[n++] = field_count("run", r->run);
	if (r->kind == ASSAY_STAT_INTERVAL)
		field[n++] = with_unit(real_field("seconds", r->seconds, 3),
				       "s");
	if (r->kind == ASSAY_STAT_CGROUP)
		field[n++] = field_text("cgroup", r->cgroup);
	if (r->kind == ASSAY_STAT_THREAD) {
		field[n] = field_count("thread", (uint64_t)r->tid);
		field[n++].flags |= ASSAY_FIELD_PLAIN;
		field[n++] = field_text("name", r->thread);
	}
	return n;
}

static int count_row(struct context *context,
		     const struct assay_stat_result *r,
		     const struct assay_stat_count *c)
{
	static const char *const types[] = {
		[ASSAY_STAT_TOTAL] = "count",
		[ASSAY_STAT_INTERVAL] = "interval",
		[ASSAY_STAT_THREAD] = "thread", [ASSAY_STAT_CGROUP] = "cgroup",
	};
	struct assay_field field[LEAD + 12];
	size_t n = lead(r, field);

	field[n++] = field_text("event", c->name);
	field[n++] = with_unit(value_field("count", c->value),
			       c->unit);
	if (r->kind == ASSAY_STAT_TOTAL && r->runs > 1) {
		field[n++] = error_field(c->value, c->error, c->runs < 2 ?
					 "counted in one run only" : NULL);
		field[n++] = field_count("runs", c->runs);
	}
	field[n++] = share_field("counted", share_of(c), c->value.why);
	field[n++] = field_text("trust", trust_text(c->mark, "",
						   c->value.why));
	field[n++] = detail(field_text("code", c->code));
	field[n++] = detail(with_unit(field_count("enabled", c->enabled),
				      "ns"));
	field[n++] = detail(with_unit(field_count("running", c->running),
				      "ns"));
	field[n++] = detail(field_text("why trust", c->value.why ? "" :
				       c->mark_why));
	return report_row(context->report,
			  &(struct assay_row){ types[r->kind], field, n });
}

/* Ratios and rates are small: enough digits of each. */
static struct assay_field metric_field(struct assay_value value)
{
	struct assay_field field = value_field("value", value);

	if (field.kind == ASSAY_FIELD_REAL)
		field.decimals = fabs(value.number) < 1 ? 6 :
				 fabs(value.number) < 1000 ? 4 : 1;
	return field;
}

static int metric_row(struct context *context,
		      const struct assay_stat_result *r,
		      const struct assay_stat_metric *m)
{
	struct assay_field field[LEAD + 6];
	size_t n = lead(r, field);

	field[n++] = field_text("metric", m->name);
	field[n++] = metric_field(m->value);
	if (r->kind == ASSAY_STAT_TOTAL && r->runs > 1)
		field[n++] = error_field(m->value, m->error, m->error_why);
	field[n++] = field_text("trust", trust_text(m->mark, m->warning,
						   m->value.why));
	field[n++] = detail(field_text("formula", m->text));
	field[n++] = detail(field_text("file", m->file));
	return report_row(context->report,
			  &(struct assay_row){ "metric", field, n });
}

/* ---- warnings about the numbers ------------------------------------------ */

static int remark_row(struct context *context, const char *about,
		      const char *text)
{
	const struct assay_field field[] = {
		field_text("about", about), field_text("remark", text),
	};

	return report_row(context->report,
			  &(struct assay_row){ "remark", field, 2 });
}

static int remarks(struct context *context, const struct assay_stat_result *r)
{
	int rc = 0;

	for (size_t i = 0; i < r->counts && !rc; i++)
		if (!r->count[i].value.why &&
		    r->count[i].mark == ASSAY_MARK_WRONG)
			rc = remark_row(context, r->count[i].name,
					r->count[i].mark_why);
	for (size_t i = 0; i < r->metrics && !rc; i++)
		if (!r->metric[i].value.why && *r->metric[i].warning)
			rc = remark_row(context, r->metric[i].name,
					r->metric[i].warning);
	return rc;
}

static struct assay_field time_field(const char *name,
				     const struct assay_stat_time *t)
{
	return with_unit(t->mean.why ? value_field(name, t->mean) :
			 real_field(name, t->mean.number / 1e9, 6), "s");
}

static int time_row(struct context *context,
		    const struct assay_stat_result *r)
{
	const struct assay_field field[] = {
		time_field("elapsed", &r->elapsed),
		time_field("user", &r->user),
		time_field("system", &r->system),
		field_count("runs", r->runs),
		field_count("status", (uint64_t)r->status),
	};

	return report_row(context->report, &(struct assay_row){
			  "time", field, sizeof(field) / sizeof(*field) });
}

static int rows(struct context *context, const struct assay_stat_result *r)
{
	int rc = 0;

	for (size_t i = 0; i < r->counts && !rc; i++)
		rc = count_row(context, r, &r->count[i]);
	for (size_t i = 0; i < r->metrics && !rc; i++)
		rc = metric_row(context, r, &r->metric[i]);
	return rc ? rc : remarks(context, r);
}

/* ---- for people----------------------------------------------------------- */

static void head(struct context *context, const struct assay_stat_result *r)
{
	char title[300];

	if (r->runs > 1)
		snprintf(title, sizeof(title), "%.240s, %u runs", r->title,
			 r->runs);
	else
		snprintf(title, sizeof(title), "%.240s", r->title);
	report_title(context->report, title);
}

static void add_time(struct phrase *out, const struct assay_stat_time *t,
		     const char *what)
{
	if (t->mean.why)
		return;
	phrase_add(out, "%s%.6f s %s", out->used ? ", " : "",
		   t->mean.number / 1e9, what);
	if (t->error > 0 && t->mean.number > 0)
		phrase_add(out, " (±%.1f %%)", 100 * t->error / t->mean.number);
}

static void times(struct context *context, const struct assay_stat_result *r)
{
	struct phrase text = { .used = 0 };

	add_time(&text, &r->elapsed, "elapsed");
	add_time(&text, &r->user, "user");
	add_time(&text, &r->system, "system");
	report_flush(context->report);
	if (context->settings.verbose && r->about)
		report_note(context->report, "%s", r->about);
	if (text.used)
		report_note(context->report, "%s", text.text);
	if (r->record)
		page_noise(context, &r->record->noise, "");
	if (r->sets > r->runs)
		report_note(context->report, "not all events have a counter at "
			    "the same time: -r %u counts all in turns",
			    r->sets);
}

/* ---- laws between events-------------------------------------------------- */

struct laws { struct context *context; unsigned rows; };

/* People see violated identities only; programs see all. */
static int law_row(void *ctx, const struct assay_row *row)
{
	struct laws *laws = ctx;
	struct context *context = laws->context;
	const bool violated = !strcmp(row_text(row, "verdict"), "violated");

	stored_row(context, row);
	if (report_has(context->report, REPORT_RECORDS))
		return report_row(context->report, row);
	if (!violated && !context->settings.verbose)
		return 0;
	if (!report_has(context->report, REPORT_MIXED_ROWS)) {
		if (violated && !context->settings.quiet)
			report_say(stderr, "assay stat: violated: %s (doubt %s "
				   "first)\n", row_text(row, "law"),
				   row_text(row, "doubt"));
		return 0;
	}
	if (!laws->rows++)
		report_title(context->report, "laws between these events");
	return report_row(context->report, row);
}

/* Returns how many the counts break. */
static unsigned check_laws(struct context *context,
			   const struct assay_stat_result *r)
{
	struct laws laws = { context, 0 };
	struct assay_error err = { 0 };
	unsigned violations = 0;
	size_t present = 0;

	for (size_t i = 0; i < r->counts; i++)
		present += !r->count[i].value.why;
	/* An identity relates two events at least. */
	if (present < 2 || !r->record)
		return 0;
	if (assay_check_identities(context->assay, r->record, law_row, &laws,
				   &violations, &err) < 0 &&
	    err.code != -ASSAY_ESTOP)
		complain(context, &err);
	return violations;
}

/* People see metrics alone, unless they gave -v or -e. */
static bool metrics_only(const struct context *context,
			 const struct assay_stat_result *r)
{
	return r->metrics && !context->settings.verbose &&
	       !context->settings.events;
}

/* Metrics without a value are shown with -v; the answer counts them. */
static bool is_shown(const struct context *context, struct assay_value value)
{
	return !value.why || context->settings.verbose;
}

static int show_rows(struct context *context,
		     const struct assay_stat_result *r)
{
	const bool counts = !metrics_only(context, r);
	int rc = 0;

	for (size_t i = 0; counts && i < r->counts && !rc; i++)
		rc = count_row(context, r, &r->count[i]);
	if (r->metrics && counts)
		report_title(context->report, "metrics");
	for (size_t i = 0; i < r->metrics && !rc; i++)
		if (is_shown(context, r->metric[i].value))
			rc = metric_row(context, r, &r->metric[i]);
	return rc || !counts ? rc : remarks(context, r);
}

/* Without counters: the command that simulates what is missing. */
static void show_hand_over(struct context *context,
			   const struct assay_stat_result *r)
{
	const struct settings *s = &context->settings;
	struct phrase command = { .used = 0 };
	size_t i = 0;

	while (i < r->counts && !hand_over_fits(s, r->count[i].value.why))
		i++;
	if (i == r->counts)
		return;
	hand_over_text(&command, s->program);
	report_note(context->report, "\nA model of this CPU can count instead "
		    "(without --by none it also says which lines miss):\n"
		    "  %s", command.text);
}

static int show(struct context *context, const struct assay_stat_result *r)
{
	struct phrase phrase = { .used = 0 };
	unsigned violated;
	int rc;

	head(context, r);
	rc = show_rows(context, r);
	violated = check_laws(context, r);
	times(context, r);
	stat_answer(r, violated, &phrase);
	report_answer(context->report, "%s.", phrase_text(&phrase));
	if (metrics_only(context, r))
		report_note(context->report, "\n-v: the events that were "
			    "counted, every metric that is missing, and all "
			    "remarks");
	show_hand_over(context, r);
	return rc;
}

static void put_line(FILE *out, double seconds, const char *name,
		     struct assay_value value, const char *number)
{
	if (value.why)
		report_say(out, "%12.6f s %20s  %s: %s\n", seconds, "-", name,
			   value.why);
	else
		report_say(out, "%12.6f s %s%20s  %s\n", seconds,
			   value.estimate ? "~" : " ", number, name);
}

/* While the program runs: a line per event, at once. */
static int show_interval(struct context *context,
			 const struct assay_stat_result *r)
{
	FILE *out = report_file(context->report);
	char number[400];	/* room for every double */

	for (size_t i = 0; i < r->counts; i++) {
		const struct assay_stat_count *c = &r->count[i];

		snprintf(number, sizeof(number), "%.0f", c->value.number);
		put_line(out, r->seconds, c->name, c->value, number);
	}
	for (size_t i = 0; i < r->metrics; i++) {
		const struct assay_stat_metric *m = &r->metric[i];

		snprintf(number, sizeof(number), "%.6g", m->value.number);
		put_line(out, r->seconds, m->name, m->value, number);
	}
	return fflush(out);
}

/* ---- as perf stat -x------------------------------------------------------ */

static void put_lead(FILE *out, const struct assay_stat_result *r, char s)
{
	char thread[64];

	if (r->run)
		fprintf(out, "%u%c", r->run, s);
	if (r->kind == ASSAY_STAT_INTERVAL)
		fprintf(out, "%.9f%c", r->seconds, s);
	if (r->kind == ASSAY_STAT_CGROUP) {
		report_csv_text(out, r->cgroup, s);
		fputc(s, out);
	}
	if (r->kind == ASSAY_STAT_THREAD) {
		snprintf(thread, sizeof(thread), "%.40s-%d", r->thread,
			 (int)r->tid);
		report_csv_text(out, thread, s);
		fputc(s, out);
	}
}

/* perf shows the clocks of CPUs in msec, and counts without decimals. */
static void csv_value(FILE *out, const struct assay_stat_count *c, char s)
{
	const bool clock = c->unit && !strcmp(c->unit, "ns") &&
			   strstr(c->name, "-clock");

	if (c->value.why)
		fputs("<not counted>", out);
	else
		fprintf(out, clock ? "%.2f" : "%.0f",
			c->value.number / (clock ? 1e6 : 1));
	fprintf(out, "%c%s%c", s, clock ? "msec" : c->unit ? c->unit : "", s);
}

static void csv_count(FILE *out, const struct assay_stat_result *r,
		      const struct assay_stat_count *c, char s)
{
	const double part = c->value.why || !c->value.number ? 0 :
			    c->error / c->value.number;
	const bool mean = r->kind == ASSAY_STAT_TOTAL && r->runs > 1;

	put_lead(out, r, s);
	csv_value(out, c, s);
	report_csv_text(out, c->name, s);
	if (mean)
		fprintf(out, "%c%.2f%%", s, 100 * part);
	fprintf(out, "%c%" PRIu64 "%c%.2f%c%c\n", s,
		mean ? c->running / r->runs : c->running, s,
		c->value.why ? 0 : 100 * share_of(c), s, s);
}

/* A metric in perf's CSV has empty event columns. */
static void csv_metric(FILE *out, const struct assay_stat_result *r,
		       const struct assay_stat_metric *m, char s)
{
	put_lead(out, r, s);
	fprintf(out, "%c%c%c%c", s, s, s, s);
	if (r->kind == ASSAY_STAT_TOTAL && r->runs > 1) {
		if (!m->value.why && !m->error_why && m->value.number)
			fprintf(out, "%.2f%%",
				fabs(100 * m->error / m->value.number));
		fputc(s, out);
	}
	fputc(s, out);
	if (m->value.why)
		fputs("<not counted>", out);
	else
		fprintf(out, "%.15g", m->value.number);
	fputc(s, out);
	report_csv_text(out, m->name, s);
	fputc('\n', out);
}

/* CSV has no room for reasons. */
static void remark(const struct context *context, const char *name,
		   const char *why)
{
	if (why && !context->settings.quiet)
		report_say(stderr, "assay stat: %s: %s\n", name, why);
}

static int csv(struct context *context, const struct assay_stat_result *r)
{
	const char s = report_style(context->report)->separator;
	FILE *out = report_file(context->report);

	for (size_t i = 0; i < r->counts; i++)
		csv_count(out, r, &r->count[i], s);
	for (size_t i = 0; i < r->metrics; i++)
		csv_metric(out, r, &r->metric[i], s);
	if (report_push(context->report) || r->kind != ASSAY_STAT_TOTAL)
		return ferror(out);
	for (size_t i = 0; i < r->counts; i++)
		remark(context, r->count[i].name, r->count[i].value.why);
	for (size_t i = 0; i < r->metrics; i++)
		remark(context, r->metric[i].name, r->metric[i].value.why);
	check_laws(context, r);
	return ferror(out);
}

/* ---- */

static int json(struct context *context, const struct assay_stat_result *r)
{
	struct assay_error err;
	int rc = 0;

	if (r->record)
		rc = assay_record_write(report_file(context->report),
					r->record, &err);
	if (!rc)
		rc = rows(context, r);
	if (!rc && r->kind == ASSAY_STAT_TOTAL)
		rc = time_row(context, r);
	if (!rc && r->kind == ASSAY_STAT_TOTAL)
		check_laws(context, r);
	return report_push(context->report) || rc;
}

/* All but the laws, which law_row() stores when they are checked. */
static void store(struct context *context, const struct assay_stat_result *r)
{
	struct context into;

	if (r->record)
		stored_record(context, r->record);
	into = *context;
	into.report = stored_report(context);
	if (into.report && !rows(&into, r) && r->kind == ASSAY_STAT_TOTAL)
		time_row(&into, r);
	stored_point(context);
}

int stat_print(void *ctx, const struct assay_stat_result *r)
{
	struct context *context = ctx;

	store(context, r);
	if (report_has(context->report, REPORT_RECORDS))
		return json(context, r);
	if (report_has(context->report, REPORT_FIELDS))
		return csv(context, r);
	if (r->kind == ASSAY_STAT_INTERVAL)
		return show_interval(context, r);
	report_hold(context->report);
	return r->kind == ASSAY_STAT_TOTAL ? show(context, r) :
					     rows(context, r);
}
