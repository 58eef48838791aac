/* SPDX-License-Identifier: MIT */
/* Calibrates the constant counter, and opens the cycle counter. */
#include "timing/clock.h"

#include <stdio.h>
#include <time.h>

#include "base/text.h"
#include "env/env.h"

#define CLOCK_NS 20000000	/* between the two readings */
#define BRACKETS 16

/* Both clocks at the same time: the system's between two reads of the counter,
 * in the attempt in which the counter advanced least. */
static void both_clocks(uint64_t *ticks, uint64_t *ns)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < BRACKETS; i++) {
		const uint64_t from = time_native.begin(NULL);
		const uint64_t now = env_now_ns();
		const uint64_t to = time_native.end(NULL);

		if (to - from >= least)
			continue;
		least = to - from;
		*ticks = from + least / 2;
		*ns = now;
	}
}

int timing_clock(struct time_clock *out, struct assay_error *err)
{
	const struct timespec wait = { .tv_nsec = CLOCK_NS };
	uint64_t ticks[2] = { 0 }, ns[2] = { 0 };

	both_clocks(&ticks[0], &ns[0]);
	nanosleep(&wait, NULL);
	both_clocks(&ticks[1], &ns[1]);
	if (ns[1] <= ns[0] || ticks[1] <= ticks[0])
		return error_set(err, -ASSAY_EUNAVAIL, "the CPU's constant "
				 "counter does not move here");
	time_clock_init(out, &time_native, NULL,
			(double)(ticks[1] - ticks[0]) /
			(double)(ns[1] - ns[0]));
	return 0;
}

static bool cycles_ready(const void *counter)
{
	return perf_cycles_ready(counter);
}

void timing_cycles_open(struct timing_cycles *out, struct time_clock *clock,
			const char *sysroot)
{
	*out = (struct timing_cycles){
		.counter = { .fd = -1 },
		.stamps = { cycles_ready, &out->counter },
	};
	if (time_cycles && !perf_cycles_open(&out->counter, sysroot))
		time_clock_stamp(clock, time_cycles, &out->stamps);
}

void timing_cycles_close(struct timing_cycles *cycles)
{
	perf_cycles_close(&cycles->counter);
}

void timing_stamp_text(const struct time_clock *clock, char *text, size_t size)
{
	*text = '\0';
	if (clock->port->stamp_name)
		snprintf(text, size, "stamps by %s, in steps of %.2f ns",
			 clock->port->stamp_name,
			 clock->loads.granule / clock->loads.ticks_per_ns);
}
