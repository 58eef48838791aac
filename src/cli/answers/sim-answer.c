/* SPDX-License-Identifier: MIT */
/*
 * The first sentence of assay sim, and its table: the share of each row in what
 * the rows are sorted by, two or three counts, and the place. The counts are
 * chosen so that the table fits the terminal.
 */
#include "cli/answers/sim-answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* The counts of rows, and how a sentence calls them. */
static const struct count { const char *name, *words; } counts[] = {
	{ "lost_cycles", "estimated cycles lost to misses" },
	{ "l1d_misses", "L1D misses" },
	{ "l3_misses", "L3 misses" },
	{ "l2_misses", "L2 misses" },
	{ "mispredicts", "mispredicted branches" },
	{ "dtlb_misses", "data TLB misses" },
	{ "l1i_misses", "L1I misses" },
	{ "instructions", "instructions" },
	{ "loads", "loads" },
	{ "stores", "stores" },
};
enum { COUNTS = sizeof(counts) / sizeof(*counts), PAPER = 80, COLUMN = 13,
       NAMES = 48, USUAL = 3 };

int sim_answer_add(struct sim_answer *a, const struct assay_row *row)
{
	if (!strcmp(row->type, "blame"))
		return keep_row(&a->misses, row);
	if (!strcmp(row->type, "why"))
		return keep_row(&a->reasons, row);
	if (!strcmp(row->type, "threads"))
		a->threads = (unsigned)row_number(row, "threads");
	else if (strcmp(row->type, "model") != 0)
		return keep_row(&a->rest, row);
	else {
		text_copy(a->cpu, sizeof(a->cpu), row_text(row, "cpu"));
		text_copy(a->title, sizeof(a->title), row_text(row, "title"));
		text_copy(a->why, sizeof(a->why), row_text(row, "why"));
		text_copy(a->sorted_by, sizeof(a->sorted_by),
			  row_text(row, "sorted_by"));
	}
	return 0;
}

void sim_answer_fini(struct sim_answer *a)
{
	kept_rows_free(&a->misses);
	kept_rows_free(&a->reasons);
	kept_rows_free(&a->rest);
}

/* ---- the sentence --------------------------------------------------------- */

static const struct assay_row *total_of(const struct sim_answer *a)
{
	return a->misses.rows ? &a->misses.row[a->misses.rows - 1] : NULL;
}

static double share_of(const struct sim_answer *a, const struct assay_row *row,
		       const char *count)
{
	const double all = row_number(total_of(a), count);

	return all > 0 ? row_number(row, count) / all : 0;
}

/* The first row of the program itself; NULL: there is none. */
static const struct assay_row *first_own(const struct sim_answer *a)
{
	for (size_t i = 0; i + 1 < a->misses.rows; i++)
		if (!miss_is_start(&a->misses.row[i]) &&
		    row_text(&a->misses.row[i], "function")[0] != '(' &&
		    row_text(&a->misses.row[i], "data")[0] != '(')
			return &a->misses.row[i];
	return NULL;
}

static const char *words_of(const char *count)
{
	for (size_t i = 0; i < COUNTS; i++)
		if (!strcmp(counts[i].name, count))
			return counts[i].words;
	return count;
}

/* The kind of miss to name for a row: the sorted one; of lost cycles, L1D's,
 * unless the row has not even half of those; then the kind of which the row has
 * the largest share. */
static const char *named_count(const struct sim_answer *a,
			       const struct assay_row *row)
{
	const char *best = counts[1].name;

	if (strcmp(a->sorted_by, "lost_cycles") != 0)
		return a->sorted_by;
	if (share_of(a, row, best) >= 0.5)
		return best;
	for (size_t i = 2; i < COUNTS && strstr(counts[i].name, "mis"); i++)
		if (share_of(a, row, counts[i].name) > share_of(a, row, best))
			best = counts[i].name;
	return best;
}

static const char *why_unnamed(const char *function)
{
	return !strcmp(function, "[stripped]") ? ", which has no names of "
	       "functions (it is stripped)" :
	       !strcmp(function, "[plt]") ? ", in jumps to other libraries" :
	       *function == '[' ? ", in code without a name" : "";
}

static const char *call_sign(const char *function)
{
	return strchr(function, '(') ? "" : "()";
}

/* "at list.h:12, in push(), inlined into main()" */
static void add_place(struct phrase *out, const struct assay_row *row)
{
	const bool by_object = !row_find(row, "function");
	struct miss_place p;

	if (data_place(out, row))
		return;
	miss_place(&p, row, 60);
	if (by_object || *p.function == '[') {
		phrase_add(out, "in %s%s", p.object, why_unnamed(p.function));
		return;
	}
	if (*p.line)
		phrase_add(out, "at %s, ", p.line);
	phrase_add(out, "in %s%s", p.function, call_sign(p.function));
	if (*p.into)
		phrase_add(out, ", inlined into %s%s", p.into,
			   call_sign(p.into));
	if (!*p.line)
		phrase_add(out, " of %s", p.object);
}

static double start_share(const struct sim_answer *a, const char *count)
{
	for (size_t i = 0; i + 1 < a->misses.rows; i++)
		if (miss_is_start(&a->misses.row[i]))
			return share_of(a, &a->misses.row[i], count);
	return 0;
}

/* "90 % of the L1D misses are at x.c:10, in f(); this costs 65 % of ..." */
static void add_row(struct phrase *out, const struct sim_answer *a,
		    const struct assay_row *row, const char *count)
{
	const double share = share_of(a, row, count);

	phrase_add(out, "%.*f %% of the %s are ", share < 0.1 ? 1 : 0,
		   100 * share, words_of(count));
	add_place(out, row);
	why_add(out, &a->reasons, row, count);
	if (strcmp(count, a->sorted_by) != 0 &&
	    share_of(a, row, a->sorted_by) >= 0.005)
		phrase_add(out, "; this costs %.0f %% of the %s",
			   100 * share_of(a, row, a->sorted_by),
			   words_of(a->sorted_by));
}

void sim_answer_sentence(const struct sim_answer *a, struct phrase *out)
{
	static const char start_words[] = "the loader and the start of libc";
	const struct assay_row *row = first_own(a);
	const double start = start_share(a, a->sorted_by);
	const char *count = row ? named_count(a, row) : a->sorted_by;

	if (!a->misses.rows)
		return;
	if (!(row_number(total_of(a), count) > 0)) {
		phrase_add(out, "no %s were simulated", words_of(count));
		return;
	}
	if (start >= 0.5)
		phrase_add(out, "%.0f %% of the %s are in %s%s", 100 * start,
			   words_of(a->sorted_by), start_words,
			   row ? "; of the program itself, " : "");
	if (row)
		add_row(out, a, row, count);
	if (start >= 0.1 && start < 0.5)
		phrase_add(out, "; %s have %.0f %%", start_words, 100 * start);
}

/* ---- rows beyond those shown --------------------------------------------- */

/* Adds the numbers of a row; both have the same fields. */
static void add_numbers(struct assay_field *to, const struct assay_row *from)
{
	for (size_t i = 0; i < from->fields; i++)
		if (strcmp(to[i].name, "cumulative") != 0) {
			to[i].count += from->field[i].count;
			to[i].real += from->field[i].real;
		}
}

static void clear_text(struct assay_field *field, const char *name)
{
	if (!strcmp(field->name, name))
		((char *)field->text)[0] = '\0';
}

/* The name of the row of all others: "(12 more)". False: no memory. */
static bool name_rest(struct assay_field *field, size_t folded)
{
	unsigned long before = 1;
	char name[40];

	sscanf(field->text, "(%lu more)", &before);
	snprintf(name, sizeof(name), "(%lu more)", before + folded);
	free((char *)field->text);
	field->text = strdup(name);
	return field->text;
}

/* Moves rows beyond the first `most` into the last one before the total. */
int sim_answer_fold(struct sim_answer *a, size_t most)
{
	struct assay_row *row = a->misses.row;
	const size_t n = a->misses.rows, folded = n - most - 2;
	struct kept_rows gone = { .row = row + most, .rows = folded };
	struct assay_field *rest;

	if (!most || n < most + 3)
		return 0;
	rest = (struct assay_field *)row[n - 2].field;
	for (size_t i = most; i < n - 2; i++)
		add_numbers(rest, &row[i]);
	for (size_t i = 1; i < row[n - 2].fields; i++) {
		clear_text(&rest[i], "line");
		clear_text(&rest[i], "object");
		clear_text(&rest[i], "inlined");
	}
	if (!name_rest(rest, folded))
		return -1;
	gone.row = malloc(folded * sizeof(*row));
	if (!gone.row)
		return -1;
	memcpy(gone.row, row + most, folded * sizeof(*row));
	memmove(row + most, row + n - 2, 2 * sizeof(*row));
	a->misses.rows = most + 2;
	kept_rows_free(&gone);
	return 0;
}

/* ---- the table ------------------------------------------------------------ */

static void show(struct miss_counts *shown, const struct sim_answer *a,
		 const char *count, size_t most)
{
	size_t k = 0;

	while (k < shown->n && strcmp(shown->name[k], count) != 0)
		k++;
	if (k == shown->n && k < most && k < MISS_COUNTS &&
	    row_find(total_of(a), count))
		shown->name[shown->n++] = count;
}

void sim_answer_counts(const struct sim_answer *a, struct miss_counts *shown,
		       const struct report_style *style)
{
	const unsigned columns = style->columns ? style->columns : ~0u;
	const struct assay_row *first = first_own(a);
	size_t most = columns > NAMES ? (columns - NAMES) / COLUMN : 1;

	if (!style->verbose && most > USUAL)
		most = USUAL;
	shown->n = 0;
	show(shown, a, a->sorted_by, most);
	if (first)
		show(shown, a, named_count(a, first), most);
	for (size_t i = 1; i < COUNTS; i++)
		if (i != 3 || style->verbose ||
		    !row_find(total_of(a), "l3_misses"))
			show(shown, a, counts[i].name, most);
}

static struct assay_field cut(struct assay_field field)
{
	field.flags |= ASSAY_FIELD_CUT;
	return field;
}

static struct assay_field shared(const struct assay_row *row, const char *of,
				 const char *name)
{
	const struct assay_field *found = row_find(row, of);
	struct assay_field out = found ? *found : field_text(of, "");

	out.name = name;
	out.decimals = 1;
	return out;
}

/* The callers of inlined code, below its row; without -v the outermost. */
static int put_callers(const struct assay_row *row, struct report *report)
{
	const bool all = report_style(report)->verbose;
	const char *rest = row_text(row, "inlined");
	char function[4000], line[4000], shown[320];
	int rc = 0;

	while (!rc && miss_caller(&rest, function, line, sizeof(line))) {
		const char *slash = strrchr(line, '/');
		char into[300];

		if (!all && strstr(rest, " <- "))
			continue;
		miss_short_name(into, sizeof(into), function, 30);
		snprintf(shown, sizeof(shown), "  in %s", into);
		rc = report_row(report, &(struct assay_row){ "blame",
			(struct assay_field[]){
				cut(field_text("function", shown)),
				cut(field_text("line", slash ? slash + 1 :
						       line)) }, 2 });
	}
	return rc;
}

static int put_row(const struct miss_counts *shown, const struct assay_row *row,
		   struct report *report)
{
	struct assay_field field[COUNTS + 5];
	struct miss_place p;
	char name[300];
	size_t n = 0;

	miss_place(&p, row, 30);
	field[n++] = shared(row, "share", "share");
	field[n++] = shared(row, "cumulative", "cumul.");
	for (size_t i = 0; i < shown->n; i++)
		field[n++] = shared(row, shown->name[i], shown->name[i]);
	for (size_t i = 2; i < n; i++)
		field[i].decimals = 0;
	if (data_name(name, sizeof(name), row))
		field[n++] = cut(field_text("data", name));
	else if (row_find(row, "function"))
		field[n++] = cut(field_text("function", p.function));
	if (row_find(row, "line"))
		field[n++] = cut(field_text("line", *p.line ? p.line :
					    p.object));
	else
		field[n++] = cut(field_text("object", p.object));
	if (report_row(report, &(struct assay_row){ "blame", field, n }))
		return -1;
	return put_callers(row, report);
}

static void put_cpu(const struct sim_answer *a, struct report *report)
{
	const bool chosen = !strcmp(a->why, "chosen");

	report_note(report, "CPU: %s: %s%s%s%s", a->cpu, a->title,
		    chosen ? "" : " (", chosen ? "" : a->why,
		    chosen ? "" : "; --cpu NAME simulates another)");
	if (a->threads)
		report_note(report, "Threads: %u shared one core and its "
			    "caches: what sharing between cores costs is not "
			    "seen", a->threads);
}

int sim_answer_table(const struct sim_answer *a, struct report *report)
{
	struct miss_counts shown;
	int rc = 0;

	if (*a->cpu)
		put_cpu(a, report);
	if (!a->misses.rows)
		return 0;
	sim_answer_counts(a, &shown, report_style(report));
	for (size_t i = 0; i < a->misses.rows && !rc; i++)
		rc = put_row(&shown, &a->misses.row[i], report);
	report_flush(report);
	if (!strcmp(a->sorted_by, "lost_cycles"))
		report_note(report, "lost_cycles: misses times the latencies "
			    "of the CPU file, an estimate; --sort NAME sorts "
			    "by another count");
	return rc;
}
