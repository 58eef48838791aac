/* SPDX-License-Identifier: MIT */
/* Predicted against measured, and the word for it. */
#include "analysis/verdict.h"

#include <math.h>

const char *const verdict_names[VERDICTS] = {
	[VERDICT_AGREES] = "agrees",
	[VERDICT_DISAGREES] = "disagrees",
	[VERDICT_INCONCLUSIVE] = "inconclusive",
	[VERDICT_UNAVAILABLE] = "unavailable",
};

/* Bounds in the wrong order, or not numbers, are no band. */
static bool has_band(const struct assay_expected *e)
{
	return isfinite(e->low) && isfinite(e->high) && e->low <= e->high;
}

static enum verdict verdict_on(const struct assay_expected *e,
			       const struct assay_value *measured)
{
	if (measured->why)
		return VERDICT_UNAVAILABLE;
	if (measured->estimate || !has_band(e) || !isfinite(measured->number))
		return VERDICT_INCONCLUSIVE;
	if (measured->number < e->low || measured->number > e->high)
		return VERDICT_DISAGREES;
	return VERDICT_AGREES;
}

void compare_quantity(const struct assay_expected *expected,
		      struct assay_value measured, struct comparison *out)
{
	*out = (struct comparison){
		.expected = expected, .measured = measured,
		.verdict = verdict_on(expected, &measured),
	};
	if (!measured.why)
		out->error = measured.number - expected->value;
}
