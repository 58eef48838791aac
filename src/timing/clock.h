/* SPDX-License-Identifier: MIT */
/* The clocks by which loads are timed on this machine. */
#ifndef TIMING_CLOCK_H
#define TIMING_CLOCK_H

#include "counters/perf-user.h"
#include "measure/time.h"

/*
 * The native port, its ticks calibrated against CLOCK_MONOTONIC (20 ms).
 * Returns 0, or -ASSAY_EUNAVAIL if the constant counter does not move.
 */
int timing_clock(struct time_clock *out, struct assay_error *err);

/* The cycle counter of this thread, for single loads. */
struct timing_cycles {
	struct perf_cycles counter;
	struct time_stamps stamps;
};

/*
 * Lets *clock stamp single loads with the cycle counter of this (pinned)
 * thread, if this ISA's constant counter is too coarse and the kernel allows
 * it; else changes nothing. *out must not be moved; close it after the clock's
 * last use.
 */
void timing_cycles_open(struct timing_cycles *out, struct time_clock *clock,
			const char *sysroot);
void timing_cycles_close(struct timing_cycles *cycles);

/* "stamps by <counter>, in steps of N ns"; "" if the ISA has only one. */
void timing_stamp_text(const struct time_clock *clock, char *text, size_t size);

#endif
