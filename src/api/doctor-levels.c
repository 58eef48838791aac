/* SPDX-License-Identifier: MIT */
/* What timing says of the caches, as findings of the doctor. */
#include <stdio.h>
#include <stdlib.h>

#include "timing/levels.h"
#include "api/doctor-now.h"
#include "timing/clock.h"
#include "base/row.h"
#include "base/text.h"
#include "env/env.h"
#include "env/idle.h"

static void describe(char *out, size_t room, const struct levels *found,
		     size_t i)
{
	const struct level_found *l = &found->level[i];

	char bytes[32], low[32], high[32];

	text_about_bytes(bytes, sizeof(bytes), l->bytes);
	text_about_bytes(low, sizeof(low), l->low);
	text_about_bytes(high, sizeof(high), l->high);
	if (l->bounded)
		snprintf(out, room, "%s (%s to %s), %.1f cycles, %.2f ns",
			 bytes, low, high, l->cycles, l->ns);
	else
		snprintf(out, room, "%.1f cycles, %.2f ns", l->cycles, l->ns);
}

static int emit(const struct levels *found, size_t i,
		const struct geometry *reported, assay_row_fn *fn, void *ctx)
{
	char evidence[160], finding[240];

	levels_compare(found, i, reported, finding, sizeof(finding));
	describe(evidence, sizeof(evidence), found, i);
	const struct assay_field field[] = {
		field_text("part", "measured"),
		field_text("what", levels_name(found, i)),
		field_text("state", *finding ? "warn" : "ok"),
		field_text("evidence", evidence),
		field_text("effect", finding),
		field_text("cure", !*finding ? "" :
			   found->off > LEVELS_BUSY ? "stop other work and try "
			   "again" : "predict with the measured size, not with "
			   "the reported one"),
	};

	return row_emit(fn, ctx, "finding", field, 6);
}

static int none(assay_row_fn *fn, void *ctx)
{
	const struct assay_field field[] = {
		field_text("part", "measured"),
		field_text("what", "levels"),
		field_text("state", "warn"),
		field_text("evidence", "no level could be seen: the core's "
			   "clock was disturbed all the time"),
		field_text("effect", "times of this machine cannot be trusted "
			   "now"),
		field_text("cure", "stop other work and try again"),
	};

	return row_emit(fn, ctx, "finding", field, 6);
}

/* Without a clock there is no finding here: levels_measure() fails. */
static int clock_now(const struct assay *assay, assay_row_fn *fn, void *ctx)
{
	struct timing_cycles cycles;
	struct time_clock clock;
	int rc;

	if (timing_clock(&clock, NULL))
		return 0;
	timing_cycles_open(&cycles, &clock, assay->sysroot);
	rc = doctor_clock(&clock, fn, ctx);
	timing_cycles_close(&cycles);
	return rc;
}

static int noise_now(const struct assay *assay, int cpu, assay_row_fn *fn,
		     void *ctx, struct assay_error *err)
{
	const struct noise_port port = noise_machine(assay->sysroot);
	struct env_affinity old = { .changed = false };
	int rc;

	if (cpu < 0)
		cpu = env_idle_cpu(assay->sysroot);
	rc = cpu < 0 ? 0 : env_pin(cpu, &old, err);
	if (!rc)
		rc = doctor_noise_now(&port, fn, ctx, err);
	if (!rc)
		rc = clock_now(assay, fn, ctx);
	env_unpin(&old);
	return rc;
}

int assay_doctor_levels(struct assay *assay, int cpu, assay_row_fn *fn,
			void *ctx, struct assay_error *err)
{
	struct levels *found = malloc(sizeof(*found));
	struct geometry reported;
	int rc = found ? noise_now(assay, cpu, fn, ctx, err) :
			 error_set(err, -ASSAY_ENOMEM, "out of memory");

	if (!rc)
		rc = levels_measure(assay, cpu, found, err);
	if (!rc)
		rc = env_geometry(&reported, assay->sysroot, err);
	for (size_t i = 0; !rc && i < found->levels; i++)
		rc = emit(found, i, &reported, fn, ctx);
	if (!rc && !found->levels)
		rc = none(fn, ctx);
	free(found);
	return rc;
}
