/* SPDX-License-Identifier: MIT */
/* Deep copies of rows. */
#include "cli/kept-rows.h"

#include <stdlib.h>
#include <string.h>

/* NULL stays NULL. */
static const char *copy(const char *text, bool *failed)
{
	char *out = text ? strdup(text) : NULL;

	*failed |= text && !out;
	return out;
}

static bool copy_row(struct assay_row *out, const struct assay_row *row)
{
	struct assay_field *field = calloc(row->fields + 1, sizeof(*field));
	bool failed = !field;

	*out = (struct assay_row){ copy(row->type, &failed), field, 0 };
	for (size_t i = 0; i < row->fields && !failed; i++) {
		field[i] = row->field[i];
		field[i].name = copy(field[i].name, &failed);
		field[i].text = copy(field[i].text, &failed);
		field[i].unit = copy(field[i].unit, &failed);
		out->fields++;
	}
	return !failed;
}

static bool make_room(struct kept_rows *kept)
{
	const size_t room = kept->room ? 2 * kept->room : 64;
	struct assay_row *row = kept->row;

	if (kept->rows < kept->room)
		return true;
	row = reallocarray(row, room, sizeof(*row));
	if (!row)
		return false;
	kept->row = row;
	kept->room = room;
	return true;
}

int keep_row(void *ctx, const struct assay_row *row)
{
	struct kept_rows *kept = ctx;

	if (!make_room(kept) || !copy_row(&kept->row[kept->rows++], row))
		kept->no_memory = true;
	return kept->no_memory;
}

void kept_rows_free(struct kept_rows *kept)
{
	for (size_t i = 0; i < kept->rows; i++) {
		const struct assay_row *row = &kept->row[i];

		for (size_t k = 0; k < row->fields; k++) {
			free((char *)row->field[k].name);
			free((char *)row->field[k].text);
			free((char *)row->field[k].unit);
		}
		free((void *)row->field);
		free((char *)row->type);
	}
	free(kept->row);
	*kept = (struct kept_rows){ 0 };
}
