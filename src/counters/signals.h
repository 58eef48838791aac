/* SPDX-License-Identifier: MIT */
/*
 * From the signals of a simulator to counts of events and to quantities.
 * `signal` is always an array of SIGNALS numbers, in the order of
 * base/signals.def.
 */
#ifndef COUNTERS_SIGNALS_H
#define COUNTERS_SIGNALS_H

#include "assay/record.h"
#include "base/encoding.h"
#include "base/geometry.h"
#include "counters/draws.h"

/* Absent, with the reason, if the CPU file does not describe the event. */
struct assay_count signals_count(const struct encoding *event,
				 const uint64_t *signal);

/* The value of signals_count(), for draws_error(); event: struct encoding. */
double signals_count_value(const void *event, const uint64_t *signal);

/* As provider.terms. */
unsigned signals_terms(const struct encoding *event, const uint64_t *signal,
		       struct assay_event_term *out);

/* All quantities that the model knows; the others are left as they are. */
void signals_truth(const struct geometry *geometry, const uint64_t *signal,
		   struct assay_quantities *out);

/* Adds to the quantities their errors by batch means, and marks estimates. */
void signals_errors(const struct geometry *geometry, const struct draws *d,
		    struct assay_quantities *out);

/* Adds errors by replicas to the quantities, or to a count of an event;
 * signal[i]: the signals of draw i, of n. */
void signals_spread(const struct geometry *geometry,
		    const uint64_t *const *signal, unsigned n,
		    struct assay_quantities *out);
void signals_count_spread(const uint64_t *const *signal, unsigned n,
			  const struct encoding *event,
			  struct assay_count *count);

/*
 * The signals whose sum is a quantity, on a CPU whose L1D writes back and
 * allocates on writes. Returns how many; 0: the model does not know it.
 */
#define SIGNALS_OF_QUANTITY 6
unsigned signals_of_quantity(enum assay_quantity quantity,
			     int out[SIGNALS_OF_QUANTITY]);

#endif
