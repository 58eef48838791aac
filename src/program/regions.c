/* SPDX-License-Identifier: MIT */
/*
 * The part of a program that counts (--from, --region), and the rows of regions
 * that the program marked (assay/mark.h). What never ran is an error with the
 * reason, not a count of 0.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/loading/library.h"
#include "base/record.h"
#include "base/row.h"
#include "base/text.h"
#include "counters/signals.h"
#include "program/program.h"
#include "stat/symbols.h"
#include "store/programs/function.h"

/* ---- functions ---------------------------------------------------------- */

static const char how_to_choose[] =
	"name one as FILE:FUNCTION or OBJECT:FUNCTION, or with its arguments";

int regions_check_name(const struct program *program, const char *from,
		       struct assay_error *err)
{
	struct function_entry found[FUNCTION_ENTRIES];
	size_t n = functions_find(program->path, from, symbols_demangle, found);
	size_t others = 0;

	n = n < FUNCTION_ENTRIES ? n : FUNCTION_ENTRIES;
	for (size_t i = 1; i < n; i++)
		others += !function_same(&found[0], &found[i]);
	if (!others)
		return 0;
	error_set(err, -ASSAY_EINVAL, "several functions of '%.300s' are "
		  "'%.300s'", program->path, from);
	for (size_t i = 0; i < n && i < TALLY_MEANINGS; i++)
		error_add(err, "%s%s%s", found[i].source,
			  *found[i].source ? ":" : "", found[i].name);
	error_add(err, "%s", how_to_choose);
	return -ASSAY_EINVAL;
}

static int several_meanings(const struct merged_tally *m,
			    struct assay_error *err)
{
	const struct tally *t = m->sum.tally;

	error_set(err, -ASSAY_EINVAL, "several functions that the program "
		  "loaded are '%.300s'", t->from);
	for (uint32_t i = 0; i < t->meanings && i < TALLY_MEANINGS; i++)
		error_add(err, "%s in %s", t->meaning[i].name,
			  m->sum.text + t->meaning[i].path);
	error_add(err, "%s", how_to_choose);
	return -ASSAY_EINVAL;
}

/* No file that ran has a function of that name. */
static int no_function(const struct tally *t, const char *path,
		       struct assay_error *err)
{
	struct symbols *symbols = symbols_open(path, NULL);
	const bool stripped = symbols && symbols_stripped(symbols);

	symbols_close(symbols);
	error_set(err, -ASSAY_ENEVER, "no function '%.300s' has code in the "
		  "program or in a library that it ran: nothing was counted",
		  t->from);
	if (stripped)
		error_add(err, "'%.300s' is stripped: only functions that it "
			  "exports have names", path);
	else
		error_add(err, "a function that is inlined wherever it is "
			  "called has no entry: compile it with "
			  "__attribute__((noinline)), or mark a region "
			  "(assay/mark.h)");
	if (strpbrk(t->from, ":(<"))
		library_hint(LIBRARY_CXX, err);
	if (strchr(t->from, ':'))
		error_add(err, "FILE:FUNCTION is for functions that are local "
			  "to FILE (static)");
	return -ASSAY_ENEVER;
}

static int never_entered(const struct merged_tally *m, const char *path,
			 struct assay_error *err)
{
	const struct tally *t = m->sum.tally;
	const char *name = t->meaning[0].name;

	if (!t->meanings)
		return no_function(t, path, err);
	if (t->meaning[0].chosen_late)
		return error_set(err, -ASSAY_ENEVER, "'%s' has no code of its "
				 "own: it stands for one of several functions "
				 "of %s, chosen when the program begins", name,
				 m->sum.text + t->meaning[0].path);
	error_set(err, -ASSAY_ENEVER, "'%s' of %s was never called: nothing "
		  "was counted", name, m->sum.text + t->meaning[0].path);
	error_add(err, "the program took another way, or the compiler inlined "
		  "each call that ran");
	return -ASSAY_ENEVER;
}

int regions_check(const struct merged_tally *merged, const char *path,
		  struct assay_error *err)
{
	const struct tally *t = merged->sum.tally;

	if (t->meanings > 1)
		return several_meanings(merged, err);
	if (t->from[0] || t->region[0] ? t->entered : t->regions)
		return 0;
	if (t->from[0])
		return never_entered(merged, path, err);
	if (!t->region[0])
		return error_set(err, -ASSAY_ENEVER, "the program marked no "
				 "region (assay/mark.h)");
	error_set(err, -ASSAY_ENEVER, "the program never began region '%s': "
		  "nothing was counted", t->region);
	error_add(err, t->regions ? "it marked others: see the rows of "
		  "'assay sim' without --region" : "it marked none "
		  "(assay/mark.h)");
	return -ASSAY_ENEVER;
}

/* ---- rows --------------------------------------------------------------- */

static int put_from(const struct merged_tally *m, assay_row_fn *fn, void *ctx)
{
	const struct tally *t = m->sum.tally;
	struct assay_field field[3];

	if (!t->from[0])
		return 0;
	field[0] = field_text("function", t->meaning[0].name);
	field[1] = field_text("object", m->sum.text + t->meaning[0].path);
	field[1].flags |= ASSAY_FIELD_PATH;
	field[2] = field_count("entered", t->entered);
	return ROW_EMIT(fn, ctx, "from", field);
}

/* Shown to people; the other quantities are for machines and for -v. */
static const enum assay_quantity shown[] = {
	ASSAY_Q_instructions, ASSAY_Q_l1d_refills, ASSAY_Q_l2_refills,
	ASSAY_Q_dram_reads, ASSAY_Q_dtlb_misses, ASSAY_Q_mispredicts,
};

static bool is_shown(enum assay_quantity q)
{
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++)
		if (shown[i] == q)
			return true;
	return false;
}

static void truth_of(const struct tally *t, const struct tally_region *r,
		     struct assay_quantities *out)
{
	const uint64_t *signal[1 + TALLY_DRAWS];

	quantities_absent(out, r->entered ? "not simulated" :
				"the region was never begun");
	if (!r->entered)
		return;
	for (uint32_t i = 0; i <= t->draws; i++)
		signal[i] = r[i].signal;
	signals_truth(&t->geometry, r->signal, out);
	if (t->draws)
		signals_spread(&t->geometry, signal, 1 + t->draws, out);
}

static struct assay_field event_field(const struct tally *t,
				      const struct tally_region *r,
				      const struct encoding *event)
{
	const uint64_t *signal[1 + TALLY_DRAWS];
	struct assay_count count = signals_count(event, r->signal);
	struct assay_value value = { .why = count.why };

	if (!r->entered)
		value.why = "the region was never begun";
	for (uint32_t i = 0; i <= t->draws; i++)
		signal[i] = r[i].signal;
	if (!value.why && t->draws)
		signals_count_spread(signal, 1 + t->draws, event, &count);
	value.number = (double)count.value;
	value.estimate = count.error > 0;
	value.error = count.error;
	return field_value(event->name, value);
}

/* What the program did wrong, or did not end; "": nothing. */
static void remark_on(char *out, size_t room, const struct tally_region *r)
{
	*out = '\0';
	if (r->entered > r->left)
		text_add(out, room, ", ", "%" PRIu64 " not ended",
			 r->entered - r->left);
	if (r->unpaired)
		text_add(out, room, ", ", "%u ended without a begin",
			 r->unpaired);
}

/* known: the quantities that the model has, in whatever region. */
static int put_region(const struct tally *t, const struct tally_region *r,
		      const struct assay_quantities *known,
		      const struct group *events, assay_row_fn *fn, void *ctx)
{
	struct assay_field field[ASSAY_QUANTITIES + ASSAY_EVENTS + 3];
	struct assay_quantities truth;
	char name[TALLY_REGION_NAME], remark[100];
	size_t n = 0;

	text_copy(name, sizeof(name), r->name);
	text_harmless(name, false);
	remark_on(remark, sizeof(remark), r);
	truth_of(t, r, &truth);
	field[n++] = field_text("region", name);
	field[n++] = field_count("entered", r->entered);
	for (int q = 0; q < ASSAY_QUANTITIES; q++) {
		if (known->of[q].why)
			continue;
		field[n] = field_value(assay_quantity_name(q), truth.of[q]);
		field[n++].flags |= is_shown(q) ? 0 : ASSAY_FIELD_DETAIL;
	}
	for (unsigned e = 0; e < events->events; e++)
		field[n++] = event_field(t, r, &events->event[e]);
	field[n++] = *remark ? field_text("remark", remark) :
			       field_detail("remark", remark);
	return row_emit(fn, ctx, "region", field, n);
}

int regions_rows(const struct merged_tally *merged, const struct group *events,
		 assay_row_fn *fn, void *ctx)
{
	const struct tally *t = merged->sum.tally;
	struct assay_quantities known;
	int rc = put_from(merged, fn, ctx);

	quantities_absent(&known, "not simulated");
	signals_truth(&t->geometry, t->signal, &known);
	for (uint32_t i = 0; i < t->regions && rc == 0; i++)
		rc = put_region(t, &merged->sum.region[i * (1 + t->draws)],
				&known, events, fn, ctx);
	return rc;
}
