/* SPDX-License-Identifier: MIT */
/* The doctor's findings about noise and clock as they are just now (part
 * "measured"). Both functions return what fn returned, or an error. */
#ifndef API_DOCTOR_NOW_H
#define API_DOCTOR_NOW_H

#include "assay/row.h"
#include "measure/time.h"
#include "run/noise.h"

/*
 * Watches the core for 0.3 s: its clock, whether a sibling shares the core, and
 * whether other work shares the CPU.
 */
int doctor_noise_now(const struct noise_port *port, assay_row_fn *fn,
		     void *ctx, struct assay_error *err);

/* The counter that times single loads, and which levels it can tell apart. */
int doctor_clock(const struct time_clock *clock, assay_row_fn *fn, void *ctx);

#endif
