/* SPDX-License-Identifier: MIT */
/* See rows.h. */
#include "ci/rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"

/* "+0.5 %", "-1 %", "1000". */
static void budget_text(char *out, size_t room, const struct compare_limit *l)
{
	snprintf(out, room, "%s%g%s", l->above && l->by >= 0 ? "+" : "", l->by,
		 l->percent ? " %" : "");
}

/* A change in the unit of the budget: a share for people in per cent. */
static struct assay_field change_field(const char *name,
				       const struct ci_judged *j,
				       double counts, double share)
{
	static const char from_nothing[] = "the base is 0";
	struct assay_field f = { .name = name, .kind = ASSAY_FIELD_REAL,
		.real = share, .decimals = 2, .flags = ASSAY_FIELD_PERCENT };

	if (!j->by.pairs)
		return field_value(name, (struct assay_value){ .why = j->why });
	if (counts != 0 && !isfinite(share))
		return field_value(name, (struct assay_value){
			.why = from_nothing });
	return f;
}

/* A line of the head; where it is gone, that of the base. */
static const struct ci_line *line_of(const struct ci_pair *pair)
{
	return pair->head ? pair->head : pair->base;
}

static void place_fields(struct assay_field *out, const struct ci_pair *pair,
			 enum tally_column column)
{
	const struct ci_line *l = pair ? line_of(pair) : NULL;
	const int64_t more = pair ? ci_line_more(pair, column) : 0;

	out[0] = field_text("function", l ? l->function : "");
	out[1] = field_text("file", l ? l->file : "");
	out[1].flags |= ASSAY_FIELD_PATH;
	out[2] = field_count("line", l ? (uint64_t)l->line : 0);
	out[2].flags |= ASSAY_FIELD_PLAIN;
	out[3] = more < 0 ?
		 field_value("more", (struct assay_value){
			.number = (double)more }) :
		 field_count("more", (uint64_t)more);
}

/* The judged budget, and the line that holds the change; or NULL. */
static int put_budget(const struct ci_rows *rows, const struct ci_budget *b,
		      const struct ci_judged *j, const struct ci_pair *pair)
{
	const bool known = j->verdict != CI_NOT_JUDGED;
	const struct assay_value none = { .why = j->why };
	const struct assay_value base = { .number = j->base };
	const struct assay_value head = { .number = j->head };
	struct assay_field field[16];
	char budget[64];
	size_t n = 0;

	budget_text(budget, sizeof(budget), &b->limit);
	field[n++] = field_text("benchmark", rows->benchmark);
	field[n++] = field_text("quantity", assay_quantity_name(b->quantity));
	field[n++] = field_text("verdict", ci_verdict_words[j->verdict]);
	field[n++] = field_value("base", known ? base : none);
	field[n++] = field_value("head", known ? head : none);
	field[n++] = change_field("change", j, j->by.median, j->by.share);
	field[n++] = change_field("least", j, j->by.low, j->least);
	field[n++] = change_field("most", j, j->by.high, j->most);
	field[n++] = field_count("pairs", j->by.pairs);
	field[n++] = field_text("budget", budget);
	place_fields(field + n, pair, ci_lines_column(b->quantity));
	n += 4;
	field[n++] = field_text("why", j->why);
	return row_emit(rows->fn, rows->ctx, "budget", field, n);
}

static int put_line(const struct ci_rows *rows, const struct ci_budget *b,
		    const struct ci_pair *pair, enum tally_column c)
{
	struct assay_field field[8];

	field[0] = field_text("benchmark", rows->benchmark);
	field[1] = field_text("quantity", assay_quantity_name(b->quantity));
	place_fields(field + 2, pair, c);
	field[6] = field_count("base", pair->base ? pair->base->count[c] : 0);
	field[7] = field_count("head", pair->head ? pair->head->count[c] : 0);
	return row_emit(rows->fn, rows->ctx, "line", field, 8);
}

static void add_up(struct assay_ci_outcome *outcome, enum ci_verdict verdict)
{
	outcome->budgets++;
	outcome->over += verdict == CI_OVER;
	outcome->better += verdict == CI_BETTER;
	outcome->unjudged += verdict == CI_NOT_JUDGED;
}

/* Is the line new in the head, or has the line another text there? */
static bool is_changed(const struct ci_pair *pair)
{
	return pair->head && pair->head->text &&
	       (!pair->base || (pair->base->text &&
				strcmp(pair->head->text, pair->base->text)));
}

/* Is the source the user's: can it be read? */
static bool is_own(const struct ci_pair *pair)
{
	return line_of(pair)->text != NULL;
}

/* Of the sorted pairs, from the first one on: the first of that kind that has
 * at least the part 1 / `part` of the very first one's change. */
static const struct ci_pair *first_of(const struct ci_pair *pair, size_t n,
				      int step, enum tally_column c, int part,
				      bool (*kind)(const struct ci_pair *pair))
{
	const int64_t most = ci_line_more(pair, c);

	for (size_t i = 0; i < n; i++, pair += step) {
		const int64_t more = ci_line_more(pair, c);

		if ((more > 0) != (most > 0) ||
		    part * llabs(more) < llabs(most))
			break;
		if (kind(pair))
			return pair;
	}
	return NULL;
}

/* All pairs of lines of the two sides. */
struct matched { struct ci_pair *pair; size_t n; };

/*
 * The line to name for a change of the total, NULL: none. A line that the
 * author changed comes before one with up to four times as many counts: its
 * neighbours may be compiled otherwise. A line of the user's comes before those
 * of libraries with up to ten times as many.
 */
static const struct ci_pair *line_to_name(struct matched *m,
					  enum tally_column c, bool up)
{
	const struct ci_pair *first, *named;

	if (c == TALLY_COLUMNS || !m->n)
		return NULL;
	ci_lines_sort(m->pair, m->n, c);
	first = up ? m->pair : &m->pair[m->n - 1];
	if (ci_line_more(first, c) == 0 || (ci_line_more(first, c) > 0) != up)
		return NULL;
	named = first_of(first, m->n, up ? 1 : -1, c, 4, is_changed);
	if (!named)
		named = first_of(first, m->n, up ? 1 : -1, c, 10, is_own);
	return named ? named : first;
}

static int put_lines(const struct ci_rows *rows, const struct ci_budget *b,
		     struct matched *m)
{
	const enum tally_column c = ci_lines_column(b->quantity);
	int rc = 0;

	if (c == TALLY_COLUMNS)
		return 0;
	ci_lines_sort(m->pair, m->n, c);
	for (unsigned i = 0; i < rows->most && i < m->n && rc == 0 &&
	     ci_line_more(&m->pair[i], c) > 0; i++)
		rc = put_line(rows, b, &m->pair[i], c);
	return rc;
}

static int put_all(const struct ci_rows *rows, const struct ci_measurement *m,
		   const struct ci_side *base, const struct ci_side *head,
		   struct matched *lines, struct assay_error *err)
{
	struct ci_judged judged;
	int rc = 0;

	for (size_t i = 0; i < m->budgets && rc == 0; i++) {
		const struct ci_budget *b = &m->budget[i];

		rc = ci_measure_judge(&judged, b, base, head, err);
		if (rc < 0)
			return rc;
		add_up(rows->outcome, judged.verdict);
		rc = put_budget(rows, b, &judged,
				judged.head == judged.base ? NULL :
				line_to_name(lines, ci_lines_column(b->quantity),
					     judged.head > judged.base));
	}
	for (size_t i = 0; rows->most && i < m->budgets && rc == 0; i++)
		rc = put_lines(rows, &m->budget[i], lines);
	return rc;
}

int ci_rows_budgets(const struct ci_rows *rows, const struct ci_measurement *m,
		    const struct ci_side *base, const struct ci_side *head,
		    struct assay_error *err)
{
	struct matched lines = { .n = 0 };
	int rc = ci_lines_match(&lines.pair, &lines.n, &base->lines,
				&head->lines, err);

	if (rc == 0)
		rc = put_all(rows, m, base, head, &lines, err);
	free(lines.pair);
	return rc;
}

int ci_rows_remark(const struct ci_rows *rows, const char *format, ...)
{
	struct assay_field field[2];
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	field[0] = field_text("benchmark", rows->benchmark);
	field[1] = field_text("text", text);
	return row_emit(rows->fn, rows->ctx, "remark", field, 2);
}

int ci_rows_remarks(const struct ci_rows *rows, const struct ci_side *side)
{
	const struct run *r = &side->run[0];
	int rc = 0;

	if (r->threads > 1)
		rc = ci_rows_remark(rows, "%s runs %u threads: only what held "
				    "still in two runs is judged",
				    side->program->name, r->threads);
	if (rc == 0 && r->processes > 1)
		rc = ci_rows_remark(rows, "%s runs %u processes: the counts "
				    "are sums", side->program->name,
				    r->processes);
	if (rc == 0 && r->shows)
		rc = ci_rows_remark(rows, "%s saw the path of its folder, "
				    "which may change its counts: there is no "
				    "private mount here, or an argument has "
				    "'..'", side->program->name);
	if (rc == 0 && side->lines.cut)
		rc = ci_rows_remark(rows, "%s has more lines than there is "
				    "room for: some were left out",
				    side->program->name);
	return rc;
}
