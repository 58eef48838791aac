/* SPDX-License-Identifier: MIT */
/*
 * assay_result_row(): a result as one flat row, for CSV. The columns depend on
 * what was asked for, never on the values: a value that is not known is an
 * empty cell with a reason. Fields beyond FIELDS are left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay.h"
#include "base/record.h"
#include "base/row.h"

enum { FIELDS = 1024, NAMES = FIELDS * 48 };

/* A row under construction. `names` holds the names that are composed here. */
struct flat {
	struct assay_field field[FIELDS];
	size_t fields;
	char names[NAMES];
	size_t used;
};

static struct assay_field *add(struct flat *f, const char *name)
{
	struct assay_field *out;

	if (f->fields == FIELDS)
		return NULL;
	out = &f->field[f->fields++];
	*out = (struct assay_field){ .name = name };
	return out;
}

static struct assay_value number(double value)
{
	return (struct assay_value){ .number = value };
}

static void add_value(struct flat *f, const char *name,
		      struct assay_value value, const char *unit)
{
	struct assay_field *out = add(f, name);

	if (!out)
		return;
	*out = field_value(name, value);
	out->unit = unit;
}

static const char *join(struct flat *f, const char *a, const char *b)
{
	char *out = f->names + f->used;
	int n = snprintf(out, NAMES - f->used, "%s%s", a, b);

	if (n < 0 || f->used + (size_t)n + 1 >= NAMES)
		return b;
	f->used += (size_t)n + 1;
	return out;
}

/* Under random replacement each count has its error beside it. */
static void add_count(struct flat *f, const struct assay_record *record,
		      const char *name, struct assay_value value,
		      const char *unit)
{
	struct assay_value error = { .number = 0 };

	add_value(f, name, value, unit);
	if (!record->random_replacement || value.why)
		return;
	error.number = value.error;
	if (value.error < 0)
		error.why = "one draw of random replacement: its error takes "
			    "passes or repetitions to be known";
	add_value(f, join(f, name, "_error"), error, unit);
}

static void add_text(struct flat *f, const char *name, const char *text)
{
	struct assay_field *out = add(f, name);

	if (out)
		*out = field_text(name, text);
}

static void add_options(struct flat *f, const struct assay_shape *shape)
{
	for (unsigned i = 0; i < shape->options; i++) {
		const struct assay_shape_value *v = &shape->option[i];
		struct assay_field *out = add(f, v->name);

		if (!out)
			return;
		out->kind = ASSAY_FIELD_COUNT;
		out->count = (uint64_t)v->value;
		if (v->kind == ASSAY_OPTION_CHOICE) {
			out->kind = ASSAY_FIELD_TEXT;
			out->text = v->word;
		} else if (v->kind == ASSAY_OPTION_FLAG) {
			out->kind = ASSAY_FIELD_TEXT;
			out->text = v->value ? "on" : "off";
		} else if (v->kind == ASSAY_OPTION_REAL) {
			out->kind = ASSAY_FIELD_REAL;
			out->real = (double)v->value / 1e6;
			out->decimals = 6;
		} else if (v->kind == ASSAY_OPTION_BYTES) {
			out->flags = ASSAY_FIELD_BYTES;
		}
	}
}

static void add_events(struct flat *f, const struct assay_record *record)
{
	for (unsigned e = 0; e < record->events; e++)
		add_count(f, record, record->event[e].name,
			  assay_record_value(record, e), NULL);
}

/* Is this value unknown in every run of the provider? */
static bool unknowable(struct assay_value value)
{
	return value.why && strcmp(value.why, record_not_known) == 0;
}

/* The columns of `--on time`. A time that is absent still has its range. */
static void add_timing(struct flat *f, const struct assay_timing *t)
{
	add_value(f, "ns_per_access", t->ns.value, "ns");
	add_value(f, "ns_low", number(t->ns.low), "ns");
	add_value(f, "ns_high", number(t->ns.high), "ns");
	add_value(f, "core_cycles_per_access", t->cycles.value, "cycles");
	add_value(f, "cycles_low", number(t->cycles.low), "cycles");
	add_value(f, "cycles_high", number(t->cycles.high), "cycles");
	add_value(f, "core_ghz", number(t->ghz), "GHz");
	add_value(f, "clock_drift", number(t->drift), NULL);
	add_value(f, "sibling_busy", number(t->sibling), NULL);
	add_value(f, "rounds", number(t->rounds), NULL);
	add_value(f, "samples", number(t->samples), NULL);
	add_text(f, "state", t->disturbed ? "disturbed" :
			     t->stable ? "stable" : "unstable");
}

static void add_share_seen(struct flat *f, const char *name,
			   const struct assay_noise_part *part)
{
	/* an empty cell without a reason: whether a share can be measured
	 * differs from run to run */
	if (part->share < 0)
		add_text(f, name, "");
	else
		add_value(f, name, number(part->share), NULL);
}

/* The columns of noise: shares of the time, and whether they are within
 * limits. */
static void add_noise(struct flat *f, const struct assay_noise *noise)
{
	if (!noise->seen)
		return;
	add_share_seen(f, "off_cpu", &noise->part[ASSAY_NOISE_OFF]);
	add_share_seen(f, "clock_drift", &noise->part[ASSAY_NOISE_DRIFT]);
	add_value(f, "preempted", number((double)noise->preempted), NULL);
	add_value(f, "repeated", number((double)noise->repeated), NULL);
	add_text(f, "noise", noise->disturbed ? "disturbed" : "within limits");
}

/*
 * All quantities that the provider can ever know, so that the columns do not
 * depend on the shape; and the time, unless the run was simulated.
 */
static void add_quantities(struct flat *f, const struct assay_result *result)
{
	const struct assay_record *record = result->record;
	struct assay_value cycles = result->cycles_per_access;

	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		if (!unknowable(record->truth.of[q]))
			add_count(f, record, assay_quantity_name(q),
				  record->truth.of[q], assay_quantity_unit(q));
	if (strcmp(record->provider, "sim") == 0)
		return;
	add_value(f, "ns", result->ns, "ns");
	add_value(f, "ns_per_access", result->ns_per_access, "ns");
	/* a clock that changed its frequency is noted in the record's
	 * settings, not here in each column */
	cycles.estimate = false;
	add_value(f, "core_cycles_per_access", cycles, "cycles");
	add_noise(f, &record->noise);
}

static const char *dotted(struct flat *f, const char *a, const char *b)
{
	return join(f, join(f, a, "."), b);
}

static void add_share(struct flat *f, const struct assay_pie *pie,
		      const char *part, struct assay_value value)
{
	struct assay_field *out;
	bool complete = !pie->total.why && pie->total.number != 0;

	if (!value.why && !complete)
		value.why = pie->total.why ? pie->total.why : "the total is 0";
	if (!value.why)
		value.number /= pie->total.number;
	if (!value.why && value.error > 0)
		value.error /= pie->total.number;
	out = add(f, dotted(f, pie->name, part));
	if (out)
		*out = field_share(out->name, value);
}

static struct assay_value bar(const struct assay_pie *pie, double share)
{
	return (struct assay_value){
		.number = share, .why = pie->bars ? NULL : pie->note
	};
}

static void add_pie(struct flat *f, const struct assay_pie *pie)
{
	add_share(f, pie, "l1", pie->l1);
	add_share(f, pie, "l2", pie->l2);
	add_share(f, pie, "l3", pie->l3);
	add_share(f, pie, "dram", pie->dram);
	/* a pie by time has bars; absent ones keep their columns */
	for (int i = 0; pie->note && i < 4; i++) {
		static const char *const low[] = { "l1_low", "l2_low",
						   "l3_low", "dram_low" };
		static const char *const high[] = { "l1_high", "l2_high",
						    "l3_high", "dram_high" };

		add_value(f, dotted(f, pie->name, low[i]),
			  bar(pie, pie->low[i]), NULL);
		add_value(f, dotted(f, pie->name, high[i]),
			  bar(pie, pie->high[i]), NULL);
	}
	add_value(f, dotted(f, pie->name, "total"), pie->total, "accesses");
	add_value(f, dotted(f, pie->name, "residual"), pie->residual,
		  "accesses");
}

static void add_slope(struct flat *f, const struct assay_slope *slope)
{
	add_value(f, dotted(f, slope->name, "slope"), slope->per_unit, NULL);
	add_value(f, dotted(f, slope->name, "overhead"), slope->overhead, NULL);
	add_value(f, dotted(f, slope->name, "curvature"), slope->curvature,
		  NULL);
}

static void add_expected(struct flat *f, const struct assay_result *result)
{
	for (unsigned i = 0; i < result->expectation->rows; i++) {
		const struct assay_expected *row =
			&result->expectation->row[i];

		add_value(f, assay_quantity_name(row->quantity),
			  (struct assay_value){ .number = row->value },
			  assay_quantity_unit(row->quantity));
	}
}

int assay_result_row(const struct assay_result *result, assay_row_fn *fn,
		     void *ctx)
{
	struct flat *f = calloc(1, sizeof(*f));
	struct assay_row row = { .type = "result" };
	int rc;

	if (!f)
		return -ASSAY_ENOMEM;
	add_options(f, result->shape);
	if (result->record) {
		if (result->timing) {
			add_timing(f, result->timing);
		} else {
			add_events(f, result->record);
			add_quantities(f, result);
		}
		for (size_t i = 0; i < result->slopes; i++)
			add_slope(f, &result->slope[i]);
		for (size_t i = 0; i < result->pies; i++)
			add_pie(f, &result->pie[i]);
		for (size_t i = 0; i < result->metrics; i++)
			add_value(f, result->metric[i].name,
				  result->metric[i].value, NULL);
	} else {
		add_expected(f, result);
	}
	row.field = f->field;
	row.fields = f->fields;
	rc = fn(ctx, &row);
	free(f);
	return rc;
}
