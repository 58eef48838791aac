/* SPDX-License-Identifier: MIT */
/* Rounds of short chunks until every answer holds still. */
#include "api/rounds.h"

#include <stdlib.h>
#include <string.h>

#include "assay/error.h"

#define REPEATS 3	/* of one item's rounds, in all */
#define SLICE_SAMPLES 512
#define SAMPLES 32768	/* of one item */

const struct rounds_plan rounds_default_plan = {
	.rule = { .least_rounds = 4, .good = 0.012, .stable = 0.04 },
	.most_rounds = 12,
	.slice_ns = 1.2e6,
	.chunk_ns = TIME_CHUNK_NS,
};

static struct time_sample *next_sample(struct rounds_item *item)
{
	struct time_sample *more;
	size_t room = item->room ? 2 * item->room : 256;

	if (item->samples < item->room)
		return &item->sample[item->samples++];
	more = realloc(item->sample, room * sizeof(*more));
	if (!more)
		return NULL;
	item->sample = more;
	item->room = room;
	return &item->sample[item->samples++];
}

static double ticks_since(const struct time_clock *clock, uint64_t from)
{
	return (double)(clock->port->end(clock->ctx) - from);
}

/* One slice of one item; its samples are appended. */
static int slice(const struct time_clock *clock,
		 const struct rounds_plan *plan, struct rounds_item *item,
		 unsigned round)
{
	const double end = plan->slice_ns * clock->ticks_per_ns;
	const uint64_t start = clock->port->begin(clock->ctx);
	uint64_t from, steps;
	double core = 0;
	unsigned n = 0;

	time_warm(clock, &item->timed);
	steps = time_steps(clock, &item->timed, plan->chunk_ns);
	from = clock->port->begin(clock->ctx);
	do {
		struct time_sample *s = next_sample(item);

		if (!s)
			return -ASSAY_ENOMEM;
		time_chunk(clock, &item->timed, steps, &core, s);
		s->round = round;
	} while (++n < SLICE_SAMPLES && item->samples < SAMPLES &&
		 ticks_since(clock, from) < end);
	item->ns += ticks_since(clock, start) / clock->ticks_per_ns;
	return 0;
}

static double torn_share(const struct time_sample *s, size_t n)
{
	size_t torn = 0;

	for (size_t i = 0; i < n; i++)
		torn += s[i].torn;
	return n ? (double)torn / (double)n : 0;
}

/* A disturbed slice is done again, a few times; the last one stands. */
static int quiet_slice(const struct time_clock *clock,
		       const struct rounds_plan *plan,
		       struct rounds_item *item, unsigned round)
{
	const size_t before = item->samples;
	int rc;

	for (;;) {
		rc = slice(clock, plan, item, round);
		if (rc < 0 || torn_share(item->sample + before,
					 item->samples - before) <=
		    ROUNDS_MOST_TORN)
			return rc;
		if (item->repeated == REPEATS) {
			item->disturbed = true;
			return 0;
		}
		item->repeated++;
		item->samples = before;
	}
}

/* The most adds per cycle that were seen: a core on its own. */
static double full_adds(const struct rounds_item *item, size_t items,
			double *scratch)
{
	size_t n = 0;

	for (size_t i = 0; i < items; i++)
		for (size_t s = 0; s < item[i].samples; s++)
			if (item[i].sample[s].adds > 0)
				scratch[n++] = item[i].sample[s].adds;
	return n ? series_quantile(scratch, n, 0.9) : 0;
}

static int summarise(const struct rounds_plan *plan, struct rounds_item *item,
		     size_t items, bool over)
{
	size_t samples = 0;
	double *scratch, full;

	for (size_t i = 0; i < items; i++)
		samples += item[i].samples;
	scratch = malloc((samples + 1) * sizeof(*scratch));
	if (!scratch)
		return -ASSAY_ENOMEM;
	full = full_adds(item, items, scratch);
	for (size_t i = 0; i < items; i++) {
		if (item[i].state != SERIES_MORE && !over)
			continue;
		series_summarise(item[i].sample, item[i].samples, full,
				 scratch, &item[i].summary);
		item[i].state = series_judge(&item[i].summary, &plan->rule,
					     over);
	}
	free(scratch);
	return 0;
}

int rounds_run(const struct time_clock *clock, const struct rounds_plan *plan,
	       struct rounds_item *item, size_t items)
{
	size_t open = items;
	int rc = 0;

	for (size_t i = 0; i < items; i++)
		item[i].state = SERIES_MORE;
	for (unsigned round = 0; open && !rc; round++) {
		const bool over = round + 1 >= plan->most_rounds;

		for (size_t i = 0; i < items && !rc; i++)
			if (item[i].state == SERIES_MORE)
				rc = quiet_slice(clock, plan, &item[i], round);
		if (!rc)
			rc = summarise(plan, item, items, over);
		open = 0;
		for (size_t i = 0; i < items; i++)
			open += item[i].state == SERIES_MORE;
	}
	return rc;
}

void rounds_fini(struct rounds_item *item, size_t items)
{
	for (size_t i = 0; i < items; i++) {
		free(item[i].sample);
		item[i].sample = NULL;
		item[i].samples = item[i].room = 0;
	}
}
