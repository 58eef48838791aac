/* SPDX-License-Identifier: MIT */
/*
 * Cache levels from latency by size: the plateaus of a curve, and the sizes
 * where one plateau passes into the next. Disturbance only makes accesses
 * slower, so that a cache seems smaller; so the lower envelope of several
 * sweeps is used. Cycles and ns are per access. No function allocates memory
 * that the caller must free.
 */
#ifndef ANALYSIS_LATENCY_LEVELS_H
#define ANALYSIS_LATENCY_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LEVELS_MOST 6
#define LEVELS_SIZES 192

/* One size of a sweep, or of the envelope of several sweeps. */
struct level_point {
	uint64_t bytes;
	double cycles, ns;	/* per access; 0: not measured */
	double ghz;		/* the core's clock; 0: not known */
	bool lowered;		/* of an envelope: cycles were more than 8 %
				 * above those of a larger size, and were
				 * lowered to them */
};

struct level_found {
	double cycles, ns;	/* median of its longest flat stretch */
	double cycles_low, cycles_high;
	uint64_t from, to;	/* sizes of the first and the last point */
	bool bounded;		/* a next level follows: the members below are
				 * set */
	double bytes;		/* capacity: where the curve is halfway up to
				 * the next plateau, rounded by levels_snap()
				 * if snapped is set */
	double low, high;	/* bounds of the capacity */
	double next;		/* cycles of the next level */
	bool snapped;
};

/*
 * Clears points at which the core's clock seemed below 0.95 of its usual value:
 * an SMT neighbour delays the register adds that measure the clock, so too few
 * cycles were seen. Returns the number of cleared points.
 */
size_t levels_drop_disturbed(struct level_point *point, size_t points);

/*
 * The lower envelope of `sweeps` sweeps over the same sizes (sweep s at point[s
 * * sizes]), made non-decreasing, because a smaller set is never slower: a
 * point with more cycles than the next larger size gets the cycles of that size
 * (lowered).
 */
void levels_envelope(const struct level_point *point, size_t sizes,
		     size_t sweeps, struct level_point *out);

/*
 * The plateaus of an envelope of ascending sizes. Returns their number, from 0
 * to LEVELS_MOST. The last one is unbounded.
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
 * point[p * sizes]) over the same sizes in different memory. Scattered pages
 * load some sets of a physically indexed cache more than others, differently
 * at each place; about half of the lines miss when the size equals the
 * capacity. The capacity is the 60 % quantile of the places, and its bounds are
 * the smallest and the largest.
 */
void levels_place(struct level_found *level, const struct level_point *point,
		  size_t sizes, size_t places);

/*
 * The levels of two curves of one machine: the first two bounded levels from
 * `near`, the larger ones from `far`. Returns their number, at most
 * LEVELS_MOST.
 */
size_t levels_join(const struct levels_curve *near,
		   const struct levels_curve *far, struct level_found *out);

/*
 * The nearest size of the form {1, 1.25, 1.5} * 2^k within 12 % of bytes and
 * from low to high; 0: there is none.
 */
double levels_snap(double bytes, double low, double high);

/*
 * Ascending sizes from `from` to `to`, `steps` per doubling, in multiples of
 * `unit`. Returns their number, at most room.
 */
size_t levels_sizes(uint64_t *out, size_t room, uint64_t from, uint64_t to,
		    unsigned steps, uint64_t unit);

/*
 * Above this share of time off the CPU no difference is held against what is
 * reported: levels_busy() then writes how a finding begins, "not decided:
 * machine busy, other work took 38 % of this CPU's time: "; else "".
 */
#define LEVELS_BUSY 0.05
void levels_busy(char *out, size_t room, double off);

#endif
