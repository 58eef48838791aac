/* SPDX-License-Identifier: MIT */
/*
 * Judging competing claims: all claims on the same records. The records come
 * from kernels run for this purpose (software PMU or this machine), or from a
 * file.
 */
#define _GNU_SOURCE	/* FNM_CASEFOLD */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hypotheses/judging.h"
#include "run/formulas.h"
#include "verify/gather-evidence.h"
#include "verify/latency-bounds.h"
#include "run/run.h"
#include "run/saved.h"
#include "timing/time-pie.h"
#include "base/record.h"
#include "base/row.h"
#include "base/text.h"
#include "counters/provider.h"
#include "cpus/data-file.h"

/*
 * Loads and stores on both sides of every cache level, to separate hits,
 * write-backs and victims; dependent loads; for quantities of code and of
 * branches, kernels of code and branches.
 */
static const struct {
	const char *kernel;
	struct assay_setting setting[3];
	size_t settings;
	bool accesses;		/* a kernel about data accesses */
} plan[] = {
	{ "random", { { "bytes", "4K..64M" }, { "accesses", "65536" } }, 2,
	  true },
	{ "stride", { { "bytes", "16K..16M" }, { "op", "store" },
		      { "offsets", "2" } }, 3, true },
	{ "chase", { { "elements", "64..65536" }, { "passes", "2" } }, 2,
	  true },
	{ "stream", { { "ints", "4K..1M" } }, 1, false },
	{ "pages", { { "pages", "16,256,2048" } }, 1, false },
	{ "icode", { { "lines", "64,4096" } }, 1, false },
	{ "branch", { { "chars", "20000" } }, 1, false },
	{ "touch", { { "pages", "1,100" } }, 1, false },
	{ "watch", { { "accesses", "10,1000" } }, 1, false },
};

/* ---- one record --------------------------------------------------------- */

/*
 * Times the pie of a shape that this machine just ran, if its loads wait for
 * each other, so that each load takes its level's latency. Without a pie,
 * timing judges no claim.
 */
static bool ask_time(struct run *run, const struct assay_shape *shape,
		     struct ranked_times *out)
{
	struct env_affinity old = { .changed = false };
	struct time_pie witness;
	int cpu, rc;

	if (run->target.provider->drive != DRIVE_NATIVE ||
	    latency_bounds_refuses(run->kernel, shape) ||
	    time_pie_refuses(run->kernel))
		return false;
	if (run_pin(run, &old, &cpu, NULL) < 0)
		return false;
	rc = time_pie_measure(run, shape, &witness, NULL);
	env_unpin(&old);
	if (rc < 0 || witness.result.mix.why || !witness.result.consistent)
		return false;
	time_pie_quantities(&witness, &out->value, &out->low, &out->high);
	return true;
}

/*
 * Foreign code ran: its loads and stores are predicted only if the kernel is
 * defined by them, and its instructions are not predicted.
 */
static void forget_code(struct assay_expectation *e, bool accesses)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < e->rows; i++)
		if (accesses && !evidence_depends_on_code(e->row[i].quantity))
			e->row[kept++] = e->row[i];
	e->rows = kept;
}

static int add_record(struct judging_run *c, const struct kernel *kernel,
		       const struct assay_shape *shape, enum isa isa,
		       const struct geometry *geometry, struct run *run,
		       const struct assay_record *record)
{
	struct ranked_times timed;
	char text[96];
	struct ranked_record r = {
		.record = record, .expectation = &c->expectation,
		.kernel = kernel->name, .shape = text,
	};

	memset(&c->expectation, 0, sizeof(c->expectation));
	kernel->expect(shape, isa, geometry, record->settings.warmup > 0,
		       &c->expectation);
	if (!run && !saved_own_code(record, isa))
		forget_code(&c->expectation, kernel->cycle != NULL);
	saved_shape_text(text, sizeof(text), kernel, shape);
	if (run && ranking_wants_time(&c->ranking, &r) &&
	    ask_time(run, shape, &timed))
		r.timed = &timed;
	return ranking_add_record(&c->ranking, &r);
}

/* ---- kernels run for this ----------------------------------------------- */

static int run_shapes(struct judging_run *c, struct run *run,
		      struct assay_error *err)
{
	const struct geometry *g = run->target.cpu ? &run->target.geometry :
						     NULL;
	int rc = 0;

	for (unsigned i = 0; i < run->sweep.shapes && rc == 0; i++) {
		struct assay_record *record = NULL;
		struct assay_shape shape;

		rc = sweep_shape(&run->sweep, i, &shape, err);
		if (rc == 0)
			rc = run_measure_sets(run, &c->event_sets, &shape,
						&record, err);
		if (rc == 0)
			rc = add_record(c, run->kernel, &shape,
					 run->target.isa, g, run, record);
		record_free(record);
	}
	return rc;
}

static int run_plan(struct judging_run *c, const char *on,
		    struct assay_error *err)
{
	struct run *run = calloc(1, sizeof(*run));
	int rc = run ? 0 : error_set(err, -ASSAY_ENOMEM, "out of memory");

	for (size_t i = 0; i < sizeof(plan) / sizeof(*plan) && !rc; i++) {
		const struct assay_job job = {
			.kernel = plan[i].kernel, .on = on, .cpu = -1,
			.setting = plan[i].setting,
			.settings = plan[i].settings,
			.formulas = c->judging->files,
			.page_map = c->judging->page_map,
			.stopped = c->judging->stopped,
			.stopped_ctx = c->judging->stopped_ctx,
		};

		if (!plan[i].accesses && !c->quantities)
			continue;
		rc = run_init(run, c->assay, &job, err);
		if (rc < 0)
			break;
		rc = run_shapes(c, run, err);
		run_fini(run);
	}
	free(run);
	return rc;
}

static int judge_place(struct judging_run *c, const char *on, bool skip_silent,
		       struct assay_error *err)
{
	int rc;

	ranking_reset(&c->ranking);
	text_copy(c->where, sizeof(c->where), on);
	rc = run_plan(c, on, err);
	if (rc < 0 || (skip_silent && !ranking_said(&c->ranking)))
		return rc;
	return judging_finish(c);
}

/* "sim:PATTERN": judges on every CPU file whose name matches. */
static int judge_pattern(struct judging_run *c, const char *pattern,
			 struct assay_error *err)
{
	const char **all;
	unsigned seen = 0;
	int rc = data_file_names(&all, "cpus", c->assay->data_dir, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; all[i] && rc == 0; i++) {
		char on[128];

		if (fnmatch(pattern, all[i], FNM_CASEFOLD) != 0)
			continue;
		seen++;
		snprintf(on, sizeof(on), "sim:%.100s", all[i]);
		rc = judge_place(c, on, true, err);
	}
	free(all);
	if (rc == 0 && !seen)
		rc = error_set(err, -ASSAY_ENOENT, "no CPU file is called "
			       "'%.60s'", pattern);
	return rc == 0 && c->judged > 1 ? judging_summary(c) : rc;
}

/* ---- saved records ------------------------------------------------------ */

static int pass_identity(void *ctx, const struct assay_row *row)
{
	struct judging_run *c = ctx;

	return c->judging->row(c->judging->ctx, row) ? -ASSAY_ESTOP : 0;
}

static int add_saved(struct judging_run *c, const struct target *t,
		      const struct geometry *g,
		      const struct assay_record *record,
		      struct assay_error *err)
{
	const struct kernel *kernel = kernel_find(record->shape.kernel);
	struct assay_shape shape;
	unsigned violations;
	int rc;

	if (kernel && saved_shape(&shape, kernel, &record->shape))
		rc = add_record(c, kernel, &shape, t->isa, g, NULL, record);
	else	/* counted, but no truth is known */
		rc = ranking_add_record(&c->ranking, &(struct ranked_record){
			.record = record, .kernel = record->shape.kernel,
			.shape = "" });
	if (rc == 0)
		rc = assay_check_identities(c->assay, record, pass_identity, c,
					    &violations, err);
	return rc;
}

/* Judges on the model of the CPU, a witness that the records lack. */
static int judge_twin(struct judging_run *c, const char *cpu,
		      struct assay_error *err)
{
	struct cpu *known = NULL;
	char on[128];

	if (cpu_load(&known, cpu, c->assay->data_dir, NULL) < 0)
		return 0;
	snprintf(on, sizeof(on), "sim:%.100s", known->name);
	cpu_free(known);
	return judge_place(c, on, false, err);
}

static int judge_saved(struct judging_run *c, const char *on,
		       struct assay_error *err)
{
	const struct assay_record *last = NULL;
	char cpu_name[ASSAY_NAME];
	struct target t;
	struct cpu *cpu = NULL;
	int rc = target_init(&t, c->assay, on, NULL, false, err);

	if (rc < 0)
		return rc;
	text_copy(c->where, sizeof(c->where), on);
	ranking_reset(&c->ranking);
	text_copy(cpu_name, sizeof(cpu_name), t.saved.record[0]->machine.cpu);
	cpu_load(&cpu, cpu_name, c->assay->data_dir, NULL);
	for (size_t i = 0; i < t.saved.records && rc == 0; i++) {
		last = t.saved.record[i];
		rc = add_saved(c, &t, cpu ? &cpu->geometry : NULL, last, err);
	}
	if (rc == 0)
		rc = judging_finish(c);
	if (rc == 0)
		rc = ranking_differences(&c->ranking, last);
	cpu_free(cpu);
	target_fini(&t);
	if (rc == 0 && !ranking_judged(&c->ranking) &&
	    ranking_said(&c->ranking))
		rc = judge_twin(c, cpu_name, err);
	return rc;
}

/* ---- all records --------------------------------------------------------- */

static int load_files(struct judging_run *c, struct assay_error *err)
{
	char *text = strdup(c->judging->files ? c->judging->files : "");
	char *next = text, *name, *variant;
	int rc = text ? 0 : error_set(err, -ASSAY_ENOMEM, "out of memory");

	while (rc == 0 && (name = strsep(&next, ","))) {
		variant = strchr(name, ':');
		if (variant)
			*variant++ = '\0';
		if (c->files == RUN_FILES)
			rc = error_set(err, -ASSAY_ERANGE, "more than %d "
				       "formula files", RUN_FILES);
		if (rc == 0)
			rc = formula_load(&c->file[c->files], name, variant,
					  c->assay->data_dir, err);
		if (rc == 0)
			rc = ranking_add(&c->ranking, c->file[c->files++],
					 err);
	}
	free(text);
	return rc;
}

/* Adds one "metric=quantity", from each file that has the metric. */
static int add_metric(struct judging_run *c, char *text,
		      struct assay_error *err)
{
	char *quantity = strchr(text, '=');
	int about, found = 0;

	if (!quantity || quantity == text)
		return error_set(err, -ASSAY_EINVAL, "'%.80s' is not "
				 "METRIC=QUANTITY", text);
	*quantity++ = '\0';
	about = assay_quantity_find(quantity);
	if (about < 0)
		return quantity_unknown(quantity, err);
	for (unsigned i = 0; i < c->files; i++) {
		int rc = ranking_add_metric(&c->ranking, c->file[i], text,
					    about, err);

		if (rc < 0)
			return rc;
		found += rc;
	}
	return found ? 0 : error_set(err, -ASSAY_ENOENT, "no formula file has "
				     "a metric '%.80s' that claims nothing",
				     text);
}

static int add_metrics(struct judging_run *c, struct assay_error *err)
{
	char *text = strdup(c->judging->claims ? c->judging->claims : "");
	char *next = text, *word;
	int rc = text ? 0 : error_set(err, -ASSAY_ENOMEM, "out of memory");

	while (rc == 0 && *text && (word = strsep(&next, ",")))
		rc = add_metric(c, word, err);
	free(text);
	return rc;
}

/* "l2_misses, ipc ..." */
static void metric_names(char *out, size_t room, const struct judging_run *c)
{
	size_t used = 0;

	*out = '\0';
	for (unsigned i = 0; i < c->files; i++)
		for (size_t k = 0; k < c->file[i]->formulas; k++) {
			const char *name = c->file[i]->formula[k].name;

			if (used + strlen(name) + 8 > room) {
				snprintf(out + used, room - used, " ...");
				return;
			}
			used += (size_t)snprintf(out + used, room - used,
						 "%s%s", used ? ", " : "",
						 name);
		}
}

static int check_claims(struct judging_run *c, struct assay_error *err)
{
	char names[120];

	for (unsigned i = 0; i < c->ranking.claims; i++)
		c->quantities |= c->ranking.claim[i].formula != NULL;
	if (c->ranking.claims)
		return 0;
	metric_names(names, sizeof(names), c);
	return error_set(err, -ASSAY_EINVAL, "there is nothing to judge: no "
			 "hypothesis, and no formula of a quantity\n"
			 "its metrics: %s\n"
			 "try: --claims METRIC=QUANTITY, as in assay list "
			 "quantities", names);
}

static int judge_on(struct judging_run *c, const char *on,
		    struct assay_error *err)
{
	int rc;

	if (strncmp(on, "sim:", 4) == 0 && strpbrk(on + 4, "*?["))
		rc = judge_pattern(c, on + 4, err);
	else if (strncmp(on, "replay:", 7) == 0)
		rc = judge_saved(c, on, err);
	else
		rc = judge_place(c, on, false, err);
	if (rc == 0 && !c->judged)
		rc = error_set(err, -ASSAY_EUNAVAIL, "nothing could be judged: "
			       "no claim has its events and a known truth\n"
			       "try: --on sim:cortex-a76, or assay list cpus");
	return rc;
}

int assay_judge(struct assay *assay, const struct assay_judging *judging,
		struct assay_error *err)
{
	struct judging_run *c = calloc(1, sizeof(*c));
	int rc = c ? 0 : error_set(err, -ASSAY_ENOMEM, "out of memory");

	if (rc < 0)
		return rc;
	c->assay = assay;
	c->judging = judging;
	c->ranking.where = c->where;
	c->ranking.fn = judging->row;
	c->ranking.ctx = judging->ctx;
	rc = load_files(c, err);
	if (rc == 0)
		rc = add_metrics(c, err);
	if (rc == 0)
		rc = check_claims(c, err);
	if (rc == 0)
		rc = judging->tables ? judging_tables(c, err) :
		     judge_on(c, judging->on ? judging->on : "perf", err);
	free(c->event);
	for (unsigned i = 0; i < c->files; i++)
		formula_free(c->file[i]);
	free(c);
	return rc;
}
