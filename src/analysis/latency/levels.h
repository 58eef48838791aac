/* SPDX-License-Identifier: MIT */
/*
 * Cache levels from latency by size: plateaus, and where one gives way to the
 * next. Disturbance only makes an access slower and a cache smaller, so of
 * several sweeps the lower envelope is taken.
 */
#ifndef ANALYSIS_LATENCY_LEVELS_H
#define ANALYSIS_LATENCY_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEVELS_MOST 6
#define LEVELS_SIZES 192

/* One size of one sweep; or of their envelope. */
struct level_point {
	uint64_t bytes;
	double cycles, ns;	/* per access; 0: not measured */
	double ghz;		/* of the core then; 0: not known */
	bool lent;		/* cycles are those of a larger size */
};

struct level_found {
	double cycles, ns;	/* median of its longest flat stretch */
	double cycles_low, cycles_high;
	uint64_t from, to;	/* sizes of the plateau's first and last point */
	bool bounded;		/* a next level follows, so there is a size */
	double bytes;		/* capacity: half-height between the plateaus;
				 * snapped to a size that caches have if one
				 * lies within reach */
	double low, high;	/* the capacity lies between */
	double next;		/* cycles of the next level */
	bool snapped;
};

/*
 * Forgets points at which the core seemed slower than 0.95 of what it mostly
 * was: a neighbour on the same core delays the adds by which its clock is told,
 * and fewer cycles are seen than there were. Returns how many.
 */
size_t levels_calm(struct level_point *point, size_t points);

/*
 * The lower envelope of `sweeps` sweeps over the same sizes (sweep s at
 * point[s * sizes]), made non-decreasing: a smaller set is never slower. What
 * was slower, and not a little, is lent the cycles of the larger one.
 */
void levels_envelope(const struct level_point *point, size_t sizes,
		     size_t sweeps, struct level_point *out);

/*
 * The plateaus of an envelope of ascending sizes. Returns how many, at most
 * LEVELS_MOST; 0 if there is not even one. The last one is unbounded.
 */
size_t levels_find(const struct level_point *point, size_t sizes,
		   struct level_found *out);

/* An envelope: points of ascending sizes. */
struct levels_curve {
	struct level_point point[LEVELS_SIZES];
	size_t sizes;
};

/*
 * Better bounds of a level from `places` envelopes (place p at
 * point[p * sizes]) over the same sizes in different memory. Where pages lie
 * where they will, some sets of a physically indexed cache get too many of
 * them and some too few, each time others: half of the lines miss, give or
 * take, when the cache is full. The capacity is a little above the middle one of
 * the places, and it lies between the least and the most.
 */
void levels_place(struct level_found *level, const struct level_point *point,
		  size_t sizes, size_t places);

/*
 * The levels of two curves of the same machine: the first two that have a size
 * from `near`, what lies beyond them from `far`. Returns how many.
 */
size_t levels_join(const struct levels_curve *near,
		   const struct levels_curve *far, struct level_found *out);

/* {1, 1.25, 1.5} * 2^k within 12 % of bytes and in low .. high, or 0. */
double levels_snap(double bytes, double low, double high);

/* Ascending sizes, `steps` per doubling, multiples of `unit`. Returns how
 * many, up to room. */
size_t levels_sizes(uint64_t *out, size_t room, uint64_t from, uint64_t to,
		    unsigned steps, uint64_t unit);

#endif
