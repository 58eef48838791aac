/* SPDX-License-Identifier: MIT */
/* Measures the pie by time, and turns the pie into quantities. */
#include "timing/time-pie.h"

#include <stdio.h>
#include <string.h>

#include "timing/timing.h"
#include "timing/replay-loads.h"
#include "timing/clock.h"
#include "base/record.h"
#include "base/text.h"

static const char absent[] = "timing could not tell this level from its "
	"neighbours here";

const char *time_pie_refuses(const struct kernel *kernel)
{
	struct assay_shape shape;

	if (kernel->cycle)
		return NULL;
	if (kernel->hosted || !kernel->trace)
		return "it makes system calls between its accesses";
	kernel_defaults(kernel, &shape);
	if (kernel->resolve && kernel->resolve(&shape, NULL) < 0)
		return "its defaults do not fit";
	return kernel->accesses(&shape) ? NULL : "it makes no accesses to data";
}

static void describe(struct time_pie *w)
{
	static const char *const names[MIX_LEVELS] = { "L1", "L2", "L3",
						       "DRAM" };
	const struct mix_result *m = &w->result.mix;
	const size_t room = sizeof(w->note);

	text_copy(w->note, room, m->why ? m->why : "");
	for (int k = 0; k < MIX_LEVELS; k++)
		if (!m->why && m->present[k])
			text_add(w->note, room, ", ", "%s %.1f to %.1f %%",
				 names[k], 100 * m->low[k], 100 * m->high[k]);
	if (!m->why && w->result.average_ns > 0)
		text_add(w->note, room, "; ", "%.1f ns per access, the shares "
			 "explain %.1f", w->result.average_ns,
			 w->result.predicted_ns);
	if (!m->why && *w->result.note)
		text_add(w->note, room, "; ", "%s", w->result.note);
	if (*w->sample)
		text_add(w->note, room, "; ", "%s", w->sample);
	if (*w->stamps)
		text_add(w->note, room, "; ", "%s", w->stamps);
}

/* What is classified: a chase, or the replayed trace of any other kernel. */
struct accesses {
	struct arena arena;
	struct classify_chase chase;
	struct replay_loads replay;
	struct classify_target target;
};

static int prepare(struct run *run, const struct assay_shape *shape,
		   struct accesses *out, struct time_pie *w,
		   struct assay_error *err)
{
	int rc = layout_shape(run, shape, &out->arena, &out->chase.timed, err);

	w->accesses = run->kernel->accesses(shape);
	if (rc < 0)
		return rc;
	if (!out->chase.timed.kernel) {
		classify_chase_target(&out->target, &out->chase);
		return 0;
	}
	rc = replay_loads_record(&out->replay, run->kernel, shape, &out->arena,
				 run->target.isa, err);
	if (rc < 0)
		return rc;
	if (out->replay.sampled)
		snprintf(w->sample, sizeof(w->sample), "%u stretches of a pass "
			 "of %.1f M accesses were replayed", REPLAY_STRETCHES,
			 (double)out->replay.total / 1e6);
	w->accesses = (uint64_t)((double)w->accesses *
				 (double)out->replay.loads /
				 (double)(out->replay.loads +
					  out->replay.others + !w->accesses));
	if (!out->replay.loads)
		w->result.mix.why = "this shape loads nothing";
	replay_loads_target(&out->target, &out->replay);
	return 0;
}

int time_pie_measure(struct run *run, const struct assay_shape *shape,
		     struct time_pie *out, struct assay_error *err)
{
	struct accesses asked = { .chase = { .next = 0 } };
	struct arena around = { 0 };
	struct timing_cycles cycles = { .counter = { .fd = -1 } };
	struct classify_config config = classify_default_config;
	struct calibration_lines lines;
	struct time_clock clock;
	int rc;

	config.stopped = run->job->stopped;
	config.stopped_ctx = run->job->stopped_ctx;
	*out = (struct time_pie){ .result = { .note = "" } };
	rc = timing_clock(&clock, err);
	if (rc == 0)
		rc = prepare(run, shape, &asked, out, err);
	if (rc == 0)
		rc = env_arena_map(&around,
				   calibration_bytes(asked.arena.bytes,
						     &run->target.geometry),
				   asked.arena.pages, err);
	if (rc == 0 && !out->result.mix.why) {
		timing_cycles_open(&cycles, &clock, run->assay->sysroot);
		timing_stamp_text(&clock, out->stamps, sizeof(out->stamps));
		calibration_lay(&lines, around.base, asked.arena.bytes,
				&run->target.geometry);
		rc = classify(&clock, &config, &asked.target,
			      &lines, &out->result);
		if (rc < 0)
			error_set(err, rc, rc == -ASSAY_ESTOP ? "stopped" :
				  "out of memory");
	}
	timing_cycles_close(&cycles);
	env_arena_unmap(&around);
	env_arena_unmap(&asked.arena);
	replay_loads_fini(&asked.replay);
	if (rc == 0)
		describe(out);
	return rc;
}

static struct assay_value part(const struct time_pie *w, int level)
{
	const struct mix_result *m = &w->result.mix;
	struct assay_value v = { .estimate = true };

	if (m->why)
		v.why = m->why;
	else if (!m->present[level])
		v.why = absent;
	else
		v.number = m->share[level] * (double)w->accesses;
	return v;
}

/* As a pie of accesses with bars; borrows from *w. */
static void shares(const struct time_pie *w, struct assay_pie *out)
{
	const struct mix_result *m = &w->result.mix;

	*out = (struct assay_pie){
		.file = "", .name = "time", .title = "by the time of single "
		"accesses, no counter",
		.l1 = part(w, MIX_L1), .l2 = part(w, MIX_L2),
		.l3 = part(w, MIX_L3), .dram = part(w, MIX_DRAM),
		.total = { .number = (double)w->accesses },
		.consistent = !m->why && w->result.consistent,
		.note = w->note, .bars = !m->why,
	};
	out->residual = (struct assay_value){ .number = 0 };
	if (m->why)
		out->residual.why = m->why;
	memcpy(out->low, m->low, sizeof(out->low));
	memcpy(out->high, m->high, sizeof(out->high));
}

void time_pie_quantities(const struct time_pie *w,
			 struct assay_quantities *value,
			 struct assay_quantities *low,
			 struct assay_quantities *high)
{
	static const enum assay_quantity served[MIX_LEVELS] = {
		ASSAY_Q_served_l1, ASSAY_Q_served_l2, ASSAY_Q_served_l3,
		ASSAY_Q_served_dram
	};

	quantities_absent(value, record_not_known);
	*low = *high = *value;
	for (int k = 0; k < MIX_LEVELS; k++) {
		struct assay_value v = part(w, k);

		value->of[served[k]] = low->of[served[k]] =
			high->of[served[k]] = v;
		low->of[served[k]].number = w->result.mix.low[k] *
					    (double)w->accesses;
		high->of[served[k]].number = w->result.mix.high[k] *
					     (double)w->accesses;
	}
}

int time_pie_add(struct run *run, const struct assay_shape *shape,
		 struct derived_metrics *derived, struct time_pie *out,
		 struct assay_error *err)
{
	struct env_affinity old = { .changed = false };
	struct assay_pie pie;
	int cpu, rc;

	if (!run->job->pie)
		return 0;
	rc = run_pin(run, &old, &cpu, err);
	if (rc < 0)
		return rc;
	rc = time_pie_measure(run, shape, out, err);
	env_unpin(&old);
	if (rc < 0)
		return rc;
	shares(out, &pie);
	metrics_add_pie(derived, &pie);
	return 0;
}

int time_pie_check(const struct run *run, struct assay_error *err)
{
	const char *refused = time_pie_refuses(run->kernel);

	if (!run->job->pie || run->job->predict)
		return 0;
	if (run->target.provider->drive != DRIVE_NATIVE)
		return error_set(err, -ASSAY_EINVAL, "--pie is for runs on "
				 "this machine; %s has its own pie or none",
				 run->target.provider->name);
	if (!refused)
		return 0;
	return error_set(err, -ASSAY_EINVAL, "no pie by time for kernel '%s': "
			 "%s\ntry: chase, random or matmul", run->kernel->name,
			 refused);
}
