/* SPDX-License-Identifier: MIT */
/*
 * Timing without counters: accesses in chunks of about 15 us, each between two
 * looks at the core's own clock. That clock is a chain of dependent register
 * adds, one per cycle (immediate adds would not do: some cores fold them), at
 * two lengths, whose difference leaves no overhead. So times become core
 * cycles, which hold still where nanoseconds wander with the frequency.
 *
 * All access to the machine goes through a port, so that tests can put a clock
 * of their own in its place.
 */
#ifndef MEASURE_TIME_H
#define MEASURE_TIME_H

#include <stddef.h>
#include <stdint.h>

#include "base/timing.h"
#include "kernels/kernel.h"

#define TIME_CHAINS 4
#define TIME_UNROLL 32		/* steps of a chase come in multiples */
#define TIME_CHUNK_NS 15000

/* Ticks are of the architecture's constant counter. */
struct time_port {
	uint64_t (*begin)(void *ctx);	/* nothing later starts before */
	uint64_t (*end)(void *ctx);	/* all earlier loads are done */
	/* Ticks for n register adds in one chain; or in four, side by side. */
	uint64_t (*adds)(void *ctx, unsigned n, bool side_by_side);
	/* Ticks for `steps` (a multiple of TIME_UNROLL) along each of the
	 * chains (1, 2 or 4), whose heads move on. */
	uint64_t (*chase)(void *ctx, void **head, unsigned chains,
			  uint64_t steps);
	/* Times each of n loads: of list[i], or (NULL) along the chain at
	 * *head. n is a multiple of 8. */
	void (*each)(void *ctx, void *const *list, void **head, unsigned n,
		     uint32_t *ticks);
	/* Ticks for n loads of list[i], each waiting for the one before. */
	uint64_t (*serial)(void *ctx, void *const *list, unsigned n);
	/* Pushes a line out of every cache; NULL: not possible here. */
	void (*flush)(void *ctx, void *line);
};

extern const struct time_port time_native;

/* A port with what is known of its clock. */
struct time_clock {
	const struct time_port *port;
	void *ctx;
	double ticks_per_ns;
	double overhead;	/* ticks between a begin and an end */
	unsigned granule;	/* the counter moves in steps of so many */
};

/* Finds overhead and granule; ticks_per_ns is the caller's. */
void time_clock_init(struct time_clock *clock, const struct time_port *port,
		     void *ctx, double ticks_per_ns);

/* What is timed: chains, or a kernel's whole run if that is given. */
struct timed {
	void *head[TIME_CHAINS];
	unsigned chains;
	uint64_t lines;		/* in all chains */
	const unsigned char *base;	/* where they lie, if that is known */
	const struct kernel *kernel;
	const struct assay_shape *shape;
	struct arena *arena;
};

/* Brings the lines to where they are when the walk has gone on for ever. */
void time_warm(const struct time_clock *clock, struct timed *timed);

/* Steps of a chunk of about that many ns; a kernel's run has its own length. */
uint64_t time_steps(const struct time_clock *clock, struct timed *timed,
		    double ns);

/* Ticks per 1000 core cycles; 0 if the reading was disturbed. */
double time_core(const struct time_clock *clock);

/*
 * One chunk. *core is the reading before it (0: take one) and becomes the one
 * after it.
 */
void time_chunk(const struct time_clock *clock, struct timed *timed,
		uint64_t steps, double *core, struct time_sample *out);

#endif
