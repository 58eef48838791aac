/* SPDX-License-Identifier: MIT */
/* Draws a table for people, with the widths that table_layout() set. */
#include <stdlib.h>
#include <string.h>

#include "report/cell.h"
#include "report/table.h"
#include "report/wrap.h"

#define HEAD_BREAKS TABLE_HEAD_BREAKS

struct drawing {
	struct table *table;
	const struct report_style *style;
	FILE *out;
	unsigned blanks;	/* owed before the next text of the line */
};

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
	d->blanks += TABLE_GAP + (column->number ? 0 : left);
}

/* Blanks at the end of a line are not printed. */
static void end_line(struct drawing *d)
{
	d->blanks = 0;
	fputc('\n', d->out);
}

static struct wrap_line complete(const char *text)
{
	return (struct wrap_line){ text, strlen(text), text_width(text) };
}

/* ---- the head ----------------------------------------------------------- */

static unsigned larger(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

static void group_head(struct drawing *d, const char *group, unsigned width)
{
	struct wrap_line name = complete(group ? group : "");

	put_text(d, &name, "1");
	d->blanks += group ? 0 : width;
	for (unsigned i = name.width; group && i < width; i++)
		fputs(i == name.width ? " " : d->style->utf8 ? "─" : "-",
		      d->out);
	d->blanks += TABLE_GAP;
}

static void draw_groups(struct drawing *d, const struct table_part *part)
{
	const struct table *table = d->table;
	size_t n = table_part_columns(part);
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= table->column[table_part_column(part, i)].group != NULL;
	if (!any)
		return;
	for (size_t i = 0; i < n; i++) {
		size_t from = table_part_column(part, i), last;

		last = from < part->from ? from :
		       table_group_end(table, from, part->end);
		i += last - from;
		group_head(d, table->column[from].group,
			   table_span_width(table, from, last));
	}
	end_line(d);
}

static unsigned head_height(const struct table *table,
			    const struct table_part *part)
{
	unsigned height = 1;

	for (size_t i = 0; i < table_part_columns(part); i++) {
		const struct table_column *c =
			&table->column[table_part_column(part, i)];

		height = larger(height, wrap_count(c->name, c->width,
						   HEAD_BREAKS));
	}
	return height;
}

static void draw_names(struct drawing *d, const struct table_part *part)
{
	unsigned height = head_height(d->table, part);
	size_t n = table_part_columns(part);

	for (unsigned line = 0; line < height; line++) {
		for (size_t i = 0; i < n; i++) {
			const struct table_column *c =
				&d->table->column[table_part_column(part, i)];
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

static void draw_units(struct drawing *d, const struct table_part *part)
{
	size_t n = table_part_columns(part), i;

	for (i = 0; i < n; i++)
		if (table_head_unit(d->table->column +
				    table_part_column(part, i)))
			break;
	if (i == n)
		return;
	for (i = 0; i < n; i++) {
		const struct table_column *c =
			&d->table->column[table_part_column(part, i)];
		const char *unit = table_head_unit(c);
		struct wrap_line piece = complete(unit ? unit : "");

		put(d, c, &piece, "2");
	}
	end_line(d);
}

/* ---- the rows ----------------------------------------------------------- */

static const char *colour_of(const struct table_cell *cell)
{
	return cell->kind == TABLE_ABSENT ? "2" : cell->colour;
}

/* Draws the cell's next line; returns whether lines of the cell are left. */
static bool draw_cell(struct drawing *d, struct table_column *c,
		      const struct table_cell *cell)
{
	char buffer[TABLE_TEXT_MOST];
	char shortened[TABLE_TEXT_MOST];
	const char *text = table_show(cell, c->mixed, buffer);
	const char *rest = text + c->drawn;
	struct wrap_line piece = { "", 0, 0 };

	if (c->cut) {
		text_shorten(shortened, sizeof(shortened), text, c->width,
			     d->style->utf8);
		piece = complete(shortened);
		put(d, c, &piece, colour_of(cell));
		return false;
	}
	wrap_next(&rest, c->width, " ", &piece);
	c->drawn = (size_t)(rest - text);
	put(d, c, &piece, colour_of(cell));
	return rest[strspn(rest, " ")];
}

/* One line of a row; returns whether any cell had more to say. */
static bool draw_line(struct drawing *d, const struct table_part *part,
		      size_t row)
{
	const struct wrap_line nothing = { "", 0, 0 };
	size_t n = table_part_columns(part);
	bool more = false;

	for (size_t i = 0; i < n; i++) {
		size_t column = table_part_column(part, i);
		struct table_column *c = &d->table->column[column];
		const struct table_cell *cell =
			table_cell_of(d->table, row, column);

		if (cell)
			more |= draw_cell(d, c, cell);
		else
			put(d, c, &nothing, NULL);
	}
	end_line(d);
	return more;
}

/* In a later part of a wide table, a row with empty cells only is left out. */
static bool says_nothing(const struct drawing *d,
			 const struct table_part *part, size_t row)
{
	size_t i = part->from;

	while (i < part->end && !table_cell_of(d->table, row, i))
		i++;
	return part->from && i == part->end;
}

static void draw_part(struct drawing *d, const struct table_part *part)
{
	draw_groups(d, part);
	draw_names(d, part);
	draw_units(d, part);
	for (size_t row = 0; row < d->table->rows; row++) {
		for (size_t i = 0; i < d->table->columns; i++)
			d->table->column[i].drawn = 0;
		while (!says_nothing(d, part, row) && draw_line(d, part, row))
			;
	}
}

static void draw_parts(struct drawing *d, unsigned limit)
{
	struct table_part part = { 0 };

	while (table_next_part(d->table, &part, limit)) {
		if (part.from)
			fputc('\n', d->out);
		draw_part(d, &part);
	}
}

/* A table of one row: one column name and its value per line. */
static void draw_pair(struct drawing *d, const struct table_column *column,
		      const struct table_cell *cell, unsigned indent)
{
	char value[TABLE_TEXT_MOST], name[256];
	struct wrap_line head;

	snprintf(name, sizeof(name), "%.120s%s%.120s",
		 column->group ? column->group : "",
		 column->group ? " " : "", column->name);
	head = complete(name);
	put_text(d, &head, "1");
	fprintf(d->out, "%*s", (int)(indent - head.width), "");
	wrap_print(d->out, table_show(cell, true, value), indent, indent,
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
		const struct table_cell *cell = table_cell_of(table, 0, i);

		if (cell)
			draw_pair(d, &table->column[i], cell,
				  widest + TABLE_GAP);
	}
}

void table_remarks(const struct remarks *remarks, const char *dim,
		   const char *plain, unsigned columns, FILE *out)
{
	for (size_t i = 0; i < remarks->count; i++) {
		char *text = remark_text(remarks, i);

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

	if (!table->rows)
		return;
	if (table->rows > 1)
		table_drop_blank(table);
	table_layout(table, limit);
	if (table->rows == 1 &&
	    (table->columns > 4 || (limit && table_width(table) > limit)))
		draw_list(&d);
	else
		draw_parts(&d, limit);
	table_remarks(remarks, style->colour ? "\033[2m" : "",
		     style->colour ? "\033[0m" : "", limit, out);
}

