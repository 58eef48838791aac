/* SPDX-License-Identifier: MIT */
/* The PMUv3 provider on machines that are not AArch64: it says so. */
#include "base/text.h"
#include "counters/provider.h"

static int probe(const struct provider_config *config, struct assay_error *err)
{
	(void)config;
	return error_set(err, -ASSAY_EUNAVAIL, "PMUv3 is the PMU of AArch64 "
			 "cores, and this is none; 'assay bare run' has an "
			 "emulated one");
}

static int open_group(void *state, const struct provider_config *config,
		      const struct group *group, struct assay_error *err)
{
	(void)state;
	(void)group;
	return probe(config, err);
}

static int unavailable(void *state)
{
	(void)state;
	return -ASSAY_EUNAVAIL;
}

static int read_counts(void *state, struct assay_count *counts,
		       struct assay_quantities *truth)
{
	(void)counts;
	(void)truth;
	return unavailable(state);
}

static void close_group(void *state)
{
	(void)state;
}

const struct provider pmuv3_provider = {
	.name = "pmuv3",
	.summary = "the PMU's own registers: bare metal, or an AArch64 kernel "
		   "that leaves them to programs",
	.drive = DRIVE_NATIVE,
	.state_size = 1,
	.probe = probe,
	.open = open_group,
	.start = unavailable,
	.stop = unavailable,
	.read = read_counts,
	.close = close_group,
};
