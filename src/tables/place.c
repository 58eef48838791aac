/* SPDX-License-Identifier: MIT */
/* Groups rows by place; makes records and truths of a place. */
#include "tables/place.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"

#define DIGITS 9		/* most decimal places of a rate */
#define LARGEST 0x1p63

/* ---- places -------------------------------------------------------------- */

static int machine_order(const struct judge_row *x, const struct judge_row *y)
{
	const int c = strcmp(x->machine, y->machine);

	return c ? c : strcmp(x->microcode, y->microcode);
}

static int place_order(const struct judge_row *x, const struct judge_row *y)
{
	int c = machine_order(x, y);

	c = c ? c : strcmp(x->program, y->program);
	return c ? c : strcmp(x->shape, y->shape);
}

static int by_place(const void *a, const void *b)
{
	const struct judge_row *const *x = a, *const *y = b;
	const int c = place_order(*x, *y);

	return c ? c : (*x > *y) - (*x < *y);
}

int table_places(struct table_places *out, const struct judge_input *in)
{
	*out = (struct table_places){
		.row = malloc((in->rows + 1) * sizeof(*out->row)),
		.place = malloc((in->rows + 1) * sizeof(*out->place)),
	};
	if (!out->row || !out->place) {
		table_places_free(out);
		return -ASSAY_ENOMEM;
	}
	for (size_t i = 0; i < in->rows; i++)
		out->row[i] = &in->row[i];
	qsort(out->row, in->rows, sizeof(*out->row), by_place);
	for (size_t i = 0; i < in->rows; i++) {
		if (!i || place_order(out->row[i - 1], out->row[i]))
			out->place[out->places++] = (struct table_place){
				out->row + i, 0 };
		out->place[out->places - 1].rows++;
	}
	return 0;
}

void table_places_free(struct table_places *p)
{
	free(p->row);
	free(p->place);
	*p = (struct table_places){ .places = 0 };
}

size_t table_machine_end(const struct table_places *p, size_t from)
{
	size_t to = from;

	while (to < p->places && !machine_order(p->place[from].row[0],
						p->place[to].row[0]))
		to++;
	return to;
}

char *table_machine_name(char *out, size_t room, const char *table,
			 const struct table_place *place)
{
	const struct judge_row *row = place->row[0];

	snprintf(out, room, "%s%s%s%s%s", table,
		 *table && *row->machine ? " " : "", row->machine,
		 *row->microcode ? "@" : "", row->microcode);
	return out;
}

/* ---- counts -------------------------------------------------------------- */

static bool is_integer(double value)
{
	return value >= LARGEST || fabs(value - round(value)) <= 1e-6;
}

double table_times(const struct table_place *place)
{
	double times = 1;
	int digits = 0;

	for (size_t i = 0; i < place->rows; i++)
		while (digits < DIGITS && !is_integer(place->row[i]->count *
						    times)) {
			times *= 10;
			digits++;
		}
	return times;
}

/* All readings of one event in a place. */
struct readings {
	double *value;		/* sorted */
	unsigned n;
	bool scaled;
	const char *why;	/* the event has no count; static */
};

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void read_event(struct readings *out, const struct table_place *place,
		       const char *event, double times)
{
	for (size_t i = 0; i < place->rows; i++) {
		const struct judge_row *row = place->row[i];

		if (!text_equal(row->event, event))
			continue;
		out->value[out->n++] = row->count * times;
		out->scaled |= row->scaled < 1;
		if (row->count * times >= 0.9 * LARGEST)
			out->why = "the counter ran below 0, or its count is "
				   "too large";
	}
	qsort(out->value, out->n, sizeof(*out->value), ascending);
}

/*
 * Each event needs as many repetitions as the record has. Missing ones are
 * filled with the two middle readings in turn: that keeps the event's median,
 * since the number of repetitions is even if any are missing.
 */
static void put(struct assay_record *record, unsigned event,
		const struct readings *from)
{
	for (unsigned r = 0; r < record->repeats; r++) {
		struct assay_count *c = &record->counts[(size_t)r *
			record->events + event];
		const unsigned at = r < from->n ? r :
			(r - from->n) % 2 ? from->n / 2 : (from->n - 1) / 2;

		c->state = from->why ? ASSAY_COUNT_ABSENT : from->scaled ?
			   ASSAY_COUNT_SCALED : ASSAY_COUNT_PRESENT;
		c->why = from->why;
		if (!from->why)
			c->value = (uint64_t)round(from->value[at]);
	}
}

static int fill(struct assay_record **out, const struct readings *event,
		const char (*name)[ASSAY_NAME], unsigned events)
{
	struct assay_record *record;
	unsigned kept = 0, repeats = 0;
	bool equal = true;

	for (unsigned e = 0; e < events; e++) {
		if (!event[e].n)
			continue;
		equal &= !kept++ || event[e].n == repeats;
		repeats = event[e].n > repeats ? event[e].n : repeats;
	}
	if (kept > ASSAY_EVENTS)
		return -ASSAY_ERANGE;
	repeats += equal ? 0 : repeats % 2;
	*out = record = record_new(kept, repeats);
	kept = 0;
	for (unsigned e = 0; e < events && record; e++)
		if (event[e].n) {
			text_copy(record->event[kept].name, ASSAY_NAME,
				  name[e]);
			put(record, kept++, &event[e]);
		}
	return record ? 0 : -ASSAY_ENOMEM;
}

int table_record(struct assay_record **out, const struct table_place *place,
		 const char (*name)[ASSAY_NAME], unsigned events)
{
	double *values = calloc(place->rows, sizeof(*values));
	struct readings *event = calloc(events + 1, sizeof(*event));
	const double times = table_times(place);
	int rc = -ASSAY_ENOMEM;
	size_t used = 0;

	for (unsigned e = 0; e < events && values && event; e++) {
		event[e].value = values + used;
		read_event(&event[e], place, name[e], times);
		used += event[e].n;
	}
	if (values && event)
		rc = fill(out, event, name, events);
	free(values);
	free(event);
	return rc;
}

/* ---- truths -------------------------------------------------------------- */

/* Narrows the statement by that of one more row. */
static void add_statement(struct assay_expected *out,
			  const struct judge_row *row, double *value)
{
	const double margin = judge_row_margin(row);

	if (!isnan(row->expected) || row->low == row->high) {
		*value += isnan(row->expected) ? row->low : row->expected;
		out->terms++;
	}
	if (!isnan(row->expected)) {
		out->low = fmax(out->low, row->expected - margin);
		out->high = fmin(out->high, row->expected + margin);
	}
	out->low = fmax(out->low, row->low);
	out->high = fmin(out->high, row->high);
}

bool table_truth(const struct table_place *place, const char *quantity,
		 struct assay_expected *out)
{
	const double times = table_times(place);
	double value = 0;

	*out = (struct assay_expected){ .low = 0, .high = INFINITY };
	for (size_t i = 0; i < place->rows; i++)
		if (text_equal(place->row[i]->quantity, quantity))
			add_statement(out, place->row[i], &value);
	out->exact = out->terms > 0;
	out->low *= times;
	out->high *= times;
	out->value = out->exact ? times * value / out->terms :
				  (out->low + out->high) / 2;
	out->terms = 0;
	return out->low <= out->high && (out->low > 0 || isfinite(out->high));
}
