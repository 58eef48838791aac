/* SPDX-License-Identifier: MIT */
/* The runs of a published table, from which a quantity is derived: each place
 * that states the quantity is a run, each program a kernel. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/row.h"
#include "base/text.h"
#include "hypotheses/derive.h"
#include "tables/each.h"

struct deriving {
	struct facts *facts;
	bool stated, derived, open;	/* open: no formula on some machine */
};

/* ---- events -------------------------------------------------------------- */

static bool has_event(const struct table_machine *m, const char *name)
{
	for (size_t i = 0; i < m->places; i++)
		for (size_t r = 0; r < m->place[i].rows; r++)
			if (text_equal(m->place[i].row[r]->event, name))
				return true;
	return false;
}

/* Refuses names that the machine has no count of. */
static int check_names(const struct table_machine *m, const char *list,
		       struct assay_error *err)
{
	char name[ASSAY_NAME];

	while (text_item(&list, name, sizeof(name)))
		if (!has_event(m, name))
			return error_set(err, -ASSAY_ENOENT, "no count of an "
					 "event '%.60s' on %.200s", name,
					 m->name);
	return 0;
}

static int find_events(struct facts *t, const struct table_machine *m,
		       struct assay_error *err)
{
	const char *list = t->how->events;
	char name[ASSAY_NAME];
	int rc = check_names(m, list, err);

	rc = rc ? rc : check_names(m, t->how->withhold, err);
	while (text_item(&list, name, sizeof(name)))
		derive_add_event(t, name);
	for (size_t i = 0; i < m->places && !t->how->events && !rc; i++)
		for (size_t r = 0; r < m->place[i].rows && !rc; r++) {
			const char *event = m->place[i].row[r]->event;

			if (strlen(event) >= ASSAY_NAME)
				rc = error_set(err, -ASSAY_ERANGE, "the name "
					       "of the event '%.40s...' is "
					       "too long", event);
			else
				derive_add_event(t, event);
		}
	if (!rc && t->events == DERIVE_COLUMNS)
		rc = error_set(err, -ASSAY_ERANGE, "too many events on %.200s: "
			       "name at most %d of them with -e", m->name,
			       DERIVE_COLUMNS - 1);
	return rc;
}

/* ---- runs ---------------------------------------------------------------- */

static double stated(const struct table_place *place, const char *quantity)
{
	struct assay_expected e;

	return table_truth(place, quantity, &e) && e.exact ? e.value : 0;
}

/* As volume_of() of records: all accesses, or a tenth of the instructions. */
static double volume_of(const struct table_place *place, double right)
{
	const double accesses = stated(place, "loads") +
				stated(place, "stores");

	return fmax(fmax(accesses, stated(place, "instructions") / 10),
		    fmax(fabs(right), 1));
}

static int add_counts(struct facts *t, const struct table_place *place)
{
	int rc = 0;

	for (unsigned from = 0; from < t->events && !rc; from += ASSAY_EVENTS) {
		const unsigned n = t->events - from < ASSAY_EVENTS ?
				   t->events - from : ASSAY_EVENTS;
		const char (*name)[ASSAY_NAME] = (void *)(t->event + from);
		struct assay_record *record = NULL;

		rc = table_record(&record, place, name, n);
		if (rc)
			break;
		for (unsigned e = from; e < from + n; e++)
			t->absent[e] |= assay_record_find(record,
							  t->event[e]) < 0;
		derive_add_counts(t, record, t->rows);
		record_free(record);
	}
	return rc;
}

/* Adds a run for each place that states the quantity as one number. */
static int add_runs(struct facts *t, const struct table_machine *m,
		    struct assay_error *err)
{
	const char *last = NULL;
	int rc = 0;

	for (size_t i = 0; i < m->places && !rc; i++) {
		const struct table_place *place = &m->place[i];
		const struct judge_row *row = place->row[0];
		struct assay_expected e;

		if (!table_truth(place, t->name, &e) || !e.exact)
			continue;
		if (t->rows == DERIVE_ROWS)
			return error_set(err, -ASSAY_ERANGE, "more than %d "
					 "runs on %.200s", DERIVE_ROWS,
					 m->name);
		t->kernels += !last || strcmp(last, row->program);
		last = row->program;
		t->kernel[t->rows] = t->kernels - 1;
		t->right[t->rows] = e.value;
		t->volume[t->rows] = volume_of(place, e.value);
		t->scale[t->rows] = fmax(fabs(e.value),
					 t->volume[t->rows] / 100);
		snprintf(t->shape[t->rows], sizeof(t->shape[0]), "%s%s%s",
			 row->program, *row->shape ? " " : "", row->shape);
		rc = add_counts(t, place);
		t->rows++;
	}
	return rc ? error_set(err, rc, "out of memory") : 0;
}

/* ---- machines ------------------------------------------------------------ */

static void forget(struct facts *t)
{
	free(t->count);
	free(t->absent);
	t->count = NULL;
	t->absent = NULL;
	t->events = t->rows = t->kernels = 0;
	memset(t->noise, 0, sizeof(t->noise));
}

static bool states(const struct table_machine *m, const char *quantity)
{
	struct assay_expected e;

	for (size_t i = 0; i < m->places; i++)
		if (table_truth(&m->place[i], quantity, &e) && e.exact)
			return true;
	return false;
}

/* A machine on which nothing can be searched: the others are searched all the
 * same. */
static int skip(const struct facts *t, const struct assay_error *why)
{
	const struct assay_field field[] = {
		field_text("quantity", t->name), field_text("why", why->text),
		field_text("machine", t->machine),
	};

	return row_emit(t->how->row, t->how->ctx, "skipped", field, 3);
}

static int check_programs(const struct facts *t, struct assay_error *err)
{
	return t->kernels > 1 ? 0 : error_set(err, -ASSAY_EUNAVAIL, "one "
		"program alone proves no formula: the table needs the quantity "
		"for two programs or more");
}

static int derive_machine(void *ctx, const struct table_machine *m,
			  struct assay_error *err)
{
	struct deriving *d = ctx;
	struct facts *t = d->facts;
	bool derived = false;
	int rc;

	if (!states(m, t->name))
		return 0;
	d->stated = true;
	forget(t);
	t->machine = m->name;
	rc = find_events(t, m, err);
	rc = rc ? rc : derive_allocate(t, err);
	rc = rc ? rc : add_runs(t, m, err);
	if (rc)
		return rc;
	rc = check_programs(t, err);
	rc = rc ? rc : derive_solve(t, &derived, err);
	if (rc == -ASSAY_EUNAVAIL || rc == -ASSAY_EINVAL)
		rc = skip(t, err);
	d->derived |= derived;
	d->open |= !derived;
	return rc;
}

int derive_tables(struct facts *t, bool *derived, struct assay_error *err)
{
	struct deriving d = { .facts = t };
	int rc;

	t->event = calloc(DERIVE_COLUMNS, sizeof(*t->event));
	if (!t->event)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	rc = tables_machines(t->how->tables, derive_machine, &d, err);
	if (rc == 0 && !d.stated)
		rc = error_set(err, -ASSAY_EUNAVAIL, "no row of the tables "
			       "states how many %.80s are expected: the "
			       "columns quantity and expected do", t->name);
	*derived = d.derived && !d.open;
	return rc;
}
