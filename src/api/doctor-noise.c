/* SPDX-License-Identifier: MIT */
/*
 * Noise as it is just now: a third of a second of looks at the core's clock and
 * adders, and at whether the thread was left alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/latency/series.h"
#include "api/doctor-now.h"
#include "base/row.h"
#include "base/text.h"

enum { LOOKS = 4096 };
#define LOOK_NS 300000000
#define SHARED 0.8	/* of the most adds per cycle */
#define OFTEN 0.1	/* of the looks */

struct looks {
	double ghz[LOOKS], adds[LOOKS], scratch[LOOKS];
	size_t n;
	struct env_thread_usage from, to;
	assay_row_fn *fn;
	void *ctx;
};

static int say(const struct looks *l, const char *what, bool good,
	       const char *evidence, const char *effect, const char *cure)
{
	const struct assay_field field[] = {
		field_text("part", "measured"), field_text("what", what),
		field_text("state", good ? "ok" : "warn"),
		field_text("evidence", evidence),
		field_text("effect", good ? "" : effect),
		field_text("cure", good ? "" : cure),
	};

	return row_emit(l->fn, l->ctx, "finding", field,
			sizeof(field) / sizeof(field[0]));
}

static void look(struct looks *l, const struct noise_port *port)
{
	port->usage(port->ctx, &l->from, true);
	l->to = l->from;
	for (l->n = 0; l->n < LOOKS && l->to.wall_ns - l->from.wall_ns <
		       LOOK_NS;) {
		l->ghz[l->n] = port->clock(port->ctx, &l->adds[l->n]);
		l->n += l->ghz[l->n] > 0;
		port->usage(port->ctx, &l->to, false);
		if (!l->n && l->to.wall_ns - l->from.wall_ns > LOOK_NS)
			break;
	}
}

static double quantile(struct looks *l, const double *of, double q)
{
	memcpy(l->scratch, of, l->n * sizeof(*of));
	return series_quantile(l->scratch, l->n, q);
}

static int say_clock(struct looks *l)
{
	const double low = quantile(l, l->ghz, 0.1);
	const double high = quantile(l, l->ghz, 0.9);
	const double middle = quantile(l, l->ghz, 0.5);
	char text[160];

	snprintf(text, sizeof(text), "%.2f GHz; 80 %% of %zu looks within "
		 "%.2f to %.2f", middle, l->n, low, high);
	return say(l, "core clock now", high - low <= 0.05 * middle, text,
		   "times differ from moment to moment: compare core cycles, "
		   "not ns", "a fixed frequency: --governor performance, "
		   "turbo off");
}

static int say_sharing(struct looks *l)
{
	double most;
	size_t shared = 0;
	char text[160];

	memcpy(l->scratch, l->adds, l->n * sizeof(*l->adds));
	most = series_full_adds(l->scratch, l->n);

	for (size_t i = 0; i < l->n; i++)
		shared += l->adds[i] < SHARED * most;
	snprintf(text, sizeof(text), "%.1f adds per cycle alone; less than "
		 "%.0f %% of that in %.1f %% of the looks", most, 100 * SHARED,
		 100.0 * (double)shared / (double)l->n);
	return say(l, "core shared now", (double)shared <=
		   OFTEN * (double)l->n, text, "something else runs on this "
		   "core, an SMT sibling, seen or hidden by the hypervisor: "
		   "L1, L2 and TLBs are shared with it",
		   "leave the sibling idle; a host without SMT");
}

static int say_alone(const struct looks *l)
{
	struct assay_noise noise;
	const struct assay_noise_part *off = &noise.part[ASSAY_NOISE_OFF];
	const unsigned long long lost = l->to.preempted - l->from.preempted;
	char text[160];

	noise_init(&noise);
	noise_between(&noise, &l->from, &l->to);
	if (off->share < 0)
		return 0;
	snprintf(text, sizeof(text), "off the CPU for %.1f %% of %.1f s, "
		 "preempted %llu time%s", 100 * off->share,
		 (double)(l->to.wall_ns - l->from.wall_ns) / 1e9, lost,
		 lost == 1 ? "" : "s");
	return say(l, "CPU for itself now", off->share <= 0.05, text,
		   "other work runs on this CPU: its caches are not warm, and "
		   "times have gaps", "stop other work, or pin to an idle CPU: "
		   "--cpu N");
}

int doctor_noise_now(const struct noise_port *port, assay_row_fn *fn,
		     void *ctx, struct assay_error *err)
{
	struct looks *l = malloc(sizeof(*l));
	int rc;

	if (!l)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	l->fn = fn;
	l->ctx = ctx;
	look(l, port);
	rc = l->n ? say_clock(l) :
	     say(l, "core clock now", false, "it could not be seen",
		 "there are no core cycles, only ns", "");
	if (!rc && l->n)
		rc = say_sharing(l);
	if (!rc)
		rc = say_alone(l);
	free(l);
	return rc;
}
