/* SPDX-License-Identifier: MIT */
/*
 * The plan: shapes on both sides of every cache level, and shapes that separate
 * the possible meanings of an event: loads, stores, stores to loaded lines,
 * write-backs, page walks, code, predictable and random branches.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/verify.h"
#include "base/row.h"
#include "base/text.h"

enum { QUICK = 1, NORMAL = 2, THOROUGH = 4, USUAL = NORMAL | THOROUGH,
       ALWAYS = QUICK | USUAL };

static const struct row {
	const char *kernel;
	unsigned when;
	enum plan_how how;
	struct assay_setting setting[4];
} plan[] = {
	{ "chase", USUAL, PLAN_PLAIN, { { "elements", "16..65536" },
	  { "passes", "8" }, { "order", "linear,shuffled" } } },
	{ "chase", QUICK, PLAN_PLAIN, { { "elements", "64,1024,8192,32768" },
	  { "passes", "4" } } },
	{ "random", USUAL, PLAN_PLAIN, { { "bytes", "4K..16M" },
	  { "accesses", "65536" } } },
	{ "random", QUICK, PLAN_PLAIN, { { "bytes", "64K,2M" },
	  { "accesses", "16384" } } },
	{ "random", THOROUGH, PLAN_PLAIN, { { "bytes", "4K..16M/2" },
	  { "accesses", "262144" }, { "seed", "2,3" } } },
	{ "pages", USUAL, PLAN_PLAIN, { { "pages", "8..2048" } } },
	{ "pages", QUICK, PLAN_PLAIN, { { "pages", "64,2048" },
	  { "passes", "4" } } },
	{ "stream", USUAL, PLAN_PLAIN, { { "ints", "1K..256K" } } },
	{ "stream", QUICK, PLAN_PLAIN, { { "ints", "16K" } } },
	{ "stride", USUAL, PLAN_PLAIN, { { "bytes", "16K..1M" },
	  { "op", "load,store,update" } } },
	{ "stride", QUICK, PLAN_PLAIN, { { "bytes", "32K,512K" },
	  { "offsets", "4" }, { "op", "load,store,update" } } },
	{ "stride", QUICK, PLAN_PLAIN, { { "bytes", "6M" }, { "offsets", "1" },
	  { "op", "update" } } },
	{ "store", USUAL, PLAN_PLAIN, { { "bytes", "16K..1M" } } },
	{ "flush", ALWAYS, PLAN_PLAIN, { { "lines", "1,3,16" },
	  { "iterations", "20" } } },
	{ "iflush", ALWAYS, PLAN_PLAIN, { { "lines", "1,3,16" } } },
	{ "matmul", USUAL, PLAN_PLAIN, { { "n", "8,24,48" },
	  { "order", "textbook,interchange" } } },
	{ "matmul", QUICK, PLAN_PLAIN, { { "n", "16" } } },
	{ "branch", USUAL, PLAN_PLAIN, { { "chars", "20000" },
	  { "passes", "4" }, { "pattern", "random,ones,zeros" } } },
	{ "branch", QUICK, PLAN_PLAIN, { { "chars", "5000" }, { "passes", "2" },
	  { "pattern", "random,zeros" } } },
	{ "icode", USUAL, PLAN_PLAIN, { { "lines", "64,512,4096" } } },
	{ "icode", QUICK, PLAN_PLAIN, { { "lines", "64,2048" } } },
	{ "callret", ALWAYS, PLAN_PLAIN, { { "depth", "2,8,64" } } },
	/* more than 2^32 of each event of a pass */
	{ "chase", ALWAYS, PLAN_FORWARD, { { "elements", "64,256,4096" },
	  { "passes", "134217728" } } },
	{ "stream", USUAL, PLAN_PREFETCHERS, { { "ints", "1K..64K" } } },
	{ "stream", QUICK, PLAN_PREFETCHERS, { { "ints", "16K" } } },
	{ "stride", ALWAYS, PLAN_PREFETCHERS, { { "bytes", "256K" },
	  { "offsets", "4" }, { "op", "load,update" } } },
	{ "chase", USUAL, PLAN_PREFETCHERS, { { "elements", "256..16384" },
	  { "passes", "4" }, { "order", "linear,page-local" } } },
	{ "touch", USUAL, PLAN_PLAIN, { { "pages", "1,100" } } },
	{ "watch", USUAL, PLAN_PLAIN, { { "accesses", "1,1000" } } },
	{ "empty", ALWAYS, PLAN_PLAIN, { { NULL, NULL } } },
};
enum { ROWS = sizeof(plan) / sizeof(*plan) };

static bool of_effort(const struct row *row, enum assay_effort effort)
{
	static const unsigned when[] = { NORMAL, QUICK, THOROUGH };

	return row->when & when[effort];
}

static bool wanted(const struct verify *v, const struct row *row)
{
	if (!of_effort(row, v->ask->effort))
		return false;
	if (row->how != PLAN_PLAIN && !v->exact)
		return false;
	if (row->how == PLAN_PREFETCHERS && !*v->prefetching)
		return false;
	return !v->controls || kernel_find(row->kernel)->control;
}

static bool has_option(const struct kernel *kernel, const char *name)
{
	for (size_t i = 0; i < kernel->options; i++)
		if (strcmp(kernel->option[i].name, name) == 0)
			return true;
	return false;
}

/* The row's settings; and a seed, where one is wanted and the row has none. */
static void row_settings(struct row_settings *out, const struct row *row,
			 unsigned seed)
{
	bool seeded = seed == 0;

	for (out->settings = 0; out->settings < 4 &&
	     row->setting[out->settings].name; out->settings++) {
		out->of[out->settings] = row->setting[out->settings];
		seeded |= !strcmp(row->setting[out->settings].name, "seed");
	}
	snprintf(out->seed, sizeof(out->seed), "%u", seed);
	if (!seeded && has_option(kernel_find(row->kernel), "seed"))
		out->of[out->settings++] = (struct assay_setting){
			"seed", out->seed };
}

static void describe(struct verify *v, const struct row *row,
		     struct assay_job *job)
{
	row_settings(&v->row, row, v->ask->seed);
	*job = (struct assay_job){
		.kernel = row->kernel, .setting = v->row.of,
		.settings = v->row.settings,
		.on = row->how == PLAN_PREFETCHERS ? v->prefetching : v->on,
		.cpu = -1, .page_map = v->page_map, .repeats = v->repeats,
		.events = strncmp(v->on, "perf", 4) ? NULL :
			  v->controls ? "instructions" :
			  "instructions,page-faults," VERIFY_DISTURBANCES,
	};
}

#define PIE_SECONDS 0.4	/* up to four times as long on a noisy machine */

/* Accesses of a row's shapes, every run counted, and how many have a pie. */
static double row_work(struct verify *v, const struct row *row,
		       unsigned *shapes, unsigned *pies,
		       struct assay_error *err)
{
	const struct kernel *kernel = kernel_find(row->kernel);
	struct assay_job job;
	struct sweep sweep;
	double work = 0;

	describe(v, row, &job);
	if (sweep_init(&sweep, kernel, job.setting, job.settings, err) < 0)
		return -1;
	for (unsigned i = 0; i < sweep.shapes; i++) {
		struct assay_shape shape;

		if (sweep_shape(&sweep, i, &shape, NULL) < 0)
			continue;
		*pies += verify_has_pie(v, kernel, &shape);
		if (row->how != PLAN_FORWARD)
			work += (double)kernel->accesses(&shape);
	}
	*shapes = sweep.shapes;
	sweep_fini(&sweep);
	return work * (v->repeats + 1);
}

/* Emits a row "plan": the kernels and shapes, and the expected time. */
static int emit_plan(struct verify *v, struct assay_error *err)
{
	/*
	 * ns per access: simulated twice, by the provider and the witness, or
	 * native. A thorough plan has more shapes without a fast path:
	 * measured, 14 to 25 s for 130 million accesses.
	 */
	const double simulated = v->ask->effort == ASSAY_THOROUGH ? 130 : 60;
	const double ns = v->witness ? simulated : 3;
	double work = 0;
	unsigned kernels = 0, shapes, pies = 0;

	v->total = 0;
	for (size_t i = 0; i < ROWS; i++) {
		double one;

		if (!wanted(v, &plan[i]))
			continue;
		one = row_work(v, &plan[i], &shapes, &pies, err);
		if (one < 0)
			return -ASSAY_EINVAL;
		work += one;
		kernels++;
		v->total += shapes;
	}
	const struct assay_field field[] = {
		field_count("sweeps", kernels), field_count("shapes", v->total),
		field_count("repeats", v->repeats),
		field_count("accesses", (uint64_t)work),
		field_value("seconds", (struct assay_value){
			.number = ceil(work * ns / 1e9 +
				       pies * PIE_SECONDS) }),
	};

	return ROW_EMIT(v->fn, v->ctx, "plan", field);
}

int verify_plan(struct verify *v, struct assay_error *err)
{
	struct run *run = calloc(1, sizeof(*run));
	int rc = run ? emit_plan(v, err) : error_memory(err);

	for (size_t i = 0; i < ROWS && rc == 0 && !v->stopped; i++) {
		struct assay_job job;

		if (!wanted(v, &plan[i]))
			continue;
		describe(v, &plan[i], &job);
		rc = run_init(run, v->assay, &job, err);
		if (rc < 0)
			break;
		rc = verify_shapes(v, run, plan[i].how, err);
		run_fini(run);
	}
	free(run);
	return rc;
}

static int each_shape(const struct row *row, unsigned seed, plan_fn *fn,
		      void *ctx, struct assay_error *err)
{
	const struct kernel *kernel = kernel_find(row->kernel);
	struct assay_shape shape;
	struct row_settings set;
	struct sweep sweep;
	char text[160];
	int rc;

	row_settings(&set, row, seed);
	rc = sweep_init(&sweep, kernel, set.of, set.settings, err);
	if (rc < 0)
		return rc;
	for (unsigned i = 0; i < sweep.shapes && rc == 0; i++) {
		rc = sweep_shape(&sweep, i, &shape, err);
		if (rc < 0)
			break;
		verify_shape_text(text, sizeof(text), &sweep, &shape);
		rc = fn(ctx, kernel, &shape, text, row->how == PLAN_FORWARD,
			row->how == PLAN_PREFETCHERS);
	}
	sweep_fini(&sweep);
	return rc;
}

int plan_each(enum assay_effort effort, unsigned seed, plan_fn *fn, void *ctx,
	      struct assay_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < ROWS && rc == 0; i++)
		if (of_effort(&plan[i], effort))
			rc = each_shape(&plan[i], seed, fn, ctx, err);
	return rc;
}
