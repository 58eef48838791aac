/* SPDX-License-Identifier: MIT */
/* The doctor's findings on event names, put among those of the env room. */
#ifndef API_DOCTOR_NAMES_H
#define API_DOCTOR_NAMES_H

#include "run/handle.h"

struct doctor_names {
	const struct assay *assay;
	assay_row_fn *fn;	/* of the caller */
	void *ctx;
	bool said;
};

/* An assay_row_fn: ctx is a struct doctor_names. Passes every row on. */
int doctor_names_row(void *ctx, const struct assay_row *row);

#endif
