/* SPDX-License-Identifier: MIT */
/*
 * assay tour: one kernel three times. Simulated counters of a Cortex-A72,
 * those that were published for it, and the time on this machine.
 */
#include <string.h>

#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/commands/tour.h"

#define SIZES "32..65536"
#define EVENTS "INST_RETIRED,CPU_CYCLES,L1D_CACHE_LD,L1D_CACHE_REFILL_LD," \
	"L2D_CACHE_LD,L2D_CACHE_REFILL_LD"

struct walk {
	struct context *context;
	struct tour *tour;
	struct progress *progress;
	void (*take)(struct tour_point *point, const struct assay_result *r);
};

static struct tour_point *point_of(struct tour *tour, uint64_t elements)
{
	static const struct assay_value no = { .why = "not measured" };
	static const struct tour_side none = {
		{ .why = "not measured" }, { .why = "not measured" },
		{ .why = "not measured" }
	};
	struct tour_point *new = &tour->point[tour->points];

	for (size_t i = 0; i < tour->points; i++)
		if (tour->point[i].elements == elements)
			return &tour->point[i];
	if (tour->points == TOUR_POINTS)
		return NULL;
	tour->points++;
	*new = (struct tour_point){ elements, none, none, no };
	return new;
}

static struct assay_value event(const struct assay_result *r,
				const char *name)
{
	int i = assay_record_find(r->record, name);

	if (i < 0)
		return (struct assay_value){ .why = "not counted" };
	return assay_record_value(r->record, (unsigned)i);
}

static struct assay_value quotient(struct assay_value a, struct assay_value b)
{
	if (a.why || b.why)
		return a.why ? a : b;
	if (b.number == 0)
		return (struct assay_value){ .why = "division by zero" };
	a.number /= b.number;
	return a;
}

static void take_counts(struct tour_side *side, const struct assay_result *r)
{
	struct assay_value accesses = { .number = (double)r->accesses };

	side->l1d_ratio = quotient(event(r, "L1D_CACHE_REFILL_LD"),
				   event(r, "L1D_CACHE_LD"));
	side->l2_misses = quotient(event(r, "L2D_CACHE_REFILL_LD"), accesses);
	side->cycles = quotient(event(r, "CPU_CYCLES"), accesses);
}

static void take_sim(struct tour_point *point, const struct assay_result *r)
{
	take_counts(&point->sim, r);
}

static void take_published(struct tour_point *point,
			   const struct assay_result *r)
{
	take_counts(&point->published, r);
}

static void take_native(struct tour_point *point, const struct assay_result *r)
{
	point->ns = r->ns_per_access;
}

static int take(void *ctx, const struct assay_result *r)
{
	struct walk *walk = ctx;
	struct tour_point *point;

	point = point_of(walk->tour,
			 (uint64_t)assay_shape_get(r->shape, "elements"));
	if (point && r->record)
		walk->take(point, r);
	progress_step(walk->progress, walk->progress->done + 1);
	return interrupt_seen();
}

static int walk_list(struct walk *walk, const char *on, const char *accesses,
		     const char *events, unsigned repeats,
		     struct assay_error *err)
{
	const struct assay_setting setting[] = {
		{ "elements", SIZES }, { "accesses", accesses },
		{ "order", "fisher-yates" },
	};
	const struct assay_job job = {
		.kernel = "chase", .on = on, .setting = setting,
		.settings = 3, .events = events, .repeats = repeats,
		.cpu = strcmp(on, "null") ? -1 : walk->context->settings.cpu,
	};

	return assay_run(walk->context->assay, &job, take, walk, err);
}

/* The simulation must work; there is something to see without the rest. */
static int walk_all(struct walk *walk, struct assay_error *err)
{
	int rc;

	walk->take = take_sim;
	rc = walk_list(walk, "sim:cortex-a72", "268435456", EVENTS, 0, err);
	if (rc)
		return rc;
	walk->take = take_published;
	rc = walk_list(walk, "replay:a72-chase", "268435456", EVENTS, 0, err);
	if (rc && !interrupt_seen())
		complain(walk->context, err);
	walk->take = take_native;
	if (!interrupt_seen())
		rc = walk_list(walk, "null", "1048576", NULL, 3, err);
	return rc;
}

static int run(struct context *context)
{
	struct tour tour = { .points = 0 };
	struct assay_error err = { 0 };
	struct progress progress;
	struct walk walk = { context, &tour, &progress, NULL };
	int rc;

	interrupt_catch();
	progress_start(&progress, "tour", 36, context->settings.quiet);
	rc = walk_all(&walk, &err);
	progress_end(&progress);
	if (rc && !interrupt_seen())
		return complain(context, &err);
	tour_show(context, &tour);
	return interrupt_seen() ? EXIT_INTERRUPTED : EXIT_OK;
}

static const struct option own[] = {
	{ 0, "cpu", OPTION_NUMBER, "N", "time on this CPU",
	  offsetof(struct settings, cpu), 0, NULL },
	{ 0 }
};

static const struct option *const options[] = {
	own, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay tour", "a table and a plot" },
	{ "assay tour -x , -o tour.csv", "the table for a spreadsheet" },
	{ 0 }
};

const struct command tour_command = {
	.name = "tour",
	.group = "see what there is",
	.summary = "what assay does, in a few seconds: simulated, published "
		   "and timed",
	.arguments = "",
	.options = options,
	.text = "Walks a linked list of 64-byte elements in random order, for "
		"twelve sizes from 2 KiB to 4 MiB: on the simulated Cortex-A72 "
		"of a Raspberry Pi 4, beside the counts that were published "
		"for the real one, and for time only on this machine.",
	.example = examples,
	.run = run,
};
