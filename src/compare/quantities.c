/* SPDX-License-Identifier: MIT */
/* The quantities of two groups of records, one sample beside the other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/record.h"
#include "base/text.h"
#include "compare/parts.h"

/* What repeats its counts exactly: the same input gives the same counts. */
static const char *const simulators[] = { "sim", "cachegrind", "callgrind" };

static bool is_exact(const struct assay_record *record)
{
	for (size_t i = 0; i < sizeof(simulators) / sizeof(*simulators); i++)
		if (!strcmp(record->provider, simulators[i]))
			return !record->random_replacement;
	return false;
}

const char *quantities_barred(const struct assay_record *old,
			      const struct assay_record *new)
{
	if (strcmp(old->shape.kernel, new->shape.kernel))
		return "they ran different kernels";
	if (strcmp(old->provider, new->provider))
		return "they were counted by different means, and a simulated "
		       "count is no measured one";
	return NULL;
}

/* ---- samples ------------------------------------------------------------- */

/* A sample of one quantity, and the room of its values. */
struct sample {
	struct compare_sample of;
	double *value;
	bool exact;		/* all values so far */
	size_t records;		/* that have the quantity */
	const char *absent;	/* why a value is not there; no matter if there
				 * are others: runs take turns at events */
};

/* Adds the record's values of the quantity `name`. */
typedef void gather_fn(struct sample *out, const struct assay_record *record,
		       const char *name);

static void put(struct sample *s, double value)
{
	s->value[s->of.values++] = value;
}

static void add_value(struct sample *s, struct assay_value value)
{
	if (value.why) {
		s->absent = s->absent ? s->absent : value.why;
		return;
	}
	s->of.error = value.error;
	s->exact &= value.error == 0 && !value.estimate;
	put(s, value.number);
}

static void gather_truth(struct sample *s, const struct assay_record *r,
			 const char *name)
{
	const int q = assay_quantity_find(name);

	s->records++;
	if (q >= 0)
		add_value(s, r->truth.of[q]);
}

static void gather_ns(struct sample *s, const struct assay_record *r,
		      const char *name)
{
	(void)name;
	s->exact = false;
	s->records++;
	for (unsigned i = 0; i < r->repeats; i++)
		if (r->ns[i])
			put(s, (double)r->ns[i]);
}

static const struct assay_count *count_of(const struct assay_record *r,
					  unsigned repeat, int event)
{
	return &r->counts[(size_t)repeat * r->events + (unsigned)event];
}

static void gather_event(struct sample *s, const struct assay_record *r,
			 const char *name)
{
	const int event = assay_record_find(r, name);

	s->exact &= is_exact(r);
	s->records += event >= 0;
	for (unsigned i = 0; event >= 0 && i < r->repeats; i++) {
		const struct assay_count *c = count_of(r, i, event);

		if (c->state == ASSAY_COUNT_ABSENT) {
			s->absent = s->absent ? s->absent : c->why;
			continue;
		}
		if (c->state == ASSAY_COUNT_SCALED)
			s->of.why = "an estimate: the event was counted a part "
				    "of the time";
		s->of.error = c->error;
		put(s, (double)c->value);
	}
}

static void gather_ipc(struct sample *s, const struct assay_record *r,
		       const char *name)
{
	const int cycles = record_find_plain(r, "cycles");
	const int work = record_find_plain(r, "instructions");

	(void)name;
	s->exact = false;
	if (cycles < 0 || work < 0)
		return;
	s->records++;
	for (unsigned i = 0; i < r->repeats; i++) {
		const struct assay_count *c = count_of(r, i, cycles);
		const struct assay_count *w = count_of(r, i, work);

		if (c->state == ASSAY_COUNT_PRESENT && c->value &&
		    w->state == ASSAY_COUNT_PRESENT)
			put(s, (double)w->value / (double)c->value);
	}
}

/* Equal simulations are one exact value. */
static void settle(struct sample *s)
{
	bool equal = s->exact && s->of.values;

	for (size_t i = 1; i < s->of.values; i++)
		equal &= s->value[i] == s->value[0];
	s->of.exact = equal;
	if (s->of.values > 1)
		s->of.error = 0;
	s->of.value = s->value;
	if (!s->of.values)
		s->of.why = s->absent;
}

static size_t readings(const struct group *group)
{
	size_t n = 1;

	for (size_t i = 0; i < group->records; i++)
		n += group->record[i]->repeats + 1;
	return n;
}

static int gather(struct sample *out, const struct group *group,
		  gather_fn *fn, const char *name)
{
	*out = (struct sample){ .exact = true };
	out->value = calloc(readings(group), sizeof(*out->value));
	if (!out->value)
		return -ASSAY_ENOMEM;
	for (size_t i = 0; i < group->records; i++)
		fn(out, group->record[i], name);
	settle(out);
	return 0;
}

/* ---- changes ------------------------------------------------------------- */

double change_size(const struct compare_change *change)
{
	if (change->old == change->new)
		return 0;
	return change->old == 0 ? INFINITY :
	       fabs((change->new - change->old) / change->old);
}

static struct change *room(struct pair *pair)
{
	struct change *more;

	if (pair->changes < pair->room)
		return &pair->change[pair->changes];
	more = realloc(pair->change, (2 * pair->room + 64) * sizeof(*more));
	if (!more)
		return NULL;
	pair->change = more;
	pair->room = 2 * pair->room + 64;
	return &pair->change[pair->changes];
}

static int compare(struct pair *pair, const struct sample *old,
		   const struct sample *new, const char *name,
		   const char *unit, struct assay_error *err)
{
	struct change *c = room(pair);
	int rc;

	if (!c)
		return error_memory(err);
	*c = (struct change){
		.unit = unit, .values = { old->of.values, new->of.values },
	};
	text_copy(c->name, sizeof(c->name), name);
	rc = compare_samples(&c->by, &old->of, &new->of, compare_better(name),
			     err);
	if (rc)
		return rc;
	if (!old->records || !new->records)
		snprintf(c->why, sizeof(c->why), "only the %s has it",
			 old->records ? "first" : "second");
	else if (c->by.why)
		text_copy(c->why, sizeof(c->why), c->by.why);
	pair->changes++;
	return 0;
}

/* Adds one quantity, unless neither group has a value of it. */
static int add(struct pair *pair, gather_fn *fn, const char *name,
	       const char *unit, struct assay_error *err)
{
	struct sample old = { .value = NULL }, new = { .value = NULL };
	int rc = gather(&old, pair->old, fn, name);

	if (!rc)
		rc = gather(&new, pair->new, fn, name);
	if (rc)
		error_memory(err);
	else if (old.of.values || new.of.values)
		rc = compare(pair, &old, &new, name, unit, err);
	free(old.value);
	free(new.value);
	return rc;
}

static int add_events(struct pair *pair, const struct assay_record *of,
		      const struct assay_record *seen,
		      struct assay_error *err)
{
	int rc = 0;

	for (unsigned e = 0; e < of->events && !rc; e++)
		if (!seen || assay_record_find(seen, of->event[e].name) < 0)
			rc = add(pair, gather_event, of->event[e].name, NULL,
				 err);
	return rc;
}

int quantities_compare(struct pair *pair, struct assay_error *err)
{
	const struct assay_record *old = pair->old->record[0];
	const struct assay_record *new = pair->new->record[0];
	int rc = add(pair, gather_ns, "ns", "ns", err);

	if (!rc)
		rc = add_events(pair, old, NULL, err);
	if (!rc)
		rc = add_events(pair, new, old, err);
	if (!rc)
		rc = add(pair, gather_ipc, "ipc", NULL, err);
	for (int q = 0; q < ASSAY_QUANTITIES && !rc; q++)
		rc = add(pair, gather_truth, assay_quantity_name(q),
			 assay_quantity_unit(q), err);
	return rc;
}
