/* SPDX-License-Identifier: MIT */
/* Two certificates, or two runs, event by event. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/handle.h"
#include "base/row.h"
#include "base/text.h"
#include "store/certificate.h"
#include "store/store.h"

struct diff {
	assay_row_fn *fn;
	void *ctx;
	unsigned differences;
};

/* counts: true if this difference makes the two files differ ("bad"). */
static int emit_difference(struct diff *d, const char *what, const char *where,
		const char *a, const char *b, bool counts)
{
	const struct assay_field field[] = {
		field_text("what", what), field_text("where", where),
		field_text("first", a), field_text("second", b),
		field_text("state", counts ? "bad" : "warn"),
	};

	d->differences += counts;
	return row_emit(d->fn, d->ctx, "difference", field, 5);
}

static int compare_machines(struct diff *d, const struct certificate_machine *a,
			const struct certificate_machine *b)
{
	const struct { const char *what, *a, *b; } part[] = {
		{ "provider", a->provider, b->provider },
		{ "cpu", a->cpu, b->cpu }, { "isa", a->isa, b->isa },
		{ "stepping", a->stepping, b->stepping },
		{ "microcode", a->microcode, b->microcode },
		{ "kernel", a->kernel, b->kernel },
		{ "hypervisor", a->hypervisor, b->hypervisor },
		{ "options", a->options, b->options },
	};
	int rc = 0;

	for (size_t i = 0; i < sizeof(part) / sizeof(*part) && rc == 0; i++)
		if (strcmp(part[i].a, part[i].b) != 0)
			rc = emit_difference(d, part[i].what, "machine",
					     part[i].a, part[i].b, false);
	return rc;
}

static const struct certificate_event *
find(const struct certificate *c, const char *event)
{
	for (size_t i = 0; i < c->events; i++)
		if (text_equal(c->event[i].event, event))
			return &c->event[i];
	return NULL;
}

static void verdict(char *out, size_t room,
		    const struct certificate_event *e)
{
	if (!e)
		text_copy(out, room, "not judged");
	else if (e->class_ == ASSAY_CLASS_EXACT)
		text_copy(out, room, assay_class_name(e->class_));
	else
		snprintf(out, room, "%s: %s", assay_class_name(e->class_),
			 e->explains);
}

static int compare_event(struct diff *d, const char *event,
			 const struct certificate_event *a,
			 const struct certificate_event *b)
{
	char first[400], second[400];

	/* how near an agreement was differs from run to run */
	if (a && b && a->class_ == b->class_ && assay_class_trust(a->class_))
		return 0;
	verdict(first, sizeof(first), a);
	verdict(second, sizeof(second), b);
	return strcmp(first, second) == 0 ? 0 :
	       emit_difference(d, event, "verdict", first, second, true);
}

static int diff_certificates(struct diff *d, const struct certificate *a,
			     const struct certificate *b)
{
	int rc = compare_machines(d, &a->machine, &b->machine);

	for (size_t i = 0; i < a->events && rc == 0; i++)
		rc = compare_event(d, a->event[i].event, &a->event[i],
				   find(b, a->event[i].event));
	for (size_t i = 0; i < b->events && rc == 0; i++)
		if (!find(a, b->event[i].event))
			rc = compare_event(d, b->event[i].event, NULL,
					   &b->event[i]);
	return rc;
}

/* ---- runs ---------------------------------------------------------------- */

/* Least and most over the repetitions; false: not counted the whole time. */
static bool range(const struct assay_record *r, unsigned event, double *low,
		  double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (unsigned i = 0; i < r->repeats; i++) {
		const struct assay_count *c =
			&r->counts[(size_t)i * r->events + event];

		if (c->state != ASSAY_COUNT_PRESENT)
			return false;
		*low = fmin(*low, (double)c->value);
		*high = fmax(*high, (double)c->value);
	}
	return r->repeats > 0;
}

static void range_text(char *out, size_t room, bool known, double low,
		       double high)
{
	if (!known)
		text_copy(out, room, "not counted");
	else if (low == high)
		snprintf(out, room, "%.0f", low);
	else
		snprintf(out, room, "%.0f to %.0f", low, high);
}

/* One event of one record compared with all records of the same shape. */
struct disturbance {
	bool shape;		/* measured at all */
	bool same;		/* the shape was measured at all */
	bool known;		/* the same count in some record */
	double low, high;
};

static struct disturbance look(const struct assay_record *a, unsigned event,
			  const struct store *b)
{
	struct disturbance found = { .shape = false };
	double low, high;
	bool known = range(a, event, &low, &high);

	for (size_t i = 0; i < b->records; i++) {
		const struct store one = { &b->record[i], 1 };
		double l, h;
		int at;

		if (!store_find(&one, &a->shape))
			continue;
		found.shape = true;
		at = assay_record_find(b->record[i], a->event[event].name);
		if (at < 0)
			continue;
		if (!range(b->record[i], (unsigned)at, &l, &h)) {
			found.same |= !known;
			continue;
		}
		found.known = true;
		found.low = l;
		found.high = h;
		found.same |= known && low <= h && l <= high;
	}
	return found;
}

static int compare_records(struct diff *d, const struct assay_record *a,
			   const struct store *b, const char *where)
{
	int rc = 0;

	for (unsigned e = 0; e < a->events && rc == 0; e++) {
		struct disturbance other = look(a, e, b);
		double low, high;
		char text[2][64];
		bool known = range(a, e, &low, &high);

		if (!other.shape)
			return emit_difference(d, "shape", where, "measured",
				    "not measured", true);
		if (other.same || (!known && !other.known))
			continue;
		range_text(text[0], sizeof(text[0]), known, low, high);
		range_text(text[1], sizeof(text[1]), other.known, other.low,
			   other.high);
		rc = emit_difference(d, a->event[e].name, where, text[0],
				     text[1], true);
	}
	return rc;
}

static int diff_runs(struct diff *d, const struct store *a,
		     const struct store *b)
{
	char where[64];
	int rc = 0;

	for (size_t i = 0; i < a->records && rc == 0; i++) {
		snprintf(where, sizeof(where), "%s, record %zu",
			 a->record[i]->shape.kernel, i + 1);
		rc = compare_records(d, a->record[i], b, where);
	}
	if (rc == 0 && a->records != b->records) {
		char text[2][24];

		snprintf(text[0], 24, "%zu", a->records);
		snprintf(text[1], 24, "%zu", b->records);
		rc = emit_difference(d, "records", "file", text[0], text[1],
				     true);
	}
	return rc;
}

/* Does the path name JSON Lines of records? Any ending but ".json" does. */
static bool is_run(const char *path)
{
	size_t n = strlen(path);

	return n < 5 || strcmp(path + n - 5, ".json") != 0;
}

static int read_runs(struct diff *d, const struct assay *assay,
		     const char *a, const char *b, struct assay_error *err)
{
	struct store first = { .records = 0 }, second = { .records = 0 };
	int rc = store_read(&first, a, assay->data_dir, err);

	if (rc == 0)
		rc = store_read(&second, b, assay->data_dir, err);
	if (rc == 0 && !(first.records && second.records))
		rc = error_set(err, -ASSAY_EINVAL, "'%.200s' holds no records",
			       first.records ? b : a);
	if (rc == 0)
		rc = diff_runs(d, &first, &second);
	store_fini(&first);
	store_fini(&second);
	return rc;
}

static int read_certificates(struct diff *d, const char *a, const char *b,
			     struct assay_error *err)
{
	struct certificate first = { .events = 0 }, second = { .events = 0 };
	int rc = certificate_read(&first, a, err);

	if (rc == 0)
		rc = certificate_read(&second, b, err);
	if (rc == 0)
		rc = diff_certificates(d, &first, &second);
	certificate_fini(&first);
	certificate_fini(&second);
	return rc;
}

int assay_diff(struct assay *assay, const char *first, const char *second,
	       assay_row_fn *fn, void *ctx, unsigned *differences,
	       struct assay_error *err)
{
	struct diff d = { fn, ctx, 0 };
	int rc;

	if (is_run(first) != is_run(second))
		return error_set(err, -ASSAY_EINVAL, "'%.200s' and '%.200s' "
				 "are a certificate (.json) and a run: two of "
				 "a kind can be compared", first, second);
	rc = is_run(first) ? read_runs(&d, assay, first, second, err) :
			     read_certificates(&d, first, second, err);
	if (rc == 0)
		*differences = d.differences;
	return rc;
}
