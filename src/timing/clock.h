/* SPDX-License-Identifier: MIT */
/* The clock that loads are timed by. */
#ifndef TIMING_CLOCK_H
#define TIMING_CLOCK_H

#include "counters/perf-cycles.h"
#include "measure/time.h"

/*
 * The native port with its ticks counted against the system's clock. Returns
 * 0 or -ASSAY_EUNAVAIL where there is no usable counter.
 */
int timing_clock(struct time_clock *out, struct assay_error *err);

/* The cycle counter of this thread, for single loads. */
struct timing_cycles {
	struct perf_cycles counter;
	struct time_stamps stamps;
};

/*
 * Stamps single loads with the cycle counter, where this machine needs it and
 * lets us read it, on a pinned thread; else changes nothing. *out must stay
 * where it is until the caller closes it, behind the clock's last use.
 */
void timing_cycles_open(struct timing_cycles *out, struct time_clock *clock,
			const char *sysroot);
void timing_cycles_close(struct timing_cycles *cycles);

/* "stamps by <counter>, in steps of N ns"; "" where the ISA has one only. */
void timing_stamp_text(const struct time_clock *clock, char *text, size_t size);

#endif
