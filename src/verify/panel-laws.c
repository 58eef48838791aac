/* SPDX-License-Identifier: MIT */
/* Laws between the counts of a real machine's events (analysis/judge/law.c); no
 * truth is needed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/judge.h"
#include "base/text.h"
#include "counters/signals.h"
#include "verify/panel-intervals.h"

struct laws {
	panel_law_fn *fn;
	void *ctx;
};

/* Whether the expression adds up these signals, each once. */
static bool is_sum_of(const struct expr *e, const int *signal, unsigned n)
{
	unsigned names = 0;

	for (short i = 0; i < e->nodes; i++) {
		bool known = e->node[i].op == EXPR_ADD;

		names += e->node[i].op == EXPR_NAME;
		for (unsigned k = 0; k < n && e->node[i].op == EXPR_NAME; k++)
			known |= e->node[i].name == signal[k];
		if (!known)
			return false;
	}
	return names == n;
}

/* The quantity that an event is said to count, or NULL. */
static const char *quantity_of(const struct panel_event *e)
{
	int signal[SIGNALS_OF_QUANTITY];

	for (int q = 0; e->counts && q < ASSAY_QUANTITIES; q++) {
		const unsigned n = signals_of_quantity((enum assay_quantity)q,
						       signal);

		if (n && is_sum_of(e->counts, signal, n))
			return assay_quantity_name((enum assay_quantity)q);
	}
	return e->quantity;
}

typedef char shape_name[16];	/* "at=x7": two shapes may have one text */

static void add_rows(const struct panel *p, size_t event, const char *quantity,
		     const shape_name *shape, struct judge_row *row,
		     size_t *rows)
{
	for (size_t i = 0; i < p->rows; i++) {
		const struct panel_shape *s = &p->shape[p->row[i].shape];
		const double count = p->count[i * PANEL_EVENTS + event];

		if (isnan(count))
			continue;
		row[(*rows)++] = (struct judge_row){
			.machine = "", .microcode = s->microcode,
			.program = s->kernel,
			.shape = shape[p->row[i].shape],
			.event = p->event[event].name, .quantity = quantity,
			.count = count, .expected = NAN, .low = NAN,
			.high = NAN, .scaled = 1,
			/* known to as much as the system may have added */
			.resolution = fmax(1, p->disturbance[i]),
			.run = (uint32_t)i,
		};
	}
}

static int take(void *ctx, const struct judge_verdict *v)
{
	const struct laws *laws = ctx;

	if (!v->facts.law || v->program)
		return 0;
	return laws->fn(laws->ctx, v->event, v->microcode, v->class_, v->text);
}

int panel_laws(const struct panel *p, panel_law_fn *fn, void *ctx)
{
	struct judge_row *row = calloc(p->rows * p->events + 1, sizeof(*row));
	shape_name *shape = calloc(p->shapes + 1, sizeof(*shape));
	struct laws laws = { fn, ctx };
	struct judge_input in = { .row = row };
	int rc = row && shape ? 0 : -ASSAY_ENOMEM;

	for (size_t i = 0; i < p->shapes && !rc; i++)
		snprintf(shape[i], sizeof(*shape), "at=x%u", (unsigned)i);
	for (size_t e = 0; e < p->events && !rc; e++) {
		const char *quantity = quantity_of(&p->event[e]);

		if (quantity)
			add_rows(p, e, quantity, shape, row, &in.rows);
	}
	rc = rc ? rc : judge_run(&in, take, NULL, &laws);
	free(row);
	free(shape);
	return rc;
}
