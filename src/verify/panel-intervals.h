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

/* A violated law "law:NAME"; the texts are borrowed. */
typedef int panel_law_fn(void *ctx, const char *law, const char *microcode,
			 enum assay_class class_, const char *text);
/* Calls fn for each law that the counts of some shape violate (panel-laws.c).
 * Returns 0, -ASSAY_ENOMEM, or -ASSAY_ESTOP if fn returns non-zero. */
int panel_laws(const struct panel *panel, panel_law_fn *fn, void *ctx);

#endif
