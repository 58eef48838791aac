/* SPDX-License-Identifier: MIT */
/*
 * Laws between two counts of one shape; no truth is needed. Two counts are
 * compared only if their resolutions are equal and both were counted all the
 * time.
 */
#include <string.h>

#include "analysis/judge/parts.h"

#define WIDEST 12	/* most instructions per cycle of any core */

/* The law: part <= most * total. Rows of one name are one law. */
static const struct law {
	const char *name, *part, *total;	/* quantities */
	double most;
} laws[] = {
	{ "law:misses<=accesses", "ll_misses", "ll_accesses", 1.02 },
	{ "law:misses<=accesses", "l3_misses", "l3_accesses", 1.02 },
	{ "law:misses<=accesses", "l2_misses", "l2_accesses", 1.02 },
	{ "law:misses<=accesses", "l1d_misses", "l1d_accesses", 1.02 },
	{ "law:misses<=accesses", "l1d_read_misses", "l1d_reads", 1.02 },
	{ "law:misses<=accesses", "l2_read_misses", "l2_reads", 1.02 },
	{ "law:misses<=accesses", "l3_read_misses", "l3_reads", 1.02 },
	{ "law:refills<=accesses", "l1d_refills", "l1d_accesses", 1.02 },
	{ "law:refills<=accesses", "l2_refills", "l2_accesses", 1.02 },
	{ "law:refills<=accesses", "l3_refills", "l3_accesses", 1.02 },
	{ "law:mispredicts<=branches", "mispredicts", "branches", 1.02 },
	{ "law:hits<=loads", "l1d_hits", "loads", 1.02 },
	{ "law:ipc<=width", "instructions", "cycles", WIDEST },
};
#define LAWS (sizeof(laws) / sizeof(*laws))

static bool counts(const struct judge_shape *s, const char *quantity)
{
	return s->readings && s->scaled >= 1 &&
	       !strcmp(s->row[0]->quantity, quantity);
}

/* Whether the largest part and the smallest total of one shape violate the
 * law. */
static bool is_violated(const struct law *law, struct judge_list list,
			const struct judge_shape **part,
			struct judge_shape **total)
{
	const struct judge_shape *p = NULL;
	struct judge_shape *w = NULL;

	for (size_t i = 0; i < list.shapes; i++) {
		struct judge_shape *s = list.shape[i];

		if (counts(s, law->part) && (!p || s->mean > p->mean))
			p = s;
		if (counts(s, law->total) && (!w || s->mean < w->mean))
			w = s;
	}
	*part = p;
	*total = w;
	return p && w && p->resolution == w->resolution &&
	       p->mean - p->half >
		       law->most * (w->mean + w->half) + judge_floor(p);
}

static void describe(struct judge_words *text, const struct law *law,
		     const struct judge_shape *part,
		     const struct judge_shape *total)
{
	judge_add(text, "%.80s is ", part->row[0]->event);
	judge_add_number(text, part->mean);
	judge_add(text, " and %.80s ", total->row[0]->event);
	judge_add_number(text, total->mean);
	if (law->most == WIDEST)
		judge_add(text, ": no core does so many in a cycle, so that "
			  "one of them is wrong");
	else
		judge_add(text, ": a part is more than all of it%s",
			  total->mean == 0 ? "; the latter is dead" : "");
	judge_add(text, " (in `%.80s`).", part->row[0]->program);
}

static int say(const struct law *law, const struct judge_shape *part,
	       const struct judge_shape *total, bool all,
	       const struct judge_sink *sink)
{
	const struct judge_row *row = part->row[0];
	struct judge_words text = { .used = 0 };
	struct judge_verdict v = {
		.machine = row->machine, .microcode = row->microcode,
		.event = law->name, .program = all ? NULL : row->program,
		.parameter = "", .text = text.text,
		.facts = { .law = true, .shapes = 1, .programs = 1,
			   .factor = NAN, .constant = NAN,
			   .readings = part->readings + total->readings },
		.next = "Count both in one group, beside a kernel whose answer "
			"is known.",
	};

	describe(&text, law, part, total);
	return judge_give(&v, sink);
}

static bool same_place(const struct judge_shape *a, const struct judge_shape *b)
{
	const struct judge_row *x = a->row[0], *y = b->row[0];

	return !strcmp(x->shape, y->shape) && !strcmp(x->program, y->program) &&
	       !strcmp(x->machine, y->machine) &&
	       !strcmp(x->microcode, y->microcode);
}

size_t judge_place(struct judge_list list, size_t from)
{
	size_t to = from;

	while (to < list.shapes && same_place(list.shape[from],
					      list.shape[to]))
		to++;
	return to;
}

/* Where a violation of a law was reported: once for the machine and once for
 * each program. */
struct said { const char *program; bool any; };

static int check(const struct law *law, struct judge_list place,
		 struct said *said, const struct judge_sink *sink)
{
	const char *program = place.shape[0]->row[0]->program;
	const struct judge_shape *part;
	struct judge_shape *total;
	int rc = 0;

	if (!is_violated(law, place, &part, &total))
		return 0;
	if (total->mean == 0 && law->most < WIDEST)
		total->marks |= JUDGE_EMPTY;
	if (!sink || (said->program && !strcmp(said->program, program)))
		return 0;
	if (!said->any)
		rc = say(law, part, total, true, sink);
	said->any = true;
	said->program = program;
	return rc ? rc : say(law, part, total, false, sink);
}

int judge_laws(struct judge_list list, const struct judge_sink *sink)
{
	struct said said[LAWS] = { { NULL, false } };
	int rc = 0;
	size_t to;

	for (size_t from = 0; from < list.shapes && !rc; from = to) {
		size_t name = 0;	/* first index of the law's name */

		to = judge_place(list, from);
		for (size_t i = 0; i < LAWS && to - from > 1 && !rc; i++) {
			if (strcmp(laws[i].name, laws[name].name))
				name = i;
			rc = check(&laws[i], (struct judge_list){
				   list.shape + from, to - from }, &said[name],
				   sink);
		}
	}
	return rc;
}
