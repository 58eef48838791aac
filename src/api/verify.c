/* SPDX-License-Identifier: MIT */
/*
 * Verify: kernels at shapes whose answers are known; every quantity that both
 * a closed form and a witness give is compared.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/formulas.h"
#include "api/verify.h"
#include "base/record.h"
#include "base/row.h"
#include "base/text.h"
#include "env/env.h"

/* What is run: small enough to be quick, on both sides of every level. */
static const struct {
	const char *kernel;
	struct assay_setting setting[4];
	size_t settings;
} plan[] = {
	{ "chase", { { "elements", "16..65536" }, { "passes", "8" },
		     { "order", "linear,shuffled" } }, 3 },
	{ "random", { { "bytes", "4K..16M" }, { "accesses", "65536" } }, 2 },
	{ "pages", { { "pages", "8..2048" } }, 1 },
	{ "stream", { { "ints", "1K..256K" } }, 1 },
	{ "stride", { { "bytes", "16K..1M" }, { "op", "load,store" } }, 2 },
	{ "store", { { "bytes", "16K..1M" } }, 1 },
	{ "flush", { { "lines", "1,3,16" }, { "iterations", "20" } }, 2 },
	{ "matmul", { { "n", "8,24,48" },
		      { "order", "textbook,interchange" } }, 2 },
	{ "branch", { { "chars", "20000" }, { "passes", "4" },
		      { "pattern", "random,ones,zeros" } }, 3 },
	{ "icode", { { "lines", "64,512,4096" } }, 1 },
	{ "callret", { { "depth", "2,8,64" } }, 1 },
	{ "touch", { { "pages", "1,100" } }, 1 },
	{ "watch", { { "accesses", "1,1000" } }, 1 },
	{ "empty", { { NULL, NULL } }, 0 },
};

/* All comparisons of one quantity by one source under one kernel. */
struct tally {
	const char *kernel;
	enum assay_quantity quantity;
	char from[128];
	unsigned shapes, agrees, disagrees, open;
	double worst;		/* largest relative error */
	char at[160];		/* where that was */
	char why[ASSAY_WHY];	/* why nothing could be compared */
	char differs[ASSAY_WHY];	/* what is known of the formula */
};

enum { TALLIES = 256 };

struct verify {
	assay_row_fn *fn;
	void *ctx;
	struct tally tally[TALLIES];
	unsigned tallies;
	unsigned compared, disagrees;
	bool controls;	/* only what needs no PMU */
};

static const char *const verdict_words[] = {
	[ASSAY_AGREES] = "agrees", [ASSAY_DISAGREES] = "disagrees",
	[ASSAY_INCONCLUSIVE] = "inconclusive",
	[ASSAY_UNAVAILABLE] = "unavailable",
};

/* The same for a saved shape: what differs from the kernel's defaults. */
static void given_text(char *out, size_t room, const struct assay_shape *shape)
{
	const struct kernel *kernel = kernel_find(shape->kernel);
	struct assay_shape initial;
	size_t used = 0;

	kernel_defaults(kernel, &initial);
	for (unsigned i = 0; i < shape->options && used < room; i++) {
		const struct assay_shape_value *v = &shape->option[i];

		if (v->value == initial.option[i].value)
			continue;
		used += v->kind == ASSAY_OPTION_CHOICE ?
			snprintf(out + used, room - used, "%s%s=%s",
				 used ? " " : "", v->name, v->word) :
			snprintf(out + used, room - used, "%s%s=%lld",
				 used ? " " : "", v->name,
				 (long long)v->value);
	}
}

/* "elements=16 order=linear": the options that the plan sets. */
static void shape_text(char *out, size_t room, const struct sweep *sweep,
		       const struct assay_shape *shape)
{
	size_t used = 0;

	*out = '\0';
	if (!sweep->axes)
		given_text(out, room, shape);
	for (unsigned i = 0; i < sweep->axes && used < room; i++) {
		int o = assay_shape_find(shape, sweep->axis[i].name);
		const struct assay_shape_value *v = &shape->option[o];

		if (v->kind == ASSAY_OPTION_CHOICE)
			used += snprintf(out + used, room - used, "%s%s=%s",
					 i ? " " : "", v->name, v->word);
		else
			used += snprintf(out + used, room - used, "%s%s=%lld",
					 i ? " " : "", v->name,
					 (long long)v->value);
	}
}

static struct tally *find_tally(struct verify *v, const char *kernel,
				const struct assay_compared *c)
{
	struct tally *t;

	for (unsigned i = 0; i < v->tallies; i++) {
		t = &v->tally[i];
		if (t->quantity == c->quantity &&
		    strcmp(t->kernel, kernel) == 0 &&
		    strcmp(t->from, c->from) == 0)
			return t;
	}
	if (v->tallies == TALLIES)
		return NULL;
	t = &v->tally[v->tallies++];
	t->kernel = kernel;
	t->quantity = c->quantity;
	text_copy(t->from, sizeof(t->from), c->from);
	return t;
}

/* How far outside of the band, relative to the prediction; 0 inside. */
static double relative_error(const struct assay_compared *c)
{
	const struct assay_expected *e = c->expected;
	double measured = c->measured.number, outside = 0;

	if (c->measured.why)
		return 0;
	if (measured > e->high)
		outside = measured - e->high;
	else if (measured < e->low)
		outside = measured - e->low;
	return e->value != 0 ? outside / fabs(e->value) : outside;
}

static void count(struct verify *v, const struct assay_compared *c,
		  const char *kernel, const char *shape)
{
	struct tally *t = find_tally(v, kernel, c);
	double error = relative_error(c);

	if (!t)
		return;
	t->shapes++;
	t->agrees += c->verdict == ASSAY_AGREES;
	t->disagrees += c->verdict == ASSAY_DISAGREES;
	t->open += c->verdict > ASSAY_DISAGREES;
	v->compared += c->verdict <= ASSAY_DISAGREES;
	v->disagrees += c->verdict == ASSAY_DISAGREES;
	if (c->differs)
		text_copy(t->differs, sizeof(t->differs), c->differs);
	if (c->measured.why)
		text_copy(t->why, sizeof(t->why), c->measured.why);
	if (fabs(error) > fabs(t->worst)) {
		t->worst = error;
		text_copy(t->at, sizeof(t->at), shape);
	}
}

static int emit_comparison(struct verify *v, const struct assay_compared *c,
			   const char *kernel, const char *shape)
{
	const struct assay_expected *e = c->expected;
	struct assay_value error = c->measured;

	error.number -= e->value;
	const struct assay_field field[] = {
		field_text("kernel", kernel), field_text("shape", shape),
		field_text("quantity", assay_quantity_name(c->quantity)),
		field_text("from", c->from),
		field_value("predicted",
		       (struct assay_value){ .number = e->value }),
		field_value("low", (struct assay_value){ .number = e->low }),
		field_value("high", (struct assay_value){ .number = e->high }),
		field_value("measured", c->measured), field_value("error", error),
		field_text("verdict", verdict_words[c->verdict]),
		field_text("reason", c->differs ? c->differs :
				     e->terms ? e->term[0].reason : ""),
		field_text("condition", e->condition),
	};

	return row_emit(v->fn, v->ctx, "comparison", field,
			sizeof(field) / sizeof(*field));
}

int verify_take(struct verify *v, const struct run *run,
		const struct assay_result *r)
{
	char shape[160];
	int rc = 0;

	shape_text(shape, sizeof(shape), &run->sweep, r->shape);
	for (size_t i = 0; i < r->compareds && rc == 0; i++) {
		count(v, &r->compared[i], run->kernel->name, shape);
		rc = emit_comparison(v, &r->compared[i], run->kernel->name,
				     shape);
	}
	return rc;
}

static int verify_shapes(struct verify *v, struct run *run,
			 struct judgement *j, struct assay_error *err)
{
	int rc = 0;

	run->asked = run->files;
	rc = formulas_add_events(run, err);
	for (unsigned i = 0; i < run->sweep.shapes && rc == 0; i++) {
		struct assay_record *record = NULL;
		struct assay_shape shape;

		rc = sweep_shape(&run->sweep, i, &shape, err);
		if (rc == 0)
			rc = run_measure(run, &shape, &record, err);
		if (rc < 0)
			break;
		judge(j, run, &shape, record);
		rc = verify_take(v, run, &j->result);
		record_free(record);
	}
	return rc;
}

/* The word for a tally: one disagreement is enough. */
static const char *word(const struct tally *t)
{
	if (t->disagrees)
		return "disagrees";
	if (t->agrees == t->shapes)
		return "agrees";
	return t->why[0] && !t->agrees ? "unavailable" : "inconclusive";
}

static int emit_verdict(struct verify *v, const struct tally *t)
{
	struct assay_value worst = { .number = t->worst };

	if (!t->agrees && !t->disagrees)
		worst.why = t->why[0] ? t->why : "no band to compare with";
	struct assay_field field[] = {
		field_text("verdict", word(t)),
		field_text("quantity", assay_quantity_name(t->quantity)),
		field_text("from", t->from), field_text("kernel", t->kernel),
		field_count("shapes", t->shapes),
		field_count("disagree", t->disagrees),
		field_share("worst error", worst),
		field_text("at", t->at), field_text("note", t->differs),
	};

	/* what agrees everywhere needs no words */
	if (t->agrees == t->shapes)
		field[7].text = field[8].text = "";

	return row_emit(v->fn, v->ctx, "verdict", field,
			sizeof(field) / sizeof(*field));
}

static int verify_plan(struct assay *assay, struct verify *v, const char *on,
		       const char *page_map, struct assay_error *err)
{
	struct run *run = calloc(1, sizeof(*run));
	struct judgement *j = calloc(1, sizeof(*j));
	int rc = run && j ? 0 : error_set(err, -ASSAY_ENOMEM, "out of memory");

	for (size_t i = 0; i < sizeof(plan) / sizeof(*plan) && !rc; i++) {
		const struct assay_job job = {
			.kernel = plan[i].kernel, .on = on,
			.setting = plan[i].setting,
			.settings = plan[i].settings, .cpu = -1,
			.page_map = page_map,
			.events = strncmp(on, "perf", 4) ? NULL :
				  "instructions",
		};

		if (v->controls && !kernel_find(job.kernel)->control)
			continue;
		rc = run_init(run, assay, &job, err);
		if (rc < 0)
			break;
		rc = verify_shapes(v, run, j, err);
		run_fini(run);
	}
	free(j);
	free(run);
	return rc;
}

static int ignore_row(void *ctx, const struct assay_row *row)
{
	(void)ctx;
	(void)row;
	return 0;
}

/* perf without hardware counters: only the positive controls make sense. */
static bool only_controls(const struct assay *assay, const char *on)
{
	bool hardware = true;

	return strcmp(on, "perf") == 0 &&
	       env_doctor(assay->sysroot, &hardware, ignore_row, NULL,
			  NULL) == 0 && !hardware;
}

/* What has not been compared is no success. */
static int check_compared(const struct verify *v, struct assay_error *err)
{
	if (v->compared && !v->controls)
		return 0;
	return error_set(err, -ASSAY_EUNAVAIL, "%s\n"
			 "try: assay doctor, or assay verify --on "
			 "sim:cortex-a72",
			 v->compared ? "there are no hardware counters here: "
			 "only page faults and breakpoints were verified" :
			 "nothing could be compared: none of the events can "
			 "be counted here");
}

int assay_verify(struct assay *assay, const char *on, const char *page_map,
		 assay_row_fn *fn, void *ctx, unsigned *disagreements,
		 struct assay_error *err)
{
	struct verify *v = calloc(1, sizeof(*v));
	bool sim = on && strncmp(on, "sim:", 4) == 0;
	bool replay = on && strncmp(on, "replay:", 7) == 0;
	int rc;

	if (!v)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	v->fn = fn;
	v->ctx = ctx;
	on = on ? on : "perf";
	v->controls = only_controls(assay, on);
	/* closed forms of cache quantities are exact on contiguous frames */
	if (sim && !page_map && !strstr(on, "page-map="))
		page_map = "identity";
	if (replay)
		rc = verify_saved(assay, v, on, err);
	else
		rc = verify_plan(assay, v, on, page_map, err);
	for (unsigned i = 0; i < v->tallies && rc == 0; i++)
		rc = emit_verdict(v, &v->tally[i]);
	if (rc == 0 && replay && !v->tallies)
		rc = error_set(err, -ASSAY_EINVAL, "'%.200s' holds nothing "
			       "that could be compared", on + 7);
	if (rc == 0 && !replay && !v->disagrees)
		rc = check_compared(v, err);
	if (rc == 0)
		*disagreements = v->disagrees;
	free(v);
	return rc;
}
