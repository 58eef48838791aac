/* SPDX-License-Identifier: MIT */
/* Verdicts, bias and spread of measured values. See verdict.h. */
#include "analysis/verdict.h"

#include <math.h>
#include <stdio.h>

const char *const verdict_names[VERDICTS] = {
	[VERDICT_AGREES] = "agrees",
	[VERDICT_DISAGREES] = "disagrees",
	[VERDICT_INCONCLUSIVE] = "inconclusive",
	[VERDICT_UNAVAILABLE] = "unavailable",
};

/* Is the band two numbers in ascending order? */
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

#define TINY_SPREAD 1e-6	/* repeatable, however small the bias is */

void bias_of(const struct assay_expected *expected, const double *value,
	     unsigned runs, struct bias *out)
{
	double sum = 0, least = value[0], most = value[0], mean;

	for (unsigned i = 0; i < runs; i++) {
		sum += value[i];
		least = value[i] < least ? value[i] : least;
		most = value[i] > most ? value[i] : most;
	}
	mean = sum / runs;
	*out = (struct bias){
		.outside = mean < expected->low || mean > expected->high,
		.runs = runs,
		.share = mean == expected->value ? 0 :
			 expected->value == 0 ? INFINITY :
			 (mean - expected->value) / expected->value,
		.spread = mean == 0 ? 0 : (most - least) / mean,
	};
	out->repeatable = runs > 1 && (out->spread <= TINY_SPREAD ||
				       out->spread <= fabs(out->share) / 100);
}

const char *bias_text(const struct bias *b, char *out, size_t room)
{
	char by[48], spread[48];

	snprintf(spread, sizeof(spread), "spread %.2g %%", 100 * b->spread);
	if (isinf(b->share))
		snprintf(by, sizeof(by), "counts where nothing is predicted");
	else if (fabs(b->share) < 5e-5)
		snprintf(by, sizeof(by), "biased by %+.2g %%", 100 * b->share);
	else
		snprintf(by, sizeof(by), "biased by %+.2f %%", 100 * b->share);
	if (!b->outside)
		snprintf(out, room, "%sas predicted (%s)",
			 b->repeatable ? "repeatable and " : "",
			 b->runs > 1 ? spread : "one run");
	else if (b->runs < 2)
		snprintf(out, room, "%s (one run)", by);
	else if (b->repeatable)
		snprintf(out, room, "repeatable but %s", by);
	else
		snprintf(out, room, "%s, not repeatable (%s)", by, spread);
	return out;
}
