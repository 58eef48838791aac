/* SPDX-License-Identifier: MIT */
/*
 * A machine whose times are known: a port for the timing witness whose clock
 * only moves when it is told to.
 */
#ifndef TESTS_FAKE_CLOCK_H
#define TESTS_FAKE_CLOCK_H

#include "measure/time.h"

struct fake {
	double now;		/* ticks */
	double core_ticks;	/* of one core cycle */
	double side_adds;	/* per cycle */
	unsigned granule;
	unsigned overhead;	/* ticks of a begin and end */
	/* Core cycles of one load at that address. */
	double (*cost)(struct fake *fake, void *at);
	unsigned begins;
	unsigned reads;		/* of the core's clock */
	unsigned wobble;	/* every so many reads are 10 % off; 0: none */
	uint64_t loads, flushed;
	void *ctx;		/* of cost */
};

extern const struct time_port fake_port;

/* A clock of 2 ticks per ns and a core of 2.5 GHz. */
void fake_init(struct fake *fake, struct time_clock *clock,
	       double (*cost)(struct fake *fake, void *at));

#endif
