/* SPDX-License-Identifier: MIT */
/*
 * Providers that count nothing while the kernel runs natively. "null" is for
 * machines without counters, and for tests with absent counts. "time" only
 * names the timing witness, which src/timing implements.
 */
#include "counters/provider.h"

struct null_state {
	unsigned events;
};

static int probe(const struct provider_config *config, struct assay_error *err)
{
	(void)config;
	(void)err;
	return 0;
}

static int open_group(void *state, const struct provider_config *config,
		      const struct group *group, struct assay_error *err)
{
	struct null_state *s = state;

	(void)config;
	(void)err;
	s->events = group->events;
	return 0;
}

static int read_counts(void *state, struct assay_count *counts,
		       struct assay_quantities *truth)
{
	const struct null_state *s = state;

	(void)truth;
	for (unsigned e = 0; e < s->events; e++)
		counts[e] = (struct assay_count){
			.state = ASSAY_COUNT_ABSENT,
			.why = "nothing is counted here, only timed",
		};
	return 0;
}

#define NULL_PROVIDER(word, sentence) {				\
	.name = (word), .summary = (sentence),			\
	.drive = DRIVE_NATIVE, .state_size = sizeof(struct null_state),	\
	.probe = probe, .open = open_group, .start = provider_ready,	\
	.stop = provider_ready, .read = read_counts,		\
	.close = provider_closed }

const struct provider null_provider = NULL_PROVIDER("null",
	"runs natively and counts nothing");
const struct provider time_provider = NULL_PROVIDER("time",
	"times short chunks in rounds, in ns and core cycles");
