/* SPDX-License-Identifier: MIT */
/* One field as characters, for people and for machines. */
#include "report/cell.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

unsigned text_width(const char *text)
{
	unsigned width = 0;

	while (*text) {
		if (*text == '\033') {
			text += strcspn(text, "m");
			text += *text == 'm';
			continue;
		}
		width += ((unsigned char)*text & 0xc0) != 0x80;
		text++;
	}
	return width;
}

/* The bytes of the first `width` columns. */
static size_t bytes_of(const char *text, unsigned width)
{
	size_t n = 0;

	while (text[n] && (width || ((unsigned char)text[n] & 0xc0) == 0x80)) {
		width -= ((unsigned char)text[n] & 0xc0) != 0x80;
		n++;
	}
	return n;
}

void text_shorten(char *out, size_t room, const char *text, unsigned width,
		  bool utf8)
{
	const char *const gap = utf8 ? "…" : "..";
	const unsigned all = text_width(text), dots = text_width(gap);
	const unsigned head = width > dots ? (width - dots) / 2 : 0;
	const unsigned tail = width > dots ? width - dots - head : 0;

	if (all <= width)
		text_copy(out, room, text);
	else
		snprintf(out, room, "%.*s%s%s", (int)bytes_of(text, head), text,
			 gap, text + bytes_of(text, all - tail));
}

bool field_absent(const struct assay_field *field)
{
	return field->kind == ASSAY_FIELD_ABSENT ||
	       (field->kind == ASSAY_FIELD_REAL && !isfinite(field->real));
}

const char *field_why(const struct assay_field *field)
{
	if (field->kind != ASSAY_FIELD_ABSENT)
		return "not a finite number";
	return field->text && *field->text ? field->text : "not known";
}

/* Groups of three in front of the decimal point. */
static void real_people(char *out, size_t room, double real, int decimals)
{
	char digits[CELL_NUMBER], groups[CELL_NUMBER];
	const char *point;

	if (fabs(real) >= 1e15) {
		snprintf(out, room, "%.6g", real);
		return;
	}
	snprintf(digits, sizeof(digits), "%.*f",
		 decimals < 0 ? 0 : decimals > 15 ? 15 : decimals, fabs(real));
	point = strchr(digits, '.');
	text_groups(groups, sizeof(groups), strtoull(digits, NULL, 10));
	snprintf(out, room, "%s%.30s%.20s",
		 real < 0 && strspn(digits, "0.") != strlen(digits) ? "-" : "",
		 groups, point ? point : "");
}

static int error_decimals(const struct assay_field *field)
{
	return field->kind == ASSAY_FIELD_REAL ? field->decimals :
	       field->error < 10 ? 1 : 0;
}

void number_people(char *out, const struct assay_field *field)
{
	bool estimate = field->flags & ASSAY_FIELD_ESTIMATE;
	double scale = field->flags & ASSAY_FIELD_PERCENT ? 100 : 1;

	out[0] = '~';
	out += estimate;
	if (field->kind == ASSAY_FIELD_REAL &&
	    field->flags & ASSAY_FIELD_BYTES)
		text_about_bytes(out, CELL_NUMBER - 1, field->real);
	else if (field->kind == ASSAY_FIELD_REAL)
		real_people(out, CELL_NUMBER - 1, field->real * scale,
			    field->decimals);
	else if (field->flags & ASSAY_FIELD_BYTES)
		text_bytes(out, CELL_NUMBER - 1, field->count);
	else if (field->flags & ASSAY_FIELD_PLAIN)
		number_machine(out, field);
	else
		text_groups(out, CELL_NUMBER - 1, field->count);
	if (!(field->error > 0))
		return;
	strcat(out, " ±");
	/* an error is shown with two digits: more would not be known */
	real_people(out + strlen(out), CELL_NUMBER / 2,
		    field->error * scale, error_decimals(field));
}

const char *number_unit(const struct assay_field *field)
{
	if (field->kind == ASSAY_FIELD_REAL &&
	    field->flags & ASSAY_FIELD_PERCENT)
		return "%";
	if (field->flags & ASSAY_FIELD_BYTES)
		return NULL;
	return field->unit && *field->unit ? field->unit : NULL;
}

void number_machine(char *out, const struct assay_field *field)
{
	if (field->kind == ASSAY_FIELD_COUNT) {
		snprintf(out, CELL_NUMBER, "%" PRIu64, field->count);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(out, CELL_NUMBER, "%.*g", digits, field->real);
		if (strtod(out, NULL) == field->real)
			return;
	}
}

const struct cell_sign *cell_sign(const struct assay_field *field)
{
	static const struct cell_sign signs[] = {
		{ "agrees", "✓", "ok", "32" },
		{ "exact", "✓", "ok", "32" },
		{ "exact less interrupts", "✓", "ok", "32" },
		{ "exact less interrupts/faults", "✓", "ok", "32" },
		{ "exact less a constant", "✓", "ok", "32" },
		{ "within bounds", "✓", "ok", "32" },
		{ "proportional", "✗", "FAIL", "31" },
		{ "biased", "✗", "FAIL", "31" },
		{ "dead", "✗", "FAIL", "31" },
		{ "unstable", "✗", "FAIL", "31" },
		{ "one-sided", "✗", "FAIL", "31" },
		{ "law violated", "✗", "FAIL", "31" },
		{ "known deviation", "!", "!", "33" },
		{ "known deviation by microcode", "!", "!", "33" },
		{ "ok", "✓", "ok", "32" },
		{ "info", "·", "-", "36" },
		{ "disagrees", "✗", "FAIL", "31" },
		{ "bad", "✗", "FAIL", "31" },
		{ "inconclusive", "!", "!", "33" },
		{ "warn", "!", "!", "33" },
		{ "unavailable", "·", "-", "2" },
	};

	if (field->kind != ASSAY_FIELD_TEXT || !field->text ||
	    (strcmp(field->name, "verdict") && strcmp(field->name, "state")))
		return NULL;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (!strcmp(signs[i].word, field->text))
			return &signs[i];
	return NULL;
}

void name_machine(char *out, size_t room, const char *name)
{
	text_copy(out, room, name);
	for (; *out; out++)
		if (*out == '|' || *out == ' ')
			*out = '_';
}
