/* SPDX-License-Identifier: MIT */
/* The cycle counter as a clock: where it is shut, reading it may be SIGILL. */
#include "cycles.h"

#include <stdio.h>

#include "counters/perf-user.h"
#include "measure/time.h"

enum { LINES = 64, TIMES = 1000 };

static bool is_ready(const void *counter)
{
	return perf_cycles_ready(counter);
}

static uint32_t most(const struct time_clock *clock, void **head)
{
	uint32_t ticks[LINES], found = 0;

	for (int i = 0; i < TIMES; i++)
		clock->port->each(clock->ctx, NULL, head, LINES, ticks);
	for (int i = 0; i < LINES; i++)
		found = ticks[i] > found ? ticks[i] : found;
	return found;
}

void cycles_try(const char *access)
{
	void *line[LINES], *head = line;
	struct perf_cycles counter;
	struct time_stamps stamps = { is_ready, &counter };
	const char *why = perf_cycles_open(&counter, "/");
	struct time_clock clock;
	uint32_t open, closed;
	bool taken = false;

	for (int i = 0; i < LINES; i++)
		line[i] = &line[(i + 7) % LINES];
	time_clock_init(&clock, &time_native, NULL, 0.0625);
	if (!why)
		taken = time_clock_stamp(&clock, time_cycles, &stamps);
	open = most(&clock, &head);
	perf_cycles_close(&counter);
	closed = most(&clock, &head);
	printf("@{\"t\":\"cycles\",\"access\":\"%s\",\"taken\":%d,"
	       "\"granule\":%u,\"per_ns\":%.4f,\"open\":%u,\"closed\":%u,"
	       "\"home\":%d}\n", access, taken, clock.loads.granule,
	       clock.loads.ticks_per_ns, open, closed, head == line);
}
