/* SPDX-License-Identifier: MIT */
/* Collecting the rows of a table. */
#include "report/table.h"

#include <stdlib.h>
#include <string.h>

#include "assay/error.h"
#include "report/cell.h"
#include "base/array.h"
#include "base/text.h"

static void column_fini(struct table_column *column)
{
	free(column->name);
	free(column->group);
	free(column->field);
	free(column->unit);
}

static void row_fini(struct table_row *row)
{
	for (size_t i = 0; i < row->cells; i++)
		free(row->cell[i].text);
	free(row->cell);
}

void table_fini(struct table *table)
{
	for (size_t i = 0; i < table->columns; i++)
		column_fini(&table->column[i]);
	for (size_t i = 0; i < table->rows; i++)
		row_fini(&table->row[i]);
	free(table->column);
	free(table->row);
	free(table->type);
	memset(table, 0, sizeof(*table));
}

/* "group|name" into its parts. */
static int column_init(struct table_column *column, const char *field)
{
	const char *bar = strchr(field, '|');

	memset(column, 0, sizeof(*column));
	column->field = strdup(field);
	column->name = strdup(bar ? bar + 1 : field);
	column->group = bar ? strndup(field, (size_t)(bar - field)) : NULL;
	if (column->field && column->name && (!bar || column->group)) {
		text_harmless(column->name, false);
		if (column->group)
			text_harmless(column->group, false);
		return 0;
	}
	column_fini(column);
	return -ASSAY_ENOMEM;
}

struct table_column *table_column(struct table *table, const char *field)
{
	for (size_t i = 0; i < table->columns; i++)
		if (!strcmp(table->column[i].field, field))
			return &table->column[i];
	if (!array_resize(&table->column, table->columns + 1,
			  sizeof(*table->column)) ||
	    column_init(&table->column[table->columns], field))
		return NULL;
	return &table->column[table->columns++];
}

/* Makes room for a cell in that column of the row. */
static struct table_cell *row_cell(struct table_row *row, size_t column)
{
	if (column < row->cells)
		return &row->cell[column];
	if (!array_resize(&row->cell, column + 1, sizeof(*row->cell)))
		return NULL;
	memset(row->cell + row->cells, 0,
	       (column + 1 - row->cells) * sizeof(*row->cell));
	row->cells = column + 1;
	return &row->cell[column];
}

/* What would move a terminal's cursor is no part of a cell. */
static int keep(struct table_cell *cell, enum table_kind kind,
		const char *text)
{
	cell->kind = kind;
	free(cell->text);
	cell->text = strdup(text);
	if (!cell->text)
		return -ASSAY_ENOMEM;
	if (kind == TABLE_TEXT)
		text_harmless(cell->text, false);
	return 0;
}

/* If a column gets a second unit, units move from its head to its cells. */
static int keep_unit(struct table_column *column, const char *unit)
{
	if (!column->unit) {
		column->unit = strdup(unit ? unit : "");
		return column->unit ? 0 : -ASSAY_ENOMEM;
	}
	if (strcmp(column->unit, unit ? unit : ""))
		column->mixed = true;
	return 0;
}

/* A number keeps its unit after a tab, for a column of mixed units. */
static int number_cell(struct table_column *column, struct table_cell *cell,
		       const struct assay_field *field)
{
	const char *unit = number_unit(field);
	char number[CELL_NUMBER], text[CELL_NUMBER + 40];

	number_people(number, field);
	snprintf(text, sizeof(text), unit ? "%s\t%.32s" : "%s", number, unit);
	column->number = true;
	return keep_unit(column, unit) || keep(cell, TABLE_NUMBER, text)
		? -ASSAY_ENOMEM : 0;
}

static int sign_cell(struct table_cell *cell, const struct cell_sign *sign,
		     const struct report_style *style)
{
	char text[64];

	cell->colour = sign->colour;
	snprintf(text, sizeof(text), "%s %s",
		 style->utf8 ? sign->sign : sign->ascii, sign->word);
	if (!style->utf8 && !strcmp(sign->ascii, sign->word))
		return keep(cell, TABLE_TEXT, sign->word);
	return keep(cell, TABLE_TEXT, text);
}

static int text_cell(struct table_cell *cell, const struct assay_field *field,
		     const struct report_style *style)
{
	const char *text = field->text ? field->text : "";
	const char *slash = strrchr(text, '/');

	if (slash && slash[1] && field->flags & ASSAY_FIELD_PATH &&
	    !style->verbose)
		text = slash + 1;
	return keep(cell, TABLE_TEXT, text);
}

static int fill(struct table_column *column, struct table_cell *cell,
		const struct assay_field *field, const char *key,
		const struct report_style *style, struct remarks *remarks)
{
	const struct cell_sign *sign = cell_sign(field);

	if (field_absent(field)) {
		column->absent = true;
		return keep(cell, TABLE_ABSENT, "-") ||
		       remarks_add(remarks, column->name, key,
				   field_why(field))
			? -ASSAY_ENOMEM : 0;
	}
	column->cut |= (field->flags & ASSAY_FIELD_CUT) != 0;
	if (sign)
		return sign_cell(cell, sign, style);
	if (field->kind == ASSAY_FIELD_TEXT)
		return text_cell(cell, field, style);
	return number_cell(column, cell, field);
}

static struct table_row *new_row(struct table *table)
{
	if (!array_resize(&table->row, table->rows + 1, sizeof(*table->row)))
		return NULL;
	memset(&table->row[table->rows], 0, sizeof(*table->row));
	return &table->row[table->rows++];
}

/* The row's name: its first field, if that field is a text. */
static const char *row_name(const struct assay_row *row)
{
	const struct assay_field *first = row->field;

	return row->fields && first->kind == ASSAY_FIELD_TEXT && first->text &&
	       !cell_sign(first) ? first->text : "";
}

int table_add(struct table *table, const struct assay_row *row,
	      const struct report_style *style, struct remarks *remarks)
{
	struct table_row *new = new_row(table);
	const char *key = row_name(row);

	if (!new)
		return -ASSAY_ENOMEM;
	for (size_t i = 0; i < row->fields; i++) {
		const struct assay_field *field = &row->field[i];
		struct table_column *column;
		struct table_cell *cell;

		if (field->flags & ASSAY_FIELD_DETAIL && !style->verbose)
			continue;
		column = table_column(table, field->name);
		if (!column)
			return -ASSAY_ENOMEM;
		cell = row_cell(new, (size_t)(column - table->column));
		if (!cell || fill(column, cell, field, key, style, remarks))
			return -ASSAY_ENOMEM;
	}
	return 0;
}

const char *table_show(const struct table_cell *cell, bool unit, char *out)
{
	const char *tab = cell->kind == TABLE_NUMBER
		? strchr(cell->text, '\t') : NULL;

	if (!tab)
		return cell->text;
	snprintf(out, TABLE_TEXT_MOST, unit ? "%.*s %s" : "%.*s",
		 (int)(tab - cell->text), cell->text, tab + 1);
	return out;
}

const struct table_cell *table_cell_of(const struct table *table, size_t row,
				       size_t column)
{
	const struct table_row *r = &table->row[row];

	return column < r->cells && r->cell[column].text &&
	       *r->cell[column].text ? &r->cell[column] : NULL;
}

const char *table_head_unit(const struct table_column *column)
{
	if (!column->unit || !*column->unit || column->mixed ||
	    !strcmp(column->unit, column->name))
		return NULL;
	return column->unit;
}

static void drop_column(struct table *table, size_t column)
{
	struct table_column *c = &table->column[column];

	column_fini(c);
	table->columns--;
	memmove(c, c + 1, (table->columns - column) * sizeof(*c));
	for (size_t row = 0; row < table->rows; row++) {
		struct table_row *r = &table->row[row];

		if (column >= r->cells)
			continue;
		free(r->cell[column].text);
		r->cells--;
		memmove(&r->cell[column], &r->cell[column + 1],
			(r->cells - column) * sizeof(*r->cell));
	}
}

void table_drop_blank(struct table *table)
{
	for (size_t i = table->columns; i-- > 0;) {
		size_t row = 0;

		while (row < table->rows && !table_cell_of(table, row, i))
			row++;
		if (row == table->rows)
			drop_column(table, i);
	}
}
