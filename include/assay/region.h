/* SPDX-License-Identifier: MIT */
/*
 * Counting a stretch of one's own code: a program marks where it begins and
 * ends. Made for stretches from a few hundred cycles on.
 *
 *	assay_region_open(&region, assay, "instructions,page-faults", &err);
 *	for (...) {
 *		assay_region_begin(region);
 *		work();
 *		assay_region_end(region);
 *	}
 *	n = assay_region_counts(region, count, room);
 *	assay_region_close(region);
 *
 * The counters belong to the thread that opened the region; begin and end are
 * for that thread only. A region may be entered any number of times: its
 * counts add up. Regions of different handles may overlap.
 *
 * Begin and end each read all events at once: from user space where the kernel
 * lets a program read its counters (rdpmc, PMCCNTR), else by one read(2). The
 * counters run all the time and two readings are subtracted; nothing is reset.
 * Only breakpoints, which cost 4 us a hit, are switched on and off. What begin
 * and end count themselves is measured when the region is opened, by entering
 * it empty, and subtracted.
 *
 * In a program that runs under `assay sim`, begin and end are marks
 * (assay/mark.h), and `assay sim` reports what is simulated between them; the
 * counts here are absent then. No event has to exist on this machine.
 */
#ifndef ASSAY_REGION_H
#define ASSAY_REGION_H

#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"
#include "assay/export.h"
#include "assay/quantity.h"

struct assay;
struct assay_region;

struct assay_region_count {
	const char *name;	/* as asked for; lives as long as the region */
	uint64_t entered;	/* complete begin-end pairs */
	uint64_t raw;		/* counted in all of them together */
	struct assay_value overhead;	/* of one empty pair, the median */
	struct assay_value total;	/* raw - entered * overhead; it can be a
					 * little below 0. An estimate if the
					 * counter ran a part of the time only;
					 * absent, with the reason, if it never
					 * ran or the region was not entered */
};

/*
 * events: "a,b,c", all counted at the same times, at most ASSAY_EVENTS.
 * Returns 0 and a handle for assay_region_close(); -ASSAY_EUNAVAIL with the
 * first event's reason if none can be counted (one that can is enough);
 * -ASSAY_ENOENT for a name that is none; -ASSAY_ENOMEM.
 */
ASSAY_API int assay_region_open(struct assay_region **out, struct assay *assay,
				const char *events, struct assay_error *err);
/* NULL is allowed. */
ASSAY_API void assay_region_close(struct assay_region *region);

/* The region's name under `assay sim`: 1 to 63 bytes, and no longer than that.
 * Without one it is "region N", the Nth that the program opened. */
ASSAY_API void assay_region_name(struct assay_region *region, const char *name);

/*
 * Return 0; -ASSAY_EINVAL if the region is entered already, or is not; or
 * -ASSAY_EIO, and then this pair is not counted.
 */
ASSAY_API int assay_region_begin(struct assay_region *region);
ASSAY_API int assay_region_end(struct assay_region *region);

/* Fills up to room; returns how many events the region has. */
ASSAY_API size_t assay_region_counts(const struct assay_region *region,
				     struct assay_region_count *out,
				     size_t room);

#endif
