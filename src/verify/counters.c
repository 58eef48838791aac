/* SPDX-License-Identifier: MIT */
/* How many counters can be used: hypervisors and watchdogs reserve some. */
#include <stdio.h>
#include <stdlib.h>

#include "verify/verify.h"
#include "base/record.h"
#include "base/row.h"
#include "base/text.h"

struct trial {
	struct run run;
	struct assay_shape shape;
};

/* Chooses the first n events that can be counted; false: there are fewer. */
static bool choose(struct trial *t, const struct verify *v, unsigned n,
		   struct assay_error *err)
{
	struct group *group = &t->run.group;

	group->events = 0;
	for (size_t i = 0; i < v->panel.events && group->events < n; i++) {
		const struct panel_event *e = &v->panel.event[i];

		if (e->counts)
			events_parse(group, e->name, &t->run.target.events,
				     err);
	}
	return group->events == n;
}

static bool scaled(const struct assay_record *r)
{
	for (unsigned e = 0; e < r->events; e++)
		if (r->counts[e].state == ASSAY_COUNT_SCALED)
			return true;
	return false;
}

/* Counts n events together. *all: was every one counted the whole time? */
static int try_counters(struct trial *t, const struct verify *v, unsigned n,
			bool *all, struct assay_error *err)
{
	struct assay_record *r = NULL;
	int rc = choose(t, v, n, err) ? run_measure(&t->run, &t->shape, &r,
						    err) : 0;

	*all = !r || !scaled(r);
	record_free(r);
	return rc;
}

static int find_counters(struct trial *t, const struct verify *v,
			 unsigned *found, struct assay_error *err)
{
	unsigned n = *found;
	bool all = false;
	int rc = 0;

	for (; n > 1 && rc == 0; n--) {
		rc = try_counters(t, v, n, &all, err);
		if (rc == 0 && all)
			break;
	}
	*found = n;
	return rc;
}

static int emit_counters(struct verify *v, unsigned found, unsigned nominal)
{
	char text[160];

	snprintf(text, sizeof(text), "only %u of %u counters count at a time: "
		 "the others are lent to somebody, or not there", found,
		 nominal);
	const struct assay_field field[] = {
		field_text("finding", "counters"), field_text("text", text),
		field_count("found", found), field_count("said", nominal),
	};

	v->disagrees++;
	return row_emit(v->fn, v->ctx, "finding", field, 4);
}

int verify_counters(struct verify *v, struct assay_error *err)
{
	static const struct assay_setting lines = { "lines", "4" };
	const struct assay_job job = { .kernel = "flush", .on = v->on,
		.setting = &lines, .settings = 1, .cpu = -1,
		.page_map = v->page_map };
	const unsigned nominal = v->witness->cpu->counters;
	unsigned found = nominal;
	struct trial *t = calloc(1, sizeof(*t));
	int rc = t ? run_init(&t->run, v->assay, &job, err) : error_memory(err);

	if (rc == 0) {
		rc = sweep_shape(&t->run.sweep, 0, &t->shape, err);
		if (rc == 0)
			rc = find_counters(t, v, &found, err);
		run_fini(&t->run);
	}
	if (rc == 0 && found < nominal) {
		v->counters = found;
		rc = emit_counters(v, found, nominal);
	}
	free(t);
	return rc;
}
