/* SPDX-License-Identifier: MIT */
/* See ci-format.h. */
#include "cli/ci/ci-format.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

void ci_place(char *out, size_t room, const struct assay_row *row)
{
	const char *file = row_text(row, "file"), *slash = strrchr(file, '/');

	*out = '\0';
	if (!*row_text(row, "function"))
		return;
	snprintf(out, room, "%s", row_text(row, "function"));
	if (*file)
		text_add(out, room, " ", "(%s:%.0f)", slash ? slash + 1 : file,
			 row_number(row, "line"));
}

void ci_change(char *out, size_t room, const struct assay_row *row)
{
	const struct assay_field *f = row_find(row, "change");

	if (f && f->kind == ASSAY_FIELD_REAL)
		snprintf(out, room, "%+.2f %%", 100 * f->real);
	else
		snprintf(out, room, "%s", f && f->text ? f->text : "");
}

static bool is(const struct assay_row *row, const char *type,
	       const char *verdict)
{
	return !strcmp(row->type, type) &&
	       (!verdict || !strcmp(row_text(row, "verdict"), verdict));
}

/* ---- escaping ------------------------------------------------------------ */

/* A character, and what stands for it in a format. */
struct escape { char from; const char *to; };

/* Control characters become a blank. */
static void put(FILE *out, const struct escape *escape, const char *text)
{
	for (; *text; text++) {
		const struct escape *e = escape;

		while (e->from && e->from != *text)
			e++;
		if (e->from)
			fputs(e->to, out);
		else
			putc((unsigned char)*text < ' ' || *text == 127 ?
			     ' ' : *text, out);
	}
}

static const struct escape xml[] = {
	{ '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" },
	{ 0, NULL }
};
/* In a cell of a table, within a code span. */
static const struct escape cell[] = {
	{ '|', "\\|" }, { '`', "'" }, { 0, NULL }
};
/* In a sentence, where HTML would be read. */
static const struct escape prose[] = {
	{ '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '|', "\\|" },
	{ '`', "'" }, { '*', "\\*" }, { '_', "\\_" }, { '[', "\\[" },
	{ '\\', "\\\\" }, { 0, NULL }
};
/* In the message and in a property of a GitHub command. */
static const struct escape message[] = {
	{ '%', "%25" }, { '\n', "%0A" }, { '\r', "%0D" }, { 0, NULL }
};
static const struct escape property[] = {
	{ '%', "%25" }, { '\n', "%0A" }, { '\r', "%0D" }, { ':', "%3A" },
	{ ',', "%2C" }, { 0, NULL }
};

/* ---- Markdown ------------------------------------------------------------ */

static void put_count(FILE *out, const struct assay_row *row, const char *name)
{
	const struct assay_field *f = row_find(row, name);
	char text[40] = "";

	if (f && f->kind == ASSAY_FIELD_COUNT)
		text_groups(text, sizeof(text), f->count);
	fprintf(out, " %s |", text);
}

static void put_code(FILE *out, const char *text)
{
	fputs(" ", out);
	if (*text) {
		putc('`', out);
		put(out, cell, text);
		putc('`', out);
	}
	fputs(" |", out);
}

static void markdown_row(FILE *out, const struct assay_row *row)
{
	char text[600];

	putc('|', out);
	put_code(out, row_text(row, "benchmark"));
	put_code(out, row_text(row, "quantity"));
	put_count(out, row, "base");
	put_count(out, row, "head");
	ci_change(text, sizeof(text), row);
	fputs(" ", out);
	put(out, prose, text);
	fprintf(out, " | %s | %s |", row_text(row, "budget"),
		row_text(row, "verdict"));
	ci_place(text, sizeof(text), row);
	put_code(out, text);
	putc('\n', out);
}

/* The rows with the verdict, or with any other one. */
static void markdown_table(FILE *out, const struct kept_rows *rows,
			   const char *verdict, bool others)
{
	bool begun = false;

	for (size_t i = 0; i < rows->rows; i++) {
		const struct assay_row *row = &rows->row[i];

		if (!is(row, "budget", NULL) ||
		    is(row, "budget", verdict) == others)
			continue;
		if (!begun)
			fputs("\n| benchmark | quantity | base | head | change "
			      "| budget | verdict | where |\n|---|---|--:|--:|"
			      "--:|--:|---|---|\n", out);
		begun = true;
		markdown_row(out, row);
	}
}

void ci_format_markdown(FILE *out, const struct ci_report *r)
{
	const struct kept_rows *rows = r->rows;

	fputs("<!-- assay-ci -->\n**", out);
	put(out, prose, r->answer);
	fputs("**\n", out);
	markdown_table(out, rows, "over", false);
	fputs("\n<details><summary>All other budgets</summary>\n", out);
	markdown_table(out, rows, "over", true);
	fputs("\n</details>\n", out);
	for (size_t i = 0; i < rows->rows; i++) {
		if (!is(&rows->row[i], "remark", NULL))
			continue;
		fputs("\n- ", out);
		put(out, prose, row_text(&rows->row[i], "text"));
		putc('\n', out);
	}
}

/* ---- JUnit --------------------------------------------------------------- */

static void attribute(FILE *out, const char *name, const char *text)
{
	fprintf(out, " %s=\"", name);
	put(out, xml, text);
	putc('"', out);
}

static void junit_case(FILE *out, const struct assay_row *row)
{
	char text[800], place[600];

	fputs("  <testcase", out);
	attribute(out, "classname", row_text(row, "benchmark"));
	attribute(out, "name", row_text(row, "quantity"));
	fputs(" time=\"0\">", out);
	ci_change(text, sizeof(text), row);
	if (is(row, "budget", "over")) {
		ci_place(place, sizeof(place), row);
		text_add(text, sizeof(text), ", ", "budget %s",
			 row_text(row, "budget"));
		fputs("<failure type=\"budget\"", out);
		attribute(out, "message", text);
		putc('>', out);
		put(out, xml, place);
		fputs("</failure>", out);
	} else if (is(row, "budget", "not judged")) {
		fputs("<skipped", out);
		attribute(out, "message", row_text(row, "why"));
		fputs("/>", out);
	}
	fputs("</testcase>\n", out);
}

/* One suite for all: a benchmark is the class of its test cases. */
void ci_format_junit(FILE *out, const struct ci_report *r)
{
	const struct assay_ci_outcome *o = r->outcome;

	fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuites>\n <testsuite name=\"assay ci\" tests=\"%u\" "
		"failures=\"%u\" errors=\"0\" skipped=\"%u\" time=\"0\">\n",
		o->budgets, o->over, o->unjudged);
	for (size_t i = 0; i < r->rows->rows; i++)
		if (is(&r->rows->row[i], "budget", NULL))
			junit_case(out, &r->rows->row[i]);
	fputs(" </testsuite>\n</testsuites>\n", out);
}

/* ---- GitHub -------------------------------------------------------------- */

/* As seen from the current folder, which is the repository's in a job. */
static const char *from_here(const char *file)
{
	char here[4096];
	size_t n;

	if (!getcwd(here, sizeof(here)))
		return file;
	n = strlen(here);
	return !strncmp(file, here, n) && file[n] == '/' ? file + n + 1 : file;
}

static void annotation(FILE *out, const struct assay_row *row)
{
	const bool over = is(row, "budget", "over");
	const char *file = from_here(row_text(row, "file"));
	char text[600];

	fprintf(out, "::%s ", over ? "error" : "warning");
	if (over && *file && *file != '/') {
		fputs("file=", out);
		put(out, property, file);
		fprintf(out, ",line=%.0f,", row_number(row, "line"));
	}
	fputs("title=", out);
	put(out, property, row_text(row, "benchmark"));
	fputs("::", out);
	ci_change(text, sizeof(text), row);
	put(out, message, row_text(row, "quantity"));
	putc(' ', out);
	put(out, message, over ? text : row_text(row, "why"));
	ci_place(text, sizeof(text), row);
	if (over) {
		fprintf(out, ", budget ");
		put(out, message, row_text(row, "budget"));
		put(out, message, *text ? ", in " : "");
		put(out, message, text);
	}
	putc('\n', out);
}

void ci_format_github(FILE *out, const struct ci_report *r)
{
	for (size_t i = 0; i < r->rows->rows; i++) {
		const struct assay_row *row = &r->rows->row[i];

		if (is(row, "budget", "over") ||
		    is(row, "budget", "not judged"))
			annotation(out, row);
	}
	fputs("::notice title=assay ci::", out);
	put(out, message, r->answer);
	putc('\n', out);
}
