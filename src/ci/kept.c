/* SPDX-License-Identifier: MIT */
/* See kept.h. */
#include "ci/kept.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "program/fixed.h"

enum { SHARE = 2000 };	/* of a total: what a kept line has at least */

/* ---- to the baseline ---------------------------------------------------- */

static char *copy(const char *text)
{
	return strdup(text ? text : "");
}

int ci_kept_name(struct baseline_benchmark *out,
		 const struct ci_benchmark *benchmark,
		 const struct ci_program *program, struct assay_error *err)
{
	const char *guest = program->guest ? program->guest :
			    fixed_guest(program->isa, program->cpu);
	size_t bytes = 1;

	for (size_t i = 0; benchmark->word[i]; i++)
		bytes += strlen(benchmark->word[i]) + 1;
	out->name = copy(benchmark->name);
	out->cpu = copy(program->cpu);
	out->guest = copy(guest);
	out->command = calloc(bytes, 1);
	if (!out->name || !out->cpu || !out->guest || !out->command)
		return error_memory(err);
	for (size_t i = 0; benchmark->word[i]; i++) {
		strcat(out->command, i ? " " : "");
		strcat(out->command, benchmark->word[i]);
	}
	out->part = copy(benchmark->from ? benchmark->from :
			 benchmark->region);
	return out->part ? 0 : error_memory(err);
}

static const struct ci_budget *budget_of(const struct ci_benchmark *benchmark,
					 enum assay_quantity q)
{
	for (size_t i = 0; i < benchmark->budgets; i++)
		if (benchmark->budget[i].quantity == q)
			return &benchmark->budget[i];
	return NULL;
}

static int keep_counts(struct baseline_benchmark *out,
		       const struct ci_benchmark *benchmark,
		       const struct ci_side *side, struct assay_error *err)
{
	char why[200];

	for (int q = 0; q < ASSAY_QUANTITIES; q++) {
		const struct ci_budget *b = budget_of(benchmark, q);
		struct baseline_counts *to = &out->of[q];

		if (b && ci_side_moves(side, b, why, sizeof(why))) {
			to->moves = strdup(why);
			if (!to->moves)
				return error_memory(err);
			continue;
		}
		if (!b && (*side->run[0].why[q] || side->run[0].number[q] !=
			   side->again[0].number[q]))
			continue;
		to->layouts = b && b->layouts < side->runs ? b->layouts :
			      b ? side->runs : 1;
		for (unsigned i = 0; i < to->layouts; i++)
			to->count[i] = (uint64_t)side->run[i].number[q];
	}
	return 0;
}

static bool is_large(const struct ci_line *line,
		     const struct ci_benchmark *benchmark,
		     const struct ci_side *side)
{
	for (size_t i = 0; i < benchmark->budgets; i++) {
		const enum assay_quantity q = benchmark->budget[i].quantity;
		const enum tally_column c = ci_lines_column(q);

		if (c < TALLY_COLUMNS && line->count[c] &&
		    (double)line->count[c] * SHARE >= side->run[0].number[q])
			return true;
	}
	return false;
}

/* Below the project's folder, as seen from there; else the name alone. */
static const char *short_name(const char *file, const char *root)
{
	const size_t n = strlen(root);
	const char *slash = strrchr(file, '/');

	if (!strncmp(file, root, n) && file[n] == '/')
		return file + n + 1;
	return slash ? slash + 1 : file;
}

static int keep_line(struct baseline_benchmark *out, const struct ci_line *l,
		     const char *root, struct assay_error *err)
{
	struct baseline_line *to = baseline_add_line(out);

	if (!to)
		return error_memory(err);
	to->file = copy(short_name(l->file, root));
	to->function = copy(l->function);
	to->object = copy(l->object);
	to->text = l->text ? strdup(l->text) : NULL;
	to->line = (unsigned)l->line;
	memcpy(to->count, l->count, sizeof(to->count));
	return to->file && to->function && to->object &&
	       (to->text || !l->text) ? 0 : error_memory(err);
}

int ci_kept_fill(struct baseline_benchmark *out,
		 const struct ci_benchmark *benchmark,
		 const struct ci_side *side, struct assay_error *err)
{
	const char *folder = side->program->folder;
	char root[PATH_MAX];
	int rc = ci_kept_name(out, benchmark, side->program, err);

	if (!realpath(folder && *folder ? folder : ".", root))
		*root = '\0';
	if (rc == 0)
		rc = keep_counts(out, benchmark, side, err);
	for (size_t i = 0; i < side->lines.n && rc == 0; i++)
		if (is_large(&side->lines.of[i], benchmark, side))
			rc = keep_line(out, &side->lines.of[i], root, err);
	return rc;
}

/* ---- from the baseline -------------------------------------------------- */

/* Quantities that the baseline lacks are absent in all layouts. */
static void fill_runs(struct ci_side *out, const struct baseline_benchmark *b)
{
	static const char none[] = "the baseline has no counts of it: assay ci "
				   "record";

	for (int q = 0; q < ASSAY_QUANTITIES; q++) {
		const struct baseline_counts *from = &b->of[q];

		for (unsigned i = 0; i < from->layouts; i++)
			out->run[i].number[q] = (double)from->count[i];
		out->kept[q] = from->layouts;
		if (from->moves || !from->layouts)
			text_copy(out->run[0].why[q], RUN_WHY,
				  from->moves ? from->moves : none);
	}
	out->runs = 1;
}

int ci_kept_side(struct ci_side *out, const struct baseline_benchmark *kept,
		 struct assay_error *err)
{
	int rc = ci_side_init(out, NULL, "base", err);

	if (rc < 0)
		return rc;
	fill_runs(out, kept);
	out->lines.of = calloc(kept->lines + 1, sizeof(*out->lines.of));
	if (!out->lines.of)
		return error_memory(err);
	for (size_t i = 0; i < kept->lines; i++) {
		const struct baseline_line *l = &kept->line[i];
		struct ci_line *to = &out->lines.of[out->lines.n++];

		*to = (struct ci_line){ l->function, l->object, l->file,
					(int)l->line, l->text, { 0 } };
		memcpy(to->count, l->count, sizeof(to->count));
	}
	ci_lines_order(&out->lines);
	return 0;
}
