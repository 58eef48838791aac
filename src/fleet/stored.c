/* SPDX-License-Identifier: MIT */
/*
 * A database into a fleet, by the tables of points and values: reading ten
 * million values there takes a tenth of the time that their lines of JSON take.
 * First each point's machine, settings and shape, then the values of all.
 */
#include "fleet/stored.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/record.h"
#include "base/text.h"
#include "fleet/read.h"
#include "store/rows.h"

enum {
	MOST_REPEATS = 65536,	/* of a point: as a record's */
	MOST_SHAPES = 1 << 16
};

struct point {
	int64_t id;
	int node, shape;
	uint32_t repeats;
	bool random, disturbed;
	char provider[24];
};

struct value { int64_t name; uint32_t repetition; struct assay_count count;
	double real; };

struct reading {
	struct fleet *fleet;
	const char *path;
	struct assay_error *err;
	struct names shape_texts;
	struct assay_shape *shape;
	struct point *point;
	size_t points;
	struct { char kind[8]; char *name; } *name;	/* by a name's id */
	size_t names;
	/* of the point at hand */
	size_t at;
	struct value *value;
	size_t values;
	int rc;		/* an error that ended the reading */
};

/* ---- points -------------------------------------------------------------- */

static int copy_shape(void *ctx, struct assay_record *record)
{
	*(struct assay_shape *)ctx = record->shape;
	record_free(record);
	return 0;
}

static int no_row(void *ctx, const struct assay_row *row)
{
	(void)ctx, (void)row;
	return 0;
}

/* The number of a shape; line: the record, which is read for a new one. */
static int shape_of(struct reading *r, const char *text, const char *line)
{
	const uint32_t before = r->shape_texts.names;
	const int n = names_add(&r->shape_texts, text);

	if (n < 0 || (uint32_t)n < before)
		return n;
	if (n >= MOST_SHAPES)
		return -ASSAY_ERANGE;
	if (!array_more(&r->shape, (size_t)n, sizeof(*r->shape)))
		return -ASSAY_ENOMEM;
	r->shape[n] = (struct assay_shape){ .options = 0 };
	r->rc = rows_read(line, r->path, no_row, copy_shape, &r->shape[n],
			  r->err);
	return r->rc < 0 ? r->rc : n;
}

enum { ID, NODE, PROVIDER, REPEATS, OPTIONS, CPU, ISA, KERNEL, HYPERVISOR,
	MICROCODE, SHAPE, PAGE_MAP, PAGES, DISTURBED, RANDOM, LINE };
static const char points[] =
	"SELECT p.id, coalesce(nullif(l.text->>'node', ''), nullif(m.host, ''),"
	" nullif(r.node, ''), nullif(r.host, '')), p.provider, p.repeats, "
	"p.settings, m.cpu, m.isa, m.kernel, m.hypervisor, m.microcode, "
	"l.text->'shape', l.text->>'$.settings.page_map', "
	"l.text->>'$.settings.pages', l.text->>'$.noise.disturbed', "
	"l.text->>'random_replacement', l.text "
	"FROM point p CROSS JOIN run r ON r.id = p.run "
	"CROSS JOIN machine m ON m.id = p.machine "
	"CROSS JOIN line l ON l.run = p.run AND l.number = p.line "
	"ORDER BY p.id";

static int add_surroundings(struct reading *r, int node,
			    const struct database_row *row)
{
	struct assay_record *record = record_new(0, 0);
	struct assay_machine *m;
	int rc;

	if (!record)
		return -ASSAY_ENOMEM;
	m = &record->machine;
#define COPY(to, column) \
	text_copy(to, sizeof(to), database_text(row, column))
	COPY(m->cpu, CPU);
	COPY(m->isa, ISA);
	COPY(m->kernel, KERNEL);
	COPY(m->hypervisor, HYPERVISOR);
	COPY(m->microcode, MICROCODE);
	COPY(record->settings.options, OPTIONS);
	COPY(record->settings.page_map, PAGE_MAP);
	COPY(record->settings.pages, PAGES);
#undef COPY
	rc = fleet_add_surroundings(r->fleet, node, record);
	record_free(record);
	return rc;
}

static int on_point(void *ctx, const struct database_row *row)
{
	struct reading *r = ctx;
	const int node = fleet_node(r->fleet, *database_text(row, NODE) ?
				    database_text(row, NODE) : r->path);
	struct point p = {
		.id = database_int(row, ID), .node = node,
		.repeats = (uint32_t)database_int(row, REPEATS),
		.random = database_int(row, RANDOM),
		.disturbed = database_int(row, DISTURBED),
	};

	text_copy(p.provider, sizeof(p.provider),
		  database_text(row, PROVIDER));
	p.shape = node < 0 ? node : shape_of(r, database_text(row, SHAPE),
					     database_text(row, LINE));
	r->rc = p.shape < 0 ? p.shape : add_surroundings(r, node, row);
	if (!r->rc && !array_more(&r->point, r->points, sizeof(p)))
		r->rc = -ASSAY_ENOMEM;
	if (r->rc)
		return r->rc;
	r->fleet->disturbed += p.disturbed;
	r->point[r->points++] = p;
	return 0;
}

/* ---- values -------------------------------------------------------------- */

static int on_name(void *ctx, const struct database_row *row)
{
	struct reading *r = ctx;
	const int64_t id = database_int(row, 0);

	if (id < 0 || id > INT_MAX / 64)
		return r->rc = -ASSAY_ERANGE;
	if ((size_t)id >= r->names) {
		if (!array_resize(&r->name, (size_t)id + 1, sizeof(*r->name)))
			return r->rc = -ASSAY_ENOMEM;
		memset(r->name + r->names, 0,
		       ((size_t)id + 1 - r->names) * sizeof(*r->name));
		r->names = (size_t)id + 1;
	}
	text_copy(r->name[id].kind, sizeof(r->name[id].kind),
		  database_text(row, 1));
	free(r->name[id].name);		/* a hostile table has an id twice */
	r->name[id].name = strdup(database_text(row, 2));
	return r->name[id].name ? 0 : (r->rc = -ASSAY_ENOMEM);
}

static bool is_kind(const struct reading *r, int64_t id, const char *kind)
{
	return id > 0 && (size_t)id < r->names && r->name[id].name &&
	       !strcmp(r->name[id].kind, kind);
}

static void put_value(const struct reading *r, struct assay_record *record,
		      const struct value *v, unsigned event)
{
	if (is_kind(r, v->name, "event")) {
		text_copy(record->event[event].name, ASSAY_NAME,
			  r->name[v->name].name);
		record->counts[v->repetition * record->events + event] =
			v->count;
	} else if (is_kind(r, v->name, "time")) {
		record->ns[v->repetition] = v->count.value;
	} else if (is_kind(r, v->name, "truth")) {
		const int q = assay_quantity_find(r->name[v->name].name);

		if (q >= 0)
			record->truth.of[q] = (struct assay_value){
				.number = v->real };
	}
}

/* The values of one event follow each other. */
static unsigned count_events(const struct reading *r)
{
	unsigned n = 0;

	for (size_t i = 0; i < r->values; i++)
		n += is_kind(r, r->value[i].name, "event") &&
		     (!i || r->value[i].name != r->value[i - 1].name);
	return n;
}

/* Adds the values that were read of the point at hand. */
static int add_values(struct reading *r)
{
	const struct point *p = &r->point[r->at];
	struct assay_record *record;
	unsigned event = 0;
	int rc;

	if (p->disturbed || p->repeats > MOST_REPEATS)
		return 0;
	record = record_new(count_events(r), p->repeats);
	if (!record)
		return -ASSAY_ENOMEM;
	record->shape = r->shape[p->shape];
	record->random_replacement = p->random;
	text_copy(record->provider, sizeof(record->provider), p->provider);
	for (size_t i = 0; i < r->values; i++) {
		event += i && r->value[i].name != r->value[i - 1].name &&
			 is_kind(r, r->value[i - 1].name, "event");
		put_value(r, record, &r->value[i], event);
	}
	rc = fleet_add_values(r->fleet, p->node, record);
	record_free(record);
	return rc;
}

/* A count above INT64_MAX is stored as a text. */
static uint64_t count_of(const struct database_row *row, int column)
{
	const int64_t n = database_int(row, column);

	return n == INT64_MAX ? strtoull(database_text(row, column), NULL, 10) :
	       n < 0 ? 0 : (uint64_t)n;
}

enum { POINT, NAME, REPETITION, VALUE, ENABLED, RUNNING, WHY };
static const char values[] =
	"SELECT point, name, repetition, value, enabled, running, why "
	"FROM value ORDER BY point, name, repetition";

static struct value value_of(const struct reading *r,
			     const struct database_row *row)
{
	const int64_t why = database_int(row, WHY);
	struct value v = {
		.name = database_int(row, NAME),
		.repetition = (uint32_t)database_int(row, REPETITION),
		.count = { .value = count_of(row, VALUE),
			   .enabled = count_of(row, ENABLED),
			   .running = count_of(row, RUNNING),
			   .state = ASSAY_COUNT_PRESENT },
		.real = database_real(row, VALUE),
	};

	if (database_null(row, VALUE)) {
		v.count.state = ASSAY_COUNT_ABSENT;
		v.count.why = is_kind(r, why, "why") ? r->name[why].name : NULL;
	} else if (is_kind(r, why, "why")) {
		v.count.state = ASSAY_COUNT_SCALED;
	}
	return v;
}

/* Points and values have one order. */
static int on_value(void *ctx, const struct database_row *row)
{
	struct reading *r = ctx;
	const int64_t id = database_int(row, POINT);
	struct value v;

	while (r->at < r->points && r->point[r->at].id < id) {
		r->rc = add_values(r);
		if (r->rc)
			return r->rc;
		r->values = 0;
		r->at++;
	}
	if (r->at == r->points || r->point[r->at].id != id)
		return 0;
	v = value_of(r, row);
	if (v.repetition >= r->point[r->at].repeats && !is_kind(r, v.name,
								"truth"))
		return 0;
	if (!array_more(&r->value, r->values, sizeof(v)))
		return r->rc = -ASSAY_ENOMEM;
	r->value[r->values++] = v;
	return 0;
}

int fleet_read_points(struct fleet *fleet, struct database *db,
		      const char *path, struct assay_error *err)
{
	struct reading r = { .fleet = fleet, .path = path, .err = err };
	int rc = database_each(db, points, NULL, 0, on_point, &r, err);

	rc = rc ? rc : database_each(db, "SELECT id, kind, name FROM name",
				     NULL, 0, on_name, &r, err);
	rc = rc ? rc : database_each(db, values, NULL, 0, on_value, &r, err);
	for (; !rc && r.at < r.points; r.at++, r.values = 0)
		rc = add_values(&r);
	for (size_t i = 0; i < r.names; i++)
		free(r.name[i].name);
	names_fini(&r.shape_texts);
	free(r.name);
	free(r.shape);
	free(r.point);
	free(r.value);
	return rc;
}
