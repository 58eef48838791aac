/* SPDX-License-Identifier: MIT */
/* Pies: who served the accesses, and do the parts make the whole? */
#include "analysis/formulas/formula.h"

/* Residual, negative part and consistency of parts that are filled in. */
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
 * Who served is known per line, so an access that crosses a line is as many as
 * it touches. Who does not know of such accesses has none: kernels never do.
 */
static struct assay_value line_accesses(const struct assay_value *truth)
{
	struct assay_value out = sum(truth[ASSAY_Q_loads],
				     truth[ASSAY_Q_stores]);

	if (!out.why && !truth[ASSAY_Q_split_lines].why)
		out = sum(out, truth[ASSAY_Q_split_lines]);
	return out;
}

/* Shares of nothing are no numbers. */
static void empty(struct pie *out)
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
		empty(out);
	check(out);
	/* each draw's parts make the whole */
	out->residual.estimate &= out->residual.number != 0;
}
