/* SPDX-License-Identifier: MIT */
/*
 * The perf provider: the calling thread counts itself through the kernel's
 * perf_event interface. open, start, stop and read belong to one thread.
 */
#include <linux/perf_event.h>
#include <unistd.h>

#include "base/text.h"
#include "counters/perf-group.h"
#include "counters/provider.h"

static int probe(const struct provider_config *config, struct assay_error *err)
{
	struct encoding dummy = {
		.name = "dummy", .family = ENCODING_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
	};
	struct perf_event_attr attr;
	struct perf_limits limits;
	char why[ASSAY_WHY] = "";
	int fd = -1;

	(void)config;
	if (perf_attr_fill(&attr, &dummy, NULL, why))
		fd = perf_open(&attr, 0, -1, -1);
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	perf_limits_read(&limits, "/");
	perf_why(why, &limits, &(struct perf_try){ .event = &dummy,
						  .error = -fd });
	return error_set(err, -ASSAY_EUNAVAIL, "perf cannot count here: %s",
			 why);
}

static int start(void *state)
{
	return perf_group_start(state) ? -ASSAY_EIO : 0;
}

static int stop(void *state)
{
	return perf_group_stop(state) ? -ASSAY_EIO : 0;
}

static int open_group(void *state, const struct provider_config *config,
		      const struct group *group, struct assay_error *err)
{
	const struct perf_target self = {
		.pid = 0, .cpu = -1, .watched = config->watched,
		.sysroot = "/",
	};

	(void)err;
	perf_group_open(state, group, &self);
	/* This start and stop cause the page faults of their own code, so that
	 * later ones do not count them. */
	if (!start(state))
		stop(state);
	return 0;
}

static int read_counts(void *state, struct assay_count *counts,
		       struct assay_quantities *truth)
{
	(void)truth;
	perf_group_counts(state, counts);
	return 0;
}

static void close_group(void *state)
{
	perf_group_close(state);
}

const struct provider perf_provider = {
	.name = "perf",
	.summary = "counts this thread through Linux perf_event",
	.drive = DRIVE_NATIVE,
	.state_size = sizeof(struct perf_group),
	.probe = probe,
	.open = open_group,
	.start = start,
	.stop = stop,
	.read = read_counts,
	.close = close_group,
};
