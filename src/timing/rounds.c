/* SPDX-License-Identifier: MIT */
/* Times items in rounds of short chunks until every result is stable. */
#include "timing/rounds.h"

#include <stdlib.h>

#include "assay/error.h"
#include "base/array.h"

#define REPEATS 3	/* rounds of one item that are repeated, at most */
#define SLICE_SAMPLES 1536
#define SAMPLES 65536	/* of one item */
#define LEAST_ITEMS 4	/* fewer items share the budget of these */
#define KERNEL_ROUNDS 12	/* of items that are a kernel's run, at least */
#define SHORTEST 5	/* a chunk that may end earlier has at least this part
			 * of chunk_ns */

const struct rounds_config rounds_default_config = {
	.rule = { .least_rounds = 4, .good = 0.012, .stable = 0.03 },
	.most_rounds = 20,
	.slice_ns = 1.2e6,
	.chunk_ns = TIME_CHUNK_NS,
	.enough = 1024,
	.budget_ns = 45e6,
};

static struct time_sample *next_sample(struct rounds_item *item)
{
	const size_t room = item->room ? 2 * item->room : 256;

	if (item->samples < item->room)
		return &item->sample[item->samples++];
	if (!array_resize(&item->sample, room, sizeof(*item->sample)))
		return NULL;
	item->room = room;
	return &item->sample[item->samples++];
}

static double ticks_since(const struct time_clock *clock, uint64_t from)
{
	return (double)(clock->port->end(clock->ctx) - from);
}

/*
 * A sibling on the same core works in bursts. The shorter a chunk, the more
 * chunks lie between two bursts, so a chunk ends after enough accesses.
 */
static uint64_t chunk_steps(const struct time_clock *clock,
			    const struct rounds_config *config,
			    struct timed *timed)
{
	const uint64_t steps = time_steps(clock, timed, config->chunk_ns);
	uint64_t few = steps / SHORTEST;

	if (!config->enough || timed->kernel)
		return steps;
	if (few < config->enough / timed->chains)
		few = config->enough / timed->chains;
	few = few / TIME_UNROLL * TIME_UNROLL;
	return few && few < steps ? few : steps;
}

/* One slice of one item; its samples are appended. */
static int slice(const struct time_clock *clock,
		 const struct rounds_config *config, struct rounds_item *item,
		 unsigned round)
{
	const double end = config->slice_ns * clock->ticks_per_ns;
	const uint64_t start = clock->port->begin(clock->ctx);
	uint64_t from, steps;
	double core = 0;
	unsigned n = 0;

	time_warm(clock, &item->timed);
	steps = chunk_steps(clock, config, &item->timed);
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

/* *spent: ns of all items; *next: ns of one more round of unfinished items. */
static void add_up(const struct rounds_item *item, size_t items,
		   unsigned rounds, double *spent, double *next)
{
	*spent = *next = 0;
	for (size_t i = 0; i < items; i++) {
		*spent += item[i].ns;
		if (item[i].state == SERIES_MORE)
			*next += item[i].ns / rounds;
	}
}

static double budget(const struct rounds_config *config, size_t items)
{
	return config->budget_ns *
	       (double)(items > LEAST_ITEMS ? items : LEAST_ITEMS);
}

static bool is_time_left(const struct rounds_config *config,
			 const struct rounds_item *item, size_t items)
{
	const double all = budget(config, items);
	double spent, next;

	add_up(item, items, 1, &spent, &next);
	return !(all > 0) || spent < all;
}

static double torn_share(const struct time_sample *s, size_t n)
{
	size_t torn = 0;

	for (size_t i = 0; i < n; i++)
		torn += s[i].torn;
	return n ? (double)torn / (double)n : 0;
}

/*
 * Repeats a disturbed slice, up to REPEATS times per item and while budget is
 * left. The last attempt stays, and marks the item.
 */
static int quiet_slice(const struct time_clock *clock,
		       const struct rounds_config *config,
		       struct rounds_item *all, size_t items, size_t which,
		       unsigned round)
{
	struct rounds_item *item = &all[which];
	const size_t before = item->samples;
	int rc;

	for (;;) {
		rc = slice(clock, config, item, round);
		if (rc < 0 || torn_share(item->sample + before,
					 item->samples - before) <=
		    SERIES_MOST_TORN)
			return rc;
		if (item->repeated == REPEATS ||
		    !is_time_left(config, all, items)) {
			item->disturbed = true;
			return 0;
		}
		item->repeated++;
		item->samples = before;
	}
}

static double full_adds(const struct rounds_item *item, size_t items,
			double *scratch)
{
	size_t n = 0;

	for (size_t i = 0; i < items; i++)
		for (size_t s = 0; s < item[i].samples; s++)
			if (item[i].sample[s].adds > 0 &&
			    !item[i].sample[s].torn)
				scratch[n++] = item[i].sample[s].adds;
	return series_full_adds(scratch, n);
}

static int summarise(const struct rounds_config *config,
		     struct rounds_item *item, size_t items)
{
	size_t samples = 0;
	struct series_mark *scratch;
	double *adds, full;

	for (size_t i = 0; i < items; i++)
		samples += item[i].samples;
	scratch = malloc((samples + 1) * sizeof(*scratch));
	adds = malloc((samples + 1) * sizeof(*adds));
	if (!scratch || !adds) {
		free(scratch);
		free(adds);
		return -ASSAY_ENOMEM;
	}
	full = full_adds(item, items, adds);
	free(adds);
	for (size_t i = 0; i < items; i++) {
		if (item[i].state != SERIES_MORE)
			continue;
		series_summarise(item[i].sample, item[i].samples, full,
				 scratch, &item[i].summary);
		item[i].state = series_judge(&item[i].summary, &config->rule,
					     false);
	}
	free(scratch);
	return 0;
}

/*
 * Is there no time for another round? One round has no error bar, so the second
 * one may take the time to twice the budget. Items that are a kernel's run have
 * no chunks, so they get KERNEL_ROUNDS whatever these take.
 */
static bool is_over(const struct rounds_config *config,
		    const struct rounds_item *item, size_t items,
		    unsigned rounds)
{
	const double all = budget(config, items);
	double spent, next;

	if (rounds >= config->most_rounds)
		return true;
	if (!(all > 0))
		return false;
	for (size_t i = 0; i < items; i++)
		if (item[i].timed.kernel && rounds < KERNEL_ROUNDS)
			return false;
	add_up(item, items, rounds, &spent, &next);
	return spent + next > (rounds < 2 ? 2 * all : all);
}

/* Decides about unfinished items if time is over; returns how many remain. */
static size_t count_open(const struct rounds_config *config,
			struct rounds_item *item, size_t items, bool over)
{
	size_t open = 0;

	for (size_t i = 0; i < items; i++) {
		if (item[i].state == SERIES_MORE && over)
			item[i].state = series_judge(&item[i].summary,
						     &config->rule, true);
		open += item[i].state == SERIES_MORE;
	}
	return open;
}

static bool is_stopped(const struct rounds_config *config)
{
	return config->stopped && config->stopped(config->stopped_ctx);
}

int rounds_run(const struct time_clock *clock,
	       const struct rounds_config *config, struct rounds_item *item,
	       size_t items)
{
	size_t open = items;
	int rc = 0;

	for (size_t i = 0; i < items; i++)
		item[i].state = SERIES_MORE;
	for (unsigned round = 0; open && !rc; round++) {
		for (size_t i = 0; i < items && !rc; i++)
			if (item[i].state == SERIES_MORE)
				rc = is_stopped(config) ? -ASSAY_ESTOP :
				     quiet_slice(clock, config, item, items, i,
						 round);
		if (!rc)
			rc = summarise(config, item, items);
		open = count_open(config, item, items,
				  is_over(config, item, items, round + 1));
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
