/* SPDX-License-Identifier: MIT */
/*
 * The core's clock around a native run, measured without a counter. The clock
 * before and after the run is kept in the record's settings, so that times of
 * the run can later be turned into core cycles.
 */
#ifndef RUN_CORE_CLOCK_H
#define RUN_CORE_CLOCK_H

#include "assay/quantity.h"
#include "assay/record.h"

/*
 * Returns the core's clock in GHz, by a chain of dependent adds; 0: the timer
 * did not move. *adds: register adds per core cycle in four independent
 * chains. Both are the best of three looks; takes about 0.1 ms.
 */
double core_clock_look(double *adds);

/* Appends "core-mhz=BEFORE..AFTER" to the settings' options. */
void core_clock_note(struct assay_settings *settings, double before,
		     double after);

/*
 * Turns ns into core cycles, by the mean clock that core_clock_note() wrote
 * into the record. Absent where ns is or no clock was written; an estimate if
 * the clock changed by more than 3 %.
 */
struct assay_value core_clock_cycles(const struct assay_record *record,
				     struct assay_value ns);

#endif
