/* SPDX-License-Identifier: MIT */
/* The core's clock, measured by register adds and kept in records. */
#include "run/core-clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "env/env.h"
#include "measure/time.h"

#define ADDS 60000
#define TRIES 3
#define MOVED 0.03

static const char key[] = "core-mhz=";

static double per_ns(bool side_by_side)
{
	double most = 0;

	for (int i = 0; i < TRIES; i++) {
		const uint64_t from = env_now_ns();
		uint64_t ns;

		time_native.adds(NULL, ADDS, side_by_side);
		ns = env_now_ns() - from;
		if (ns && (double)ADDS / (double)ns > most)
			most = (double)ADDS / (double)ns;
	}
	return most;
}

double core_clock_look(double *adds)
{
	const double ghz = per_ns(false), parallel = per_ns(true);

	*adds = ghz > 0 ? parallel / ghz : 0;
	return ghz;
}

void core_clock_note(struct assay_settings *s, double before, double after)
{
	if (before > 0 && after > 0 &&
	    strlen(s->options) + 32 <= sizeof(s->options))
		text_add(s->options, sizeof(s->options), " ", "%s%.0f..%.0f",
			 key, 1000 * before, 1000 * after);
}

struct assay_value core_clock_cycles(const struct assay_record *record,
				     struct assay_value ns)
{
	const char *noted = strstr(record->settings.options, key);
	unsigned before, after;
	double mean;

	if (ns.why)
		return ns;
	if (!noted || sscanf(noted + sizeof(key) - 1, "%7u..%7u", &before,
			     &after) != 2 || !before || !after)
		return (struct assay_value){
			.why = "the core's clock was not measured"
		};
	mean = ((double)before + after) / 2;
	ns.number *= mean / 1000;
	ns.estimate = fabs((double)before - after) > MOVED * mean;
	return ns;
}
