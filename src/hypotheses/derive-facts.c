/* SPDX-License-Identifier: MIT */
/*
 * The table of counts from which a quantity is derived: its columns are
 * events, its rows are runs. analysis/derive searches the table for formulas.
 */
#include "hypotheses/derive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"

static bool is_withheld(const struct facts *t, const char *event)
{
	const char *list = t->how->withhold;
	char name[ASSAY_NAME];

	while (text_item(&list, name, sizeof(name)))
		if (text_equal(name, event))
			return true;
	return false;
}

void derive_add_event(struct facts *t, const char *event)
{
	if (t->events == DERIVE_COLUMNS || is_withheld(t, event))
		return;
	for (unsigned i = 0; i < t->events; i++)
		if (text_equal(t->event[i], event))
			return;
	text_copy(t->event[t->events++], ASSAY_NAME, event);
}


static double spread(const struct assay_record *record, unsigned e)
{
	double low = INFINITY, high = 0;

	for (unsigned r = 0; r < record->repeats; r++) {
		const struct assay_count *c =
			&record->counts[(size_t)r * record->events + e];

		low = fmin(low, (double)c->value);
		high = fmax(high, (double)c->value);
	}
	return high > 1000 ? (high - low) / high : 0;
}

void derive_add_counts(struct facts *t, const struct assay_record *record,
		       unsigned row)
{
	for (unsigned i = 0; i < t->events; i++) {
		int e = assay_record_find(record, t->event[i]);
		struct assay_value v;

		if (e < 0)
			continue;
		v = assay_record_value(record, (unsigned)e);
		t->absent[i] |= v.why != NULL || v.estimate;
		t->count[(size_t)row * t->events + i] = v.why ? 0 : v.number;
		t->noise[i] = fmax(t->noise[i], spread(record, (unsigned)e));
	}
}

int derive_allocate(struct facts *t, struct assay_error *err)
{
	t->count = calloc((size_t)DERIVE_ROWS * (t->events + 1),
			  sizeof(*t->count));
	t->absent = calloc(t->events + 1, sizeof(*t->absent));
	return t->count && t->absent ? 0 :
	       error_set(err, -ASSAY_ENOMEM, "out of memory");
}

/* Drops the events that were absent in some run, and their columns. */
static void drop_absent(struct facts *t)
{
	unsigned kept = 0;
	const unsigned all = t->events;

	for (unsigned i = 0; i < all; i++) {
		if (t->absent[i])
			continue;
		memmove(t->event[kept], t->event[i], ASSAY_NAME);
		t->noise[kept] = t->noise[i];
		for (unsigned r = 0; r < t->rows; r++)
			t->count[(size_t)r * all + kept] =
				t->count[(size_t)r * all + i];
		kept++;
	}
	for (unsigned r = 1; r < t->rows; r++)
		memmove(&t->count[(size_t)r * kept],
			&t->count[(size_t)r * all], kept * sizeof(*t->count));
	t->events = kept;
}

static int check_table(const struct facts *t, struct assay_error *err)
{
	const char *name = t->name;

	if (!t->rows)
		return error_set(err, -ASSAY_EUNAVAIL, "nothing says what %s "
				 "is in any of these runs", name);
	if (!t->events)
		return error_set(err, -ASSAY_EUNAVAIL, t->machine ?
				 "no event was counted in all of these runs, "
				 "and all the time" :
				 "no event can be counted here\n"
				 "try: --on sim:cortex-a72");
	for (unsigned r = 0; r < t->rows; r++)
		if (t->right[r] != 0)
			return 0;
	return error_set(err, -ASSAY_EUNAVAIL, "%s is 0 in all %u runs: there "
			 "is nothing to derive", name, t->rows);
}

static int solve(struct facts *t, bool *derived, struct assay_error *err)
{
	const struct derive_problem problem = {
		.rows = t->rows, .columns = t->events, .count = t->count,
		.right = t->right, .scale = t->scale, .volume = t->volume,
		.kernel = t->kernel, .kernels = t->kernels, .noise = t->noise,
	};
	int rc = derive(&problem, t->how->all, &t->result, err);

	if (rc == 0 && !t->result.used)
		rc = error_set(err, -ASSAY_EUNAVAIL, "none of the %u events "
			       "that can be counted here counted anything that "
			       "repeats%s", t->events, t->machine ? "" :
			       "\ntry: --on sim:cortex-a72");
	if (rc == 0)
		rc = derive_emit_search(t);
	for (unsigned i = 0; i < t->result.formulas && rc == 0; i++)
		rc = derive_emit_formula(t, &t->result.formula[i]);
	if (rc == 0)
		*derived = t->result.formulas > 0;
	return rc;
}

int derive_solve(struct facts *t, bool *derived, struct assay_error *err)
{
	int rc;

	drop_absent(t);
	rc = check_table(t, err);
	return rc ? rc : solve(t, derived, err);
}
