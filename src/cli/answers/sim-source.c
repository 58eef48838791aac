/* SPDX-License-Identifier: MIT */
/*
 * --source: lines of source files with the counts of their code beside them,
 * and a few lines around each. The files may be anything by now: only regular
 * files of text up to a size are shown, and nothing in them reaches the terminal
 * that could move its cursor.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/answers/sim-answer.h"

enum { AROUND = 3, FILES = 10, LARGEST = 8 << 20, TAB = 4, WIDEST = 400 };

/* A line with counts: `value` of the counts shown, `key` for sorting. */
struct source_line {
	char *file;
	int line;
	double key;		/* of the whole file, once lines are sorted */
	double value[MISS_COUNTS];
};

/* ---- collecting --------------------------------------------------------- */

static bool parse_place(struct source_line *out, const char *place)
{
	const char *colon = strrchr(place, ':');

	out->line = colon ? atoi(colon + 1) : 0;
	if (out->line <= 0)
		return false;
	out->file = strndup(place, (size_t)(colon - place));
	return true;
}

static int by_place(const void *pa, const void *pb)
{
	const struct source_line *a = pa, *b = pb;
	const int c = strcmp(a->file, b->file);

	return c ? c : (a->line > b->line) - (a->line < b->line);
}

static int by_file_key(const void *pa, const void *pb)
{
	const struct source_line *a = pa, *b = pb;

	return a->key != b->key ? (a->key < b->key ? 1 : -1) : by_place(pa, pb);
}

/* One line may have several rows: code inlined into several functions. */
static void merge(struct sim_source *s)
{
	size_t kept = 0;

	for (size_t i = 1; i < s->lines; i++) {
		struct source_line *to = &s->line[kept];

		if (by_place(to, &s->line[i]) != 0) {
			s->line[++kept] = s->line[i];
			continue;
		}
		for (size_t k = 0; k < s->counts.n; k++)
			to->value[k] += s->line[i].value[k];
		free(s->line[i].file);
	}
	s->lines = s->lines ? kept + 1 : 0;
}

/* The lines of the file that begins at `from`. */
static size_t file_end(const struct sim_source *s, size_t from)
{
	size_t end = from;

	while (end < s->lines && !strcmp(s->line[end].file, s->line[from].file))
		end++;
	return end;
}

/* The files by what all their lines cost. */
static void sort_files(struct sim_source *s)
{
	for (size_t from = 0, end; from < s->lines; from = end) {
		double key = 0;

		end = file_end(s, from);
		for (size_t i = from; i < end; i++)
			key += s->line[i].value[0];
		for (size_t i = from; i < end; i++)
			s->line[i].key = key;
	}
	if (s->lines)
		qsort(s->line, s->lines, sizeof(*s->line), by_file_key);
}

/* Has the row a thousandth of any count that is shown? */
static bool matters(const struct sim_source *s, const struct sim_answer *a,
		    const struct assay_row *row)
{
	const struct assay_row *total = &a->misses.row[a->misses.rows - 1];

	for (size_t k = 0; k < s->counts.n; k++)
		if (row_number(row, s->counts.name[k]) >
		    row_number(total, s->counts.name[k]) / 1000)
			return true;
	return false;
}

int sim_source_collect(struct sim_source *s, const struct sim_answer *a,
		       const struct report_style *style)
{
	sim_answer_counts(a, &s->counts, style);
	s->line = calloc(a->misses.rows + 1, sizeof(*s->line));
	if (!s->line)
		return -1;
	for (size_t i = 0; i + 1 < a->misses.rows; i++) {
		const struct assay_row *row = &a->misses.row[i];
		struct source_line *to = &s->line[s->lines];

		if (!matters(s, a, row) ||
		    !parse_place(to, row_text(row, "line")))
			continue;
		if (!to->file)
			return -1;
		for (size_t k = 0; k < s->counts.n; k++)
			to->value[k] = row_number(row, s->counts.name[k]);
		s->lines++;
	}
	if (s->lines)
		qsort(s->line, s->lines, sizeof(*s->line), by_place);
	merge(s);
	sort_files(s);
	return 0;
}

void sim_source_fini(struct sim_source *s)
{
	for (size_t i = 0; i < s->lines; i++)
		free(s->line[i].file);
	free(s->line);
}

/* ---- text that is safe on a terminal ------------------------------------ */

/* The bytes of the UTF-8 character at the text; 0: not one, or one that a
 * terminal would act on. */
static size_t safe_bytes(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	const unsigned n = utf8_bytes(c);

	return n && !utf8_acts(c, n) ? n : 0;
}

/* Prints at most `width` columns of a text of n bytes. */
static void print_safe(FILE *out, const char *text, size_t n, unsigned width)
{
	const char *const end = text + n;
	unsigned column = 0;

	while (text < end && column < width) {
		const size_t bytes = safe_bytes(text);

		if (*text == '\t') {
			do {
				putc(' ', out);
			} while (++column % TAB && column < width);
			text++;
			continue;
		}
		if (bytes && text + bytes <= end)
			fwrite(text, 1, bytes, out);
		else
			putc('?', out);
		text += bytes ? bytes : 1;
		column++;
	}
}

/* ---- showing ------------------------------------------------------------ */

/* A file as it is shown. */
struct sheet {
	const struct sim_source *source;
	const struct sim_source_writer *to;
	void *ctx;		/* of .to */
	const char *text;	/* the file's, and where the next line begins */
	size_t at, bytes;
	int line;		/* the number of the next line */
};

/* Reads the next line: its first byte and its length. False: no more. */
static bool next_line(struct sheet *s, const char **text, size_t *n)
{
	const char *end;

	if (s->at >= s->bytes)
		return false;
	*text = s->text + s->at;
	end = memchr(*text, '\n', s->bytes - s->at);
	*n = end ? (size_t)(end - *text) : s->bytes - s->at;
	s->at += *n + 1;
	s->line++;
	return true;
}

/* Prints the lines up to and including `last`; counted: the counts of line
 * `first`, or NULL. */
static void put_lines(struct sheet *s, int last,
		      const struct source_line *counted)
{
	const char *text;
	size_t n;

	while (s->line <= last && next_line(s, &text, &n)) {
		const bool is = counted && s->line - 1 == counted->line;

		if (n && text[n - 1] == '\r')
			n--;
		s->to->line(s->ctx, s->line - 1, is ? counted->value : NULL,
			    text, n);
	}
}

static void skip_to(struct sheet *s, int line)
{
	const char *text;
	const bool skips = s->line < line;
	size_t n;

	while (s->line < line && next_line(s, &text, &n))
		;
	if (skips && s->line > 1 && s->at < s->bytes)
		s->to->gap(s->ctx, s->line);
}

static void put_sheet(struct sheet *s, size_t from, size_t end)
{
	const struct source_line *line = s->source->line;

	for (size_t i = from; i < end; i++) {
		const int next = i + 1 < end ? line[i + 1].line : INT32_MAX;
		const int after = line[i].line + AROUND;

		if (line[i].line - AROUND > s->line)
			skip_to(s, line[i].line - AROUND);
		put_lines(s, line[i].line, &line[i]);
		put_lines(s, after < next ? after : next - 1, NULL);
	}
	s->to->end(s->ctx, s->line <= line[end - 1].line ? line[end - 1].line :
							   0);
}

/* Why a file is not shown; NULL: *text is set, to be freed. */
static const char *load(const char *name, const char *root, char **text,
			size_t *bytes)
{
	char path[8192];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", root ? root : ".", name);
	if (*name == '/')
		text_copy(path, sizeof(path), name);
	if (stat(path, &st) != 0)
		return "is not here";
	if (!S_ISREG(st.st_mode))
		return "is no regular file";
	if (st.st_size > LARGEST)
		return "is too large to be shown";
	if (text_load(text, bytes, path, LARGEST, NULL) != 0)
		return "cannot be read";
	if (!memchr(*text, '\0', *bytes))
		return NULL;
	free(*text);
	return "is no text";
}

/* The name, cut from the left. */
static const char *short_name(const char *name)
{
	const size_t n = strlen(name);

	return n > WIDEST ? name + n - WIDEST : name;
}

void sim_source_each(const struct sim_source *source, const char *root,
		     const struct sim_source_writer *to, void *ctx)
{
	struct sheet s = { .source = source, .to = to, .ctx = ctx };
	size_t files = 0, end;

	for (size_t from = 0; from < source->lines && files < FILES;
	     from = end, files++) {
		const char *name = source->line[from].file, *why;
		char *text = NULL;

		end = file_end(source, from);
		why = load(name, root, &text, &s.bytes);
		to->begin(ctx, short_name(name), why);
		if (why)
			continue;
		s.text = text;
		s.at = 0;
		s.line = 1;
		put_sheet(&s, from, end);
		free(text);
	}
}

/* ---- for a terminal ----------------------------------------------------- */

struct paper {
	const struct sim_source *source;
	FILE *out;
	unsigned width;		/* for text; */
	int field[MISS_COUNTS];	/* widths of the counts */
};

static void set_widths(struct paper *p, unsigned columns)
{
	unsigned used = 8;

	for (size_t k = 0; k < p->source->counts.n; k++) {
		double most = 0;
		char groups[40];

		for (size_t i = 0; i < p->source->lines; i++)
			if (p->source->line[i].value[k] > most)
				most = p->source->line[i].value[k];
		text_groups(groups, sizeof(groups), (uint64_t)(most + 0.5));
		p->field[k] = (int)strlen(p->source->counts.name[k]);
		if ((int)strlen(groups) > p->field[k])
			p->field[k] = (int)strlen(groups);
		used += (unsigned)p->field[k] + 2;
	}
	p->width = !columns ? WIDEST : columns > used + 20 ? columns - used :
							     20;
}

static void paper_begin(void *ctx, const char *name, const char *why)
{
	const struct paper *p = ctx;

	fputs("\n", p->out);
	print_safe(p->out, name, strlen(name), WIDEST);
	fprintf(p->out, "%s%s\n", why ? ": the source " : "", why ? why : "");
	if (why)
		return;
	for (size_t k = 0; k < p->source->counts.n; k++)
		fprintf(p->out, "%*s  ", p->field[k],
			p->source->counts.name[k]);
	fprintf(p->out, "%6s\n", "line");
}

static void paper_line(void *ctx, int line, const double *value,
		       const char *text, size_t n)
{
	const struct paper *p = ctx;

	for (size_t k = 0; k < p->source->counts.n; k++) {
		char groups[40] = "";

		if (value && value[k] > 0)
			text_groups(groups, sizeof(groups),
				    (uint64_t)(value[k] + 0.5));
		fprintf(p->out, "%*s  ", p->field[k], groups);
	}
	fprintf(p->out, n ? "%6d  " : "%6d", line);
	print_safe(p->out, text, n, p->width);
	putc('\n', p->out);
}

static void paper_gap(void *ctx, int line)
{
	const struct paper *p = ctx;

	fprintf(p->out, "-- line %d --\n", line);
}

static void paper_end(void *ctx, int missing)
{
	const struct paper *p = ctx;

	if (missing)
		fprintf(p->out, "The file ends before line %d: it is not the "
			"one that was compiled.\n", missing);
}

void sim_source_show(const struct sim_source *source, const char *root,
		     struct report *report)
{
	static const struct sim_source_writer paper = {
		paper_begin, paper_line, paper_gap, paper_end,
	};
	struct paper p = { .source = source };

	report_fence(report, true);
	p.out = report_file(report);
	set_widths(&p, report_style(report)->columns);
	if (!source->lines)
		fputs("\nNo row has a line of source: compile with -g.\n",
		      p.out);
	sim_source_each(source, root, &paper, &p);
	report_fence(report, false);
}
