/* SPDX-License-Identifier: MIT */
/*
 * What the signals of a simulator say. signal: as many numbers as
 * base/signals.def has rows, in its order.
 */
#ifndef COUNTERS_SIGNALS_H
#define COUNTERS_SIGNALS_H

#include "assay/record.h"
#include "base/encoding.h"
#include "base/geometry.h"
#include "counters/draws.h"

/* Absent, with the reason, where the CPU file does not say. */
struct assay_count signals_count(const struct encoding *event,
				 const uint64_t *signal);

/* As provider.terms. */
unsigned signals_terms(const struct encoding *event, const uint64_t *signal,
		       struct assay_event_term *out);

/* All quantities that the model knows; the others are left as they are. */
void signals_truth(const struct geometry *geometry, const uint64_t *signal,
		   struct assay_quantities *out);

/* Under random replacement: their errors, and whether they are estimates. */
void signals_errors(const struct geometry *geometry, const struct draws *d,
		    struct assay_quantities *out);

/* The same of n draws of one stream, with a count of an event. */
void signals_spread(const struct geometry *geometry,
		    const uint64_t *const *signal, unsigned n,
		    struct assay_quantities *out);
void signals_count_spread(const uint64_t *const *signal, unsigned n,
			  const struct encoding *event,
			  struct assay_count *count);

/*
 * The signals that a quantity adds up where L1D writes back and allocates, each
 * once. Returns how many; 0: none.
 */
#define SIGNALS_OF_QUANTITY 6
unsigned signals_of_quantity(enum assay_quantity quantity,
			     int out[SIGNALS_OF_QUANTITY]);

#endif
