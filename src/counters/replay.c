/* SPDX-License-Identifier: MIT */
/*
 * The replay provider: the counts of a saved record, one saved repetition per
 * read. Nothing is run. An event or a repetition that the record does not have
 * is absent: no saved count is read twice.
 */
#include <stdio.h>

#include "base/text.h"
#include "counters/provider.h"

struct replay_state {
	const struct assay_record *saved;
	unsigned events;
	unsigned repeat;	/* the next one to read */
	int index[ASSAY_EVENTS];	/* in the saved record, or -1 */
	char why[ASSAY_EVENTS][ASSAY_WHY];	/* for events with index -1 */
};

static const char unrecorded[] =
	"not recorded: the saved record has fewer repetitions";

static int probe(const struct provider_config *config, struct assay_error *err)
{
	if (!config->saved)
		return error_set(err, -ASSAY_EUNAVAIL,
				 "there is no saved record of this shape; "
				 "record one with 'assay run ... -j -o FILE'");
	return 0;
}

static void resolve(struct replay_state *s, unsigned e,
		    const struct encoding *event)
{
	s->index[e] = event->absent[0] ? -1 :
		      assay_record_find(s->saved, event->name);
	if (event->absent[0])
		text_copy(s->why[e], sizeof(s->why[e]), event->absent);
	else
		snprintf(s->why[e], sizeof(s->why[e]),
			 "not recorded: the saved record has no event '%.100s'",
			 event->name);
}

static int open_group(void *state, const struct provider_config *config,
		      const struct group *group, struct assay_error *err)
{
	struct replay_state *s = state;

	if (probe(config, err))
		return -ASSAY_EUNAVAIL;
	s->saved = config->saved;
	s->events = group->events;
	s->repeat = 0;
	for (unsigned e = 0; e < group->events; e++)
		resolve(s, e, &group->event[e]);
	return 0;
}

static struct assay_count saved_count(const struct replay_state *s, unsigned e)
{
	const struct assay_record *saved = s->saved;
	struct assay_count count = { .state = ASSAY_COUNT_ABSENT };

	if (s->index[e] < 0) {
		count.why = s->why[e];
		return count;
	}
	if (s->repeat >= saved->repeats) {
		count.why = unrecorded;
		return count;
	}
	count = saved->counts[(size_t)s->repeat * saved->events + s->index[e]];
	if (count.state == ASSAY_COUNT_ABSENT && !count.why)
		count.why = saved->event[s->index[e]].why;
	return count;
}

static void copy_truth(struct assay_quantities *truth,
		       const struct assay_quantities *saved)
{
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		if (!saved->of[q].why)
			truth->of[q] = saved->of[q];
}

static int read_counts(void *state, struct assay_count *counts,
		       struct assay_quantities *truth)
{
	struct replay_state *s = state;

	for (unsigned e = 0; e < s->events; e++)
		counts[e] = saved_count(s, e);
	if (truth)
		copy_truth(truth, &s->saved->truth);
	if (s->repeat < s->saved->repeats)
		s->repeat++;
	return 0;
}

const struct provider replay_provider = {
	.name = "replay",
	.summary = "gives out the counts of a saved record",
	.drive = DRIVE_NOTHING,
	.state_size = sizeof(struct replay_state),
	.probe = probe,
	.open = open_group,
	.start = provider_ready,
	.stop = provider_ready,
	.read = read_counts,
	.close = provider_closed,
};
