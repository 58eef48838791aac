/* SPDX-License-Identifier: MIT */
/*
 * Timing without counters: accesses in chunks of about 15 us, each between two
 * readings of the core's clock. A reading times dependent register adds, one
 * per cycle, in chains of two lengths; the difference has no overhead. (Adds of
 * constants would not do: some cores fold them.) So times become core cycles,
 * which do not change with the core's frequency as nanoseconds do.
 *
 * All access to the machine goes through a port. Tests replace it by a machine
 * of known times.
 */
#ifndef MEASURE_TIME_H
#define MEASURE_TIME_H

#include <stdint.h>

#include "base/timing.h"
#include "kernels/kernel.h"

#define TIME_CHAINS 4
#define TIME_UNROLL 32		/* steps of a chase come in multiples */
#define TIME_CHUNK_NS 15000

/* The machine. Ticks are those of the architecture's constant counter. */
struct time_port {
	/* The counter, read before all later instructions. */
	uint64_t (*begin)(void *ctx);
	/* The counter, read after all earlier loads are complete. */
	uint64_t (*end)(void *ctx);
	/* Ticks for n register adds in one chain, or in four side by side. */
	uint64_t (*adds)(void *ctx, unsigned n, bool side_by_side);
	/* Ticks for `steps` (a multiple of TIME_UNROLL) along each of the
	 * chains (1, 2 or 4), whose heads move on. */
	uint64_t (*chase)(void *ctx, void **head, unsigned chains,
			  uint64_t steps);
	/* Times each of n loads (n is a multiple of 8), in ticks of `stamp`:
	 * loads of list[i], or along the chain at *head if list is NULL. All
	 * ticks are UINT32_MAX while the stamps' counter cannot be read. */
	void (*each)(void *ctx, void *const *list, void **head, unsigned n,
		     uint32_t *ticks);
	/* Ticks for n loads of list[i], each waiting for the load before. */
	uint64_t (*serial)(void *ctx, void *const *list, unsigned n);
	/* Pushes a line out of every cache; NULL: not possible here. */
	void (*flush)(void *ctx, void *line);
	/* The counter that stamps single loads; 0 while it cannot be read.
	 * NULL: the constant counter. */
	uint64_t (*stamp)(void *ctx);
	/* Name of that counter, on architectures with a choice of counters;
	 * else NULL. */
	const char *stamp_name;
};

extern const struct time_port time_native;

/*
 * A port like time_native that stamps single loads with the cycle counter; its
 * ctx is a struct time_stamps. NULL on an ISA whose constant counter is fine
 * enough.
 */
struct time_stamps {
	/* May user space read the counter for the next few us, without a
	 * fault? */
	bool (*ready)(const void *ctx);
	const void *ctx;
};
extern const struct time_port *const time_cycles;

/* A port and the properties of its counters. */
struct time_clock {
	const struct time_port *port;
	void *ctx;
	double ticks_per_ns;
	double overhead;	/* ticks between a begin and an end */
	unsigned granule;	/* ticks per step of the counter */
	struct {		/* of the counter that stamps single loads */
		double ticks_per_ns;
		unsigned granule;
	} loads;
};

/* Finds overhead and granule; ticks_per_ns is the caller's. */
void time_clock_init(struct time_clock *clock, const struct time_port *port,
		     void *ctx, double ticks_per_ns);

/*
 * Gives the clock a port that stamps single loads with another counter. Takes
 * some ms. False: that counter does not move; the clock is unchanged.
 */
bool time_clock_stamp(struct time_clock *clock, const struct time_port *port,
		      void *ctx);

/* What is timed: loads along chains, or complete runs of a kernel. */
struct timed {
	void *head[TIME_CHAINS];
	unsigned chains;
	uint64_t lines;		/* in all chains */
	const unsigned char *base;	/* where they lie, or NULL */
	const struct kernel *kernel;	/* or NULL: the chains */
	const struct assay_shape *shape;
	struct arena *arena;
};

/* Runs the accesses until the caches are in their steady state, or nearly. */
void time_warm(const struct time_clock *clock, struct timed *timed);

/* Steps along each chain in a chunk of about `ns`; 0 for a kernel's run. */
uint64_t time_steps(const struct time_clock *clock, struct timed *timed,
		    double ns);

/* Reads the core's clock: ticks per 1000 core cycles; 0: disturbed. */
double time_core(const struct time_clock *clock);

/*
 * Times one chunk. *core is the last reading of the core's clock (0: none yet)
 * and becomes the reading after the chunk.
 */
void time_chunk(const struct time_clock *clock, struct timed *timed,
		uint64_t steps, double *core, struct time_sample *out);

#endif
