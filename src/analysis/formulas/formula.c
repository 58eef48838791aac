/* SPDX-License-Identifier: MIT */
/*
 * The value of a formula on a record, or the chain of reasons why there is
 * none; and pies of five values. See formula.h.
 */
#include "analysis/formulas/formula.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/formulas/loader.h"
#include "base/record.h"

void formula_free(struct formula_file *file)
{
	struct formula_owned *owned = file ? file->owned : NULL;

	if (!owned)
		return;
	yaml_free(owned->yaml);
	free(owned->nodes.node);
	pool_free(owned->pool);
}

int formula_is_event(const struct formula *formula)
{
	const struct expr_node *n = &formula->expr.node[formula->expr.root];

	return n->op == EXPR_NAME ? n->name : -1;
}

/* A text owned by the file; equal texts share one copy. */
static const char *keep(const struct formula_file *file, const char *format,
			...) __attribute__((format(printf, 2, 3)));

static const char *keep(const struct formula_file *file, const char *format,
			...)
{
	struct formula_owned *owned = file->owned;
	struct formula_reason *r;
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (r = owned->reasons; r; r = r->next)
		if (strcmp(r->text, text) == 0)
			return r->text;
	r = pool_get(owned->pool, sizeof(*r) + strlen(text) + 1);
	if (!r)
		return "out of memory";
	strcpy(r->text, text);
	r->next = owned->reasons;
	owned->reasons = r;
	return r->text;
}

struct valuing {
	const struct formula_file *file;
	const struct assay_record *record;
};

static struct assay_value event_value(const void *ctx, int name)
{
	const struct valuing *v = ctx;
	const char *event = v->file->event[name], *why;
	int found = record_find_plain(v->record, event);
	struct assay_value out = { .why = "not in the record" };

	if (found >= 0)
		out = assay_record_value(v->record, (unsigned)found);
	if (!out.why)
		return out;
	why = out.why;
	if (found >= 0 && v->record->event[found].why[0])
		why = v->record->event[found].why;
	out.why = keep(v->file, "needs %s: %s", event, why);
	return out;
}

/* The reason, preceded by the first used formula that is absent itself. */
static const char *chain(const struct valuing *v,
			 const struct formula *formula, const char *why)
{
	for (int i = 0; i < FORMULA_USES && formula->uses[i]; i++) {
		const struct formula *used = formula->uses[i];
		struct assay_value value = formula_value(v->file, used,
							 v->record);

		if (!value.why)
			continue;
		if (strncmp(value.why, "needs ", 6) == 0)
			return keep(v->file, "needs %s, which %s", used->name,
				    value.why);
		return keep(v->file, "needs %s: %s", used->name, value.why);
	}
	return why;
}

struct assay_value formula_value(const struct formula_file *file,
				 const struct formula *formula,
				 const struct assay_record *record)
{
	const struct valuing v = { file, record };
	struct assay_value out = expr_tree_value(&formula->expr, event_value,
						 &v);

	if (out.why)
		out.why = chain(&v, formula, out.why);
	return out;
}

/* Sets residual, negative and consistent from the parts. */
static void check(struct pie *pie)
{
	struct assay_value residual = pie->part[PIE_TOTAL];

	pie->negative = -1;
	for (int i = 0; i < PIE_TOTAL; i++) {
		const struct assay_value *part = &pie->part[i];

		if (!residual.why)
			residual.why = part->why;
		residual.number -= part->why ? 0 : part->number;
		residual.estimate |= part->estimate;
		if (pie->negative < 0 && !part->why && part->number < 0)
			pie->negative = i;
	}
	if (residual.why)
		residual = (struct assay_value){ .why = residual.why };
	pie->residual = residual;
	pie->consistent = !residual.why && residual.number == 0 &&
			  pie->negative < 0;
}

void hypothesis_pie(const struct formula_file *file,
		    const struct hypothesis *hypothesis,
		    const struct assay_record *record, struct pie *out)
{
	for (int i = 0; i < PIE_PARTS; i++)
		out->part[i] = formula_value(file, &hypothesis->part[i],
					     record);
	check(out);
}

static struct assay_value sum(struct assay_value a, struct assay_value b)
{
	if (a.why || b.why)
		return (struct assay_value){ .why = a.why ? a.why : b.why };
	return (struct assay_value){
		.number = a.number + b.number,
		.estimate = a.estimate || b.estimate,
	};
}

/*
 * The serving level is known per line, so an access that crosses lines counts
 * once per line. Where the split lines are not known there are none: kernels
 * make no such accesses.
 */
static struct assay_value line_accesses(const struct assay_value *truth)
{
	struct assay_value out = sum(truth[ASSAY_Q_loads],
				     truth[ASSAY_Q_stores]);

	if (!out.why && !truth[ASSAY_Q_split_lines].why)
		out = sum(out, truth[ASSAY_Q_split_lines]);
	return out;
}

/* Without accesses there are no shares. */
static void make_absent(struct pie *out)
{
	for (int i = 0; i < PIE_PARTS; i++)
		out->part[i] = (struct assay_value){
			.why = "the counted region accesses no data" };
}

void true_pie(const struct assay_record *record, struct pie *out)
{
	const struct assay_value *truth = record->truth.of;

	out->part[PIE_L1] = truth[ASSAY_Q_served_l1];
	out->part[PIE_L2] = truth[ASSAY_Q_served_l2];
	out->part[PIE_L3] = truth[ASSAY_Q_served_l3];
	out->part[PIE_DRAM] = truth[ASSAY_Q_served_dram];
	out->part[PIE_TOTAL] = line_accesses(truth);
	if (!out->part[PIE_TOTAL].why && out->part[PIE_TOTAL].number == 0)
		make_absent(out);
	check(out);
	/* the parts of each random draw add up to its total */
	out->residual.estimate &= out->residual.number != 0;
}
