/* SPDX-License-Identifier: MIT */
/* What a faulty PMU shows. */
#include <math.h>

#include "counters/fault.h"
#include "counters/signals.h"
#include "sim/sim.h"
#include "sim/words.h"

/* A timer, and up to so many interrupts by devices in every run. */
enum { TIMER_HZ = 250, DEVICES = 7 };

double fault_cycles(const struct geometry *geometry, const uint64_t *signal)
{
	const struct cycle_model *m = &geometry->cycles;
	double last = geometry->l3.present ? m->l3_hit : m->l2_hit;
	double cycles = m->per_instruction * signal[SIGNAL_instructions] +
			m->l1_hit * signal[SIGNAL_served_l1] +
			m->l2_hit * signal[SIGNAL_served_l2] +
			m->l3_hit * signal[SIGNAL_served_l3] +
			(last + m->dram_extra) * signal[SIGNAL_served_dram] +
			m->mispredict * signal[SIGNAL_mispredicts];

	return cycles > 0 ? cycles : (double)signal[SIGNAL_instructions];
}

void fault_run_init(struct fault_run *out, const struct geometry *geometry,
		      const uint64_t *signal, unsigned run)
{
	double ghz = geometry->cycles.ghz > 0 ? geometry->cycles.ghz : 1;

	*out = (struct fault_run){ .signal = signal };
	out->cycles = fault_cycles(geometry, signal);
	out->seed = words_mix(words_hash(words_hash(run + 1,
				signal[SIGNAL_instructions]),
				signal[SIGNAL_l1d_load]));
	out->interrupts = 1 + out->seed % DEVICES +
			  (uint64_t)(out->cycles / (ghz * 1e9) * TIMER_HZ);
}

static double more(const struct fault *f, const struct fault_run *s)
{
	const uint64_t *n = s->signal;

	switch (f->kind) {
	case FAULT_interrupt:
	case FAULT_kernel:
		return f->amount * (double)s->interrupts;
	case FAULT_prefetch:
		return f->amount * (double)(n[SIGNAL_l1d_prefetch_fill] +
					    n[SIGNAL_l2_prefetch_fill]);
	case FAULT_writeback:
		return f->amount * (double)(n[SIGNAL_l1d_evict_dirty] +
					    n[SIGNAL_l1d_flush_dirty]);
	case FAULT_walk:
		return f->amount * (double)n[SIGNAL_walk_reads];
	case FAULT_speculative:
		return f->amount * (double)n[SIGNAL_wrong_path_loads];
	case FAULT_sibling:
		return f->amount * s->cycles / 1000;
	default:
		return 0;
	}
}

static double noise(const struct fault *f, const struct fault_run *s)
{
	double range = ldexp(1, (int)f->amount);
	uint64_t draw = words_mix(s->seed ^ f->code);

	return (double)(draw % (uint64_t)(2 * range - 1)) - (range - 1);
}

/* What a counter of that width shows. */
static double limit(double value, const struct fault_set *set, uint64_t code)
{
	for (unsigned i = 0; i < set->faults; i++) {
		const struct fault *f = &set->fault[i];
		double full = ldexp(1, (int)f->amount);

		if (f->code != code)
			continue;
		if (f->kind == FAULT_saturate && value > full - 1)
			value = full - 1;
		if (f->kind == FAULT_wrap)
			value = fmod(value, full);
		if (f->kind == FAULT_dead)
			value = 0;
	}
	return value;
}

/* What the event shows that changed places with this one. */
static struct assay_count swapped(const struct fault_set *set,
				  const struct encoding *event,
				  struct assay_count clean,
				  const struct fault_run *scene)
{
	struct encoding other = { .counts = NULL };

	for (unsigned i = 0; i < set->faults; i++) {
		const struct fault *f = &set->fault[i];

		if (f->kind == FAULT_swap && f->code == event->config)
			other.counts = f->other_counts;
		else if (f->kind == FAULT_swap &&
			 f->other_code == event->config)
			other.counts = f->counts;
	}
	return other.counts ? signals_count(&other, scene->signal) : clean;
}

struct assay_count fault_count(const struct fault_set *set,
			       const struct encoding *event,
			       struct assay_count clean,
			       const struct fault_run *scene)
{
	struct assay_count out = swapped(set, event, clean, scene);
	const uint64_t code = event->config;
	double value = (double)out.value;

	if (out.state == ASSAY_COUNT_ABSENT)
		return out;
	for (unsigned i = 0; i < set->faults; i++) {
		const struct fault *f = &set->fault[i];

		if (f->code != code || f->kind == FAULT_swap)
			continue;
		if (f->kind == FAULT_kernel)
			value = 0;
		if (f->kind == FAULT_double || f->kind == FAULT_times)
			value *= f->amount;
		value += more(f, scene);
		if (f->kind == FAULT_noise)
			value += noise(f, scene);
	}
	value = limit(round(value > 0 ? value : 0), set, code);
	out.value = value < 0x1p64 ? (uint64_t)value : UINT64_MAX;
	return out;
}

unsigned fault_counters(const struct fault_set *set)
{
	unsigned least = 0;

	for (unsigned i = 0; i < set->faults; i++) {
		const struct fault *f = &set->fault[i];

		if (f->kind == FAULT_counters &&
		    (!least || f->amount < least))
			least = (unsigned)f->amount;
	}
	return least;
}
