/* SPDX-License-Identifier: MIT */
/* Noise: what is the same for all who look for it. */
#ifndef BASE_NOISE_H
#define BASE_NOISE_H

#include "assay/noise.h"

/* Seen, with the usual limits, and nothing known yet. */
void noise_init(struct assay_noise *out);

/* What was seen of two runs that make one record: the worse of each. */
void noise_join(struct assay_noise *out, const struct assay_noise *more);

/* Is a share beyond its limit? */
bool noise_beyond(const struct assay_noise_part *part);

#endif
