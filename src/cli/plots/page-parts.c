/* SPDX-License-Identifier: MIT */
/*
 * The page of a report: the conclusion first, then what was measured on what,
 * pictures, verdicts, what was predicted, changes, code, settings, the data.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/text.h"
#include "cli/plots/shown.h"

enum part_flag {
	FILTERED = 1,		/* people look for rows in it */
	FOLDED = 2,
	UNUSUAL = 4,		/* without rows that agree */
};

/* Tables of rows by type, in the order of the page. */
struct part {
	const char *type, *caption;
	unsigned flags;
	size_t most;		/* rows; the data have all of them */
};

static const struct part verdicts[] = {
	{ "limit", "Limits", 0, 200 },
	{ "claim", "Published claims", FILTERED, 400 },
	{ "event", "Events: what each one counts, and the evidence", FILTERED,
	  800 },
	{ "judged", "Events of published tables, and the evidence", FILTERED,
	  800 },
	{ "formula", "Published formulas", 0, 200 },
	{ "identity", "Laws between events", 0, 200 },
	{ "finding", "Findings", 0, 200 },
	{ "rank", "Competing claims", FILTERED, 400 },
	{ "level", "Where claims fail", FOLDED, 400 },
	{ "witness", "Witnesses", 0, 20 },
	{ "verdict", "Quantities from closed forms, by kernel",
	  FILTERED | FOLDED, 800 },
}, predicted[] = {
	{ "comparison", "Comparisons that do not agree", FILTERED | UNUSUAL,
	  300 },
	{ "comparison", "Predicted beside measured", FILTERED | FOLDED, 150 },
	{ "expectation", "Predictions", FOLDED, 200 },
	{ "slope", "Counts per unit of work", FOLDED, 200 },
	{ "metric", "Metrics", FILTERED | FOLDED, 200 },
	{ "pie", "Who served the accesses, by hypothesis", FILTERED | FOLDED,
	  200 },
	{ "point", "What the recipe counted", FOLDED, 200 },
}, changes[] = {
	{ "change", "Quantities, before and after", FILTERED, 300 },
	{ "place", "Lines of code that hold a change", FILTERED | FOLDED,
	  200 },
	{ "differs", "What else differs between the runs", 0, 100 },
	{ "difference", "Differences", FILTERED, 400 },
}, code[] = {
	{ "blame", "Lines of code that cost most", FILTERED, 30 },
	{ "why", "Why they miss", FILTERED | FOLDED, 60 },
	{ "region", "Regions that the program marks", 0, 100 },
	{ "process", "Processes", FOLDED, 100 },
}, settings[] = {
	{ "plan", "Plan", 0, 10 },
	{ "certificate", "Certificates", 0, 40 },
	{ "model", "Simulated CPU", 0, 10 },
	{ "recipe", "Recipe", 0, 10 },
	{ "not-modelled", "Not modelled", 0, 40 },
	{ "threads", "Threads", 0, 10 },
	{ "note", "Remarks", 0, 100 },
};
#define PARTS(table) table, sizeof(table) / sizeof(*(table))

/* ---- tables of rows ----------------------------------------------------- */

/* A share is shown in per cent. */
static bool is_share(const char *type, const char *name)
{
	static const char *const always[] = { "share", "cumulative", "change",
					      "error", "worst_error", NULL };

	for (int i = 0; always[i]; i++)
		if (!strcmp(name, always[i]))
			return true;
	return !strcmp(type, "change") &&
	       (!strcmp(name, "low") || !strcmp(name, "high"));
}

static bool agrees(const struct assay_row *row)
{
	return !strcmp(row_text(row, "verdict"), "agrees");
}

static bool fits(const struct part *part, const struct assay_row *row)
{
	return !strcmp(row->type, part->type) &&
	       !(part->flags & UNUSUAL && agrees(row));
}

static bool same_value(const struct assay_field *a, const struct assay_field *b)
{
	return b && a->kind == b->kind && a->count == b->count &&
	       a->real == b->real &&
	       (a->kind != ASSAY_FIELD_TEXT || !strcmp(a->text, b->text));
}

/* Has every row of the part this value? One row alone has no such columns. */
static bool is_constant(const struct kept_rows *rows, const struct part *part,
			const struct assay_field *field, size_t n)
{
	for (size_t i = 0; i < rows->rows; i++)
		if (fits(part, &rows->row[i]) &&
		    !same_value(field, row_find(&rows->row[i], field->name)))
			return false;
	return n > 3 && field->kind != ASSAY_FIELD_ABSENT;
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

enum { FIELDS = 128 };

static void put_row(struct page_table *table, const struct assay_row *row,
		    const bool *constant)
{
	struct assay_field field[FIELDS];
	size_t n = 0;

	for (size_t i = 0; i < row->fields && i < FIELDS; i++) {
		if (constant[i])
			continue;
		field[n] = row->field[i];
		if (is_share(row->type, field[n].name) &&
		    field[n].kind != ASSAY_FIELD_TEXT) {
			if (field[n].kind == ASSAY_FIELD_COUNT) {
				field[n].kind = ASSAY_FIELD_REAL;
				field[n].real = (double)field[n].count;
			}
			field[n].flags |= ASSAY_FIELD_PERCENT;
			field[n].decimals = 2;
		}
		if (field[n].kind == ASSAY_FIELD_TEXT &&
		    (!strcmp(field[n].name, "object") ||
		     !strcmp(field[n].name, "line")))
			field[n].text = file_name(field[n].text);
		n++;
	}
	page_row(table, &(struct assay_row){ row->type, field, n });
}

/* Marks the columns that are the same in all rows, and names them. */
static void find_constant(const struct kept_rows *rows, const struct part *part,
			  const struct assay_row *first, size_t n,
			  bool *constant, char *out, size_t room)
{
	for (size_t i = 0; i < first->fields && i < FIELDS; i++) {
		const struct assay_field *f = &first->field[i];

		constant[i] = is_constant(rows, part, f, n);
		if (!constant[i])
			continue;
		if (f->kind == ASSAY_FIELD_TEXT && *f->text)
			text_add(out, room, ", ", "%s %.80s", f->name, f->text);
		else if (f->kind == ASSAY_FIELD_COUNT)
			text_add(out, room, ", ", "%s %llu", f->name,
				 (unsigned long long)f->count);
		else if (f->kind == ASSAY_FIELD_REAL)
			text_add(out, room, ", ", "%s %g", f->name, f->real);
	}
}

static size_t count(const struct kept_rows *rows, const struct part *part,
		    const struct assay_row **first)
{
	size_t n = 0;

	for (size_t i = 0; i < rows->rows; i++)
		if (fits(part, &rows->row[i]) && !n++)
			*first = &rows->row[i];
	return n;
}

/* Rows whose members differ from the first one's have no common columns. */
static bool same_fields(const struct assay_row *a, const struct assay_row *b)
{
	for (size_t i = 0; i < a->fields && i < b->fields; i++)
		if (strcmp(a->field[i].name, b->field[i].name))
			return false;
	return a->fields == b->fields;
}

static void put_part(struct page *page, const struct kept_rows *rows,
		     const struct part *part)
{
	static const bool none[FIELDS];
	const struct assay_row *first = NULL;
	const size_t n = count(rows, part, &first);
	struct page_table table = {
		.caption = part->caption, .filtered = part->flags & FILTERED,
		.folded = part->flags & FOLDED,
	};
	bool constant[FIELDS] = { false };
	char same[600] = "";
	size_t shown = 0;

	if (!n)
		return;
	find_constant(rows, part, first, n, constant, same, sizeof(same));
	for (size_t i = 0; i < rows->rows && shown < part->most; i++)
		if (fits(part, &rows->row[i]) && ++shown)
			put_row(&table, &rows->row[i],
				same_fields(first, &rows->row[i]) ? constant :
								    none);
	page_table_end(page, &table);
	if (*same)
		page_text(page, "%s, in all rows: %s.", part->caption, same);
	if (shown < n)
		page_text(page, "%s: the first %zu of %zu rows; the data at "
			  "the end of this file have more.", part->caption,
			  shown, n);
}

static bool has_any(const struct kept_rows *rows, const struct part *part,
		    size_t parts)
{
	const struct assay_row *first;

	for (size_t i = 0; i < parts; i++)
		if (count(rows, &part[i], &first))
			return true;
	return false;
}

static void put_parts(struct page *page, const char *title,
		      const struct kept_rows *rows, const struct part *part,
		      size_t parts)
{
	if (!has_any(rows, part, parts))
		return;
	page_section(page, title);
	for (size_t i = 0; i < parts; i++)
		put_part(page, rows, &part[i]);
}

/* ---- types without a part of their own ---------------------------------- */

static bool is_known(const char *type)
{
	static const struct { const struct part *part; size_t parts; } all[] = {
		{ PARTS(verdicts) }, { PARTS(predicted) }, { PARTS(changes) },
		{ PARTS(code) }, { PARTS(settings) },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		for (size_t k = 0; k < all[i].parts; k++)
			if (!strcmp(all[i].part[k].type, type))
				return true;
	return !strcmp(type, "answer") || !strcmp(type, "summary") ||
	       !strcmp(type, "plot") || !strcmp(type, "term");
}

static void put_others(struct page *page, const struct kept_rows *rows)
{
	const char *type[RUN_TYPES];
	const size_t n = run_file_types(rows, type);
	bool begun = false;

	for (size_t i = 0; i < n; i++) {
		const struct part part = { type[i], type[i], FILTERED, 400 };

		if (is_known(type[i]))
			continue;
		if (!begun)
			page_section(page, "Rows");
		begun = true;
		put_part(page, rows, &part);
	}
}

/* ---- what was measured on what ------------------------------------------ */

static void put_machine(struct page_table *table, const struct run_file *run,
			const struct assay_record *r, size_t records)
{
	const struct assay_machine *m = &r->machine;
	const bool program = !strcmp(r->shape.kernel, "program");
	const struct assay_field field[] = {
		field_text("run", run->name),
		field_text("of", program ? r->settings.options :
					   r->shape.kernel),
		field_text("counted by", r->provider),
		field_text("CPU", m->cpu),
		field_text("ISA", m->isa),
		field_text("host", m->host),
		field_text("kernel", m->kernel),
		field_text("hypervisor", m->hypervisor),
		field_text("microcode", m->microcode),
		field_count("records", records),
		field_count("repetitions", r->repeats),
	};

	page_row(table, &(struct assay_row){
		"run", field, sizeof(field) / sizeof(*field) });
}

/* Do both records tell of the same machine and work? */
static bool same_work(const struct assay_record *a,
		      const struct assay_record *b)
{
	return !strcmp(a->shape.kernel, b->shape.kernel) &&
	       !strcmp(a->provider, b->provider) &&
	       !strcmp(a->machine.cpu, b->machine.cpu) &&
	       !strcmp(a->machine.host, b->machine.host) &&
	       a->repeats == b->repeats &&
	       (strcmp(a->shape.kernel, "program") ||
		!strcmp(a->settings.options, b->settings.options));
}

/* Rows without records do not name the machine: this run's options do. */
static void put_command(struct page *page, const struct context *context)
{
	const char *on = context->settings.on;

	if (context->drawn)
		page_text(page, "The file has rows without records: these do "
			  "not name the machine.");
	else
		page_text(page, "assay %s on %s.", context->command->name,
			  on ? on : "this machine");
}

static void put_machines(struct page *page, const struct shown *s)
{
	struct page_table table = { .caption = "Runs" };

	for (size_t r = 0; r < s->runs; r++) {
		const struct run_file *run = &s->run[r];

		for (size_t i = 0, n; i < run->records; i += n) {
			n = 1;
			while (i + n < run->records &&
			       same_work(run->record[i], run->record[i + n]))
				n++;
			put_machine(&table, run, run->record[i], n);
		}
	}
	page_section(page, "What was measured, and on what");
	if (!table.table.rows)
		put_command(page, s->context);
	page_table_end(page, &table);
}

/* ---- counts ------------------------------------------------------------- */

static void put_counts(struct page *page, const struct run_file *run)
{
	struct page_table table = {
		.caption = "Counts of each record, medians", .folded = true,
		.filtered = true,
	};
	size_t shown = 0;

	for (size_t i = 0; i < run->records && shown < 400; i++) {
		const struct assay_record *r = run->record[i];
		char shape[400];

		shape_text(shape, sizeof(shape), &r->shape);
		for (unsigned e = 0; e < r->events; e++, shown++) {
			const struct assay_field field[] = {
				field_text("shape", *shape ? shape :
					   r->settings.options),
				field_text("event", r->event[e].name),
				field_text("code", r->event[e].code),
				value_field("count", assay_record_value(r, e)),
			};

			page_row(&table, &(struct assay_row){
				"count", field, 4 });
		}
	}
	page_table_end(page, &table);
}

/* ---- settings and warnings ---------------------------------------------- */

static void put_setting(struct page_table *table, const char *run,
			const struct assay_record *r)
{
	const struct assay_settings *s = &r->settings;
	const struct assay_field field[] = {
		field_text("run", run),
		field_text("pages", s->pages),
		field_text("page map", s->page_map),
		field_count("warm-up runs", s->warmup),
		field_text("settings", s->options),
		field_text("disturbed", r->noise.disturbed ? "yes" : "no"),
	};

	page_row(table, &(struct assay_row){ "settings", field, 6 });
}

static void put_settings(struct page *page, const struct shown *s)
{
	struct page_table table = { .caption = "Settings" };

	for (size_t r = 0; r < s->runs; r++) {
		const struct run_file *run = &s->run[r];

		if (run->records)
			put_setting(&table, run->name, run->record[0]);
	}
	page_section(page, "Settings and warnings");
	page_table_end(page, &table);
	for (size_t r = 0; r < s->runs; r++) {
		const struct kept_rows *rows = &s->run[r].rows;

		for (size_t i = 0; i < sizeof(settings) / sizeof(*settings);
		     i++)
			put_part(page, rows, &settings[i]);
		if (*s->points[r].why)
			page_text(page, "Not drawn: %s", s->points[r].why);
	}
	page_text(page, "Written by assay %s.", assay_version());
}

/* ---- the page ----------------------------------------------------------- */

static void put_pictures(struct page *page, const struct shown *s)
{
	struct report_plot *plot = calloc(SHOWN_PLOTS, sizeof(*plot));
	const size_t n = plot ? shown_plots(s, plot, NULL) : 0;

	if (n)
		page_section(page, "Pictures");
	for (size_t i = 0; i < n; i++)
		page_plot(page, &plot[i]);
	free(plot);
}

/* The terms of the predictions of the last shape. */
static void put_terms(struct page *page, const struct kept_rows *terms)
{
	const struct part part = {
		"term", "Terms of the predictions, for the last shape",
		FILTERED | FOLDED, POINT_TERMS
	};

	put_part(page, terms, &part);
}

static void put_run(struct page *page, const struct shown *s, size_t r)
{
	const struct run_file *run = &s->run[r];

	put_parts(page, "Verdicts", &run->rows, PARTS(verdicts));
	put_parts(page, "Predicted and measured", &run->rows,
		  PARTS(predicted));
	if (s->points[r].terms.rows && !run_file_row(run, "comparison"))
		page_section(page, "Predicted");
	put_terms(page, &s->points[r].terms);
	put_counts(page, run);
	put_parts(page, "Before and after", &run->rows, PARTS(changes));
	put_parts(page, "Code", &run->rows, PARTS(code));
	shown_source(page, s->context, run);
	put_others(page, &run->rows);
}

static void put_data(struct page *page, const struct shown *s)
{
	FILE *out = page_data_begin(page);

	fputs("[", out);
	for (size_t r = 0; r < s->runs; r++) {
		fputs(r ? ",\n" : "", out);
		shown_data(out, &s->run[r]);
	}
	fputs("]\n", out);
	page_data_end(page);
}

static void put_title(const struct shown *s, char *out, size_t room)
{
	if (s->title) {
		text_copy(out, room, s->title);
		return;
	}
	snprintf(out, room, "assay %s", s->context->command->name);
	if (strcmp(s->run[0].name, "this run"))
		for (size_t r = 0; r < s->runs; r++)
			text_add(out, room, r ? ", " : ": ", "%s",
				 s->run[r].name);
	else
		for (int i = 0; i < s->context->words; i++)
			text_add(out, room, " ", "%s", s->context->word[i]);
}

void shown_page(const struct shown *s, FILE *out)
{
	struct page page = {
		.out = out, .css = data_find("page/report.css")->text,
		.js = data_find("page/report.js")->text,
	};
	struct phrase answer = { .used = 0 };
	char title[300];

	put_title(s, title, sizeof(title));
	shown_conclude(s, &answer);
	page_begin(&page, title, phrase_text(&answer));
	put_machines(&page, s);
	put_parts(&page, "Before and after", &s->compared.rows, PARTS(changes));
	put_pictures(&page, s);
	for (size_t r = 0; r < s->runs; r++) {
		if (s->runs > 1)
			page_section(&page, s->run[r].name);
		put_run(&page, s, r);
	}
	put_settings(&page, s);
	put_data(&page, s);
	page_end(&page);
}
