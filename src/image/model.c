/* SPDX-License-Identifier: MIT */
/*
 * The software PMU beside an image: QEMU's plugin simulates a CPU while the
 * image runs, and counts each repetition as a "region" of its tally. Regions
 * and the image's records (from the UART) come in the same order. Each record
 * of the image gets one of the model. QEMU does not show plugins which lines
 * are flushed, so in a region with flushes everything that depends on the
 * caches is absent.
 */

#include "image/image.h"
#include "program/program.h"
#include "stat/symbols.h"
#include "base/loading/library.h"
#include "base/record.h"
#include "base/text.h"
#include "counters/signals.h"
#include "sim/sim.h"
#include "store/uart.h"

static const char after_flush[] = "not modelled: lines were flushed, and QEMU "
			       "does not show plugins which";
static const char no_event[] = "the CPU file of the model has no such event";

/* Signals that do not depend on the contents of the caches. */
static const enum signal cache_independent[] = {
	SIGNAL_instructions, SIGNAL_loads, SIGNAL_stores, SIGNAL_branches,
	SIGNAL_branches_taken, SIGNAL_calls, SIGNAL_returns,
	SIGNAL_indirect_jumps, SIGNAL_flushes,
};
enum { CACHE_INDEPENDENT = sizeof(cache_independent) /
			   sizeof(*cache_independent) };

/* ---- preparing ----------------------------------------------------------- */

/* The addresses that the plugin must know: the code of the kernels, and the
 * functions that mark a run and the ends of a repetition. */
static int find_image_symbols(struct tally_board *out, const char *image,
		      struct assay_error *err)
{
	const struct { const char *name; uint64_t *to; } symbol[] = {
		{ "image_loops", &out->code[0][0] },
		{ "image_loops_end", &out->code[0][1] },
		{ "image_chains", &out->code[1][0] },
		{ "image_chains_end", &out->code[1][1] },
		{ "image_mark_run", &out->run },
		{ "image_mark_begin", &out->begin },
		{ "image_mark_end", &out->end },
	};
	struct symbols *symbols = symbols_open(image, NULL);
	bool all = symbols;

	if (!symbols && library_need(LIBRARY_DW, err))
		return -ASSAY_EUNAVAIL;
	for (size_t i = 0; i < sizeof(symbol) / sizeof(*symbol) && all; i++)
		all = symbols_address(symbols, symbol[i].name, symbol[i].to);
	symbols_close(symbols);
	return all ? 0 : error_set(err, -ASSAY_EINVAL, "'%.300s' does not say "
				   "where its kernels are: build it again "
				   "(assay bare build)", image);
}

static int name_plugin(struct bare_model *m, struct assay_error *err)
{
	struct program program = { .scripts = 0 };
	char path[2 * BARE_PATH];
	int rc = program_find_plugin(&program, NULL, err);

	program_double_commas(path, sizeof(path), program.plugin);
	program_plugin_option(m->plugin, sizeof(m->plugin), path,
			      m->tallies.fd);
	return rc;
}

int bare_model_init(struct bare_model *out, const struct assay *assay,
		    const char *cpu, const char *image,
		    const struct board *board, struct assay_error *err)
{
	struct tally *t;
	char on[160];
	int rc;

	*out = (struct bare_model){ .tallies.fd = -1 };
	if (snprintf(on, sizeof(on), "sim:%s", cpu) >= (int)sizeof(on))
		return error_set(err, -ASSAY_EINVAL, "the CPU's name is too "
				 "long");
	rc = target_init(&out->target, assay, on, "identity", false, err);
	if (rc == 0 && out->target.isa != ISA_AARCH64)
		rc = error_set(err, -ASSAY_EINVAL, "'%.60s' is no AArch64 "
			       "CPU: the image's code is not its", cpu);
	if (rc == 0)
		rc = child_tally_create(&out->tallies, 1, err);
	if (rc < 0)
		return rc;
	t = out->tallies.first.tally;
	t->geometry = out->target.geometry;
	t->signals = SIGNALS;
	t->mode = TALLY_SIMULATE;
	t->board.ram[0] = board->ram;
	t->board.ram[1] = board->ram + board->ram_bytes;
	rc = find_image_symbols(&t->board, image, err);
	return rc ? rc : name_plugin(out, err);
}

void bare_model_fini(struct bare_model *model)
{
	child_tally_free(&model->tallies);
	target_fini(&model->target);
}

/* ---- records ------------------------------------------------------------- */

static void find_events(struct group *out, const struct bare_model *m,
			const struct assay_record *image)
{
	out->events = 0;
	for (unsigned e = 0; e < image->events; e++) {
		struct encoding *to = &out->event[e];

		out->events = e;
		if (events_parse(out, image->event[e].name, &m->target.events,
				 NULL) == 0 && out->events == e + 1)
			continue;
		*to = (struct encoding){ .family = ENCODING_NAME };
		text_copy(to->name, sizeof(to->name), image->event[e].name);
		text_copy(to->absent, sizeof(to->absent), no_event);
	}
	out->events = image->events;
}

static bool any_unseen(const struct tally_region *region)
{
	for (int i = 0; i < TALLY_UNSEENS; i++)
		if (region->unseen[i])
			return true;
	return false;
}

/* A copy of the signals in which all that depend on the caches differ: an event
 * whose count differs too depends on the caches. */
static void shift_state(uint64_t *out, const uint64_t *signal)
{
	for (int i = 0; i < SIGNALS; i++)
		out[i] = signal[i] + 1;
	for (int i = 0; i < CACHE_INDEPENDENT; i++)
		out[cache_independent[i]] = signal[cache_independent[i]];
}

/* The event's count in a region; absent if flushes may have changed it. */
static struct assay_count count(const struct encoding *event,
				const struct tally_region *region)
{
	struct assay_count out = { .state = ASSAY_COUNT_ABSENT,
				   .why = event->absent }, other;
	uint64_t shifted[TALLY_SIGNALS];

	if (event->absent[0])
		return out;
	out = signals_count(event, region->signal);
	if (!any_unseen(region))
		return out;
	shift_state(shifted, region->signal);
	other = signals_count(event, shifted);
	if (out.state == ASSAY_COUNT_PRESENT && out.value != other.value)
		out = (struct assay_count){ .state = ASSAY_COUNT_ABSENT,
					    .why = after_flush };
	return out;
}

static void fill_truth(const struct bare_model *m,
		       const struct tally_region *region,
		       struct assay_quantities *out)
{
	struct assay_quantities all;

	quantities_absent(&all, "the model does not know it");
	signals_truth(&m->target.geometry, region->signal, &all);
	if (!any_unseen(region)) {
		*out = all;
		return;
	}
	quantities_absent(out, after_flush);
	out->of[ASSAY_Q_instructions] = all.of[ASSAY_Q_instructions];
	out->of[ASSAY_Q_loads] = all.of[ASSAY_Q_loads];
	out->of[ASSAY_Q_stores] = all.of[ASSAY_Q_stores];
	out->of[ASSAY_Q_branches] = all.of[ASSAY_Q_branches];
	out->of[ASSAY_Q_branches_taken] = all.of[ASSAY_Q_branches_taken];
}

static void describe(struct assay_record *r, const struct bare_model *m,
		     const struct assay_record *image)
{
	r->shape = image->shape;
	r->machine = image->machine;
	r->place = image->place;
	r->settings = image->settings;
	text_copy(r->provider, sizeof(r->provider), "sim");
	text_copy(r->machine.cpu, sizeof(r->machine.cpu),
		  m->target.cpu->name);
	text_copy(r->settings.pages, sizeof(r->settings.pages), "4K");
	text_copy(r->settings.options, sizeof(r->settings.options),
		  BARE_MODEL);
}

static int put_record(const struct bare_model *m,
		      const struct assay_record *image,
		      const struct tally_region *region,
		      const struct assay_bare *bare, struct assay_error *err)
{
	struct assay_record *r = record_new(image->events, image->repeats);
	struct group group;
	int rc = 0;

	if (!r)
		return error_memory(err);
	describe(r, m, image);
	find_events(&group, m, image);
	for (unsigned e = 0; e < group.events; e++) {
		text_copy(r->event[e].name, sizeof(r->event[e].name),
			  group.event[e].name);
		text_copy(r->event[e].code, sizeof(r->event[e].code),
			  group.event[e].code);
		text_copy(r->event[e].why, sizeof(r->event[e].why),
			  group.event[e].absent);
		for (unsigned n = 0; n < r->repeats; n++)
			r->counts[n * r->events + e] =
				count(&group.event[e], &region[n]);
	}
	fill_truth(m, &region[image->repeats - 1], &r->truth);
	if (bare->beside(bare->beside_ctx, image, r))
		rc = error_set(err, -ASSAY_ESTOP, "stopped");
	record_free(r);
	return rc;
}

/* The model's record for one record of the image. The first region of a run is
 * the image's measurement of its own overhead, and is left out. */
static int put_run(const struct bare_model *m,
		   const struct assay_record *image, uint32_t *at,
		   const struct assay_bare *bare, struct assay_error *err)
{
	const struct tally *t = m->tallies.first.tally;
	uint32_t first = *at + 1, run;

	if (first + image->repeats > t->regions || !image->repeats)
		return error_set(err, -ASSAY_EPARSE, "the plugin saw fewer "
				 "repetitions than the image recorded");
	run = m->tallies.first.region[*at].run;
	for (; *at < first + image->repeats; ++*at)
		if (m->tallies.first.region[*at].run != run)
			return error_set(err, -ASSAY_EPARSE, "the plugin's "
					 "regions do not fit the image's "
					 "records");
	return put_record(m, image, &m->tallies.first.region[first], bare, err);
}

static int check(const struct bare_model *m, struct assay_error *err)
{
	const struct tally *t = m->tallies.first.tally;
	int rc = tally_check(&m->tallies.first, err);

	if (rc < 0)
		return rc;
	if (t->refused[0])
		return error_set(err, -ASSAY_EUNAVAIL, "QEMU's plugin: %s",
				 t->refused);
	if (t->state == TALLY_COMPLETE && !t->lost_regions)
		return 0;
	return error_set(err, -ASSAY_EUNAVAIL, t->state == TALLY_UNTOUCHED ?
			 "this QEMU did not load the plugin" :
			 t->lost_regions ? "more repetitions than the plugin "
			 "has room for" : "QEMU was stopped before the plugin "
			 "was done");
}

int bare_model_records(struct bare_model *model, const char *log,
		       const struct assay_bare *bare, struct assay_error *err)
{
	struct uart_log uart;
	uint32_t at = 0;
	int rc = check(model, err);

	if (rc == 0)
		rc = uart_read(&uart, log, NULL, NULL, err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < uart.store.records && rc == 0; i++)
		rc = put_run(model, uart.store.record[i], &at, bare, err);
	uart_fini(&uart);
	return rc;
}
