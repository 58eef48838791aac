/* SPDX-License-Identifier: MIT */
/* The core's clock before and after a counted run: cycles beside counters. */
#ifndef RUN_CORE_CLOCK_H
#define RUN_CORE_CLOCK_H

#include "assay/quantity.h"
#include "assay/record.h"

/*
 * GHz, by a chain of dependent adds; 0: not seen. *adds: per core cycle, in
 * four chains side by side. The best of three looks, about 0.1 ms.
 */
double core_clock_look(double *adds);

/* Appends "core-mhz=BEFORE..AFTER" to the settings' options. */
void core_clock_note(struct assay_settings *settings, double before, double after);

/*
 * Core cycles for so many ns, by what the record's settings say of the clock;
 * absent where they say nothing, an estimate if it moved by more than 3 %.
 */
struct assay_value core_clock_cycles(const struct assay_record *record,
			       struct assay_value ns);

#endif
