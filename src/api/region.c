/* SPDX-License-Identifier: MIT */
/*
 * assay/region.h: counts between two calls in the caller's own code. The
 * overhead of the calls themselves is measured when the region is opened, as
 * the median of EMPTY_PAIRS empty regions, and subtracted from the total.
 * Under `assay sim` there are no counters: begin and end are marks, and the
 * counts are rows of assay sim.
 */
#include "assay/region.h"
#include "assay/mark.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/region.h"
#include "run/target.h"
#include "base/text.h"
#include "counters/perf-group.h"

enum { EMPTY_PAIRS = 101 };

struct assay_region {
	struct perf_group counters;
	struct group events;
	bool inside, simulated;
	char name[64];		/* of a simulated region */
	uint64_t entered;
	struct region_sum sum[ASSAY_EVENTS];
	struct assay_value overhead[ASSAY_EVENTS];
};

void region_add(struct region_sum *sum, const struct assay_count *count)
{
	if (count->state == ASSAY_COUNT_ABSENT) {
		sum->why = count->why;
		return;
	}
	sum->pairs++;
	sum->estimate |= count->state == ASSAY_COUNT_SCALED;
	sum->raw += assay_count_estimate(count);
}

struct assay_value region_total(const struct region_sum *sum,
				const struct assay_value *overhead)
{
	struct assay_value total = { .estimate = sum->estimate };

	/* One absent count makes the sum absent. */
	if (sum->why || !sum->pairs) {
		total.why = sum->why ? sum->why : "the region was not entered";
		return total;
	}
	total.number = (double)sum->raw;
	if (!overhead->why)
		total.number -= (double)sum->pairs * overhead->number;
	return total;
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void median_of_empty(struct assay_region *r, unsigned e,
			    const struct assay_count *counts, unsigned n)
{
	uint64_t value[EMPTY_PAIRS];

	r->overhead[e] = (struct assay_value){ 0 };
	for (unsigned i = 0; i < n; i++) {
		const struct assay_count *c = &counts[i * r->events.events + e];

		value[i] = c->value;
		if (c->state != ASSAY_COUNT_PRESENT)
			r->overhead[e].why = "the counter did not run all the "
					     "time while the empty region was "
					     "measured";
	}
	qsort(value, n, sizeof(*value), compare);
	r->overhead[e].number = (double)value[n / 2];
}

/* Measures the overhead by the same calls that the caller makes. */
static int measure_empty(struct assay_region *r, struct assay_error *err)
{
	const unsigned events = r->events.events;
	struct assay_count *counts = calloc((size_t)EMPTY_PAIRS * events,
					    sizeof(*counts));

	if (!counts)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	for (unsigned i = 0; i < EMPTY_PAIRS; i++) {
		assay_region_begin(r);
		assay_region_end(r);
		perf_group_counts(&r->counters, counts + i * events);
	}
	for (unsigned e = 0; e < events; e++)
		median_of_empty(r, e, counts, EMPTY_PAIRS);
	free(counts);
	memset(r->sum, 0, sizeof(r->sum));
	r->entered = 0;
	return 0;
}

static int open_counters(struct assay_region *r, const struct assay *assay,
			 struct assay_error *err)
{
	const struct perf_target self = {
		.pid = 0, .cpu = -1, .sysroot = assay->sysroot,
	};

	perf_group_open(&r->counters, &r->events, &self);
	if (r->counters.members)
		return 0;
	return error_set(err, -ASSAY_EUNAVAIL, "nothing can be counted: '%s': "
			 "%s", r->events.event[0].name,
			 r->counters.slot[0].why);
}

/* Events are those of the simulated CPU, which the program does not know. */
static int open_simulated(struct assay_region *r, const char *events,
			  struct assay_error *err)
{
	static unsigned opened;
	const char *name;
	char word[sizeof(r->events.event[0].name)];

	r->simulated = true;
	snprintf(r->name, sizeof(r->name), "region %u",
		 __atomic_add_fetch(&opened, 1, __ATOMIC_RELAXED));
	for (name = events; text_item(&name, word, sizeof(word));) {
		if (r->events.events == ASSAY_EVENTS)
			return error_set(err, -ASSAY_EINVAL, "more than %d "
					 "events", ASSAY_EVENTS);
		text_copy(r->events.event[r->events.events++].name,
			  sizeof(word), word);
	}
	return 0;
}

static int open_counted(struct assay_region *r, struct assay *assay,
			const char *events, struct assay_error *err)
{
	struct target target = { 0 };
	int rc;

	target_use_host(&target, assay);
	rc = events_parse(&r->events, events, &target.events, err);
	target_fini(&target);
	if (rc == 0)
		rc = open_counters(r, assay, err);
	return rc < 0 ? rc : measure_empty(r, err);
}

int assay_region_open(struct assay_region **out, struct assay *assay,
		      const char *events, struct assay_error *err)
{
	struct assay_region *r = calloc(1, sizeof(*r));
	int rc;

	if (!r)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	r->counters.leader = -1;
	rc = assay_mark_simulated() ? open_simulated(r, events, err) :
				      open_counted(r, assay, events, err);
	if (rc < 0) {
		assay_region_close(r);
		return rc;
	}
	*out = r;
	return 0;
}

void assay_region_close(struct assay_region *region)
{
	if (region)
		perf_group_close(&region->counters);
	free(region);
}

int assay_region_begin(struct assay_region *region)
{
	if (region->inside)
		return -ASSAY_EINVAL;
	if (!region->simulated && perf_group_start(&region->counters))
		return -ASSAY_EIO;
	region->inside = true;
	if (region->simulated)
		assay_mark_begin(region->name);
	return 0;
}

void assay_region_name(struct assay_region *region, const char *name)
{
	text_copy(region->name, sizeof(region->name), name);
}

int assay_region_end(struct assay_region *region)
{
	struct assay_count count[ASSAY_EVENTS];

	if (!region->inside)
		return -ASSAY_EINVAL;
	region->inside = false;
	if (region->simulated) {
		assay_mark_end(region->name);
		region->entered++;
		return 0;
	}
	if (perf_group_stop(&region->counters))
		return -ASSAY_EIO;
	perf_group_counts(&region->counters, count);
	for (unsigned e = 0; e < region->events.events; e++)
		region_add(&region->sum[e], &count[e]);
	region->entered++;
	return 0;
}

size_t assay_region_counts(const struct assay_region *region,
			   struct assay_region_count *out, size_t room)
{
	for (unsigned e = 0; e < region->events.events && e < room; e++) {
		out[e] = (struct assay_region_count){
			.name = region->events.event[e].name,
			.entered = region->entered,
			.raw = region->sum[e].raw,
			.overhead = region->overhead[e],
			.total = region_total(&region->sum[e],
					      &region->overhead[e]),
		};
		if (region->simulated)
			out[e].total.why = out[e].overhead.why =
				"simulated: assay sim reports the region";
	}
	return region->events.events;
}
