/* SPDX-License-Identifier: MIT */
/* The core's clock before and after a counted run: cycles beside counters. */
#ifndef API_CORE_H
#define API_CORE_H

#include "assay/quantity.h"
#include "assay/record.h"

/* GHz, by a chain of dependent adds (about 0.1 ms); 0: not seen. */
double core_ghz(void);

/* Appends "core-mhz=BEFORE..AFTER" to the settings' options. */
void core_note(struct assay_settings *settings, double before, double after);

/*
 * Core cycles for so many ns, by what the record's settings say of the clock;
 * absent where they say nothing, an estimate if it moved by more than 3 %.
 */
struct assay_value core_cycles(const struct assay_record *record,
			       struct assay_value ns);

#endif
