/* SPDX-License-Identifier: MIT */
/* Counts of a real machine through the judge of intervals. */
#ifndef VERIFY_PANEL_INTERVALS_H
#define VERIFY_PANEL_INTERVALS_H

#include "verify/panel.h"

/*
 * Judges every event of which some witness said anything: class, explanation,
 * proof, largest deviation, bias and spread of that element of out, one for
 * each event of the panel. The rest of out stays. Returns 0 or -ASSAY_ENOMEM.
 */
int panel_intervals(const struct panel *panel, struct certificate_event *out);

#endif
