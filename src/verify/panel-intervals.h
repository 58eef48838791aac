/* SPDX-License-Identifier: MIT */
/* Counts of a real machine through the judge of intervals. */
#ifndef VERIFY_PANEL_INTERVALS_H
#define VERIFY_PANEL_INTERVALS_H

#include "analysis/judge/judge.h"
#include "verify/panel.h"

/*
 * Judges every event for which some witness gave bounds. Fills facts[event],
 * and class, explanation, proof, largest deviation, bias and spread of
 * out[event], one element per event of the panel; leaves the rest. Returns 0 or
 * -ASSAY_ENOMEM.
 */
int panel_intervals(const struct panel *panel, struct certificate_event *out,
		    struct judge_facts *facts);

#endif
