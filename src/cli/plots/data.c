/* SPDX-License-Identifier: MIT */
/*
 * The data behind a page, as JSON in a <script>: no '<' stands in it. Rows are
 * stored by type, as arrays, and texts that come often are numbers of words:
 * docs/report.md describes that.
 */
#define _GNU_SOURCE	/* search.h: tdestroy */
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plots/shown.h"
#include "report/cell.h"

enum { COLUMNS = 128, ROWS = 128 << 10,	/* bytes of one type's rows */
       RECORDS = 512 << 10 };

/* Texts, each once, in the order of their first use. */
struct words {
	void *tree;		/* of struct word, by text */
	const char **text;
	size_t n;
	bool no_memory;
};
struct word { const char *text; size_t number; };

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct word *)a)->text,
		      ((const struct word *)b)->text);
}

static size_t add_word(struct words *words, const char *text)
{
	struct word *word = malloc(sizeof(*word)), **found;
	const char **more;

	if (!word)
		goto failed;
	*word = (struct word){ text, words->n };
	found = tsearch(word, &words->tree, by_text);
	if (!found)
		goto failed;
	if (*found != word) {
		free(word);
		return (*found)->number;
	}
	more = reallocarray(words->text, words->n + 1, sizeof(*more));
	if (!more) {
		words->no_memory = true;
		return 0;
	}
	words->text = more;
	words->text[words->n++] = text;
	return word->number;
failed:
	free(word);
	words->no_memory = true;
	return 0;
}

/* ---- JSON --------------------------------------------------------------- */

static void put_script(FILE *out, const char *json)
{
	for (; *json; json++)
		if (*json == '<')
			fputs("\\u003c", out);
		else
			fputc(*json, out);
}

/* ---- rows of one type --------------------------------------------------- */

struct columns { const char *name[COLUMNS]; size_t n; };

static size_t column_of(struct columns *columns, const char *name)
{
	for (size_t i = 0; i < columns->n; i++)
		if (!strcmp(columns->name[i], name))
			return i;
	if (columns->n < COLUMNS)
		columns->name[columns->n++] = name;
	return columns->n - 1;
}

static void put_value(FILE *out, const struct assay_field *field,
		      struct words *words)
{
	char number[CELL_NUMBER];

	if (!field || field_absent(field)) {
		fputs("null", out);
	} else if (field->kind == ASSAY_FIELD_TEXT) {
		fprintf(out, "[%zu]", add_word(words, field->text));
	} else {
		number_machine(number, field);
		fputs(number, out);
	}
}

/* Returns how many rows found no room. */
static size_t put_rows(FILE *out, const struct run_file *run, const char *type,
		       const struct columns *columns, struct words *words)
{
	const long start = ftell(out);
	size_t n = 0, left_out = 0;

	for (size_t i = 0; i < run->rows.rows; i++) {
		const struct assay_row *row = &run->rows.row[i];

		if (strcmp(row->type, type))
			continue;
		if (ftell(out) - start > ROWS) {
			left_out++;
			continue;
		}
		fputs(n++ ? ",\n[" : "[", out);
		for (size_t k = 0; k < columns->n; k++) {
			fputs(k ? "," : "", out);
			put_value(out, row_find(row, columns->name[k]), words);
		}
		fputs("]", out);
	}
	return left_out;
}

static void put_type(FILE *out, const struct run_file *run, const char *type,
		     struct words *words)
{
	struct columns columns = { .n = 0 };
	size_t left_out;

	for (size_t i = 0; i < run->rows.rows; i++)
		for (size_t k = 0; !strcmp(run->rows.row[i].type, type) &&
		     k < run->rows.row[i].fields; k++)
			column_of(&columns, run->rows.row[i].field[k].name);
	report_json_text(out, type);
	fputs(":{\"columns\":[", out);
	for (size_t k = 0; k < columns.n; k++) {
		fputs(k ? "," : "", out);
		report_json_text(out, columns.name[k]);
	}
	fputs("],\n\"rows\":[", out);
	left_out = put_rows(out, run, type, &columns, words);
	fprintf(out, "],\"left_out\":%zu}", left_out);
}

/* ---- a run -------------------------------------------------------------- */

static void put_records(FILE *out, const struct run_file *run)
{
	const long start = ftell(out);
	size_t left_out = 0, n = 0;

	fputs("\"records\":[", out);
	for (size_t i = 0; i < run->records; i++) {
		if (ftell(out) - start > RECORDS) {
			left_out++;
			continue;
		}
		fputs(n++ ? "," : "", out);
		run_file_put(out, run->record[i]);
	}
	fprintf(out, "],\"records_left_out\":%zu", left_out);
}

static void put_run(FILE *out, const struct run_file *run, struct words *words)
{
	const char *type[RUN_TYPES];
	const size_t types = run_file_types(&run->rows, type);

	fputs("{\"run\":", out);
	report_json_text(out, run->name);
	fputs(",", out);
	put_records(out, run);
	fputs(",\"rows\":{", out);
	for (size_t i = 0; i < types; i++) {
		fputs(i ? ",\n" : "", out);
		put_type(out, run, type[i], words);
	}
	fputs("},\"words\":[", out);
	for (size_t i = 0; i < words->n; i++) {
		fputs(i ? "," : "", out);
		report_json_text(out, words->text[i]);
	}
	fputs("]}", out);
}

void shown_data(FILE *out, const struct run_file *run)
{
	struct words words = { .n = 0 };
	size_t bytes;
	char *text;
	FILE *json = open_memstream(&text, &bytes);

	if (json)
		put_run(json, run, &words);
	if (!json || fclose(json) || words.no_memory)
		fputs("null", out);
	else
		put_script(out, text);
	free(json ? text : NULL);
	tdestroy(words.tree, free);
	free(words.text);
}
