/* SPDX-License-Identifier: MIT */
/*
 * Published formulas of one quantity that give different values on the same
 * record. If one of them adds up exactly the signals of the quantity, by the
 * CPU file's expressions for its events, the others have a wrong term.
 */
#include <math.h>
#include <string.h>

#include "analysis/terms.h"
#include "verify/verify.h"
#include "base/record.h"
#include "base/row.h"
#include "counters/signals.h"
#include "cpus/signals.h"

/*
 * Signals of the model record: MANY lookups, FEW misses, so that no difference
 * of two is negative. STEP gives a whole count in any event, whatever the
 * event's factor.
 */
#define MANY UINT64_C(1000000000)
#define FEW UINT64_C(1000000)
#define STEP UINT64_C(1000)

struct audit {
	struct verify *v;
	const struct run *run;
	const struct assay_record *record;	/* the measured counts */
	struct assay_record *made;	/* computed from `signal` */
	uint64_t signal[SIGNALS];
};

static void start(uint64_t signal[SIGNALS])
{
	for (int s = 0; s < SIGNALS; s++)
		signal[s] = strstr(signal_names[s], "miss") ? FEW : MANY;
}

/* Computes the model record's counts from the signals. */
static void count(struct audit *a)
{
	for (unsigned e = 0; e < a->made->events; e++) {
		const struct cpu_event *known = cpu_event_find(
			a->v->saved_cpu, a->made->event[e].name);
		struct encoding event = { .family = ENCODING_NAME };

		event.counts = known && known->present ? &known->counts : NULL;
		a->made->counts[e] = signals_count(&event, a->signal);
	}
}

static struct assay_value value(const struct formula_file *file,
				const struct formula *f,
				const struct assay_record *record)
{
	const char *zeroed = NULL;
	struct assay_value v = formula_value_careless(file, f, record,
						      &zeroed);

	if (zeroed)
		v.why = "an event of it was not counted";
	return v;
}

/* Does the formula add each of the quantity's signals once, and no other? */
static bool is_right(struct audit *a, const struct formula_file *file,
		     const struct formula *f, enum assay_quantity quantity)
{
	int part[SIGNALS_OF_QUANTITY];
	const unsigned parts = signals_of_quantity(quantity, part);
	struct assay_value before, after;

	start(a->signal);
	count(a);
	before = value(file, f, a->made);
	for (int s = 0; s < SIGNALS && parts; s++) {
		double want = 0;

		for (unsigned p = 0; p < parts; p++)
			want += part[p] == s ? (double)STEP : 0;
		a->signal[s] += STEP;
		count(a);
		after = value(file, f, a->made);
		a->signal[s] -= STEP;
		if (before.why || after.why ||
		    fabs(after.number - before.number - want) > 0.5)
			return false;
	}
	return parts > 0;
}

struct claim {
	const struct formula_file *file;
	const struct formula *formula;
	struct assay_value value;
};

static int quantity_of(const struct formula *f)
{
	return f->claims >= 0 ? f->claims : f->quantity;
}

static int emit_wrong(const struct audit *a, const struct claim *wrong,
		const struct claim *right)
{
	double x[ASSAY_EVENTS], y[ASSAY_EVENTS];
	char by[400] = "";

	if (wrong->file->events <= ASSAY_EVENTS &&
	    right->file->events <= ASSAY_EVENTS &&
	    formula_weights(wrong->file, wrong->formula, a->record, x) &&
	    formula_weights(right->file, right->formula, a->record, y))
		formula_difference(by, sizeof(by), wrong->file, x,
				   right->file, y);
	const struct assay_field field[] = {
		field_text("formula", wrong->formula->name),
		field_text("quantity", assay_quantity_name(
			   (enum assay_quantity)quantity_of(wrong->formula))),
		field_text("verdict", "wrong term"),
		field_value("said", wrong->value),
		field_text("than", right->formula->name),
		field_value("right", right->value),
		field_text("because of", by),
		field_text("file", wrong->file->name),
	};

	a->v->disagrees++;
	return ROW_EMIT(a->v->fn, a->v->ctx, "formula", field);
}

/* Gathers every formula of one quantity that has a value on the record. */
static unsigned gather(const struct audit *a, int quantity, struct claim *out,
		       unsigned room)
{
	unsigned n = 0;

	for (unsigned k = 0; k < a->run->files; k++) {
		const struct formula_file *file = a->run->file[k];

		for (size_t i = 0; i < file->formulas && n < room; i++) {
			const struct formula *f = &file->formula[i];
			struct assay_value given;

			if (quantity_of(f) != quantity)
				continue;
			given = value(file, f, a->record);
			if (!given.why)
				out[n++] = (struct claim){ file, f, given };
		}
	}
	return n;
}

static int audit_quantity(struct audit *a, enum assay_quantity quantity)
{
	struct claim claim[16], *right = NULL;
	const unsigned n = gather(a, (int)quantity, claim, 16);
	int rc = 0;

	for (unsigned i = 0; i < n && n > 1 && !right; i++)
		if (is_right(a, claim[i].file, claim[i].formula, quantity))
			right = &claim[i];
	for (unsigned i = 0; i < n && right && rc == 0; i++)
		if (claim[i].value.number != right->value.number &&
		    !is_right(a, claim[i].file, claim[i].formula, quantity))
			rc = emit_wrong(a, &claim[i], right);
	return rc;
}

int verify_formulas(struct verify *v, const struct run *run,
		    const struct assay_record *record)
{
	struct audit a = { .v = v, .run = run, .record = record };
	int rc = 0;

	if (!v->saved_cpu)
		return 0;
	a.made = record_new(record->events, 1);
	if (!a.made)
		return -ASSAY_ENOMEM;
	for (unsigned e = 0; e < record->events; e++)
		a.made->event[e] = record->event[e];
	for (int q = 0; q < ASSAY_QUANTITIES && rc == 0; q++)
		rc = audit_quantity(&a, (enum assay_quantity)q);
	record_free(a.made);
	return rc;
}
