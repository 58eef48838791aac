/* SPDX-License-Identifier: MIT */
/*
 * What a run says, from its rows: the sentences that the commands themselves
 * print, where their rows are enough for these.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/answers/sim-answer.h"
#include "cli/plots/shown.h"
#include "cli/results.h"

#define AGREES 0.01		/* largest error of a pie, as in judge */

/* ---- sentences that stand in a row -------------------------------------- */

static bool from_row(const struct run_file *run, struct phrase *out)
{
	static const struct { const char *type, *field; } rows[] = {
		{ "answer", "answer" }, { "summary", "text" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct assay_row *row = run_file_row(run, rows[i].type);

		if (row && *row_text(row, rows[i].field)) {
			phrase_add(out, "%s", row_text(row, rows[i].field));
			return true;
		}
	}
	return false;
}

/* ---- topo ---------------------------------------------------------------- */

static bool from_caches(const struct run_file *run, struct phrase *out)
{
	if (!run_file_row(run, "cache"))
		return false;
	topo_answer(&run->rows, out);
	return out->used > 0;
}

/* ---- verify ------------------------------------------------------------- */

static bool from_verdicts(const struct run_file *run, struct phrase *out)
{
	const struct assay_row *event = run_file_row(run, "event");

	if (!event || !row_find(event, "verdict"))
		return false;
	verdicts_sentence(&run->rows, out);
	return true;
}

/* ---- sim ---------------------------------------------------------------- */

static bool from_lines(const struct run_file *run, struct phrase *out)
{
	struct sim_answer answer = { .threads = 0 };
	int rc = 0;

	if (!run_file_row(run, "blame"))
		return false;
	for (size_t i = 0; i < run->rows.rows && !rc; i++)
		rc = sim_answer_add(&answer, &run->rows.row[i]);
	if (!rc)
		sim_answer_sentence(&answer, out);
	sim_answer_fini(&answer);
	return !rc;
}

/* ---- judge, recipe ------------------------------------------------------ */

static bool from_ranks(const struct run_file *run, struct phrase *out)
{
	struct judge_answer answer = { .claims = 0 };

	if (!run_file_row(run, "rank"))
		return false;
	for (size_t i = 0; i < run->rows.rows; i++)
		judge_answer_add(&answer, &run->rows.row[i]);
	judge_answer_sentence(&answer, false, out);
	judge_answer_fini(&answer);
	return true;
}

static bool from_claims(const struct run_file *run, struct phrase *out)
{
	unsigned all = 0, hold = 0, fail = 0;
	const struct assay_row *first = NULL;

	for (size_t i = 0; i < run->rows.rows; i++) {
		const struct assay_row *row = &run->rows.row[i];

		if (strcmp(row->type, "claim"))
			continue;
		all++;
		hold += !strcmp(row_text(row, "verdict"), "holds");
		if (!strcmp(row_text(row, "verdict"), "fails") && !fail++)
			first = row;
	}
	if (!all)
		return false;
	phrase_add(out, "%u of %u published claims hold", hold, all);
	if (fail)
		phrase_add(out, "; %u %s, first: \"%s\"", fail,
			   fail == 1 ? "fails" : "fail",
			   row_text(first, "claim"));
	phrase_add(out, ".");
	return true;
}

/* ---- hypotheses about who served the accesses --------------------------- */

enum { HYPOTHESES = 32 };

struct tally { const char *name; unsigned agree, all; };

/* NULL: no room. */
static struct tally *find(struct tally *all, size_t *n, const char *name)
{
	for (size_t i = 0; i < *n; i++)
		if (!strcmp(all[i].name, name))
			return &all[i];
	if (*n == HYPOTHESES)
		return NULL;
	all[*n] = (struct tally){ .name = name };
	return &all[(*n)++];
}

static bool is_true(const struct assay_row *row)
{
	return !strcmp(row_text(row, "truth"), "yes") ||
	       !strcmp(row_text(row, "pie"), "true");
}

static const char *const parts[] = { "total", "l1", "l2", "l3", "dram" };
enum { PARTS = 5 };

static bool is_complete(const struct assay_row *row)
{
	for (int i = 0; i < PARTS; i++) {
		const struct assay_field *f = row_find(row, parts[i]);

		if (!f || f->kind == ASSAY_FIELD_ABSENT)
			return false;
	}
	return true;
}

static bool agrees(const struct assay_row *row, const struct assay_row *truth)
{
	const double all = row_number(truth, "total");

	for (int i = 0; i < PARTS; i++)
		if (fabs(row_number(row, parts[i]) -
			 row_number(truth, parts[i])) > AGREES * all)
			return false;
	return true;
}

static size_t count_pies(const struct run_file *run, struct tally *all)
{
	const struct assay_row *truth = NULL;
	size_t n = 0;

	for (size_t i = 0; i < run->rows.rows; i++) {
		const struct assay_row *row = &run->rows.row[i];
		const char *name = row_text(row, "hypothesis");
		struct tally *t;

		if (strcmp(row->type, "pie"))
			continue;
		if (is_true(row)) {
			truth = row;
			continue;
		}
		t = find(all, &n, *name ? name : row_text(row, "pie"));
		if (!t || !truth || !is_complete(row))
			continue;
		t->all++;
		t->agree += agrees(row, truth);
	}
	return n;
}

static bool from_pies(const struct run_file *run, struct phrase *out)
{
	struct tally all[HYPOTHESES], *best = all;
	const size_t n = count_pies(run, all);
	unsigned best_n = 0;

	for (size_t i = 0; i < n; i++)
		if (all[i].agree > best->agree)
			best = &all[i];
	if (!n || !best->all)
		return false;
	phrase_add(out, "of %zu hypotheses about who served the accesses, ", n);
	for (size_t i = 0; i < n; i++)
		if (all[i].agree == best->agree)
			phrase_add(out, "%s%s", best_n++ ? ", " : "",
				   all[i].name);
	phrase_add(out, " agree%s with the truth %s: at %u of %u sizes.",
		   best_n == 1 ? "s" : "", best->agree ? "most often" :
		   "nowhere", best->agree, best->all);
	return true;
}

/* ---- predictions, and times --------------------------------------------- */

static void add_compared(const struct run_file *run, struct phrase *out)
{
	const struct assay_row *first = NULL;
	unsigned agree = 0, disagree = 0;

	for (size_t i = 0; i < run->rows.rows; i++) {
		const struct assay_row *row = &run->rows.row[i];

		if (strcmp(row->type, "comparison"))
			continue;
		agree += !strcmp(row_text(row, "verdict"), "agrees");
		if (!strcmp(row_text(row, "verdict"), "disagrees") &&
		    !disagree++)
			first = row;
	}
	if (!agree && !disagree)
		return;
	phrase_add(out, "%s%u of %u predictions agree with what was counted",
		   out->used ? " " : "", agree, agree + disagree);
	if (first)
		phrase_add(out, "; the first that does not: %s from %s",
			   row_text(first, "quantity"),
			   row_text(first, "from"));
	phrase_add(out, ".");
}

/* "chase on cortex-a72 took 1.2 to 80 ns per access." */
static void add_times(const struct run_points *points, struct phrase *out)
{
	double low = INFINITY, high = 0;

	for (size_t i = 0; points && i < points->points; i++) {
		low = fmin(low, points->point[i].ns);
		high = fmax(high, points->point[i].ns);
	}
	if (!(high > 0) || !isfinite(low))
		return;
	phrase_add(out, "%s on %s took %.3g", points->record->shape.kernel,
		   points->record->machine.cpu, low);
	if (points->points > 1)
		phrase_add(out, " to %.3g", high);
	phrase_add(out, " ns per access.");
}

enum { NAMED = 4 };		/* events in a sentence */

/* ": loads 12, stores 4" */
static void add_counts(const struct assay_record *r, struct phrase *out)
{
	for (unsigned e = 0; e < r->events && e < NAMED; e++) {
		const struct assay_value v = assay_record_value(r, e);
		char number[48];

		if (v.why)
			snprintf(number, sizeof(number), "absent");
		else if (v.number >= 0 && v.number < 1e18)
			text_groups(number, sizeof(number),
				    (uint64_t)(v.number + 0.5));
		else
			snprintf(number, sizeof(number), "%.4g", v.number);
		phrase_add(out, "%s%s %s", e ? ", " : ": ", r->event[e].name,
			   number);
	}
	if (r->events > NAMED)
		phrase_add(out, " and %u more", r->events - NAMED);
}

static void add_records(const struct run_file *run, struct phrase *out)
{
	const struct assay_record *r = run->records ? run->record[0] : NULL;
	const bool program = r && !strcmp(r->shape.kernel, "program");

	if (!r)
		phrase_add(out, "%zu rows%s%s", run->rows.rows,
			   run->rows.rows ? ", the first of type " : "",
			   run->rows.rows ? run->rows.row[0].type : "");
	else
		phrase_add(out, "%zu record%s of %s%s%s, counted by %s",
			   run->records, run->records == 1 ? "" : "s",
			   program ? r->settings.options : r->shape.kernel,
			   *r->machine.cpu ? " on " : "", r->machine.cpu,
			   r->provider);
	if (run->records == 1)
		add_counts(r, out);
	phrase_add(out, ".");
}

void shown_sentence(const struct run_file *run, const struct run_points *points,
		    struct phrase *out)
{
	static bool (*const from[])(const struct run_file *run,
				    struct phrase *out) = {
		from_row, from_caches, from_verdicts, from_lines, from_ranks,
		from_claims, from_pies,
	};

	for (size_t i = 0; i < sizeof(from) / sizeof(*from); i++)
		if (from[i](run, out))
			return;
	add_times(points, out);
	add_compared(run, out);
	if (!out->used)
		add_records(run, out);
}

void shown_conclude(const struct shown *s, struct phrase *out)
{
	if (s->compared.rows.rows)
		shown_sentence(&s->compared, NULL, out);
	for (size_t r = 0; r < s->runs; r++) {
		struct phrase one = { .used = 0 };

		shown_sentence(&s->run[r], &s->points[r], &one);
		phrase_add(out, "%s", out->used ? " " : "");
		if (s->runs > 1)
			phrase_add(out, "run %s: ", s->run[r].name);
		phrase_add(out, "%s", phrase_text(&one));
	}
}
