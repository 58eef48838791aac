/* SPDX-License-Identifier: MIT */
/*
 * What disturbed a native run, and whether beyond a stated limit. A repetition
 * beyond it is done again, up to three in one record; what is disturbed even
 * then stands and marks the record.
 */
#ifndef ASSAY_NOISE_H
#define ASSAY_NOISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/export.h"

enum assay_noise_kind {
	/* of a repetition's time its thread was not on the CPU, although it
	 * did not wait of its own will; the worst repetition's share */
	ASSAY_NOISE_OFF,
	/* of its time the hypervisor gave the CPU to others (/proc/stat) */
	ASSAY_NOISE_STEAL,
	/* change of the core's clock over a repetition, the worst one's; on
	 * "time" (p90 - p10) / median over all chunks */
	ASSAY_NOISE_DRIFT,
	/* on "time": of the chunks, those within which the clock moved */
	ASSAY_NOISE_TORN,
	/* of the looks, those at which something else used the core's adders:
	 * an SMT sibling, seen or hidden by the hypervisor */
	ASSAY_NOISE_SIBLING,
	ASSAY_NOISE_KINDS
};

struct assay_noise_part {
	double share;		/* 0 .. 1; negative: not known */
	double limit;		/* beyond it is disturbed; 0: no limit */
};

struct assay_noise {
	bool seen;		/* false: nobody looked, all else is 0 */
	struct assay_noise_part part[ASSAY_NOISE_KINDS];
	uint64_t preempted;	/* times that it lost the CPU against its will */
	uint64_t moved;		/* repetitions that changed the CPU; any is
				 * beyond the limit */
	uint64_t repeated;	/* repetitions (on "time" rounds) done again */
	bool disturbed;		/* beyond a limit, even when repeated */
};

/* "off", "steal", "drift", "torn", "sibling": the members of a record. */
ASSAY_API const char *assay_noise_name(enum assay_noise_kind kind);

/*
 * In words, for people: what is beyond its limit, "off the CPU 41.0 % (limit
 * 5 %); 3 repetitions were done again"; of a record that is not disturbed, all
 * that is known. "" if it was not seen. Returns out.
 */
ASSAY_API const char *assay_noise_text(const struct assay_noise *noise,
				       char *out, size_t room);

#endif
