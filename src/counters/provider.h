/* SPDX-License-Identifier: MIT */
/*
 * A provider: where counts come from. A constant descriptor; the caller
 * allocates state_size zeroed bytes, passes them to every call, and frees them
 * after close.
 *
 * Order of calls: probe? open (start stop read)* close; after an open() that
 * fails, none: a provider that is never available has no start to close. A
 * count is never a
 * silent zero: what was not counted is ABSENT with a reason.
 */
#ifndef COUNTERS_PROVIDER_H
#define COUNTERS_PROVIDER_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/error.h"
#include "assay/record.h"
#include "base/access.h"
#include "base/encoding.h"
#include "base/geometry.h"

/* How the kernel is run under this provider. */
enum provider_drive {
	DRIVE_NATIVE,	/* kernel->run between start and stop */
	DRIVE_TRACED,	/* kernel->trace into sink(state) */
	DRIVE_NOTHING,	/* not run: the counts exist already */
};

/* Inputs of all providers; each provider reads its own members. Pointers are
 * borrowed until close. */
struct provider_config {
	const struct geometry *geometry;	/* sim: the simulated CPU */
	bool no_fast_forward;			/* sim: simulate every pass */
	bool replicas;	/* sim: errors under random replacement come from
			 * DRAWS_REPLICAS more simulations; no pass is left out
			 * then (counters/draws.h) */
	uint64_t *forwarded;	/* sim: passes left out, at stop; or NULL */
	uint64_t *shared;	/* sim: GiB of addresses that share simulated
				 * memory with others, at stop; or NULL */
	const struct fault_set *faults;		/* sim: or NULL */
	const struct assay_record *saved;	/* replay: a record of the same
						 * shape */
	const struct pmuv3_setup *pmuv3;	/* pmuv3: or NULL */
	const char *watched;	/* perf: address for breakpoints on the
				 * kernel's watched word, or NULL */
};

struct provider {
	const char *name, *summary;
	enum provider_drive drive;
	size_t state_size;
	/*
	 * Can the provider work here? 0, or -ASSAY_EUNAVAIL with cause and
	 * cure in err->text.
	 */
	int (*probe)(const struct provider_config *config,
		     struct assay_error *err);
	/*
	 * Opens all events of the group. An event that cannot be counted does
	 * not fail the call: its counts will be ABSENT with the reason. Fails
	 * only when nothing at all can be done.
	 */
	int (*open)(void *state, const struct provider_config *config,
		    const struct group *group, struct assay_error *err);
	int (*start)(void *state);
	int (*stop)(void *state);
	/*
	 * What was counted between the last start and stop: counts[i] for
	 * group->event[i]. truth (or NULL): quantities that the provider knows
	 * exactly are filled in, the others are left as they are.
	 */
	int (*read)(void *state, struct assay_count *counts,
		    struct assay_quantities *truth);
	void (*close)(void *state);
	/*
	 * The signals that the last count of an event adds up; or NULL. Fills
	 * up to ASSAY_EVENT_TERMS and returns how many, 0 if the event is no
	 * plain sum.
	 */
	unsigned (*terms)(void *state, unsigned event,
			  struct assay_event_term *out);
	/* DRIVE_TRACED: where to send the accesses; else NULL. */
	const struct access_sink *(*sink)(void *state);
};

/* start and stop, and close, of a provider that has nothing to do there. */
static inline int provider_ready(void *state)
{
	(void)state;
	return 0;
}

static inline void provider_closed(void *state)
{
	(void)state;
}

extern const struct provider perf_provider;
extern const struct provider sim_provider;
extern const struct provider replay_provider;
extern const struct provider null_provider;
extern const struct provider time_provider;
extern const struct provider pmuv3_provider;

#endif
