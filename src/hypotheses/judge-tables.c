/* SPDX-License-Identifier: MIT */
/* Claims judged on published tables: each place is a record, and what the table
 * states is the truth. */
#include <stdio.h>
#include <stdlib.h>

#include "base/record.h"
#include "base/text.h"
#include "hypotheses/judging.h"
#include "tables/each.h"

static void state_truths(struct assay_expectation *out,
			 const struct table_place *place)
{
	out->rows = 0;
	for (int q = 0; q < ASSAY_QUANTITIES; q++) {
		struct assay_expected *e = &out->row[out->rows];

		if (out->rows == ASSAY_EXPECT_ROWS)
			return;
		if (!table_truth(place, assay_quantity_name(q), e))
			continue;
		e->quantity = (enum assay_quantity)q;
		out->rows++;
	}
}

static int add_place_of_table(struct judging_run *c,
			      const struct table_place *place,
			      struct assay_error *err)
{
	const struct judge_row *row = place->row[0];
	const double times = table_times(place);
	struct assay_record *record = NULL;
	char shape[96];
	int rc = table_record(&record, place, c->event, c->events);

	if (rc)
		return error_set(err, rc, rc == -ASSAY_ERANGE ? "more than %d "
				 "events of the formulas at one place" :
				 "out of memory", ASSAY_EVENTS);
	snprintf(shape, sizeof(shape), times > 1 ? "%s%s%s (counts x %.0f)" :
		 "%s%s%s", row->program, *row->shape ? " " : "", row->shape,
		 times);
	state_truths(&c->expectation, place);
	rc = ranking_add_record(&c->ranking, &(struct ranked_record){
		.record = record, .expectation = &c->expectation,
		.kernel = row->program, .shape = shape, .table = true });
	record_free(record);
	return rc;
}

static int judge_machine(void *ctx, const struct table_machine *machine,
			 struct assay_error *err)
{
	struct judging_run *c = ctx;
	int rc = 0;

	ranking_reset(&c->ranking);
	text_copy(c->where, sizeof(c->where), machine->name);
	for (size_t i = 0; i < machine->places && rc == 0; i++)
		rc = add_place_of_table(c, &machine->place[i], err);
	return rc || !ranking_said(&c->ranking) ? rc : judging_finish(c);
}

/* The events of all formula files, each once. */
static int name_events(struct judging_run *c, struct assay_error *err)
{
	size_t most = 0;

	for (unsigned i = 0; i < c->files; i++)
		most += c->file[i]->events;
	c->event = calloc(most + 1, sizeof(*c->event));
	for (unsigned i = 0; i < c->files && c->event; i++)
		for (size_t e = 0; e < c->file[i]->events; e++) {
			const char *name = c->file[i]->event[e];
			unsigned k = 0;

			while (k < c->events && !text_equal(c->event[k], name))
				k++;
			text_copy(c->event[k], ASSAY_NAME, name);
			c->events += k == c->events;
		}
	return c->event ? 0 : error_set(err, -ASSAY_ENOMEM, "out of memory");
}

int judging_tables(struct judging_run *c, struct assay_error *err)
{
	int rc = name_events(c, err);

	rc = rc ? rc : tables_machines(c->judging->tables, judge_machine, c,
				       err);
	if (rc == 0 && !c->judged)
		rc = error_set(err, -ASSAY_EUNAVAIL, "nothing could be judged: "
			       "no place of the tables has all events of a "
			       "formula and states its quantity\n"
			       "try: assay list formulas, or --map "
			       "'event=...;quantity=...'");
	return rc == 0 && c->judged > 1 ? judging_summary(c) : rc;
}
