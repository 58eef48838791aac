/* SPDX-License-Identifier: MIT */
/*
 * Sets the widths of a table's columns. A table that is too wide is made
 * narrower: first its heads are broken into several lines, then long texts;
 * then its columns are divided into several tables.
 */
#include <string.h>

#include "report/cell.h"
#include "report/table.h"
#include "report/wrap.h"

#define GAP TABLE_GAP
#define TEXT_LEAST 14		/* a broken text is at least so wide ... */
#define WORD_MOST 32		/* longer words may be broken */
#define ROWS_MOST 1000		/* rows examined for columns that name a row */
#define NAME_MOST 40		/* longer texts name no row and may be broken */

static unsigned larger(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

static unsigned widest_cell(const struct table *table, size_t column)
{
	const struct table_column *c = &table->column[column];
	char text[TABLE_TEXT_MOST];
	unsigned width = 0;

	for (size_t row = 0; row < table->rows; row++) {
		const struct table_cell *cell = table_cell_of(table, row,
							      column);

		if (cell)
			width = larger(width, text_width(
				       table_show(cell, c->mixed, text)));
	}
	return width;
}

/*
 * The least width of a column: that of its longest word, unless the word is
 * very long; the first column is not broken unless it holds sentences.
 */
static unsigned least_width(const struct table *table, size_t column)
{
	unsigned least = TEXT_LEAST;

	if (table->column[column].cut)
		return TEXT_LEAST;
	if (table->column[column].number ||
	    (!column && widest_cell(table, column) <= NAME_MOST))
		return ~0u;
	for (size_t row = 0; row < table->rows; row++) {
		const struct table_cell *cell = table_cell_of(table, row,
							      column);

		if (cell)
			least = larger(least,
				       wrap_widest_part(cell->text, " "));
	}
	return least < WORD_MOST ? least : WORD_MOST;
}

unsigned table_width(const struct table *table)
{
	unsigned total = 0;

	for (size_t i = 0; i < table->columns; i++)
		total += table->column[i].width + (i ? GAP : 0);
	return total;
}

size_t table_group_end(const struct table *table, size_t from, size_t end)
{
	const char *group = table->column[from].group;
	size_t i = from;

	while (group && i + 1 < end && table->column[i + 1].group &&
	       !strcmp(table->column[i + 1].group, group))
		i++;
	return i;
}

unsigned table_span_width(const struct table *table, size_t from, size_t last)
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
		size_t last = table_group_end(table, i, table->columns);
		const char *group = table->column[i].group;
		unsigned have = table_span_width(table, i, last);

		if (group && text_width(group) > have)
			table->column[last].width += text_width(group) - have;
		i = last;
	}
}

static void set_widths(struct table *table, bool broken_heads)
{
	for (size_t i = 0; i < table->columns; i++) {
		struct table_column *c = &table->column[i];
		const char *unit = table_head_unit(c);

		c->width = larger(widest_cell(table, i), broken_heads ?
				  wrap_widest_part(c->name, TABLE_HEAD_BREAKS) :
				  text_width(c->name));
		c->width = larger(c->width, unit ? text_width(unit) : 1);
	}
	widen_groups(table);
	for (size_t i = 0; i < table->columns; i++) {
		table->column[i].wanted = table->column[i].width;
		table->column[i].least = least_width(table, i);
	}
}

static unsigned columns_width(const struct table *table,
			      const struct table_part *part)
{
	unsigned width = 0;

	for (size_t i = 0; i < table_part_columns(part); i++)
		width += table->column[table_part_column(part, i)].width +
			 (i ? GAP : 0);
	return width;
}

/* Takes columns off the widest texts until they fit, but for the keys. */
static void shrink_texts(struct table *table, const struct table_part *part,
			 unsigned limit)
{
	while (columns_width(table, part) > limit) {
		struct table_column *widest = NULL;

		for (size_t i = part->from; i < part->end; i++) {
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

void table_layout(struct table *table, unsigned limit)
{
	set_widths(table, false);
	if (!limit || table_width(table) <= limit)
		return;
	set_widths(table, true);
	shrink_texts(table, &(struct table_part){ 0, table->columns, 0 },
		     limit);
}

/* ---- parts -------------------------------------------------------------- */

size_t table_part_columns(const struct table_part *part)
{
	return part->from ? part->end - part->from + part->keys : part->end;
}

size_t table_part_column(const struct table_part *part, size_t i)
{
	return part->from && i >= part->keys ? part->from + i - part->keys : i;
}

static bool same_cell(const struct table *table, size_t a, size_t b,
		      size_t column)
{
	const struct table_cell *one = table_cell_of(table, a, column);
	const struct table_cell *other = table_cell_of(table, b, column);

	return !strcmp(one ? one->text : "", other ? other->text : "");
}

/* Do the first `keys` columns differ between all rows? */
static bool names_rows(const struct table *table, size_t keys)
{
	for (size_t a = 0; a < table->rows && a < ROWS_MOST; a++)
		for (size_t b = 0; b < a; b++) {
			size_t i = 0;

			while (i < keys && same_cell(table, a, b, i))
				i++;
			if (i == keys)
				return false;
		}
	return true;
}

/*
 * The number of leading columns that are repeated in each part: as many as
 * distinguish the rows, if they are texts, were not broken and take at most
 * three quarters of the width; else one.
 */
static size_t key_columns(const struct table *table, unsigned limit)
{
	unsigned used = 0;

	for (size_t i = 0; i < table->columns; i++) {
		const struct table_column *c = &table->column[i];

		used += c->width + GAP;
		if (c->number || c->width < c->wanted || 4 * used > 3 * limit)
			return 1;
		if (names_rows(table, i + 1))
			return i + 1;
	}
	return 1;
}

/* How many columns fit beside the keys; at least one. */
static size_t part_end(const struct table *table,
		       const struct table_part *part, unsigned limit)
{
	struct table_part more = *part;

	for (more.end++; more.end < table->columns; more.end++)
		if (limit && columns_width(table, &(struct table_part){
				more.from, more.end + 1, more.keys }) > limit)
			break;
	return more.end;
}

bool table_next_part(struct table *table, struct table_part *part,
		     unsigned limit)
{
	if (part->end >= table->columns)
		return false;
	if (part->end && part->end < part->keys)
		part->keys = 1;
	part->from = part->end;
	if (!part->from)
		part->keys = !limit || table_width(table) <= limit
			? 1 : key_columns(table, limit);
	part->end = part_end(table, part, limit);
	/* a column that stayed too wide takes the rest of its part's width */
	for (size_t i = part->from; limit && i < part->end; i++)
		table->column[i].width = table->column[i].wanted;
	if (limit)
		shrink_texts(table, part, limit);
	return true;
}
