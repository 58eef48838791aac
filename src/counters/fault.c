/* SPDX-License-Identifier: MIT */
/* Parsing and printing faults, and applying them to counts. */
#include "counters/fault.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "counters/signals.h"
#include "sim/sim.h"
#include "sim/words.h"

static const struct kind {
	const char *name;
	char form;
	double least, most, initial;
	const char *sentence;
} kinds[FAULTS] = {
#define X(name, form, least, most, initial, sentence) \
	{ #name, form, least, most, initial, sentence },
#include "counters/faults.def"
#undef X
};

const char *const fault_names[FAULTS] = {
#define X(name, form, least, most, initial, sentence) #name,
#include "counters/faults.def"
#undef X
};

static int unknown_kind(const char *word, struct assay_error *err)
{
	const char *names[FAULTS + 1] = { NULL };

	for (int i = 0; i < FAULTS; i++)
		names[i] = kinds[i].name;
	return error_unknown(err, "fault", word, names,
			     "try: assay list faults");
}

static int parse_amount(double *out, const struct kind *k, const char *text,
			struct assay_error *err)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !isfinite(value))
		return error_set(err, -ASSAY_EINVAL, "fault %s: '%.40s' is no "
				 "number", k->name, text);
	if (k->least == k->most)
		return error_set(err, -ASSAY_EINVAL,
				 "fault %s takes no number", k->name);
	if (value < k->least || value > k->most || value == 0)
		return error_set(err, -ASSAY_EINVAL, "fault %s: %s is not in "
				 "%g .. %g, or is 0", k->name, text,
				 k->least, k->most);
	*out = value;
	return 0;
}

/* "EVENT=REST"; the last '=' counts. */
static int parse_event(struct fault *f, const struct kind *k, char *text,
		       struct assay_error *err)
{
	char *equals = strrchr(text, '=');

	if (equals)
		*equals++ = '\0';
	if (!*text || strlen(text) >= sizeof(f->event))
		return error_set(err, -ASSAY_EINVAL, "fault %s needs an event, "
				 "as in %s:EVENT", k->name, k->name);
	text_copy(f->event, sizeof(f->event), text);
	if (k->form == 's' && (!equals || !*equals))
		return error_set(err, -ASSAY_EINVAL, "fault %s needs two "
				 "events, as in %s:EVENT=OTHER", k->name,
				 k->name);
	if (k->form == 's')
		text_copy(f->other, sizeof(f->other), equals);
	else if (equals)
		return parse_amount(&f->amount, k, equals, err);
	return 0;
}

int fault_parse(struct fault *out, const char *text, struct assay_error *err)
{
	size_t word = strcspn(text, ":=");
	struct fault f = { .code = 0 };
	const struct kind *k = NULL;
	char rest[256];
	int rc = 0;

	text_copy(rest, sizeof(rest), text);
	rest[word < sizeof(rest) ? word : sizeof(rest) - 1] = '\0';
	for (int i = 0; i < FAULTS && !k; i++)
		if (text_equal(kinds[i].name, rest))
			k = &kinds[i];
	if (!k)
		return unknown_kind(rest, err);
	f.kind = (enum fault_kind)(k - kinds);
	f.amount = k->initial;
	text_copy(rest, sizeof(rest), text[word] ? text + word + 1 : "");
	if (k->form != 'n')
		rc = parse_event(&f, k, text[word] == ':' ? rest : strcpy(rest,
				 ""), err);
	else if (text[word])
		rc = parse_amount(&f.amount, k, rest, err);
	if (rc == 0)
		*out = f;
	return rc;
}

void fault_text(char *out, size_t room, const struct fault *fault)
{
	const struct kind *k = &kinds[fault->kind];

	if (k->form == 'n')
		snprintf(out, room, "%s=%.9g", k->name, fault->amount);
	else if (k->form == 's')
		snprintf(out, room, "%s:%s=%s", k->name, fault->event,
			 fault->other);
	else if (k->least == k->most)
		snprintf(out, room, "%s:%s", k->name, fault->event);
	else
		snprintf(out, room, "%s:%s=%.9g", k->name, fault->event,
			 fault->amount);
}

static int list_kind(const struct kind *k, assay_row_fn *fn, void *ctx)
{
	char form[48], initial[24] = "";

	snprintf(form, sizeof(form), k->form == 'n' ? "%s=N" :
		 k->form == 's' ? "%s:EVENT=OTHER" : k->least == k->most ?
		 "%s:EVENT" : "%s:EVENT[=N]", k->name);
	if (k->least != k->most)
		snprintf(initial, sizeof(initial), "%g", k->initial);
	const struct assay_field field[] = {
		field_text("fault", form), field_text("default", initial),
		field_text("meaning", k->sentence),
	};

	return row_emit(fn, ctx, "fault", field, 3);
}

int fault_list(assay_row_fn *fn, void *ctx)
{
	int rc = 0;

	for (int i = 0; i < FAULTS && rc == 0; i++)
		rc = list_kind(&kinds[i], fn, ctx);
	return rc;
}

/* ---- counts of a faulty PMU ---------------------------------------------- */

/* Interrupts of a run: those of a timer, and 1 to DEVICES by devices. */
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

/* What a fault adds to the count. */
static double added(const struct fault *f, const struct fault_run *s)
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

/* The count of a counter that is narrow, or dead. */
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

/* The count of the event that was swapped with this one, else `clean`. */
static struct assay_count swapped(const struct fault_set *set,
				  const struct encoding *event,
				  struct assay_count clean,
				  const struct fault_run *run)
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
	return other.counts ? signals_count(&other, run->signal) : clean;
}

struct assay_count fault_count(const struct fault_set *set,
			       const struct encoding *event,
			       struct assay_count clean,
			       const struct fault_run *run)
{
	struct assay_count out = swapped(set, event, clean, run);
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
		value += added(f, run);
		if (f->kind == FAULT_noise)
			value += noise(f, run);
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
