/* SPDX-License-Identifier: MIT */
/* Noise of a record: joins two runs, compares a share with its limit. */
#ifndef BASE_NOISE_H
#define BASE_NOISE_H

#include "assay/noise.h"

/* Seen, with the usual limits, and nothing known yet. */
void noise_init(struct assay_noise *out);

/* Joins the noise of two runs of one record: the larger of each share. */
void noise_join(struct assay_noise *out, const struct assay_noise *more);

/* Does the share exceed its limit? */
bool noise_beyond(const struct assay_noise_part *part);

#endif
