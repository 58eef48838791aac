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
	 * *head. n is a multiple of 8. In ticks of `stamp`; all UINT32_MAX if
	 * that cannot be read at this moment. */
	void (*each)(void *ctx, void *const *list, void **head, unsigned n,
		     uint32_t *ticks);
	/* Ticks for n loads of list[i], each waiting for the one before. */
	uint64_t (*serial)(void *ctx, void *const *list, unsigned n);
	/* Pushes a line out of every cache; NULL: not possible here. */
	void (*flush)(void *ctx, void *line);
	/* What single loads are stamped with, where that is a counter of its
	 * own; it stands still if it cannot be read. NULL: begin. */
	uint64_t (*stamp)(void *ctx);
	/* The name of what single loads are stamped with, where there is a
	 * choice; else NULL. */
	const char *stamp_name;
};

extern const struct time_port time_native;

/*
 * The same, but single loads are stamped with the cycle counter; its ctx is a
 * struct time_stamps. NULL: this ISA's constant counter is fine enough.
 */
struct time_stamps {
	/* May the counter be read for the next few us? Else it faults. */
	bool (*ready)(const void *ctx);
	const void *ctx;
};
extern const struct time_port *const time_cycles;

/* A port with what is known of its clock. */
struct time_clock {
	const struct time_port *port;
	void *ctx;
	double ticks_per_ns;
	double overhead;	/* ticks between a begin and an end */
	unsigned granule;	/* the counter moves in steps of so many */
	struct {		/* the same, of what stamps single loads */
		double ticks_per_ns;
		unsigned granule;
	} loads;
};

/* Finds overhead and granule; ticks_per_ns is the caller's. */
void time_clock_init(struct time_clock *clock, const struct time_port *port,
		     void *ctx, double ticks_per_ns);

/*
 * Makes a port with a counter of its own for single loads the clock's. Takes
 * some ms. False: that counter does not move, and the clock is as it was.
 */
bool time_clock_stamp(struct time_clock *clock, const struct time_port *port,
		      void *ctx);

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
