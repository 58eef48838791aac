/* SPDX-License-Identifier: MIT */
/*
 * Drawing a table for people. It is made to fit the terminal: first the heads
 * are broken into several lines, then long texts, and if that is not enough
 * the columns are dealt out over several tables that all begin with the first.
 */
#include <stdlib.h>
#include <string.h>

#include "report/cell.h"
#include "report/table.h"
#include "report/wrap.h"

#define GAP 2			/* between columns */
#define TEXT_LEAST 14		/* a broken text is at least so wide ... */
#define WORD_MOST 32		/* and no word is broken that is not longer */
#define NAME_MOST 40		/* what is longer names no row: it may break */
#define CELL_TEXT 4096
#define HEAD_BREAKS " _.-:"

struct drawing {
	struct table *table;
	const struct report_style *style;
	FILE *out;
	unsigned blanks;	/* owed before the next text of the line */
};

/* The cell as it is shown: a number brings its unit if `unit` is set. */
static const char *show(const struct table_cell *cell, bool unit, char *out)
{
	const char *tab = cell->kind == TABLE_NUMBER
		? strchr(cell->text, '\t') : NULL;

	if (!tab)
		return cell->text;
	snprintf(out, CELL_TEXT, unit ? "%.*s %s" : "%.*s",
		 (int)(tab - cell->text), cell->text, tab + 1);
	return out;
}

static const struct table_cell *cell_of(const struct table *table, size_t row,
					size_t column)
{
	const struct table_row *r = &table->row[row];

	return column < r->cells && r->cell[column].text ? &r->cell[column]
							 : NULL;
}

/* A unit that says what the name says already is left out. */
static const char *head_unit(const struct table_column *column)
{
	if (!column->unit || !*column->unit || column->mixed ||
	    !strcmp(column->unit, column->name))
		return NULL;
	return column->unit;
}

static unsigned larger(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

static unsigned widest_cell(const struct table *table, size_t column)
{
	const struct table_column *c = &table->column[column];
	char text[CELL_TEXT];
	unsigned width = 0;

	for (size_t row = 0; row < table->rows; row++) {
		const struct table_cell *cell = cell_of(table, row, column);

		if (cell)
			width = larger(width,
				       text_width(show(cell, c->mixed, text)));
	}
	return width;
}

/*
 * Words stay whole if they are not too long; so does the first column, unless
 * it holds sentences.
 */
static unsigned least_width(const struct table *table, size_t column)
{
	unsigned least = TEXT_LEAST;

	if (table->column[column].number ||
	    (!column && widest_cell(table, column) <= NAME_MOST))
		return ~0u;
	for (size_t row = 0; row < table->rows; row++) {
		const struct table_cell *cell = cell_of(table, row, column);

		if (cell)
			least = larger(least,
				       wrap_widest_part(cell->text, " "));
	}
	return least < WORD_MOST ? least : WORD_MOST;
}

static unsigned total_width(const struct table *table)
{
	unsigned total = 0;

	for (size_t i = 0; i < table->columns; i++)
		total += table->column[i].width + (i ? GAP : 0);
	return total;
}

/* The last column of the group that begins at `from`. */
static size_t group_end(const struct table *table, size_t from, size_t end)
{
	const char *group = table->column[from].group;
	size_t i = from;

	while (group && i + 1 < end && table->column[i + 1].group &&
	       !strcmp(table->column[i + 1].group, group))
		i++;
	return i;
}

static unsigned span_width(const struct table *table, size_t from, size_t last)
{
	unsigned width = 0;

	for (size_t i = from; i <= last; i++)
		width += table->column[i].width + (i > from ? GAP : 0);
	return width;
}

/* A group's last column grows until the group's name fits. */
static void widen_groups(struct table *table)
{
	for (size_t i = 0; i < table->columns; i++) {
		size_t last = group_end(table, i, table->columns);
		const char *group = table->column[i].group;
		unsigned have = span_width(table, i, last);

		if (group && text_width(group) > have)
			table->column[last].width += text_width(group) - have;
		i = last;
	}
}

static void set_widths(struct table *table, bool broken_heads)
{
	for (size_t i = 0; i < table->columns; i++) {
		struct table_column *c = &table->column[i];
		const char *unit = head_unit(c);

		c->width = larger(widest_cell(table, i),
				  broken_heads
					? wrap_widest_part(c->name, HEAD_BREAKS)
					: text_width(c->name));
		c->width = larger(c->width, unit ? text_width(unit) : 1);
	}
	widen_groups(table);
	for (size_t i = 0; i < table->columns; i++) {
		table->column[i].wanted = table->column[i].width;
		table->column[i].least = least_width(table, i);
	}
}

/* Takes columns off the widest texts until the table fits. */
static void shrink_texts(struct table *table, unsigned limit)
{
	for (;;) {
		struct table_column *widest = NULL;

		if (total_width(table) <= limit)
			return;
		for (size_t i = 0; i < table->columns; i++) {
			struct table_column *c = &table->column[i];

			if (c->width > c->least &&
			    (!widest || c->width > widest->width))
				widest = c;
		}
		if (!widest)
			return;
		widest->width--;
	}
}

static void layout(struct table *table, unsigned limit)
{
	set_widths(table, false);
	if (!limit || total_width(table) <= limit)
		return;
	set_widths(table, true);
	shrink_texts(table, limit);
}

static void put_text(struct drawing *d, const struct wrap_line *line,
		     const char *colour)
{
	if (!line->bytes)
		return;
	fprintf(d->out, "%*s", (int)d->blanks, "");
	d->blanks = 0;
	if (colour && d->style->colour)
		fprintf(d->out, "\033[%sm%.*s\033[0m", colour,
			(int)line->bytes, line->start);
	else
		fwrite(line->start, 1, line->bytes, d->out);
}

/* One piece of text in its column, and the gap after it. */
static void put(struct drawing *d, const struct table_column *column,
		const struct wrap_line *line, const char *colour)
{
	unsigned left = column->width > line->width
		? column->width - line->width : 0;

	d->blanks += column->number ? left : 0;
	put_text(d, line, colour);
	d->blanks += GAP + (column->number ? 0 : left);
}

/* Blanks at the end of a line are not printed. */
static void end_line(struct drawing *d)
{
	d->blanks = 0;
	fputc('\n', d->out);
}

static struct wrap_line whole(const char *text)
{
	return (struct wrap_line){ text, strlen(text), text_width(text) };
}

/* ---- the head ----------------------------------------------------------- */

/* first column, then from .. end: one of the tables */
struct part { size_t from, end; };

static size_t part_columns(const struct part *part)
{
	return part->from ? part->end - part->from + 1 : part->end;
}

static size_t part_column(const struct part *part, size_t i)
{
	return part->from && i ? part->from + i - 1 : i;
}

static void group_head(struct drawing *d, const char *group, unsigned width)
{
	struct wrap_line name = whole(group ? group : "");

	put_text(d, &name, "1");
	d->blanks += group ? 0 : width;
	for (unsigned i = name.width; group && i < width; i++)
		fputs(i == name.width ? " " : d->style->utf8 ? "─" : "-",
		      d->out);
	d->blanks += GAP;
}

static void draw_groups(struct drawing *d, const struct part *part)
{
	const struct table *table = d->table;
	size_t n = part_columns(part);
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= table->column[part_column(part, i)].group != NULL;
	if (!any)
		return;
	for (size_t i = 0; i < n; i++) {
		size_t from = part_column(part, i), last;

		last = from < part->from ? from
					 : group_end(table, from, part->end);
		i += last - from;
		group_head(d, table->column[from].group,
			   span_width(table, from, last));
	}
	end_line(d);
}

static unsigned head_height(const struct table *table, const struct part *part)
{
	unsigned height = 1;

	for (size_t i = 0; i < part_columns(part); i++) {
		const struct table_column *c =
			&table->column[part_column(part, i)];

		height = larger(height, wrap_count(c->name, c->width,
						   HEAD_BREAKS));
	}
	return height;
}

static void draw_names(struct drawing *d, const struct part *part)
{
	unsigned height = head_height(d->table, part);
	size_t n = part_columns(part);

	for (unsigned line = 0; line < height; line++) {
		for (size_t i = 0; i < n; i++) {
			const struct table_column *c =
				&d->table->column[part_column(part, i)];
			unsigned lines = wrap_count(c->name, c->width,
						    HEAD_BREAKS);
			struct wrap_line piece = { "", 0, 0 };

			if (line + lines >= height)
				wrap_nth(c->name, c->width, HEAD_BREAKS,
					 line + lines - height, &piece);
			put(d, c, &piece, "1");
		}
		end_line(d);
	}
}

static void draw_units(struct drawing *d, const struct part *part)
{
	size_t n = part_columns(part), i;

	for (i = 0; i < n; i++)
		if (head_unit(&d->table->column[part_column(part, i)]))
			break;
	if (i == n)
		return;
	for (i = 0; i < n; i++) {
		const struct table_column *c =
			&d->table->column[part_column(part, i)];
		const char *unit = head_unit(c);
		struct wrap_line piece = whole(unit ? unit : "");

		put(d, c, &piece, "2");
	}
	end_line(d);
}

/* ---- the rows ----------------------------------------------------------- */

static const char *colour_of(const struct table_cell *cell)
{
	return cell->kind == TABLE_ABSENT ? "2" : cell->colour;
}

/* One line of a row; returns whether any cell had more to say. */
static bool draw_line(struct drawing *d, const struct part *part, size_t row,
		      unsigned line)
{
	size_t n = part_columns(part);
	bool more = false;

	for (size_t i = 0; i < n; i++) {
		size_t column = part_column(part, i);
		const struct table_column *c = &d->table->column[column];
		const struct table_cell *cell = cell_of(d->table, row, column);
		struct wrap_line piece = { "", 0, 0 };
		char buffer[CELL_TEXT];
		const char *text;

		if (cell) {
			text = show(cell, c->mixed, buffer);
			wrap_nth(text, c->width, " ", line, &piece);
			more |= wrap_count(text, c->width, " ") > line + 1;
		}
		put(d, c, &piece, cell ? colour_of(cell) : NULL);
	}
	end_line(d);
	return more;
}

static void draw_part(struct drawing *d, const struct part *part)
{
	draw_groups(d, part);
	draw_names(d, part);
	draw_units(d, part);
	for (size_t row = 0; row < d->table->rows; row++)
		for (unsigned line = 0; draw_line(d, part, row, line);)
			line++;
}

/* How many columns fit beside the first one; at least one. */
static size_t part_end(const struct table *table, size_t from, unsigned limit)
{
	unsigned used = from ? table->column[0].width : 0;
	size_t i = from;

	while (i < table->columns) {
		used += table->column[i].width + (i ? GAP : 0);
		if (limit && used > limit && i > from)
			break;
		i++;
	}
	return i;
}

/* Texts that were narrowed in vain take what room there is in their part. */
static void grow_texts(struct table *table, const struct part *part,
		       unsigned limit)
{
	unsigned used = part->from ? table->column[0].width : 0;

	for (size_t i = part->from; i < part->end; i++)
		used += table->column[i].width + (i ? GAP : 0);
	for (size_t i = part->from; i < part->end && used < limit; i++) {
		struct table_column *c = &table->column[i];
		unsigned more = c->wanted - c->width;

		if (more > limit - used)
			more = limit - used;
		c->width += more;
		used += more;
	}
}

static void draw_parts(struct drawing *d, unsigned limit)
{
	struct part part = { 0, 0 };

	while (part.end < d->table->columns) {
		if (part.end)
			fputc('\n', d->out);
		part.from = part.end;
		part.end = part_end(d->table, part.from, limit);
		grow_texts(d->table, &part, limit);
		draw_part(d, &part);
	}
}

/* One row only: a name and its value per line. */
static void draw_pair(struct drawing *d, const struct table_column *column,
		      const struct table_cell *cell, unsigned indent)
{
	char value[CELL_TEXT], name[256];
	struct wrap_line head;

	snprintf(name, sizeof(name), "%.120s%s%.120s",
		 column->group ? column->group : "",
		 column->group ? " " : "", column->name);
	head = whole(name);
	put_text(d, &head, "1");
	fprintf(d->out, "%*s", (int)(indent - head.width), "");
	wrap_print(d->out, show(cell, true, value), indent, indent,
		   d->style->columns);
}

static void draw_list(struct drawing *d)
{
	const struct table *table = d->table;
	unsigned widest = 0;

	for (size_t i = 0; i < table->columns; i++)
		widest = larger(widest, text_width(table->column[i].field));
	if (widest > 240)
		widest = 240;
	for (size_t i = 0; i < table->columns; i++) {
		const struct table_cell *cell = cell_of(table, 0, i);

		if (cell)
			draw_pair(d, &table->column[i], cell, widest + GAP);
	}
}

static void draw_remarks(const struct remarks *remarks, const char *dim,
			 const char *plain, unsigned columns, FILE *out)
{
	for (size_t i = 0; i < remarks->count; i++) {
		char *text = remark_text(&remarks->remark[i]);

		if (!text)
			return;
		fputs(dim, out);
		wrap_print(out, text, 0, 4, columns);
		fputs(plain, out);
		free(text);
	}
}

void table_draw(struct table *table, const struct remarks *remarks,
		const struct report_style *style, FILE *out)
{
	struct drawing d = { table, style, out, 0 };
	unsigned limit = style->columns;

	if (!table->rows || !table->columns)
		return;
	layout(table, limit);
	if (table->rows == 1 &&
	    (table->columns > 4 || (limit && total_width(table) > limit)))
		draw_list(&d);
	else
		draw_parts(&d, limit);
	draw_remarks(remarks, style->colour ? "\033[2m" : "",
		     style->colour ? "\033[0m" : "", limit, out);
}

/* ---- markdown ----------------------------------------------------------- */

static void markdown_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("|\\`*_<>[]", *text))
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void markdown_head(const struct table *table, FILE *out)
{
	for (size_t i = 0; i < table->columns; i++) {
		const struct table_column *c = &table->column[i];
		const char *unit = head_unit(c);

		fputs("| ", out);
		markdown_text(out, c->group ? c->group : "");
		fputs(c->group ? " " : "", out);
		markdown_text(out, c->name);
		fprintf(out, unit ? " (%s) " : " ", unit);
	}
	fputs("|\n", out);
	for (size_t i = 0; i < table->columns; i++)
		fputs(table->column[i].number ? "| ---: " : "| --- ", out);
	fputs("|\n", out);
}

void table_markdown(const struct table *table, const struct remarks *remarks,
		    FILE *out)
{
	if (!table->rows || !table->columns)
		return;
	markdown_head(table, out);
	for (size_t row = 0; row < table->rows; row++) {
		for (size_t i = 0; i < table->columns; i++) {
			const struct table_cell *cell = cell_of(table, row, i);
			char text[CELL_TEXT];

			fputs("| ", out);
			if (cell)
				markdown_text(out,
					      show(cell,
						   table->column[i].mixed,
						   text));
			fputc(' ', out);
		}
		fputs("|\n", out);
	}
	if (remarks->count)
		fputc('\n', out);
	draw_remarks(remarks, "", "", 0, out);
}
