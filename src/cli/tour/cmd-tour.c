/* SPDX-License-Identifier: MIT */
/*
 * assay tour: one kernel three times: simulated counters of a Cortex-A72 with
 * several page maps, the published counts of a Cortex-A72, and the time on this
 * machine.
 */
#include <stdio.h>
#include <string.h>

#include "cli/tour/tour.h"
#include "cli/progress.h"

#define SIZES "32..65536"
#define ALL_SIZES 12
#define EVENTS "INST_RETIRED,CPU_CYCLES,L1D_CACHE_LD,L1D_CACHE_REFILL_LD," \
	"L2D_CACHE_LD,L2D_CACHE_REFILL_LD"

/*
 * Number of random page maps. Beyond the L2 a simulation takes a third of a
 * second, and maps differ by a few hundredths at most (docs/models.md).
 */
static const struct { const char *elements; unsigned sizes, maps; } draws[] = {
	{ "32..8192", 9, 40 }, { "16384", 1, 8 }, { "32768..65536", 2, 2 },
};
#define DRAWS (sizeof(draws) / sizeof(*draws))

struct touring {
	struct context *context;
	struct tour *tour;
	struct progress *progress;
	void (*keep)(struct tour_point *point, const struct assay_result *r);
};

static struct tour_point *point_of(struct tour *tour, uint64_t elements)
{
	static const struct assay_value no = { .why = "not measured" };
	static const struct tour_side none = { {
		{ .why = "not measured" }, { .why = "not measured" },
		{ .why = "not measured" },
	} };
	struct tour_point *new = &tour->point[tour->points];

	for (size_t i = 0; i < tour->points; i++)
		if (tour->point[i].elements == elements)
			return &tour->point[i];
	if (tour->points == TOUR_POINTS)
		return NULL;
	tour->points++;
	*new = (struct tour_point){
		.elements = elements, .sim = none, .low = none, .high = none,
		.published = none, .ns = no,
	};
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

static struct tour_side side_of(const struct assay_result *r)
{
	struct assay_value accesses = { .number = (double)r->accesses };

	return (struct tour_side){ {
		[TOUR_L1D_RATIO] = quotient(event(r, "L1D_CACHE_REFILL_LD"),
					    event(r, "L1D_CACHE_LD")),
		[TOUR_L2_MISSES] = quotient(event(r, "L2D_CACHE_REFILL_LD"),
					    accesses),
		[TOUR_CYCLES] = quotient(event(r, "CPU_CYCLES"), accesses),
	} };
}

static void keep_sim(struct tour_point *point, const struct assay_result *r)
{
	const struct tour_side side = side_of(r);

	if (!point->page_maps++)
		point->sim = point->low = point->high = side;
	for (int v = 0; v < TOUR_VALUES; v++) {
		if (side.value[v].why)
			continue;
		if (side.value[v].number < point->low.value[v].number)
			point->low.value[v] = side.value[v];
		if (side.value[v].number > point->high.value[v].number)
			point->high.value[v] = side.value[v];
	}
}

static void keep_published(struct tour_point *point,
			   const struct assay_result *r)
{
	point->published = side_of(r);
}

static void keep_native(struct tour_point *point, const struct assay_result *r)
{
	point->ns = r->ns_per_access;
}

static int on_result(void *ctx, const struct assay_result *r)
{
	struct touring *touring = ctx;
	struct tour_point *point;

	point = point_of(touring->tour,
			 (uint64_t)assay_shape_get(r->shape, "elements"));
	if (point && r->record)
		touring->keep(point, r);
	progress_step(touring->progress, touring->progress->done + 1);
	return interrupt_seen();
}

static int run_list(struct touring *touring, struct assay_job *job,
		     const char *elements, const char *accesses,
		     struct assay_error *err)
{
	const struct assay_setting setting[] = {
		{ "elements", elements }, { "accesses", accesses },
		{ "order", "fisher-yates" },
	};

	job->kernel = "chase";
	job->setting = setting;
	job->settings = 3;
	return assay_run(touring->context->assay, job, on_result, touring, err);
}

/*
 * The displayed counts per access equal those of a walk 256 times as long: the
 * caches are warm, and each pass does the same.
 */
static int run_sim(struct touring *touring, struct assay_error *err)
{
	int rc = 0;

	touring->keep = keep_sim;
	for (size_t i = 0; i < DRAWS; i++)
		for (unsigned seed = 1; seed <= draws[i].maps && !rc; seed++) {
			char map[24];
			struct assay_job job = {
				.on = "sim:cortex-a72", .events = EVENTS,
				.page_map = map, .cpu = -1,
			};

			snprintf(map, sizeof(map), "random:%u", seed);
			rc = run_list(touring, &job, draws[i].elements,
				       "1048576", err);
		}
	return rc;
}

/* A failed simulation ends the tour. Published counts and times may be
 * missing. */
static int run_all(struct touring *touring, struct assay_error *err)
{
	struct assay_job published = {
		.on = "replay:a72-chase", .events = EVENTS, .cpu = -1,
	};
	struct assay_job native = {
		.on = "null", .repeats = 3,
		.cpu = touring->context->settings.cpu,
	};
	int rc = run_sim(touring, err);

	if (rc)
		return rc;
	touring->keep = keep_published;
	rc = run_list(touring, &published, SIZES, "268435456", err);
	if (rc && !interrupt_seen())
		complain(touring->context, err);
	touring->keep = keep_native;
	if (!interrupt_seen())
		rc = run_list(touring, &native, SIZES, "1048576", err);
	return rc;
}

static unsigned all_steps(void)
{
	unsigned steps = 2 * ALL_SIZES;

	for (size_t i = 0; i < DRAWS; i++)
		steps += draws[i].sizes * draws[i].maps;
	return steps;
}

static int run(struct context *context)
{
	struct tour tour = { .points = 0 };
	struct assay_error err = { 0 };
	struct progress progress;
	struct touring touring = { context, &tour, &progress, NULL };
	int rc;

	interrupt_catch();
	progress_start(&progress, "tour", all_steps(), context->settings.quiet);
	rc = run_all(&touring, &err);
	progress_end(&progress);
	if (rc && !interrupt_seen())
		return complain(context, &err);
	tour_show(context, &tour);
	return interrupt_seen() ? EXIT_INTERRUPTED : EXIT_OK;
}

static const struct option own[] = {
	NUMBER(0, "cpu", "N", cpu, 0, "time on this CPU"),
	{ 0 }
};

static const struct option *const options[] = {
	own, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay tour", "the answer and a table" },
	{ "assay tour -v", "with a plot" },
	{ "assay tour -x , -o tour.csv", "the table for a spreadsheet" },
	{ 0 }
};

const struct command tour_command = {
	.name = "tour",
	.group = "see what there is",
	.summary = "what assay does, in a few seconds: a chase "
		   "simulated, published and timed",
	.arguments = "",
	.options = options,
	.text =
		"Chases pointers through a list of 64-byte elements in random "
		"order, at twelve sizes from 2 KiB to 4 MiB. The simulated "
		"Cortex-A72 of a Raspberry Pi 4 stands beside the counts that "
		"were published for the real one; this machine only measures "
		"time.\n\n"
		"Where a list nearly fills a cache, the page map decides what "
		"misses. So the simulation draws several page maps: low and "
		"high are the least and the largest value of all draws. The "
		"first line says how many published values lie in or near that "
		"range.",
	.example = examples,
	.run = run,
};
