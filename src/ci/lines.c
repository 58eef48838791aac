/* SPDX-License-Identifier: MIT */
/* Reads counts by line, and the text of the lines: see lines.h. */
#include "ci/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/text.h"

enum { SOURCE_MOST = 16 << 20, OBJECTS = 1024 };

/* ---- the rows of a run -------------------------------------------------- */

/* Cuts off the text up to the next tab. */
static char *word(char **rest)
{
	char *out = strsep(rest, "\t");

	return out ? out : *rest;
}

/* "/a/b.c:12" -> "/a/b.c", 12. */
static int split_line(char *file)
{
	char *colon = strrchr(file, ':');

	if (!colon || !colon[1] || strspn(colon + 1, "0123456789") !=
	    strlen(colon + 1))
		return 0;
	*colon = '\0';
	return atoi(colon + 1);
}

static void add_object(struct ci_lines *lines, const char *path)
{
	size_t i = 0;

	while (i < lines->objects && strcmp(lines->object[i], path))
		i++;
	if (i == lines->objects && *path == '/' && i < OBJECTS)
		lines->object[lines->objects++] = path;
}

static void read_row(struct ci_lines *lines, char *row, const char *program)
{
	struct ci_line *out = &lines->of[lines->n++];

	const char *slash;

	out->function = word(&row);
	out->file = word(&row);
	out->line = split_line((char *)out->file);
	out->object = word(&row);
	if (!strcmp(out->object, program))
		out->object = "";
	add_object(lines, out->object);
	slash = strrchr(out->object, '/');
	out->object = slash ? slash + 1 : out->object;
	out->text = NULL;
	for (int i = 0; i < TALLY_COLUMNS; i++)
		out->count[i] = row ? strtoull(row, &row, 10) : 0;
}

/* Lines of files first, by file and line; then functions without a file. */
static int by_place(const void *pa, const void *pb)
{
	const struct ci_line *a = pa, *b = pb;
	int c = !*a->file - !*b->file;

	c = c ? c : strcmp(a->file, b->file);
	if (!c && *a->file)
		c = (a->line > b->line) - (a->line < b->line);
	else if (!c)
		c = strcmp(a->object, b->object);
	return c || *a->file ? c : strcmp(a->function, b->function);
}

void ci_lines_order(struct ci_lines *lines)
{
	qsort(lines->of, lines->n, sizeof(*lines->of), by_place);
}

/* Adds up what has one place: lines that are in several functions. */
static void add_up(struct ci_lines *lines)
{
	size_t kept = 0;

	if (!lines->n)
		return;
	ci_lines_order(lines);
	for (size_t i = 1; i < lines->n; i++) {
		if (by_place(&lines->of[kept], &lines->of[i])) {
			lines->of[++kept] = lines->of[i];
			continue;
		}
		for (int c = 0; c < TALLY_COLUMNS; c++)
			lines->of[kept].count[c] += lines->of[i].count[c];
	}
	lines->n = kept + 1;
}

/* ---- the text of the sources -------------------------------------------- */

/* Without blanks around it. */
static char *trimmed(char *text)
{
	size_t n;

	text += strspn(text, " \t");
	n = strlen(text);
	while (n && strchr(" \t\r", text[n - 1]))
		text[--n] = '\0';
	return text;
}

/* Gives the lines of one file their texts. */
static void share_out(struct ci_line *of, size_t n, char *source)
{
	int number = 1;
	size_t i = 0;
	char *text;

	while ((text = strsep(&source, "\n")) != NULL) {
		while (i < n && of[i].line < number)
			i++;
		if (i < n && of[i].line == number)
			of[i].text = trimmed(text);
		number++;
	}
}

/* Is the source there, and not newer than the program? */
static bool usable(const char *file, const struct stat *program)
{
	struct stat st;

	return stat(file, &st) == 0 && S_ISREG(st.st_mode) &&
	       (st.st_mtim.tv_sec < program->st_mtim.tv_sec ||
		(st.st_mtim.tv_sec == program->st_mtim.tv_sec &&
		 st.st_mtim.tv_nsec <= program->st_mtim.tv_nsec));
}

static int load_sources(struct ci_lines *lines, const char *program,
			struct assay_error *err)
{
	size_t files = 0, from = 0, bytes, end;
	struct stat st;

	lines->source = calloc(lines->n + 1, sizeof(*lines->source));
	if (!lines->source)
		return error_memory(err);
	if (stat(program, &st) < 0)
		return 0;
	for (; from < lines->n && *lines->of[from].file; from = end) {
		const char *file = lines->of[from].file;

		for (end = from + 1; end < lines->n &&
		     !strcmp(lines->of[end].file, file); end++)
			;
		if (usable(file, &st) &&
		    text_load(&lines->source[files], &bytes, file,
			      SOURCE_MOST, NULL) == 0)
			share_out(&lines->of[from], end - from,
				  lines->source[files++]);
	}
	return 0;
}

int ci_lines_read(struct ci_lines *out, char *names, const char *program,
	       struct assay_error *err)
{
	size_t room = 1;
	char *row;

	*out = (struct ci_lines){ .names = names, .cut = out->cut };
	for (const char *c = names; *c; c++)
		room += *c == '\n';
	out->of = calloc(room, sizeof(*out->of));
	out->object = calloc(OBJECTS, sizeof(*out->object));
	if (!out->of || !out->object)
		return error_memory(err);
	while ((row = strsep(&names, "\n")) != NULL && *row)
		read_row(out, row, program);
	add_up(out);
	return load_sources(out, program, err);
}

void ci_lines_fini(struct ci_lines *lines)
{
	for (size_t i = 0; lines->source && lines->source[i]; i++)
		free(lines->source[i]);
	free(lines->source);
	free(lines->object);
	free(lines->of);
	free(lines->names);
	*lines = (struct ci_lines){ .n = 0 };
}
