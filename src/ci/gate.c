/* SPDX-License-Identifier: MIT */
/* assay_ci_init(), assay_ci_record() and assay_ci_check(): the benchmarks of
 * assay-ci.yaml, and the baseline. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output/new-file.h"
#include "base/row.h"
#include "base/text.h"
#include "ci/depends.h"
#include "ci/file.h"
#include "ci/kept.h"
#include "ci/layout.h"
#include "ci/rows.h"

/* One call of record or check. */
struct gate {
	struct assay *assay;
	const struct assay_ci *ci;
	struct ci_file file;
	struct baseline baseline;
	struct ci_rows rows;
	struct assay_ci_outcome outcome;
};

static void path_of(char *out, size_t room, const struct assay_ci *ci,
		    const char *name)
{
	snprintf(out, room, "%s%s%s", ci->folder ? ci->folder : "",
		 ci->folder ? "/" : "", name);
}

/* ---- a benchmark -------------------------------------------------------- */

/* A benchmark while it runs. */
struct bench {
	const struct ci_benchmark *of;
	struct ci_program program;
	struct ci_side side;
	struct ci_measurement m;
	struct scratch folder;		/* for the files of runs */
	bool has_folder;
	struct baseline_benchmark *now;	/* what there is to be recorded */
	struct baseline made;		/* owns it */
};

static void bench_fini(struct bench *b)
{
	if (b->has_folder)
		scratch_remove(&b->folder);
	ci_side_fini(&b->side);
	baseline_fini(&b->made);
}

static int bench_init(struct bench *b, const struct gate *g,
		      const struct ci_benchmark *of, struct assay_error *err)
{
	int rc;

	*b = (struct bench){
		.of = of,
		.program = { .name = of->word[0], .folder = g->ci->folder,
			.argument = of->word + 1, .cpu = of->cpu,
			.environment = g->file.environment,
			.guest = g->file.guest, .status = of->status,
			.from = of->from, .region = of->region,
			.output = g->ci->output },
		.m = { g->assay, g->ci, b->folder.folder, of->budget,
		       of->budgets },
	};
	rc = ci_program_find(&b->program, of->word[0], err);
	if (rc == 0)
		rc = ci_side_init(&b->side, &b->program, "head", err);
	if (rc == 0)
		rc = layout_folder_make(&b->folder, err);
	b->has_folder = rc == 0;
	b->now = baseline_add(&b->made);
	return rc ? rc : b->now ? 0 : error_memory(err);
}

/* ---- record ------------------------------------------------------------- */

static int put_recorded(const struct gate *g, const struct ci_budget *budget,
			const struct baseline_counts *c)
{
	const struct assay_field field[] = {
		field_text("benchmark", g->rows.benchmark),
		field_text("quantity", assay_quantity_name(budget->quantity)),
		c->layouts ? field_count("count", c->count[0]) :
			field_value("count", (struct assay_value){
				.why = c->moves }),
		field_count("layouts", c->layouts),
		field_text("why", c->moves ? c->moves : ""),
	};

	return row_emit(g->rows.fn, g->rows.ctx, "recorded", field, 5);
}

/* Takes over the counts of a benchmark that has run. */
static int keep(struct gate *g, struct bench *b, struct assay_error *err)
{
	int rc = ci_kept_fill(b->now, b->of, &b->side, err);

	if (rc == 0)
		rc = ci_depends_add(b->now, b->of, &b->side, err);
	for (size_t i = 0; i < b->of->budgets && rc == 0; i++) {
		const struct ci_budget *budget = &b->of->budget[i];

		g->outcome.budgets++;
		g->outcome.unjudged += b->now->of[budget->quantity].moves !=
				       NULL;
		rc = put_recorded(g, budget, &b->now->of[budget->quantity]);
	}
	return rc;
}

static int record_one(struct gate *g, const struct ci_benchmark *of,
		      struct assay_error *err)
{
	struct baseline_benchmark *to;
	struct bench b;
	int rc = bench_init(&b, g, of, err);

	g->rows.benchmark = of->name;
	if (rc == 0)
		rc = ci_measure_all(&b.m, &b.side, err);
	if (rc == 0)
		rc = keep(g, &b, err);
	if (rc == 0)
		rc = ci_rows_remarks(&g->rows, &b.side);
	if (rc == 0) {
		to = baseline_add(&g->baseline);
		if (to) {
			*to = *b.now;
			*b.now = (struct baseline_benchmark){ .files = 0 };
		} else {
			rc = error_memory(err);
		}
	}
	bench_fini(&b);
	return rc;
}

/* The old baseline is replaced when all is written. */
static int write_baseline(const struct gate *g, struct assay_error *err)
{
	struct new_file new;
	char path[4096];
	int written, rc;

	path_of(path, sizeof(path), g->ci, CI_BASELINE);
	rc = new_file_open(&new, path, err);
	if (rc < 0)
		return rc;
	written = baseline_write(new.file, &g->baseline, err);
	rc = new_file_close(&new, written == 0, err);
	return written < 0 ? written : rc;
}

/* ---- check -------------------------------------------------------------- */

/* All budgets of a benchmark, not judged for one reason. */
static int refuse(struct gate *g, struct bench *b, const char *why,
		  struct assay_error *err)
{
	for (unsigned i = 0; i < ASSAY_QUANTITIES; i++)
		text_copy(b->side.run[0].why[i], RUN_WHY, why);
	b->side.runs = 1;
	return ci_rows_budgets(&g->rows, &b->m, &b->side, &b->side, err);
}

/* Why the benchmark's command cannot be compared with the baseline's. */
static const char *why_other(const struct baseline_benchmark *then,
			     const struct bench *b)
{
	if (!then)
		return "not comparable: the baseline has no such benchmark";
	if (strcmp(then->command, b->now->command))
		return "not comparable: the baseline's command is another one";
	if (strcmp(then->part, b->now->part))
		return "not comparable: the baseline's region is another one";
	if (strcmp(then->cpu, b->now->cpu) ||
	    strcmp(then->guest, b->now->guest))
		return "not comparable: the baseline's CPU is another one";
	return NULL;
}

static int compare(struct gate *g, struct bench *b,
		   const struct baseline_benchmark *then,
		   struct assay_error *err)
{
	struct ci_side base;
	char why[RUN_WHY];
	int rc = ci_kept_side(&base, then, err);

	if (rc == 0)
		rc = ci_measure(&b->m, &base, &b->side, err);
	if (rc == 0)
		rc = ci_depends_add(b->now, b->of, &b->side, err);
	if (rc == 0 && ci_depends_differ(then, b->now, why, sizeof(why)))
		rc = refuse(g, b, why, err);
	else if (rc == 0)
		rc = ci_rows_budgets(&g->rows, &b->m, &base, &b->side, err);
	if (rc == 0)
		rc = ci_rows_remarks(&g->rows, &b->side);
	ci_side_fini(&base);
	return rc;
}

static int check_one(struct gate *g, const struct ci_benchmark *of,
		     struct assay_error *err)
{
	const struct baseline_benchmark *then =
		baseline_find(&g->baseline, of->name);
	const char *why;
	struct bench b;
	int rc = bench_init(&b, g, of, err);

	g->rows.benchmark = of->name;
	if (rc == 0)
		rc = ci_kept_name(b.now, of, &b.program, err);
	if (rc == 0) {
		why = why_other(then, &b);
		rc = why ? refuse(g, &b, why, err) : compare(g, &b, then, err);
	}
	bench_fini(&b);
	return rc;
}

/* ---- both --------------------------------------------------------------- */

static int gate_init(struct gate *g, struct assay *assay,
		     const struct assay_ci *ci, assay_row_fn *fn, void *ctx,
		     struct assay_error *err)
{
	*g = (struct gate){ .assay = assay, .ci = ci,
			    .rows = { NULL, fn, ctx, ci->most, &g->outcome } };
	if (ci->layouts > CI_LAYOUTS)
		return error_set(err, -ASSAY_EINVAL, "at most %d layouts",
				 CI_LAYOUTS);
	return ci_file_read(&g->file, ci, err);
}

static void gate_fini(struct gate *g)
{
	baseline_fini(&g->baseline);
	ci_file_fini(&g->file);
}

int assay_ci_record(struct assay *assay, const struct assay_ci *ci,
		    assay_row_fn *fn, void *ctx,
		    struct assay_ci_outcome *outcome, struct assay_error *err)
{
	struct gate g;
	int rc = gate_init(&g, assay, ci, fn, ctx, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < g.file.benchmarks && rc == 0; i++)
		rc = record_one(&g, &g.file.benchmark[i], err);
	if (rc == 0)
		rc = write_baseline(&g, err);
	if (rc == 0)
		*outcome = g.outcome;
	gate_fini(&g);
	return rc;
}

int assay_ci_check(struct assay *assay, const struct assay_ci *ci,
		   assay_row_fn *fn, void *ctx,
		   struct assay_ci_outcome *outcome, struct assay_error *err)
{
	char path[4096];
	struct gate g;
	int rc = gate_init(&g, assay, ci, fn, ctx, err);

	if (rc < 0)
		return rc;
	path_of(path, sizeof(path), ci, CI_BASELINE);
	rc = baseline_read(&g.baseline, path, err);
	if (rc == -ASSAY_ENOENT)
		error_add(err, "assay ci record writes one");
	for (size_t i = 0; i < g.file.benchmarks && rc == 0; i++)
		rc = check_one(&g, &g.file.benchmark[i], err);
	if (rc == 0)
		*outcome = g.outcome;
	gate_fini(&g);
	return rc;
}

/* ---- init --------------------------------------------------------------- */

static const char head[] =
	"# What may not get worse: man assay-ci. After a change of this file:\n"
	"# assay ci record\n"
	"schema: assay-ci/1\n"
	"layouts: 8\n"
	"benchmarks:\n";
static const char budgets[] =
	"    status: 0\n"
	"    budgets:\n"
	"      instructions: +0.5 %\n"
	"      l1d_refills: +1 %\n"
	"      dram_reads: +1 %\n";

/* A word in YAML's double quotes. */
static void put_word(FILE *out, const char *word)
{
	putc('"', out);
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			putc('\\', out);
		putc(*word, out);
	}
	putc('"', out);
}

static void put_file(FILE *out, char *const *command)
{
	static char program[] = "./program", *const none[] = {
		program, NULL };
	const char *name, *slash;

	command = command && *command ? command : none;
	slash = strrchr(command[0], '/');
	name = slash ? slash + 1 : command[0];
	fputs(head, out);
	fputs("  ", out);
	put_word(out, name);
	fputs(":\n    command: [", out);
	for (size_t i = 0; command[i]; i++) {
		fputs(i ? ", " : "", out);
		put_word(out, command[i]);
	}
	fputs("]\n", out);
	fputs(budgets, out);
}

int assay_ci_init(const struct assay_ci *ci, char *const *command,
		  struct assay_error *err)
{
	char path[4096];
	FILE *out;

	path_of(path, sizeof(path), ci, CI_FILE);
	out = fopen(path, "wxe");
	if (!out && errno == EEXIST)
		return error_set(err, -ASSAY_EINVAL, "'%.300s' is there "
				 "already", path);
	if (!out)
		return error_write(err, path);
	put_file(out, command);
	return fclose(out) ? error_write(err, path) : 0;
}
