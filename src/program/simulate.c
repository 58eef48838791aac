/* SPDX-License-Identifier: MIT */
/*
 * assay_simulate(): a trace or a program on the software PMU gives one record,
 * and rows about what was not modelled. A trace is read into the simulator of
 * this process. A program runs under QEMU, whose plugin simulates and writes
 * tallies; their sum becomes the record. With `plain` nothing is simulated, and
 * the record has instructions, loads and stores only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/formulas/formula.h"
#include "program/program.h"
#include "program/simulation.h"
#include "run/handle.h"
#include "run/target.h"
#include "base/record.h"
#include "base/row.h"
#include "base/text.h"
#include "counters/draws.h"
#include "counters/signals.h"
#include "sim/sim.h"
#include "store/traces/trace.h"

_Static_assert(DRAWS_REPLICAS <= TALLY_DRAWS, "a tally has room for all draws");

/* ---- the record --------------------------------------------------------- */

static void describe(struct simulation *s, const char *kernel,
		     enum isa isa)
{
	struct assay_record *r = s->record;

	text_copy(r->provider, sizeof(r->provider), "sim");
	text_copy(r->shape.kernel, sizeof(r->shape.kernel), kernel);
	text_copy(r->machine.cpu, sizeof(r->machine.cpu), cpu_name(s));
	text_copy(r->machine.isa, sizeof(r->machine.isa), isa_names[isa]);
	r->random_replacement = draws_possible(&s->target.geometry);
	text_copy(r->settings.page_map, sizeof(r->settings.page_map),
		  s->target.page_map);
	r->settings.cpu = -1;
	for (unsigned e = 0; e < s->group.events; e++) {
		const struct encoding *from = &s->group.event[e];
		struct assay_record_event *to = &r->event[e];

		text_copy(to->name, sizeof(to->name), from->name);
		text_copy(to->code, sizeof(to->code), from->code);
		text_copy(to->why, sizeof(to->why), from->absent);
	}
}

/* The record's options: the settings behind the CPU's name, and key=value. */
static void set_option(struct simulation *s, const char *key, const char *value)
{
	char set[sizeof(s->record->settings.options)];

	target_options_text(set, sizeof(set), &s->target);
	snprintf(s->record->settings.options,
		 sizeof(s->record->settings.options), "%.120s%s%s=%.100s", set,
		 *set ? "," : "", key, value);
}

/* The part of the program that counts. */
static void add_part(struct simulation *s, const char *key, const char *value)
{
	char *set = s->record->settings.options;

	if (value)
		text_add(set, sizeof(s->record->settings.options), ",",
			 "%s=%.100s", key, value);
}

/* Hands out the record with its true pie. */
static int hand_out(struct simulation *s, assay_result_fn *fn, void *ctx)
{
	static const char untimed[] = "not timed";
	static const struct assay_expectation nothing;
	const struct assay_record *r = s->record;
	struct assay_pie pie = { .file = "", .name = "true", .truth = true,
		.title = "what the software PMU knows to be true" };
	struct assay_result result = {
		.record = r, .shape = &r->shape, .expectation = &nothing,
		.ns.why = untimed, .ns_per_access.why = untimed,
		.cycles_per_access.why = untimed,
		.pie = &pie, .total = 1,
	};
	struct pie parts;

	true_pie(r, &parts);
	result.pies = !parts.part[PIE_TOTAL].why && !s->what->plain;
	pie.l1 = parts.part[PIE_L1];
	pie.l2 = parts.part[PIE_L2];
	pie.l3 = parts.part[PIE_L3];
	pie.dram = parts.part[PIE_DRAM];
	pie.total = parts.part[PIE_TOTAL];
	pie.residual = parts.residual;
	pie.consistent = parts.consistent;
	if (!pie.total.why)
		result.accesses = (uint64_t)(
			r->truth.of[ASSAY_Q_loads].number +
			r->truth.of[ASSAY_Q_stores].number);
	return fn(ctx, &result) ? -ASSAY_ESTOP : 0;
}

/* ---- traces ------------------------------------------------------------- */

static int run_trace(struct simulation *s, void *state, struct assay_error *err)
{
	const struct provider *p = s->target.provider;
	const struct trace_stop stop = { s->what->stopped,
					 s->what->stopped_ctx };
	enum trace_format format;
	int rc = trace_format_find(&format, s->what->format, err);

	if (rc == 0)
		rc = p->start(state);
	if (rc == 0)
		rc = trace_read(s->what->trace, format, p->sink(state),
				&stop, &s->summary, err);
	if (rc == 0)
		rc = p->stop(state);
	if (rc == 0)
		rc = p->read(state, s->record->counts, &s->record->truth);
	for (unsigned e = 0; rc == 0 && p->terms && e < s->group.events; e++)
		s->record->event[e].terms =
			p->terms(state, e, s->record->event[e].term);
	return rc;
}

static int simulate_trace(struct simulation *s, struct assay_error *err)
{
	const struct provider *p = s->target.provider;
	void *state = calloc(1, p->state_size);
	int rc;

	if (!state)
		return error_memory(err);
	s->target.config.replicas = true;
	s->target.config.forwarded = &s->record->fast_forwarded;
	s->target.config.shared = &s->shared;
	rc = p->open(state, &s->target.config, &s->group, err);
	if (rc == 0) {
		rc = run_trace(s, state, err);
		p->close(state);
	}
	free(state);
	if (rc < 0)
		return rc;
	describe(s, "trace", s->target.isa);
	set_option(s, "format", trace_formats[s->summary.format]);
	trace_gaps_leave_out(s->record, s->summary.flags);
	return 0;
}

static int trace_rows(const struct simulation *s, assay_row_fn *fn, void *ctx)
{
	int rc = 0;

	for (unsigned i = 0; i < s->summary.notes && rc == 0; i++)
		rc = put_not_modelled(s->summary.note[i].what,
				      s->summary.note[i].count, fn, ctx);
	return rc ? rc : put_not_modelled(shared_memory, s->shared, fn, ctx);
}

/* ---- programs ----------------------------------------------------------- */

/* The quantities that the plugin counts without a simulation. */
static void plain_truth(struct simulation *s)
{
	const struct tally *t = s->merged.sum.tally;
	struct assay_quantities *q = &s->record->truth;

	quantities_absent(q, "nothing was simulated");
	q->of[ASSAY_Q_instructions] = (struct assay_value){
		.number = (double)t->instructions };
	q->of[ASSAY_Q_loads] = (struct assay_value){
		.number = (double)t->loads };
	q->of[ASSAY_Q_stores] = (struct assay_value){
		.number = (double)t->stores };
}

/* Sets the errors of counts and truth, which random replacement causes: the
 * spread over the draws. */
static void fill_errors(struct simulation *s)
{
	const struct tally *t = s->merged.sum.tally;
	const uint64_t *signal[1 + TALLY_DRAWS] = { t->signal };

	for (unsigned i = 0; i < t->draws; i++)
		signal[1 + i] = t->draw[i];
	for (unsigned e = 0; e < s->group.events; e++)
		signals_count_spread(signal, 1 + t->draws, &s->group.event[e],
				     &s->record->counts[e]);
	signals_spread(&s->target.geometry, signal, 1 + t->draws,
		       &s->record->truth);
}

static void fill_counts(struct simulation *s)
{
	const struct tally *t = s->merged.sum.tally;

	for (unsigned e = 0; e < s->group.events; e++) {
		const struct encoding *event = &s->group.event[e];

		s->record->counts[e] = signals_count(event, t->signal);
		s->record->event[e].terms =
			signals_terms(event, t->signal,
				      s->record->event[e].term);
	}
	signals_truth(&s->target.geometry, t->signal, &s->record->truth);
	if (t->draws)
		fill_errors(s);
}

static void fill_tally(struct simulation *s)
{
	struct tally *t = s->file.first.tally;

	s->file.tallies->inherits = !s->what->no_inherit;
	t->geometry = s->target.geometry;
	t->signals = SIGNALS;
	t->draws = draws_possible(&t->geometry) ? DRAWS_REPLICAS : 0;
	text_copy(t->from, sizeof(t->from), s->what->from ? s->what->from : "");
	text_copy(t->region, sizeof(t->region),
		  s->what->region ? s->what->region : "");
	t->mode = s->what->plain ? TALLY_COUNT :
		  s->what->by == ASSAY_BY_DATA ? TALLY_DATA :
		  s->what->why ? TALLY_WHY :
		  s->what->by == ASSAY_BY_NOTHING && !s->what->only &&
		  !s->what->callgrind ? TALLY_SIMULATE : TALLY_ATTRIBUTE;
}

static int simulate_program(struct simulation *s, int *status,
			    struct assay_error *err)
{
	struct program program;
	int rc;

	if (s->target.faults.faults)
		return error_set(err, -ASSAY_EINVAL, "faults are planted into "
				 "counts of kernels and traces, not of "
				 "programs");
	rc = program_find(&program, s->what->program[0], cpu_name(s),
			  s->what->plugin, err);
	if (rc == 0 && s->what->fixed)
		rc = program_fix(&program, s->what->fixed, cpu_name(s), err);
	if (rc == 0 && s->what->from)
		rc = regions_check_name(&program, s->what->from, err);
	if (rc == 0)
		rc = merged_tally_init(&s->merged, err);
	if (rc == 0)
		rc = child_tally_create(&s->file, CHILD_TALLY_SLOTS, err);
	if (rc < 0)
		return rc;
	fill_tally(s);
	program.stopped = s->what->stopped;
	program.stopped_ctx = s->what->stopped_ctx;
	rc = program_run(&program, s->what->program, &s->file, &s->merged,
			 status, err);
	if (rc == 0 && (s->what->from || s->what->region ||
			s->what->per_region))
		rc = regions_check(&s->merged, program.path, err);
	if (rc < 0)
		return rc;
	describe(s, "program", program.binary.isa);
	set_option(s, "program", program.name);
	add_part(s, "from", s->what->from);
	add_part(s, "region", s->what->region);
	add_part(s, "only", s->what->only);
	s->record->threads_on_one_core = s->merged.together;
	if (s->what->plain)
		plain_truth(s);
	else
		fill_counts(s);
	return s->what->only ? only_keep(&s->kept, &s->record->truth,
					 &s->merged.sum, s->what->only, err) :
			       0;
}

/* ---- both --------------------------------------------------------------- */

/* Only a simulation needs a CPU. */
static int find_target(struct simulation *s, const struct assay *assay,
		       struct assay_error *err)
{
	const char *cpu = s->what->cpu ? s->what->cpu : "";
	char on[600];
	int rc;

	if (!*cpu && s->what->plain)
		return 0;
	if (!*cpu && s->what->program) {
		rc = model_choose(&s->model, assay, s->what->program[0],
				  s->what->plugin, err);
		if (rc < 0)
			return rc;
		cpu = s->model.cpu;
	}
	if (snprintf(on, sizeof(on), "sim:%s", cpu) >= (int)sizeof(on))
		return error_set(err, -ASSAY_EINVAL, "the CPU's name is too "
				 "long");
	return target_init(&s->target, assay, on, s->what->page_map,
			   s->what->no_fast_forward, err);
}

/* Why the options contradict each other; NULL: they do not. */
static const char *why_invalid(const struct assay_simulation *what)
{
	if (!what->trace == !what->program)
		return "either a trace or a program is simulated";
	if (what->program && !what->program[0])
		return "the program has no name";
	if (what->trace && (what->plain || what->no_inherit ||
			    what->per_process || what->by))
		return "a trace has no processes, functions, lines or objects";
	if (what->program && (what->format || what->no_fast_forward))
		return "formats and fast-forward are of traces";
	if (!what->program && (what->from || what->region || what->per_region ||
			       what->only || what->callgrind || what->slope))
		return "a trace has no functions or regions";
	if (what->from && what->region)
		return "either a function or a region is counted";
	if (what->from && strlen(what->from) >= TALLY_FUNCTION)
		return "the function's name is too long";
	if (what->region && strlen(what->region) >= TALLY_REGION_NAME)
		return "a region's name has at most 63 bytes";
	if (what->only && what->events)
		return "only misses and the like are known by instruction, not "
		       "events";
	if (what->plain && (what->from || what->region || what->per_region ||
			    what->only || what->callgrind))
		return "without a simulation there are no regions";
	if (what->plain && (what->events || what->page_map || what->by))
		return "without a simulation there are no events, pages or "
		       "misses";
	if (what->why && (what->by == ASSAY_BY_NOTHING ||
			  what->by == ASSAY_BY_DATA))
		return "reasons are those of functions, lines or objects";
	if ((unsigned)what->by > ASSAY_BY_DATA)
		return "misses are listed by function, line, object or data";
	if (what->sort && !what->by)
		return "only rows of misses are sorted";
	return NULL;
}

static int init(struct simulation *s, const struct assay *assay,
		const struct assay_simulation *what, struct assay_error *err)
{
	const char *why = why_invalid(what);
	int rc;

	*s = (struct simulation){ .what = what, .file.fd = -1 };
	if (why)
		return error_set(err, -ASSAY_EINVAL, "%s", why);
	rc = find_target(s, assay, err);
	if (rc == 0 && what->events)
		rc = events_parse(&s->group, what->events, &s->target.events,
				  err);
	if (rc == 0)
		rc = cost_init(&s->cost, what->sort, &s->target.geometry, err);
	if (rc < 0)
		return rc;
	s->record = record_new(s->group.events, 1);
	if (!s->record)
		return error_memory(err);
	s->record->place = assay->place;
	return 0;
}

static void fini(struct simulation *s)
{
	free(s->kept);
	child_tally_free(&s->file);
	merged_tally_fini(&s->merged);
	record_free(s->record);
	target_fini(&s->target);
}

static int simulate(struct assay *assay,
		    const struct assay_simulation *simulation,
		    assay_result_fn *result, assay_row_fn *row, void *ctx,
		    int *status, struct assay_error *err)
{
	struct simulation s;
	int exited = 0, rc = init(&s, assay, simulation, err);

	if (rc == 0)
		rc = simulation->trace ? simulate_trace(&s, err)
				       : simulate_program(&s, &exited, err);
	if (rc == 0)
		rc = hand_out(&s, result, ctx);
	if (rc == 0)
		rc = simulation->trace ? trace_rows(&s, row, ctx)
				       : program_rows(&s, row, ctx, err);
	if (rc == -ASSAY_ESTOP)
		error_set(err, rc, "stopped");
	if (rc == 0)
		*status = exited;
	fini(&s);
	return rc;
}

int assay_simulate(struct assay *assay,
		   const struct assay_simulation *simulation,
		   assay_result_fn *result, assay_row_fn *row, void *ctx,
		   int *status, struct assay_error *err)
{
	if (simulation->slope)
		return steps_simulate(simulate, assay, simulation, result, row,
				      ctx, status, err);
	return simulate(assay, simulation, result, row, ctx, status, err);
}
