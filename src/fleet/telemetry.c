/* SPDX-License-Identifier: MIT */
/* assay_telemetry_read(): verdicts, counts and latencies of this machine. */
#include <stdio.h>
#include <string.h>

#include "assay/fleet.h"
#include "base/loading/library.h"
#include "base/row.h"
#include "base/text.h"
#include "verify/certificate.h"

/* A list of 1 MiB: more than L1D, so that the events of all levels count. */
static const struct assay_setting shape[] = {
	{ "elements", "16384" }, { "accesses", "1048576" },
};

struct reading {
	struct assay *assay;
	const struct assay_telemetry *what;
	struct certificate certificate;
	bool certified;
	assay_row_fn *fn;
	void *ctx;
	int rc;
};

static const struct certificate_event *find(const struct reading *r,
					    const char *name)
{
	for (size_t i = 0; r->certified && i < r->certificate.events; i++)
		if (text_equal(r->certificate.event[i].event, name))
			return &r->certificate.event[i];
	return NULL;
}

static int put_verdicts(struct reading *r)
{
	for (size_t i = 0; r->certified && i < r->certificate.events &&
			   !r->rc; i++) {
		const struct certificate_event *e = &r->certificate.event[i];
		const int trust = assay_class_trust(e->class_);
		const struct assay_field field[] = {
			field_text("event", e->event),
			field_text("class", assay_class_name(e->class_)),
			field_count("quotable", trust == 1),
		};

		if (trust >= 0)
			r->rc = ROW_EMIT(r->fn, r->ctx, "verdict", field);
	}
	return r->rc;
}

static void withdraw(struct reading *r, const char *event, const char *class_,
		     const char *why)
{
	const struct assay_field field[] = {
		field_text("event", event), field_text("class", class_),
		field_text("why", why),
	};

	r->rc = ROW_EMIT(r->fn, r->ctx, "withdrawn", field);
}

static bool any_counts(const struct assay_record *record)
{
	for (unsigned e = 0; e < record->events; e++) {
		const struct assay_value v = assay_record_value(record, e);

		if (!v.why && v.number > 0)
			return true;
	}
	return false;
}

static void put_count(struct reading *r, const struct assay_record *record,
		      unsigned e)
{
	const char *name = record->event[e].name;
	const struct certificate_event *c = find(r, name);
	const char *class_ = c ? assay_class_name(c->class_) : "unverified";
	const struct assay_value v = assay_record_value(record, e);
	const struct assay_field field[] = {
		field_text("event", name), field_text("kernel", "chase"),
		field_text("class", class_), field_value("value", v),
	};

	if (!c || assay_class_trust(c->class_) != 1)
		withdraw(r, name, class_, "no certificate says that the event "
			 "may be quoted");
	else if (v.why || v.estimate)
		withdraw(r, name, class_, v.why ? v.why : "multiplexed");
	else if (v.number == 0 && any_counts(record))
		withdraw(r, name, class_, "reads 0 while other events count");
	else
		r->rc = ROW_EMIT(r->fn, r->ctx, "count", field);
}

static int on_result(void *ctx, const struct assay_result *result)
{
	struct reading *r = ctx;

	for (unsigned e = 0; e < result->record->events && !r->rc; e++)
		put_count(r, result->record, e);
	return r->rc;
}

static int on_level(void *ctx, const struct assay_row *row)
{
	struct reading *r = ctx;
	const struct assay_field *level = NULL, *ns = NULL;

	for (size_t i = 0; i < row->fields; i++) {
		if (!strcmp(row->field[i].name, "level"))
			level = &row->field[i];
		if (!strcmp(row->field[i].name, "ns"))
			ns = &row->field[i];
	}
	if (!strcmp(row->type, "measured-level") && level && ns &&
	    ns->kind == ASSAY_FIELD_REAL) {
		const struct assay_field field[] = {
			*level, field_text("class", "timed"),
			field_value("seconds", plain_value(ns->real / 1e9)),
		};

		r->rc = ROW_EMIT(r->fn, r->ctx, "latency", field);
	}
	return r->rc;
}

static int count(struct reading *r, struct assay_error *err)
{
	const struct assay_job job = {
		.kernel = "chase", .on = r->what->on, .setting = shape,
		.settings = 2, .events = r->what->events, .repeats = 3,
		.cpu = r->what->cpu,
	};

	return assay_run(r->assay, &job, on_result, r, err);
}

int assay_telemetry_read(struct assay *assay,
			 const struct assay_telemetry *telemetry,
			 assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	struct reading r = { assay, telemetry, { .events = 0 }, false, fn, ctx,
			     0 };
	struct certificate_machine want;
	unsigned unreadable;
	char path[4096];
	int rc = certificate_machine(&want, assay, telemetry->on, err);

	if (rc < 0)
		return rc;
	r.certified = certificate_find(&r.certificate, path, sizeof(path),
				       assay, &want, &unreadable);
	rc = unreadable ? library_need(LIBRARY_JANSSON, err) : 0;
	rc = rc ? rc : put_verdicts(&r);
	if (!rc && telemetry->events)
		rc = count(&r, err);
	if (!rc && telemetry->measure)
		rc = assay_levels(assay, telemetry->cpu, on_level, &r, err);
	certificate_fini(&r.certificate);
	return rc;
}
