/* SPDX-License-Identifier: MIT */
/*
 * Two microcodes of one machine are judged as two machines, each with its own
 * verdicts. If the two microcodes count an event differently, one additional
 * verdict reports the difference.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/parts.h"

static int compare(const struct judge_shape *a, const struct judge_shape *b)
{
	const struct judge_row *x = a->row[0], *y = b->row[0];
	int c = strcmp(x->machine, y->machine);

	c = c ? c : strcmp(x->event, y->event);
	c = c ? c : strcmp(x->program, y->program);
	return c ? c : strcmp(x->shape, y->shape);
}

static int by_shape(const void *a, const void *b)
{
	const struct judge_shape *const *x = a, *const *y = b;
	const int c = compare(*x, *y);

	return c ? c : strcmp((*x)->row[0]->microcode, (*y)->row[0]->microcode);
}

static bool differ(const struct judge_shape *a, const struct judge_shape *b)
{
	const double least = 0.05 * fmax(fabs(a->mean), fabs(b->mean)) +
			     3 * (judge_floor(a) + a->resolution) +
			     a->half + b->half;

	return *a->row[0]->microcode && *b->row[0]->microcode &&
	       strcmp(a->row[0]->microcode, b->row[0]->microcode) &&
	       a->readings && b->readings && !judge_is_restless(a) &&
	       a->resolution == b->resolution &&
	       fabs(a->mean - b->mean) > least;
}

static int say(const struct judge_shape *a, const struct judge_shape *b,
	       const struct judge_sink *sink)
{
	const struct judge_row *row = a->row[0];
	struct judge_words text = { .used = 0 };
	struct judge_verdict v = {
		.machine = row->machine, .microcode = "", .event = row->event,
		.program = row->program, .parameter = "", .text = text.text,
		.facts = { .microcodes = true, .shapes = 2, .programs = 1,
			   .factor = NAN, .constant = NAN,
			   .readings = a->readings + b->readings },
		.next = "Name the microcode wherever this event is quoted.",
	};

	judge_add(&text, "With microcode %.60s it counts ", row->microcode);
	judge_add_number(&text, a->mean);
	judge_add(&text, ", with %.60s ", b->row[0]->microcode);
	judge_add_number(&text, b->mean);
	judge_add(&text, ", for the same work.");
	return judge_give(&v, sink);
}

static bool same_program(const struct judge_shape *a,
			 const struct judge_shape *b)
{
	return a && !strcmp(a->row[0]->machine, b->row[0]->machine) &&
	       !strcmp(a->row[0]->event, b->row[0]->event) &&
	       !strcmp(a->row[0]->program, b->row[0]->program);
}

static bool is_any_named(struct judge_list list)
{
	for (size_t i = 0; i < list.shapes; i++)
		if (*list.shape[i]->row[0]->microcode)
			return true;
	return false;
}

int judge_microcodes(struct judge_list list, const struct judge_sink *sink)
{
	const struct judge_shape *said = NULL;
	int rc = 0;

	if (!is_any_named(list))
		return 0;
	qsort((void *)list.shape, list.shapes, sizeof(*list.shape), by_shape);
	for (size_t i = 1; i < list.shapes && !rc; i++) {
		const struct judge_shape *a = list.shape[i - 1];
		const struct judge_shape *b = list.shape[i];

		if (compare(a, b) || !differ(a, b) || same_program(said, b))
			continue;
		said = b;
		rc = say(a, b, sink);
	}
	return rc;
}
