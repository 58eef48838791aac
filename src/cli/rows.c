/* SPDX-License-Identifier: MIT */
/* Fields and rows that commands build, search or keep. */
#include "cli/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const char *const verdict_words[] = {
	[ASSAY_AGREES] = "agrees",
	[ASSAY_DISAGREES] = "disagrees",
	[ASSAY_INCONCLUSIVE] = "inconclusive",
	[ASSAY_UNAVAILABLE] = "unavailable",
};

const char confidence_letters[] = "How a fact is known: D documented, R "
	"recalled from memory, M measured, F fitted to a measurement, G "
	"guessed";

const struct assay_field *row_find(const struct assay_row *row,
				   const char *name)
{
	for (size_t i = 0; i < row->fields; i++)
		if (!strcmp(row->field[i].name, name))
			return &row->field[i];
	return NULL;
}

double row_number(const struct assay_row *row, const char *name)
{
	const struct assay_field *f = row_find(row, name);

	if (!f)
		return 0;
	return f->kind == ASSAY_FIELD_COUNT ? (double)f->count :
	       f->kind == ASSAY_FIELD_REAL ? f->real : 0;
}

const char *row_text(const struct assay_row *row, const char *name)
{
	const struct assay_field *f = row_find(row, name);

	return f && f->kind == ASSAY_FIELD_TEXT && f->text ? f->text : "";
}

struct assay_field with_unit(struct assay_field field, const char *unit)
{
	field.unit = unit;
	return field;
}

struct assay_field real_field(const char *name, double real, int decimals)
{
	return (struct assay_field){
		.name = name, .kind = ASSAY_FIELD_REAL, .real = real,
		.decimals = decimals,
	};
}

struct assay_field value_field(const char *name, struct assay_value value)
{
	struct assay_field field;

	if (value.why)
		return (struct assay_field){
			.name = name, .kind = ASSAY_FIELD_ABSENT,
			.text = value.why,
		};
	field = real_field(name, value.number,
			   fabs(value.number) < 10000 ? 2 : 0);
	if (value.number >= 0 && value.number < 0x1p63 &&
	    value.number == floor(value.number))
		field = field_count(name, (uint64_t)value.number);
	field.flags = value.estimate || value.error > 0 ?
		      ASSAY_FIELD_ESTIMATE : 0;
	field.error = value.error;
	return field;
}

static struct assay_field option_field(const struct assay_shape_value *v)
{
	struct assay_field field = field_count(v->name, (uint64_t)v->value);

	switch (v->kind) {
	case ASSAY_OPTION_CHOICE:
		return field_text(v->name, v->word);
	case ASSAY_OPTION_FLAG:
		return field_text(v->name, v->value ? "on" : "off");
	case ASSAY_OPTION_REAL:
		return real_field(v->name, (double)v->value / 1e6, 3);
	case ASSAY_OPTION_BYTES:
		field.flags = ASSAY_FIELD_BYTES;
		return field;
	case ASSAY_OPTION_COUNT:
		break;
	}
	return field;
}

size_t shape_fields(const struct assay_shape *shape, struct assay_field *out,
		    size_t room)
{
	size_t n = 0;

	for (; n < shape->options && n < room; n++)
		out[n] = option_field(&shape->option[n]);
	return n;
}

static void option_text(char *out, size_t room,
			const struct assay_shape_value *v)
{
	char number[40];

	switch (v->kind) {
	case ASSAY_OPTION_CHOICE:
		snprintf(out, room, "%s %s", v->name, v->word);
		return;
	case ASSAY_OPTION_FLAG:
		snprintf(out, room, "%s %s", v->name, v->value ? "on" : "off");
		return;
	case ASSAY_OPTION_REAL:
		snprintf(out, room, "%s %g", v->name, (double)v->value / 1e6);
		return;
	case ASSAY_OPTION_BYTES:
		text_bytes(number, sizeof(number), (uint64_t)v->value);
		break;
	case ASSAY_OPTION_COUNT:
		text_groups(number, sizeof(number), (uint64_t)v->value);
	}
	snprintf(out, room, "%s %s", v->name, number);
}

void shape_text(char *out, size_t room, const struct assay_shape *shape)
{
	size_t used = 0;

	*out = '\0';
	for (unsigned i = 0; i < shape->options && used + 1 < room; i++) {
		char text[96];
		int n;

		option_text(text, sizeof(text), &shape->option[i]);
		n = snprintf(out + used, room - used, "%s%s",
			     i ? ", " : "", text);
		used += n > 0 ? (size_t)n : 0;
	}
}

/* ---- kept rows ---------------------------------------------------------- */

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

	if (kept->fn)
		return kept->fn(kept->ctx, row);
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
