/* SPDX-License-Identifier: MIT */
/*
 * Checks between the events of one place (one program and shape). Counts of
 * other events may refute the truth of an event, or prove an interrupt counter
 * wrong on which other verdicts rest.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/judge/parts.h"

#define MISS_CYCLES 8	/* least cycles of a mispredicted branch */
#define WIDTH 12	/* most instructions in a cycle */

static const struct judge_shape *find_quantity(struct judge_list place,
					       const char *quantity)
{
	for (size_t i = 0; i < place.shapes; i++)
		if (!strcmp(place.shape[i]->row[0]->quantity, quantity) &&
		    place.shape[i]->readings)
			return place.shape[i];
	return NULL;
}

/* Refutes the truth of mispredicts if the expected mispredicts would take more
 * cycles than were counted. */
static void by_time(struct judge_list place)
{
	const struct judge_shape *cycles = find_quantity(place, "cycles");
	const struct judge_shape *work = find_quantity(place, "instructions");

	for (size_t i = 0; i < place.shapes && cycles; i++) {
		struct judge_shape *s = place.shape[i];

		if (!judge_fails(s) || judge_is_rate(s) ||
		    strcmp(s->row[0]->quantity, "mispredicts"))
			continue;
		if (s->expected * MISS_CYCLES +
		    (work ? work->mean / WIDTH : 0) >
		    cycles->mean + cycles->half)
			s->marks |= JUDGE_BY_TIME;
	}
}

static int by_event(const void *key, const void *item)
{
	const struct judge_shape *const *s = item;

	return strcmp(key, (*s)->row[0]->event);
}

/* The shape of the event whose name is name[0..n), or NULL. */
static struct judge_shape *find_event(struct judge_list place,
				      const char *name, size_t n)
{
	char word[200];
	struct judge_shape *const *found;

	if (!n || n >= sizeof(word))
		return NULL;
	memcpy(word, name, n);
	word[n] = '\0';
	found = bsearch(word, (const void *)place.shape, place.shapes,
			sizeof(*place.shape), by_event);
	return found ? *found : NULL;
}

/* Marks "A+B" and the failing ones of its parts A and B. Returns the sum of the
 * parts' counts; NAN if a part was not counted. */
static double add_parts(struct judge_list place, struct judge_shape *sum,
			unsigned mark)
{
	const char *part = sum->row[0]->event;
	double counts = 0;

	while (part) {
		const size_t n = strcspn(part, "+");
		struct judge_shape *s = find_event(place, part, n);

		counts += s && s != sum ? s->mean : NAN;
		if (s && s != sum) {
			sum->marks |= JUDGE_SUM;
			s->marks |= judge_fails(s) ? mark : 0;
		}
		part = part[n] ? part + n + 1 : NULL;
	}
	return counts;
}

/* If "A+B" agrees with its truth and the counts of A and B add up to "A+B",
 * then A and B count right, and the truths of A and B are refuted. */
static void by_sum(struct judge_list place, struct judge_shape *sum)
{
	double counts;

	if (!isfinite(sum->expected))
		return;
	counts = add_parts(place, sum, 0);
	if (sum->label == JUDGE_IN &&
	    fabs(counts - sum->mean) <= sum->margin)
		add_parts(place, sum, JUDGE_BY_SUM);
}

/* If any shape shows an interrupt counter that reads too high, marks the events
 * of the place that count interrupts. */
static void accuse(struct judge_list place)
{
	bool high = false;

	for (size_t i = 0; i < place.shapes; i++)
		high |= (place.shape[i]->marks & JUDGE_HIGH) != 0;
	for (size_t i = 0; i < place.shapes && high; i++)
		if (!strcmp(place.shape[i]->row[0]->quantity, "interrupts"))
			place.shape[i]->marks |= JUDGE_ACCUSED;
}

static void by_rate(struct judge_shape *s)
{
	const char *q = s->row[0]->quantity;

	if (s->mean > 1e8 && (!strcmp(q, "bandwidth_mb") ||
			      strstr(s->row[0]->event, "MB/s")))
		s->marks |= JUDGE_RATE;
}

void judge_doubts(struct judge_list place)
{
	by_time(place);
	accuse(place);
	for (size_t i = 0; i < place.shapes; i++) {
		by_rate(place.shape[i]);
		if (strchr(place.shape[i]->row[0]->event, '+'))
			by_sum(place, place.shape[i]);
	}
}
