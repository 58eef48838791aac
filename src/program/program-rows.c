/* SPDX-License-Identifier: MIT */
/* The rows that a simulated program gives beside its record. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/simulation.h"
#include "base/row.h"
#include "base/text.h"
#include "sim/sim.h"

int put_not_modelled(const char *what, uint64_t count, assay_row_fn *fn,
		     void *ctx)
{
	const struct assay_field field[] = {
		field_text("what", what), field_count("count", count)
	};

	return count ? row_emit(fn, ctx, "not-modelled", field, 2) : 0;
}

const char shared_memory[] =
	"GiB of addresses that share simulated memory with others";

static bool any_not_simulated(const struct merged_tally *m)
{
	for (int i = 1; i < EXEC_REASONS; i++)
		if (m->not_simulated[i])
			return true;
	return m->sum.tally->children;
}

/* A row for the first program that was not simulated. A command line without
 * its end (a damaged tally) is left out. */
static int put_started(const struct simulation *s, assay_row_fn *fn, void *ctx)
{
	const struct tally *t = s->merged.sum.tally;
	char command[TALLY_COMMAND];
	struct assay_field field[2];

	if (!any_not_simulated(&s->merged))
		return 0;
	memcpy(command, t->started, sizeof(command));
	if (!*command || command[sizeof(command) - 1])
		return 0;
	field[0] = field_text("command", command);
	field[1] = field_count("can_be_simulated", t->can_simulate != 0);
	return row_emit(fn, ctx, "started", field, 2);
}

static const char *const not_simulated_names[EXEC_REASONS] = {
	"",
#define X(name, sentence) sentence,
#include "store/programs/not-simulated.def"
#undef X
};

static int put_not_simulated(const struct simulation *s, assay_row_fn *fn,
			     void *ctx)
{
	int rc = 0;

	for (int i = 1; i < EXEC_REASONS && rc == 0; i++)
		rc = put_not_modelled(not_simulated_names[i],
				      s->merged.not_simulated[i], fn, ctx);
	return rc;
}

static int put_all_not_modelled(const struct simulation *s, assay_row_fn *fn,
			    void *ctx)
{
	const struct merged_tally *m = &s->merged;
	const struct tally *t = m->sum.tally;
	const struct { const char *what; uint64_t count; } not_modelled[] = {
		{ "line flushes", t->unseen[TALLY_FLUSH] },
		{ "software prefetches", t->unseen[TALLY_PREFETCH] },
		{ "lines zeroed at once (DC ZVA)",
		  t->unseen[TALLY_ZERO_LINE] },
		{ "loads and stores of vectors (SVE, SME)",
		  t->unseen[TALLY_VECTOR] },
		{ "stores into the page of their own code: the rest of their "
		  "block counts twice", t->unseen[TALLY_LEFT] },
		{ shared_memory, t->signal[SIGNAL_address_aliases] },
		{ "processes that it started", t->children },
		{ "processes that still ran when the program ended: all that "
		  "they did then, and their last accesses before",
		  m->running },
		{ "programs that ended before they ran", m->never_began },
		{ "processes whose counts were damaged", m->damaged },
		{ "threads beyond those that can be followed",
		  t->lost_threads },
		{ "allocators, as no program names them (stripped): what they "
		  "gave is [other memory]",
		  t->mode == TALLY_DATA && !t->allocators },
		{ "instructions whose address found no room in the table",
		  t->lost_sites },
		{ "marks of regions beyond the 1024 names, or the 32 open at "
		  "once in a thread, that can be followed", t->lost_regions },
		{ "marks of regions whose name cannot be read or has more than "
		  "63 bytes", t->lost_marks },
		{ "threads whose last accesses (seldom a million) are "
		  "missing, because they were killed", t->behind },
	};
	int rc = 0;

	for (size_t i = 0;
	     i < sizeof(not_modelled) / sizeof(*not_modelled) && rc == 0; i++)
		rc = put_not_modelled(not_modelled[i].what,
				      not_modelled[i].count, fn, ctx);
	return rc ? rc : put_not_simulated(s, fn, ctx);
}

static uint64_t count_processes(const struct merged_tally *m)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->programs; i++)
		n += !m->program[i].took_over;
	return n;
}

/* A row with the numbers of processes and programs, if there are several. */
static int put_processes(const struct simulation *s, assay_row_fn *fn,
			 void *ctx)
{
	const struct assay_field field[] = {
		field_count("processes", count_processes(&s->merged)),
		field_count("programs",
			    s->merged.programs - s->merged.never_began),
	};

	return s->merged.programs > 1 ? row_emit(fn, ctx, "simulated", field, 2)
				  : 0;
}

/* A row if threads of one process shared their core. */
static int put_threads(const struct simulation *s, assay_row_fn *fn, void *ctx)
{
	const struct assay_field field[] = {
		field_count("threads", s->record->threads_on_one_core),
		field_text("sharing", "its threads shared one core and its "
			   "caches: sharing between cores is not simulated"),
	};

	return s->record->threads_on_one_core ?
	       row_emit(fn, ctx, "threads", field, 2) : 0;
}

/* Which CPU was simulated, and why that one. */
static int put_model(const struct simulation *s, assay_row_fn *fn, void *ctx)
{
	const struct assay_field field[] = {
		field_text("cpu", cpu_name(s)),
		field_text("title", s->target.cpu->title),
		field_text("why", s->model.cpu ? s->model.why : "chosen"),
		field_text("sorted_by", s->what->by ? cost_name(&s->cost) :
			   ""),
	};

	return ROW_EMIT(fn, ctx, "model", field);
}

/* How much of the program's instructions --only keeps. */
static int put_only(const struct simulation *s, assay_row_fn *fn, void *ctx)
{
	const struct tally *t = s->merged.sum.tally;
	const struct assay_value kept = s->record->truth.of[
					ASSAY_Q_instructions];
	const double all = (double)t->signal[SIGNAL_instructions];
	const struct assay_field field[] = {
		field_text("code", s->what->only),
		field_share("instructions", (struct assay_value){
			.number = all > 0 ? kept.number / all : 0,
			.why = kept.why }),
	};

	return ROW_EMIT(fn, ctx, "only", field);
}

static int put_misses(const struct simulation *s, assay_row_fn *fn, void *ctx,
		     struct assay_error *err)
{
	const struct wanted wanted = {
		.by = s->what->by, .most = s->what->most,
		.least = s->what->least, .at_call = s->what->inline_at_call,
		.fold_start = s->what->fold_start,
		.source_root = s->what->source_root, .kept = s->kept,
	};
	int rc = 0;

	if (s->what->callgrind)
		rc = callgrind_write(s->what->callgrind, &s->merged.sum,
				     &wanted, s->what->program, err);
	return rc || wanted.by == ASSAY_BY_NOTHING ? rc :
	       attribute_rows(&s->merged.sum, &wanted, &s->cost, fn, ctx, err);
}

int program_rows(const struct simulation *s, assay_row_fn *fn, void *ctx,
		 struct assay_error *err)
{
	int rc = put_all_not_modelled(s, fn, ctx);

	if (rc == 0)
		rc = put_started(s, fn, ctx);
	if (rc == 0)
		rc = put_processes(s, fn, ctx);
	if (rc == 0)
		rc = put_threads(s, fn, ctx);
	if (rc == 0 && !s->what->plain)
		rc = put_model(s, fn, ctx);
	if (rc == 0 && s->what->only)
		rc = put_only(s, fn, ctx);
	if (rc == 0)
		rc = regions_rows(&s->merged, &s->group, fn, ctx);
	if (rc == 0 && s->what->per_process)
		rc = attribute_processes(&s->merged, fn, ctx);
	return rc ? rc : put_misses(s, fn, ctx, err);
}
